import { useTranslation } from 'react-i18next';
import type { Trend, TrendPoint } from '../../../shared/operations/figure-schemas.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useChartFormats } from './chart-formats.ts';
import type { TrendAnalysis } from './trend-analysis.ts';

/** Words for what a trend shows. */
export function useTrendWords(trend: Trend, analysis: TrendAnalysis) {
  const { t } = useTranslation('charts');
  const formats = useFormats();
  const { measure } = useChartFormats();
  const { points } = trend;
  const scatter = analysis.chart?.sigma ?? 0;
  const withUnit = (text: string) => (analysis.unit === null ? text : `${text} ${analysis.unit}`);
  const isOfMeans = points.some(({ n }) => n > 1);

  /** A measured value with its unit; a mean with the digits that it bears. */
  const value = (number: number) => withUnit(isOfMeans ? measure(number, scatter) : formats.number(number));
  const plain = (number: number) => measure(number, scatter);
  /** A mean, a deviation or a limit that was worked out, with its unit. */
  const workedOut = (number: number) => withUnit(plain(number));
  const deviation = (number: number) => withUnit(measure(number, number / 10));
  const day = ({ at }: TrendPoint) => formats.day(at.slice(0, 10));
  const label = (index: number) => points[index]?.label ?? String(index + 1);

  const limits = ({ lower, upper }: { lower: number | null; upper: number | null }): string => {
    const words = {
      lower: lower === null ? '' : withUnit(formats.number(lower)),
      upper: upper === null ? '' : withUnit(formats.number(upper)),
    };
    if (lower !== null && upper !== null)
      return t('limits.both', { lower: formats.number(lower), upper: words.upper });
    if (lower !== null) return t('limits.lower', words);
    return upper === null ? t('limits.none') : t('limits.upper', words);
  };

  return { value, workedOut, plain, deviation, day, label, limits };
}

export type TrendWords = ReturnType<typeof useTrendWords>;
