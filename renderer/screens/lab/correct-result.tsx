import { Fieldset, SimpleGrid, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppError } from '../../../shared/contract/errors.ts';
import { labResult } from '../../../shared/families/lab-result.ts';
import { useWrite } from '../../api/calls.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { changeOf } from '../../ui/signing/signing.tsx';
import type { Characteristic } from '../inspection/grid-model.ts';
import { correctedLabData, labTexts, readLab } from './lab-measurement.ts';
import { MeasurementInputs } from './measurement-inputs.tsx';

export interface CorrectResultProps {
  id: number;
  fields: Readonly<Record<string, unknown>>;
  /** Of the result's template, in its order; none where it has no template. */
  characteristics: readonly Characteristic[];
  onClose: () => void;
}

/** Corrects what was measured, value by value, with the reason that a saved value needs. */
export function CorrectResult({ id, fields, characteristics, onClose }: CorrectResultProps) {
  const { t, i18n } = useTranslation('lab');
  const { mutateAsync } = useWrite('lab-results.update.patch');
  const [before] = useState(() => labTexts(fields.lab_data, i18n.language === 'de' ? ',' : '.'));
  const [typed, setTyped] = useState(before);
  const asked = new Set(characteristics.map(({ name }) => name));
  const shown = [
    ...characteristics,
    ...Object.keys(before)
      .filter(name => !asked.has(name))
      .map(unasked),
  ];
  const lab_data = correctedLabData(fields.lab_data, typed);
  const isChanged = lab_data !== fields.lab_data;

  const save = async (reason: string, signature: Record<string, string>) => {
    const unreadable = Object.entries(typed).filter(([, text]) => readLab(text) === undefined);
    if (unreadable.length > 0) {
      const names = unreadable.map(([name, text]) => `${name}: “${text}”`).join(', ');
      throw new AppError('validation_failed', t('unreadable', { names }));
    }
    if (!isChanged) return;
    await mutateAsync({ params: { id }, body: { lab_data, reason, ...signature } });
  };

  return (
    <ActionForm
      title={t('correct')}
      submit={t('correct.save')}
      reason={{ kind: 'measured', isDue: isChanged }}
      signs={changeOf(labResult, fields, { lab_data })}
      onSubmit={save}
      onClose={onClose}
    >
      {errors => (
        <Fieldset legend={t('measurements')} style={{ gridColumn: '1 / -1' }}>
          <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
            <MeasurementInputs
              characteristics={shown}
              values={typed}
              onChange={(name, text) => setTyped({ ...typed, [name]: text })}
            />
          </SimpleGrid>
          <Text role="alert">{errors('lab_data')}</Text>
        </Fieldset>
      )}
    </ActionForm>
  );
}

/** What was measured although the template does not ask for it. */
function unasked(name: string, index: number): Characteristic {
  return { id: -1 - index, name, operation: '', asked: '', isOptional: true, limits: null, unit: null };
}
