import { Alert, Fieldset, SimpleGrid, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconLock } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { AppError } from '../../../shared/contract/errors.ts';
import { families } from '../../../shared/families/registry.ts';
import { useCall, useWrite } from '../../api/calls.ts';
import { client } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useDraft } from '../../record/draft.ts';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { useWholeRecord } from '../../record/whole-record.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { useScanTarget } from '../../ui/scan/scan-target.ts';
import { changeOf } from '../../ui/signing/signing.tsx';
import { today } from '../../ui/today.ts';
import { characteristicsOf, isFailing } from '../inspection/grid-model.ts';
import { judgeLab, labText, readLab } from './lab-measurement.ts';
import { MeasurementInputs } from './measurement-inputs.tsx';

interface Typed {
  template: number | null;
  lot: number | null;
  number: string;
  day: string;
  inspector: string;
  values: Record<string, string>;
}

/** A lab result by its template: each measurement is judged as it is typed, and what it will do to the lot is said first. */
export function EnterResult({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('lab');
  const { session } = useSession();
  const navigate = useNavigate();
  const draft = useDraft<Typed>('new lab-result entry');
  const { mutateAsync } = useWrite('lab-results.create');
  const [typed, setTyped] = useState<Typed>({
    template: null,
    lot: null,
    number: '',
    day: today(),
    inspector: session?.user?.name ?? '',
    values: {},
  });
  const [unknown, setUnknown] = useState<string | null>(null);
  const hasTyped = useRef(false);
  const set = (change: Partial<Typed>) => {
    hasTyped.current = true;
    setTyped(before => {
      const next = { ...before, ...change };
      draft.keep(next);
      return next;
    });
  };
  useEffect(() => {
    if (draft.found && !hasTyped.current) setTyped(draft.found);
  }, [draft.found]);
  const { template, lot, values } = typed;
  const specification = useWholeRecord('specification', template ?? 0, { isEnabled: template !== null });
  const characteristics = template === null ? [] : characteristicsOf(specification.data?.data.fields);
  const lotRecord = useCall('inventory.read', { params: { id: lot ?? 0 } }, { isEnabled: lot !== null });
  const batch = lot === null ? null : (lotRecord.data?.data.batch_number ?? null);
  const failing = characteristics.filter(({ name, limits }) => {
    const judgement = judgeLab(limits, readLab(values[name] ?? ''));
    return judgement !== 'within' && isFailing(judgement);
  });

  useScanTarget(text => {
    findLot(text).then(
      found => {
        setUnknown(found === null ? text : null);
        if (found !== null) set({ lot: found });
      },
      () => setUnknown(text),
    );
    return true;
  });

  const measured = characteristics.flatMap(({ name }) => {
    const text = values[name] ?? '';
    return text.trim() === '' ? [] : [[name, text] as const];
  });
  const body = {
    specification_id: template,
    inventory_id: lot,
    batch_number: batch,
    testing_id: typed.number || null,
    testing_date: typed.day || null,
    inspector_name: typed.inspector || null,
    lab_data: JSON.stringify(Object.fromEntries(measured.map(([name, text]) => [name, labText(text)]))),
  };

  const save = async (_reason: string, signature: Record<string, string>) => {
    const unreadable = measured.filter(([, text]) => readLab(text) === undefined);
    if (unreadable.length > 0) {
      const names = unreadable.map(([name, text]) => `${name}: “${text}”`).join(', ');
      throw new AppError('validation_failed', t('unreadable', { names }));
    }
    const { data } = await mutateAsync({ body: { ...body, ...signature } });
    await draft.discard().catch(() => {});
    await navigate(`/app/lab/${data.id}`);
  };

  return (
    <ActionForm
      title={t('new')}
      submit={t('save')}
      onClose={onClose}
      onSubmit={save}
      reason={{ kind: 'own' }}
      signs={changeOf(families['lab-result'], undefined, body)}
    >
      {errors => (
        <>
          <ReferenceInput
            family="inventory"
            label={t('lot')}
            description={t('lot.hint')}
            value={lot}
            onChange={next => set({ lot: next })}
            error={
              unknown === null
                ? (errors('inventory_id') ?? errors('batch_number'))
                : t('scan.unknown', { text: unknown })
            }
            isAutoFocused
          />
          <ReferenceInput
            family="specification"
            label={t('template')}
            value={template}
            onChange={next => set({ template: next })}
            error={errors('specification_id')}
            required
          />
          <TextInput
            label={t('number')}
            value={typed.number}
            onChange={event => set({ number: event.currentTarget.value })}
            error={errors('testing_id')}
            autoComplete="off"
          />
          <TextInput
            type="date"
            label={t('day')}
            value={typed.day}
            onChange={event => set({ day: event.currentTarget.value })}
            error={errors('testing_date')}
          />
          <TextInput
            label={t('inspector')}
            value={typed.inspector}
            onChange={event => set({ inspector: event.currentTarget.value })}
            error={errors('inspector_name')}
            autoComplete="off"
          />
          <Fieldset legend={t('measurements')} style={{ gridColumn: '1 / -1' }}>
            {characteristics.length === 0 ? (
              <Text>{t(template === null ? 'template.choose' : 'template.empty')}</Text>
            ) : (
              <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
                <MeasurementInputs
                  characteristics={characteristics}
                  values={values}
                  onChange={(name, text) => set({ values: { ...values, [name]: text } })}
                />
              </SimpleGrid>
            )}
            <Text role="alert">{errors('lab_data')}</Text>
          </Fieldset>
          {failing.length > 0 && (
            <Alert
              color="red"
              variant="light"
              role="status"
              icon={lot === null ? <IconAlertTriangle aria-hidden /> : <IconLock aria-hidden />}
              title={lot === null ? t('fails') : t('locks', { lot: batch ?? lot })}
              style={{ gridColumn: '1 / -1' }}
            >
              {t('outside', { names: failing.map(({ name }) => name).join(', ') })}
            </Alert>
          )}
        </>
      )}
    </ActionForm>
  );
}

/** The lot that a scanned label names; null: none, or not one alone. */
async function findLot(text: string): Promise<number | null> {
  const { data } = await client.call('x.scan', { body: { data: text } });
  return data.matches.find(({ family }) => family === 'inventory')?.id ?? null;
}
