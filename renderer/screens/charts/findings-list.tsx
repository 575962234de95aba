import { List, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Trend } from '../../../shared/operations/figure-schemas.ts';
import { useFormats } from '../../i18n/formats.ts';
import { runsOf, type TrendAnalysis } from './trend-analysis.ts';
import type { TrendWords } from './trend-words.ts';

/** What the chart says in words: which rules are broken where, and what lies outside its specification. */
export function FindingsList(props: { trend: Trend; analysis: TrendAnalysis; words: TrendWords }) {
  const { trend, analysis, words } = props;
  const { t } = useTranslation('charts');
  const formats = useFormats();
  const { findings, chart } = analysis;
  const at = (points: readonly number[]) =>
    formats.list(
      runsOf(points).flatMap(({ first, last }) => {
        const [from, to] = [words.label(first), words.label(last)];
        if (first === last) return [from];
        return last - first === 1 ? [from, to] : [t('findings.run', { first: from, last: to })];
      }),
    );
  const outside = trend.points.flatMap(({ is_within }, index) => (is_within === false ? [index] : []));
  const beyond = chart?.rangesBeyond ?? [];
  const told = [
    ...findings.map(({ rule, points }) =>
      t('findings.rule', { rule, text: t(`rule.${rule}`), at: at(points) }),
    ),
    ...(beyond.length > 0 ? [t('findings.range', { at: at(beyond) })] : []),
    ...(outside.length > 0 ? [t('findings.outside', { at: at(outside) })] : []),
  ];
  return (
    <section>
      <Title order={3} mb="xs">
        {t('findings.title')}
      </Title>
      {findings.length + beyond.length === 0 && <Text>{t('findings.none')}</Text>}
      <List>
        {told.map(text => (
          <List.Item key={text} className="typed">
            {text}
          </List.Item>
        ))}
      </List>
    </section>
  );
}
