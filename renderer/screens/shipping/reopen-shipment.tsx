import { useTranslation } from 'react-i18next';
import { useWrite } from '../../api/calls.ts';
import { ReasonForm } from '../../ui/reason-form.tsx';

/** Takes a closing back: what it took is in the lots again. A reason is needed. */
export function ReopenShipment({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation('shipping');
  const { mutateAsync } = useWrite('shipments.update');
  return (
    <ReasonForm
      title={t('reopen')}
      label={t('reason')}
      kind="shipment"
      color="red"
      onClose={onClose}
      onSubmit={reason => mutateAsync({ params: { id }, body: { actual_ship_date: null, reason } })}
    />
  );
}
