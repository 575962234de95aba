import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { invalid } from '../../../shared/contract/errors.ts';
import { useWrite } from '../../api/calls.ts';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { ActionForm } from '../../ui/action-form.tsx';
import { today } from '../../ui/today.ts';

/** For whom and when, as far as that is known; what goes is scanned or typed on the shipment's page. */
export function NewShipment({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shipping');
  const navigate = useNavigate();
  const { mutateAsync } = useWrite<{ id: number }>('shipments.create');
  const [customer, setCustomer] = useState<number | null>(null);
  const [unknown, setUnknown] = useState<string | null>(null);
  const [day, setDay] = useState(today());
  return (
    <ActionForm
      title={t('new')}
      submit={t('begin')}
      onClose={onClose}
      onSubmit={async () => {
        // What was typed and is nobody's name is not dropped in silence.
        if (customer === null && unknown !== null)
          throw invalid({ contact_id: [t('record:reference.unknown', { text: unknown })] });
        const body = { contact_id: customer, requested_ship_date: day || null };
        const { data } = await mutateAsync({ body });
        await navigate(`/app/shipping/${data.id}`);
      }}
    >
      {errors => (
        <>
          <ReferenceInput
            family="customer"
            label={t('customer')}
            value={customer}
            onChange={setCustomer}
            onTyped={setUnknown}
            error={errors('contact_id')}
            isAutoFocused
          />
          <TextInput
            type="date"
            label={t('requested')}
            value={day}
            onChange={event => setDay(event.currentTarget.value)}
            error={errors('requested_ship_date')}
          />
        </>
      )}
    </ActionForm>
  );
}
