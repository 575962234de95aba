import { Stack, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Trend } from '../../../shared/operations/figure-schemas.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useChartFormats } from './chart-formats.ts';
import type { TrendAnalysis } from './trend-analysis.ts';
import type { TrendWords } from './trend-words.ts';

/** Fewer points than this give indices that the next few points can change much (AIAG SPC, 2nd edition: 25 subgroups). */
const FEW = 25;

/** Cp, Cpk, Pp and Ppk with what they are worked out from, or why there are none. */
export function CapabilityTable(props: { trend: Trend; analysis: TrendAnalysis; words: TrendWords }) {
  const { trend, analysis, words } = props;
  const { t } = useTranslation('charts');
  const formats = useFormats();
  const { index } = useChartFormats();
  const { n, mean, withinSigma, overallSigma, cp, cpk, pp, ppk, reason } = analysis.capability;
  const { limits } = trend;
  const from = (key: string, sigma: number | null) =>
    t(key, {
      sigma: sigma === null ? '–' : words.deviation(sigma),
      n: formats.number(n),
      mean: mean === null ? '–' : words.workedOut(mean),
      limits: words.limits(limits ?? { lower: null, upper: null }),
    });
  const within = from('capability.within', withinSigma);
  const overall = from('capability.overall', overallSigma);
  const isOneSided = reason === null && (limits?.lower === null || limits?.upper === null);
  const isUnstable = analysis.findings.length + (analysis.chart?.rangesBeyond.length ?? 0) > 0;
  const notes =
    reason !== null
      ? [`capability.${reason}`]
      : [
          ...(isOneSided ? ['capability.oneSided'] : []),
          ...(isUnstable ? ['capability.unstable'] : []),
          ...(n < FEW ? ['capability.few'] : []),
          ...(trend.points.some(point => point.n > 1) ? ['capability.means'] : []),
        ];
  return (
    <section className="chart">
      <Stack gap="xs">
        <Title order={3}>{t('capability.title')}</Title>
        {reason === null && (
          <Table verticalSpacing="xs" aria-label={t('capability.title')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('capability.index')}</Table.Th>
                <Table.Th className="number">{t('capability.value')}</Table.Th>
                <Table.Th>{t('capability.from')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {[
                { name: 'Cp', value: cp, of: within },
                { name: 'Cpk', value: cpk, of: null },
                { name: 'Pp', value: pp, of: overall },
                { name: 'Ppk', value: ppk, of: null },
              ].map(({ name, value, of }) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row">{name}</Table.Th>
                  <Table.Td className="number" data-index-value={name}>
                    {index(value)}
                  </Table.Td>
                  {of !== null && <Table.Td rowSpan={2}>{of}</Table.Td>}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        {notes.map(note => (
          <Text key={note}>{t(note)}</Text>
        ))}
      </Stack>
    </section>
  );
}
