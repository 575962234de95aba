import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { StockValue } from '../../../shared/operations/figure-schemas.ts';
import { useCall } from '../../api/calls.ts';
import { useFormats } from '../../i18n/formats.ts';
import { BarPicture } from './bar-picture.tsx';
import type { ChartAddress } from './chart-address.ts';
import { ChartFigure } from './chart-figure.tsx';
import { useChartFormats } from './chart-formats.ts';
import { tableOf } from './chart-table.tsx';
import { MonthsSelect, monthsIn, Working } from './figure-state.tsx';

/** What the stock is worth, month by month and by when it expires. */
export function StockView({ address }: { address: ChartAddress }) {
  const { t } = useTranslation('charts');
  const formats = useFormats();
  const { data, error, refetch } = useCall('x.figures.stock-value', {
    query: { months: monthsIn(address) },
  });
  const figures = data?.data;
  return (
    <Stack gap="xl">
      <MonthsSelect address={address} />
      {!figures && <Working error={error} onRetry={() => void refetch()} />}
      {figures && (
        <>
          <Text>
            {[
              t('stock.sum', {
                value: formats.money(figures.value),
                lots: formats.number(figures.lots),
                expired: formats.money(figures.expired),
                locked: formats.money(figures.locked),
              }),
              ...(figures.lots_without_cost > 0
                ? [t('stock.noCost', { count: figures.lots_without_cost })]
                : []),
              t('asOf', { moment: formats.moment(figures.as_of) }),
            ].join(' ')}
          </Text>
          <ByMonth figures={figures} />
          <ByExpiry figures={figures} />
        </>
      )}
    </Stack>
  );
}

function ByMonth({ figures: { by_month: months } }: { figures: StockValue }) {
  const { t } = useTranslation('charts');
  const formats = useFormats();
  const { month, compact } = useChartFormats();
  const money = (value: number) => ({ value, shown: formats.money(value) });
  return (
    <ChartFigure
      title={t('stock.byMonth')}
      notes={[t('stock.byMonth.note')]}
      fileName="stock-value"
      table={tableOf(months, [
        [t('month'), each => ({ value: each.month, shown: month(each.month) })],
        [t('stock.value'), each => money(each.value), 'number'],
        [t('stock.received'), each => money(each.received), 'number'],
        [t('stock.shipped'), each => money(each.shipped), 'number'],
      ])}
    >
      <BarPicture
        label={t('stock.byMonth')}
        rows={months.map(each => ({
          name: month(each.month),
          values: [each.value],
          label: months.length > 24 ? '' : compact(each.value),
        }))}
        series={[t('stock.value')]}
        categoryTitle={t('month')}
        valueTitle={t('stock.value')}
        valueText={formats.number}
      />
    </ChartFigure>
  );
}

function ByExpiry({ figures }: { figures: StockValue }) {
  const { t } = useTranslation('charts');
  const formats = useFormats();
  const { month, compact } = useChartFormats();
  const present = figures.as_of.slice(0, 7);
  const rows = withEmptyMonths(figures.by_expiry);
  const nameOf = (of: string | null) => (of === null ? t('stock.noExpiry') : month(of));
  if (rows.length === 0) return null;
  return (
    <ChartFigure
      title={t('stock.byExpiry')}
      notes={[t('stock.byExpiry.note')]}
      fileName="stock-value-by-expiry"
      table={tableOf(figures.by_expiry, [
        [t('stock.expiry'), each => ({ value: each.month, shown: nameOf(each.month) })],
        [t('stock.value'), ({ value }) => ({ value, shown: formats.money(value) }), 'number'],
        [t('stock.lots'), ({ lots }) => ({ value: lots, shown: formats.number(lots) }), 'number'],
      ])}
    >
      <BarPicture
        label={t('stock.byExpiry')}
        rows={rows.map(each => ({
          name: nameOf(each.month),
          values: each.month !== null && each.month < present ? [0, each.value] : [each.value, 0],
          label: rows.length > 24 || each.value === 0 ? '' : compact(each.value),
        }))}
        series={[t('stock.coming'), t('stock.expired')]}
        categoryTitle={t('stock.expiry')}
        valueTitle={t('stock.value')}
        valueText={formats.number}
      />
    </ChartFigure>
  );
}

type Expiry = StockValue['by_expiry'][number];

/** Every month from the first to the last has its place, so that time is even; ten years at most. */
export function withEmptyMonths(expiries: readonly Expiry[]): Expiry[] {
  const dated = expiries.flatMap(each => (each.month === null ? [] : [{ ...each, month: each.month }]));
  const [first, last] = [dated[0], dated.at(-1)];
  if (!first || !last) return [...expiries];
  const [from, to] = [monthNumber(first.month), monthNumber(last.month)];
  if (to - from >= 120) return [...expiries];
  const known = new Map(dated.map(each => [monthNumber(each.month), each]));
  const all = Array.from({ length: to - from + 1 }, (_, at): Expiry => {
    const number = from + at;
    return known.get(number) ?? { month: monthText(number), value: 0, lots: 0 };
  });
  return [...all, ...expiries.filter(({ month }) => month === null)];
}

function monthNumber(month: string): number {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return year * 12 + number - 1;
}

function monthText(number: number): string {
  return `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;
}
