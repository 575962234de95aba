import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../api/calls.ts';
import { ActionForm } from '../app/action-form.tsx';

/** Takes a closing back: what it took is in the lots again. A reason is needed. */
export function ReopenShipment({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation('shipping');
  const { mutateAsync } = useWrite('shipments.update');
  const [reason, setReason] = useState('');
  return (
    <ActionForm
      title={t('reopen')}
      submit={t('reopen')}
      color="red"
      onClose={onClose}
      onSubmit={() => mutateAsync({ params: { id }, body: { actual_ship_date: null, reason } })}
    >
      {errors => (
        <TextInput
          label={t('reason')}
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
