import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/formats.ts';

interface PlaceSelectProps {
  label: string;
  locations: LotFacts['locations'];
  value: number | null;
  onChange: (location: number | null) => void;
  error?: string | undefined;
}

/** One of the places where the lot stands; nothing to choose where there is one. */
export function PlaceSelect({ label, locations, value, onChange, error }: PlaceSelectProps) {
  const { t } = useTranslation('stock');
  const formats = useFormats();
  if (locations.length < 2) return null;
  return (
    <Select
      label={label}
      value={value === null ? null : String(value)}
      onChange={next => onChange(next === null ? null : Number(next))}
      error={error}
      data={locations.flatMap(place =>
        place.location_id === null
          ? []
          : [
              {
                value: String(place.location_id),
                label: `${place.name ?? t('places.unnamed')} (${formats.number(place.quantity)})`,
              },
            ],
      )}
    />
  );
}

/** `GET /x/inventory/{id}/facts`. */
export interface LotFacts {
  unit: string | null;
  quantity: number;
  locations: { location_id: number | null; name: string | null; quantity: number }[];
  locks: { reason: string; family: string; id: number }[];
}
