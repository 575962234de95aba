import { useTranslation } from 'react-i18next';
import { isSscc } from '../../../shared/families/places.ts';
import { useTitles } from '../../api/titles.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useServerMessage } from '../../i18n/use-server-message.ts';
import { commandOf, shownScan } from '../../ui/scan/commands.ts';
import type { Details, Why } from './take.ts';

/** Scans and why they stay open, in words. */
export function useScanWords(parts: readonly (number | null | undefined)[]) {
  const { t } = useTranslation('receiving');
  const formats = useFormats();
  const say = useServerMessage();
  const titleOf = useTitles(parts.flatMap(part => (part == null ? [] : [`part:${part}`])));
  const partName = (part: number | null | undefined) =>
    part == null ? null : (titleOf('part', part) ?? String(part));
  return {
    partName,
    /** What was scanned, as short as it can be said. */
    name: (text: string) => {
      const command = commandOf(text);
      return command ? t(`command.${command}`) : shownScan(text);
    },
    /** Of which goods, as far as the scan says. */
    goods: ({ part, lot, expiry, quantity, serial }: Details) =>
      [
        partName(part),
        lot && `${t('lot')} ${lot}`,
        serial && `${isSscc(serial) ? 'SSCC' : t('serial')} ${serial}`,
        expiry && `${t('expiry')} ${formats.day(expiry)}`,
        quantity != null && `× ${formats.number(quantity)}`,
      ]
        .filter(Boolean)
        .join(' · '),
    why: (why: Why, { message, code, lot, expiry, plain, quantity, serial, open }: Details) =>
      why === 'failed' || (why === 'unreadable' && message)
        ? say(message ?? '')
        : t(`why.${why}`, {
            code: shownScan(code ?? ''),
            day: formats.day(expiry),
            plain: plain ?? 0,
            quantity: formats.number(quantity),
            both: formats.number((quantity ?? 0) + (plain ?? 0)),
            serial: serial ?? '',
            lot: lot ?? '',
            open: formats.number(open),
          }),
  };
}
