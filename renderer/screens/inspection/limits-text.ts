import { useTranslation } from 'react-i18next';
import type { Limits } from '../../../shared/quantities/tolerance.ts';
import { useFormats } from '../../i18n/formats.ts';
import type { Characteristic } from './grid-model.ts';

/** Limits as a person reads them: `39.5 to 40.5`, `≥ 5`, `< 10`. */
export function useLimitsText(): (limits: Limits | null) => string {
  const { t } = useTranslation('inspection');
  const formats = useFormats();
  return limits => {
    if (limits === null) return t('limits.none');
    const { lower, upper, isLowerInclusive, isUpperInclusive } = limits;
    const from = `${isLowerInclusive ? '≥' : '>'} ${formats.number(lower)}`;
    const to = `${isUpperInclusive ? '≤' : '<'} ${formats.number(upper)}`;
    if (lower === null) return to;
    if (upper === null) return from;
    return isLowerInclusive && isUpperInclusive
      ? t('limits.between', { lower: formats.number(lower), upper: formats.number(upper) })
      : `${from}, ${to}`;
  };
}

/**
 * What a characteristic is judged by, in one breath: `≤ 2 %`. What is written around a nominal stands before its limits, as
 * people know it by that: `40 mm ±0.5: 39.5 to 40.5`.
 * @param none what is said where no limits can be read; left out: that a person judges
 */
export function useAskedText(none?: string): (characteristic: Asked) => string {
  const limitsText = useLimitsText();
  return ({ asked, limits, unit }) =>
    limits !== null && limits.nominal === null && unit !== null
      ? `${limitsText(limits)} ${unit}`
      : [asked, (limits === null && none) || limitsText(limits)].filter(Boolean).join(': ');
}

type Asked = Pick<Characteristic, 'asked' | 'limits' | 'unit'>;
