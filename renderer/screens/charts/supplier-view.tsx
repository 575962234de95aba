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
import { MonthsSelect, monthsIn, Working } from './figure-state.tsx';

/** Bars at most; the table has all. */
const MOST = 25;

/** How much of what suppliers delivered was accepted, the lowest share first. */
export function SupplierView({ address }: { address: ChartAddress }) {
  const { data, error, refetch } = useCall<SupplierFigures>('x.figures.suppliers', {
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
      table={{
        columns: [
          { label: t('suppliers.supplier') },
          { label: t('suppliers.share'), isNumber: true },
          { label: t('suppliers.receipts'), isNumber: true },
          { label: t('suppliers.lines'), isNumber: true },
          { label: t('suppliers.rejects'), isNumber: true },
          { label: t('suppliers.quantities') },
          { label: t('suppliers.inspected'), isNumber: true },
          { label: t('suppliers.failed'), isNumber: true },
        ],
        rows: suppliers.map(each => [
          {
            value: nameOf(each),
            ...(each.supplier_id !== null && { path: recordPath('supplier', each.supplier_id) }),
          },
          {
            value: each.accepted_share,
            shown: each.accepted_share === null ? '–' : share(each.accepted_share),
          },
          count(each.receipts),
          count(each.lines),
          count(each.lines_with_rejects),
          {
            value: each.by_unit.map(quantitiesIn(String)).join('; '),
            shown: each.by_unit.map(quantitiesIn(formats.number)).join('; '),
          },
          count(each.lots_inspected),
          count(each.lots_failed),
        ]),
      }}
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
