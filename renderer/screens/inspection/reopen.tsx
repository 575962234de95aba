import { Radio } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { inspection } from '../../../shared/families/inspection.ts';
import { useWrite } from '../../api/calls.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { changeOf } from '../../ui/signing/signing.tsx';

/**
 * Takes the verdict back, with a reason that history keeps: to measure on, or for the other verdict at once, so that
 * who decides signs once.
 */
export function Reopen({ id, passed, onClose }: { id: number; passed: boolean; onClose: () => void }) {
  const { t } = useTranslation('inspection');
  const { mutateAsync } = useWrite('inspections.update');
  const [next, setNext] = useState('open');
  const after = { passed: next === 'open' ? null : !passed };
  return (
    <ActionForm
      title={t('reopen')}
      submit={t(next === 'open' ? 'reopen' : 'finalise.do')}
      reason={{
        kind: 'verdict',
        label: t('reason:reason'),
        description: t('reason.hint'),
        isDue: true,
        isAutoFocused: true,
      }}
      onClose={onClose}
      signs={changeOf(inspection, { passed }, after)}
      onSubmit={(reason, signature) =>
        mutateAsync({ params: { id }, body: { ...after, reason, ...signature } })
      }
    >
      {errors => (
        <Radio.Group
          label={t('reopen.to')}
          value={next}
          onChange={setNext}
          error={errors('passed')}
          style={{ gridColumn: '1 / -1' }}
        >
          <Radio value="open" label={t('reopen.open')} />
          <Radio value="other" label={t(passed ? 'reopen.failed' : 'reopen.passed')} />
        </Radio.Group>
      )}
    </ActionForm>
  );
}
