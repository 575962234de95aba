import { useTranslation } from 'react-i18next';
import type { Limits } from '../../../shared/quantities/tolerance.ts';
import { useFormats } from '../../i18n/formats.ts';

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
