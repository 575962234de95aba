import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../api/calls.ts';
import { ActionForm } from '../app/action-form.tsx';

/** Takes the verdict back, with a reason that history keeps. */
export function Reopen({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation('inspection');
  const { mutateAsync } = useWrite('inspections.update');
  const [reason, setReason] = useState('');
  return (
    <ActionForm
      title={t('reopen')}
      submit={t('reopen')}
      onClose={onClose}
      onSubmit={() => mutateAsync({ params: { id }, body: { passed: null, reason } })}
    >
      {errors => (
        <TextInput
          label={t('reason')}
          description={t('reason.hint')}
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
          error={errors('reason')}
          required
          data-autofocus
        />
      )}
    </ActionForm>
  );
}
