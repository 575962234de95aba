import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../api/calls.ts';
import { ActionForm } from '../app/action-form.tsx';

/** Locks a lot by hand, or lifts the lock that a person set; what inspections and results lock stays locked. */
export function LockLot({ id, isLocked, onClose }: { id: number; isLocked: boolean; onClose: () => void }) {
  const { t } = useTranslation('stock');
  const { mutateAsync } = useWrite('x.inventory.lock');
  const [reason, setReason] = useState('');
  const title = t(isLocked ? 'unlock' : 'lock');
  return (
    <ActionForm
      title={title}
      submit={title}
      color="red"
      onClose={onClose}
      onSubmit={() => mutateAsync({ params: { id }, body: { is_locked: !isLocked, reason } })}
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
