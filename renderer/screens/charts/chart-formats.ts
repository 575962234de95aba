import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** What pictures need beside `useFormats`: months, shares, and measures with the digits that they bear. */
export function useChartFormats() {
  const { i18n } = useTranslation();
  const { language } = i18n;
  return useMemo(() => {
    const month = new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric', timeZone: 'UTC' });
    const share = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
    const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumSignificantDigits: 3 });
    const index = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    return {
      /** `YYYY-MM`. */
      month: (value: string) => month.format(new Date(`${value}-01T00:00:00Z`)),
      /** 0 to 1. */
      share: (value: number) => share.format(value),
      /** A sum as it fits above a bar. */
      compact: (value: number) => compact.format(value),
      /** A ratio without a unit, as Cpk. */
      index: (value: number | null) => (value === null ? '–' : index.format(value)),
      /** A worked-out measure, with the digits that mean something. */
      measure: measureFormat(language),
    };
  }, [language]);
}

/** @param scatter the deviation that the value has or is compared with: it bears one digit more */
function measureFormat(language: string) {
  return (value: number, scatter: number): string => {
    const digits = scatter > 0 ? Math.min(9, Math.max(0, 1 - Math.floor(Math.log10(scatter)))) : null;
    return new Intl.NumberFormat(
      language,
      digits === null
        ? { maximumFractionDigits: 6 }
        : { minimumFractionDigits: digits, maximumFractionDigits: digits },
    ).format(value);
  };
}
