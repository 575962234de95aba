import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useWrite } from '../../api/calls.ts';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { useNamedChoice } from '../../record/use-named-choice.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { today } from '../../ui/today.ts';

/** For whom and when, as far as that is known; what goes is scanned or typed on the shipment's page. */
export function NewShipment({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shipping');
  const navigate = useNavigate();
  const { mutateAsync } = useWrite('shipments.create');
  const customer = useNamedChoice();
  const [day, setDay] = useState(today());
  return (
    <ActionForm
      title={t('new')}
      submit={t('begin')}
      onClose={onClose}
      onSubmit={async () => {
        customer.refuseUnknown('contact_id');
        const body = { contact_id: customer.id, requested_ship_date: day || null };
        const { data } = await mutateAsync({ body });
        await navigate(`/app/shipping/${data.id}`);
      }}
    >
      {errors => (
        <>
          <ReferenceInput
            family="customer"
            label={t('customer')}
            {...customer.input}
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
