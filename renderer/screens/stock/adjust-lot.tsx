import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../../api/calls.ts';
import { useFormats } from '../../i18n/formats.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { QuantityInput } from '../../ui/pad/quantity-input.tsx';
import type { LotActionProps } from './move-lot.tsx';
import { PlaceSelect } from './place-select.tsx';

/** What is counted is typed; what is added or taken away follows from it. A reason is needed. */
export function AdjustLot({ id, unit, locations, onClose }: LotActionProps) {
  const { t } = useTranslation('stock');
  const formats = useFormats();
  const { mutateAsync } = useWrite('x.adjustments.create');
  const [place, setPlace] = useState<number | null>(locations[0]?.location_id ?? null);
  const [counted, setCounted] = useState<string | number>('');
  const [reason, setReason] = useState('');
  const recorded = locations.find(each => each.location_id === place)?.quantity ?? 0;
  // What was counted was counted against what stood there then, whatever ships while it is typed.
  const [present, setPresent] = useState(recorded);
  const difference = counted === '' ? null : roundToMicro(Number(counted) - present);
  return (
    <ActionForm
      title={t('adjust')}
      submit={t('adjust')}
      onClose={onClose}
      onSubmit={() =>
        mutateAsync({
          body: {
            inventory_id: id,
            quantity: difference,
            reason,
            ...(locations.length > 1 && { location_id: place }),
          },
        })
      }
    >
      {errors => (
        <>
          <QuantityInput
            label={t('adjust.counted')}
            description={
              difference === null
                ? t('adjust.present', { quantity: formats.number(present), unit })
                : t(difference < 0 ? 'adjust.less' : 'adjust.more', {
                    quantity: formats.number(Math.abs(difference)),
                    unit,
                  })
            }
            value={counted}
            onChange={value => {
              if (counted === '') setPresent(recorded);
              setCounted(value);
            }}
            error={errors('quantity')}
            rightSection={unit}
            rightSectionWidth={80}
            hideControls
            required
            data-autofocus
          />
          <PlaceSelect
            label={t('adjust.place')}
            locations={locations}
            value={place}
            onChange={next => {
              setPlace(next);
              setPresent(locations.find(each => each.location_id === next)?.quantity ?? 0);
            }}
            error={errors('location_id')}
          />
          <TextInput
            label={t('reason:reason')}
            description={t('reason.hint')}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
            error={errors('reason')}
            required
          />
        </>
      )}
    </ActionForm>
  );
}

/** Quantities have six decimals; a difference of two is no longer exact in binary. */
function roundToMicro(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
