import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { asTyped } from '../../../shared/operations/client.ts';
import { useWrite } from '../../api/calls.ts';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { ActionForm } from '../../ui/action-form.tsx';
import { QuantityInput } from '../../ui/pad/quantity-input.tsx';
import type { LotFacts } from './place-select.tsx';
import { PlaceSelect } from './place-select.tsx';

export interface LotActionProps {
  id: number;
  unit: string | null;
  locations: LotFacts['locations'];
  onClose: () => void;
}

/** Carries all or a part of the lot from one place to another. */
export function MoveLot({ id, unit, locations, onClose }: LotActionProps) {
  const { t } = useTranslation('stock');
  const { mutateAsync } = useWrite('x.inventory.moves.create');
  const [to, setTo] = useState<number | null>(null);
  const [from, setFrom] = useState<number | null>(locations[0]?.location_id ?? null);
  const [quantity, setQuantity] = useState<string | number>('');
  const [reason, setReason] = useState('');
  return (
    <ActionForm
      title={t('move')}
      submit={t('move')}
      onClose={onClose}
      onSubmit={() =>
        mutateAsync({
          params: { id },
          body: asTyped<'x.inventory.moves.create'>({
            to_location_id: to,
            ...(locations.length > 1 && { from_location_id: from }),
            ...(quantity !== '' && { quantity: Number(quantity) }),
            ...(reason !== '' && { reason }),
          }),
        })
      }
    >
      {errors => (
        <>
          <ReferenceInput
            family="location"
            label={t('move.to')}
            value={to}
            onChange={setTo}
            error={errors('to_location_id')}
            required
            isAutoFocused
            takesScans
          />
          <PlaceSelect
            label={t('move.from')}
            locations={locations}
            value={from}
            onChange={setFrom}
            error={errors('from_location_id')}
          />
          <QuantityInput
            label={t('quantity')}
            description={t('move.all')}
            value={quantity}
            onChange={setQuantity}
            error={errors('quantity')}
            rightSection={unit}
            rightSectionWidth={80}
            hideControls
            min={0}
          />
          <TextInput
            label={t('reason:reason')}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
            error={errors('reason')}
          />
        </>
      )}
    </ActionForm>
  );
}
