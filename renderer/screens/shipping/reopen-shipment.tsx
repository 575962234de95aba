import { useTranslation } from 'react-i18next';
import { shipment } from '../../../shared/families/shipment.ts';
import { useWrite } from '../../api/calls.ts';
import { ReasonForm } from '../../ui/reason-form.tsx';
import { changeOf } from '../../ui/signing/signing.tsx';

/** Takes a closing back: what it took is in the lots again. A reason is needed. */
export function ReopenShipment({ id, day, onClose }: { id: number; day: string; onClose: () => void }) {
  const { t } = useTranslation('shipping');
  const { mutateAsync } = useWrite('shipments.update');
  return (
    <ReasonForm
      title={t('reopen')}
      label={t('reason:reason')}
      kind="shipment"
      color="red"
      onClose={onClose}
      signs={changeOf(shipment, { actual_ship_date: day }, { actual_ship_date: null })}
      onSubmit={(reason, signature) =>
        mutateAsync({ params: { id }, body: { actual_ship_date: null, reason, ...signature } })
      }
    />
  );
}
