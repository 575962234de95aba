import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/calls.ts';
import { useFormats } from '../../i18n/formats.ts';
import { recordPath } from '../../ui/record-path.ts';
import type { BarRow } from './bar-labels.tsx';
import { BarPicture } from './bar-picture.tsx';
import { ChartFigure } from './chart-figure.tsx';
import { useChartFormats } from './chart-formats.ts';
import { tableOf } from './chart-table.tsx';
import { Working } from './figure-state.tsx';

/** Bars of one picture at most; the table has all. */
const MOST = 20;

/** Non-conformance reports by cause, supplier, age and month. */
export function NcrView() {
  const { t } = useTranslation('charts');
  const formats = useFormats();
  const { month } = useChartFormats();
  const { data, error, refetch } = useCall('x.figures.ncrs');
  if (!data) return <Working error={error} onRetry={() => void refetch()} />;
  const figures = data.data;
  if (figures.total === 0) return <Text role="status">{t('nothing')}</Text>;
  return (
    <Stack gap="xl">
      <Text>
        {t('ncrs.sum', { count: figures.total, open: formats.number(figures.open) })}{' '}
        {t('asOf', { moment: formats.moment(figures.as_of) })}
      </Text>
      <Shares
        title={t('ncrs.byCause')}
        kind={t('ncrs.cause')}
        fileName="ncrs-by-cause"
        shares={figures.by_cause.map(each => ({
          ...each,
          name: each.cause ?? t('ncrs.noCause'),
          path: each.error_code_id === null ? undefined : recordPath('error-code', each.error_code_id),
        }))}
      />
      <Shares
        title={t('ncrs.bySupplier')}
        note={t('ncrs.bySupplier.note')}
        kind={t('ncrs.supplier')}
        fileName="ncrs-by-supplier"
        shares={figures.by_supplier.map(each => ({
          ...each,
          name: each.supplier ?? t('ncrs.noSupplier'),
          path: each.supplier_id === null ? undefined : recordPath('supplier', each.supplier_id),
        }))}
      />
      <Counts
        title={t('ncrs.byAge')}
        kind={t('ncrs.age')}
        fileName="ncrs-by-age"
        counts={figures.by_age.map(({ from_days: from, to_days: to, count }) => {
          const name = to === null ? t('ncrs.days.more', { from }) : t('ncrs.days', { from, to });
          return { name, value: name, count };
        })}
      />
      <Counts
        title={t('ncrs.byMonth')}
        kind={t('month')}
        fileName="ncrs-by-month"
        counts={figures.by_month.map(each => ({
          name: month(each.month),
          value: each.month,
          count: each.raised,
        }))}
      />
    </Stack>
  );
}

interface SharesProps {
  title: string;
  note?: string;
  /** What they are told apart by. */
  kind: string;
  fileName: string;
  shares: readonly { name: string; path: string | undefined; count: number; open: number }[];
}

/** Reports by what they have in common, most first: those that are done with, and those that are not. */
function Shares({ title, note, kind, fileName, shares }: SharesProps) {
  const { t } = useTranslation('charts');
  const formats = useFormats();
  const count = (value: number) => ({ value, shown: formats.number(value) });
  return (
    <ChartFigure
      title={title}
      notes={[
        ...(note === undefined ? [] : [note]),
        ...(shares.length > MOST ? [t('more', { shown: MOST, total: shares.length })] : []),
      ]}
      fileName={fileName}
      table={tableOf(shares, [
        [kind, ({ name, path }) => ({ value: name, ...(path !== undefined && { path }) })],
        [t('ncrs.total'), each => count(each.count), 'number'],
        [t('ncrs.open'), each => count(each.open), 'number'],
        [t('ncrs.closed'), each => count(each.count - each.open), 'number'],
      ])}
    >
      <BarPicture
        label={title}
        rows={shares.slice(0, MOST).map(
          (each): BarRow => ({
            name: each.name,
            values: [each.count - each.open, each.open],
            label: formats.number(each.count),
          }),
        )}
        series={[t('ncrs.closed'), t('ncrs.open')]}
        categoryTitle={kind}
        valueTitle={t('ncrs.count')}
        valueText={formats.number}
        isLying
        isCount
      />
    </ChartFigure>
  );
}

interface CountsProps {
  title: string;
  kind: string;
  fileName: string;
  counts: readonly { name: string; value: string; count: number }[];
}

function Counts({ title, kind, fileName, counts }: CountsProps) {
  const { t } = useTranslation('charts');
  const formats = useFormats();
  return (
    <ChartFigure
      title={title}
      notes={[]}
      fileName={fileName}
      table={tableOf(counts, [
        [kind, ({ name, value }) => ({ value, shown: name })],
        [t('ncrs.count'), ({ count }) => ({ value: count, shown: formats.number(count) }), 'number'],
      ])}
    >
      <BarPicture
        label={title}
        rows={counts.map(({ name, count }) => ({ name, values: [count], label: formats.number(count) }))}
        series={[t('ncrs.count')]}
        categoryTitle={kind}
        valueTitle={t('ncrs.count')}
        valueText={formats.number}
        isCount
      />
    </ChartFigure>
  );
}
