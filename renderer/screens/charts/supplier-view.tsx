import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SupplierFigures } from '../../../shared/operations/figure-schemas.ts';
import { useCall } from '../../api/calls.ts';
import { useFormats } from '../../i18n/formats.ts';
import { recordPath } from '../../ui/record-path.ts';
import { BarPicture } from './bar-picture.tsx';
import type { ChartAddress } from './chart-address.ts';
import { ChartFigure } from './chart-figure.tsx';
import { useChartFormats } from './chart-formats.ts';
import { tableOf } from './chart-table.tsx';
import { MonthsSelect, monthsIn, Working } from './figure-state.tsx';

/** Bars at most; the table has all. */
const MOST = 25;

/** How much of what suppliers delivered was accepted, the lowest share first. */
export function SupplierView({ address }: { address: ChartAddress }) {
  const { data, error, refetch } = useCall('x.figures.suppliers', {
    query: { months: monthsIn(address) },
  });
  return (
    <Stack gap="xl">
      <MonthsSelect address={address} />
      {data ? <Shares figures={data.data} /> : <Working error={error} onRetry={() => void refetch()} />}
    </Stack>
  );
}

function Shares({ figures }: { figures: SupplierFigures }) {
  const { t } = useTranslation('charts');
  const formats = useFormats();
  const { share } = useChartFormats();
  const { suppliers } = figures;
  const nameOf = ({ supplier }: { supplier: string | null }) => supplier ?? t('suppliers.unknown');
  const judged = suppliers.flatMap(each =>
    each.accepted_share === null ? [] : [{ ...each, accepted: each.accepted_share }],
  );
  const without = suppliers.length - judged.length;
  const shareOf = (value: number | null) => ({ value, shown: value === null ? '–' : share(value) });
  const count = (value: number) => ({ value, shown: formats.number(value) });
  if (suppliers.length === 0) return <Text role="status">{t('nothing')}</Text>;
  const title = t('suppliers.title', { day: formats.day(figures.from) });
  return (
    <ChartFigure
      title={title}
      notes={[
        t('suppliers.note'),
        ...(judged.length > MOST ? [t('more', { shown: MOST, total: judged.length })] : []),
        ...(without > 0 ? [t('suppliers.without', { count: without })] : []),
        t('asOf', { moment: formats.moment(figures.as_of) }),
      ]}
      fileName="suppliers"
      table={tableOf(suppliers, [
        [
          t('suppliers.supplier'),
          each => ({
            value: nameOf(each),
            ...(each.supplier_id !== null && { path: recordPath('supplier', each.supplier_id) }),
          }),
        ],
        [t('suppliers.share'), each => shareOf(each.accepted_share), 'number'],
        [t('suppliers.receipts'), each => count(each.receipts), 'number'],
        [t('suppliers.lines'), each => count(each.lines), 'number'],
        [t('suppliers.rejects'), each => count(each.lines_with_rejects), 'number'],
        [
          t('suppliers.quantities'),
          ({ by_unit: units }) => ({
            value: units.map(quantitiesIn(String)).join('; '),
            shown: units.map(quantitiesIn(formats.number)).join('; '),
          }),
        ],
        [t('suppliers.inspected'), each => count(each.lots_inspected), 'number'],
        [t('suppliers.failed'), each => count(each.lots_failed), 'number'],
      ])}
    >
      {judged.length > 0 && (
        <BarPicture
          label={title}
          rows={judged.slice(0, MOST).map(each => ({
            name: nameOf(each),
            values: [each.accepted],
            shortLabel: share(each.accepted),
            label: t('suppliers.bar', { share: share(each.accepted), count: each.lines }),
          }))}
          series={[t('suppliers.share')]}
          categoryTitle={t('suppliers.supplier')}
          valueTitle={t('suppliers.share')}
          valueText={share}
          isLying
          most={1}
        />
      )}
    </ChartFigure>
  );
}

type Quantities = SupplierFigures['suppliers'][number]['by_unit'][number];

function quantitiesIn(number: (value: number) => string) {
  return ({ unit, accepted, rejected }: Quantities) =>
    `${number(accepted)} + ${number(rejected)} ${unit ?? ''}`.trim();
}
