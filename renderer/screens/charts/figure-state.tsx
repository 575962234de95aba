import { Select, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/formats.ts';
import { Failure } from '../../ui/failure.tsx';
import type { ChartAddress } from './chart-address.ts';

/** What stands in the place of figures until they are there: over all records, they can take seconds. */
export function Working({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('charts');
  return error ? <Failure error={error} onRetry={onRetry} /> : <Text role="status">{t('working')}</Text>;
}

const choices = [12, 24, 36, 60];

/** How far back the figures go. */
export function MonthsSelect({ address }: { address: ChartAddress }) {
  const { t } = useTranslation('charts');
  const formats = useFormats();
  return (
    <Select
      label={t('months')}
      data={choices.map(months => ({ value: String(months), label: formats.number(months) }))}
      value={String(monthsIn(address))}
      allowDeselect={false}
      w="14rem"
      onChange={months => address.set({ months })}
    />
  );
}

export function monthsIn(address: ChartAddress): number {
  return choices.find(months => months === address.number('months')) ?? 12;
}
