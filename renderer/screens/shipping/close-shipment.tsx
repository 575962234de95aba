import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shipment } from '../../../shared/families/shipment.ts';
import { useWrite } from '../../api/calls.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { changeOf } from '../../ui/signing/signing.tsx';
import { today } from '../../ui/today.ts';

/** Takes the lots, first expired first, and keeps what it took. What cannot ship is named, and nothing changes. */
export function CloseShipment({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation('shipping');
  const { mutateAsync } = useWrite('shipments.update');
  const [day, setDay] = useState(today());
  return (
    <ActionForm
      title={t('close')}
      submit={t('close.now')}
      onClose={onClose}
      reason={{ kind: 'shipping' }}
      signs={changeOf(shipment, {}, { actual_ship_date: day })}
      onSubmit={(reason, signature) =>
        mutateAsync({
          params: { id },
          body: { actual_ship_date: day, ...(reason !== '' && { reason }), ...signature },
        })
      }
    >
      {errors => (
        <TextInput
          type="date"
          label={t('close.day')}
          description={t('close.hint')}
          value={day}
          onChange={event => setDay(event.currentTarget.value)}
          error={errors('actual_ship_date')}
          required
          data-autofocus
        />
      )}
    </ActionForm>
  );
}
