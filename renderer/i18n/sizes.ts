import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

const BYTES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const AGES = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Sizes of files and messages, rates and ages, as the present language writes them. */
export function useSizes() {
  const { i18n } = useTranslation();
  const { language } = i18n;
  return useMemo(() => {
    const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    const scaled = (count: number, per = ''): string => {
      const step = Math.min(BYTES.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
      const unit = `${BYTES[step] ?? 'byte'}${per}`;
      const format = new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 });
      return format.format(count / 1_000 ** step);
    };
    return {
      bytes: (count: number) => scaled(count),
      /** "6.1 kB/s". */
      rate: (bytesASecond: number) => scaled(bytesASecond, '-per-second'),
      /** "3 days ago", from seconds. */
      age(seconds: number): string {
        const [unit, length] = AGES.find(each => seconds >= each[1]) ?? (['second', 1] as const);
        return relative.format(-Math.floor(seconds / length), unit);
      },
    };
  }, [language]);
}
