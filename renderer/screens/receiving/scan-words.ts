import { useTranslation } from 'react-i18next';
import { isSscc } from '../../../shared/families/places.ts';
import { type Gs1Scan, parseScan } from '../../../shared/gs1/parse-scan.ts';
import { useTitles } from '../../api/titles.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useServerMessage } from '../../i18n/use-server-message.ts';
import { commandOf, shownScan } from '../../ui/scan/commands.ts';
import { today } from '../../ui/today.ts';
import { labelOf } from './line.ts';
import type { Details, Why } from './take.ts';

/** Scans and why they stay open, in words. */
export function useScanWords(parts: readonly (number | null | undefined)[]) {
  const { t } = useTranslation('receiving');
  const formats = useFormats();
  const say = useServerMessage();
  const titleOf = useTitles(parts.flatMap(part => (part == null ? [] : [`part:${part}`])));
  const partName = (part: number | null | undefined) =>
    part == null ? null : (titleOf('part', part) ?? String(part));
  /** Of which goods, as far as the scan says. */
  const goods = ({ part, lot, expiry, quantity, serial }: Details) =>
    [
      partName(part),
      lot && `${t('lot')} ${lot}`,
      serial && `${isSscc(serial) ? 'SSCC' : t('serial')} ${serial}`,
      expiry && `${t('expiry')} ${formats.day(expiry)}`,
      quantity != null && `× ${formats.number(quantity)}`,
    ]
      .filter(Boolean)
      .join(' · ');
  const gs1 = (scan: Gs1Scan) => {
    const gtin = scan.gtin ?? scan.contentGtin;
    return [gtin && `GTIN ${gtin}`, goods(labelOf(scan))].filter(Boolean).join(' · ');
  };
  /** A code as people read it: what it says of the goods, and no identifiers. */
  const code = (text: string) => {
    const scan = parseScan(text, today());
    if (scan.kind === 'gs1') return gs1(scan) || shownScan(text);
    // An own label of a place: its name stands in the line.
    return /^location:\d+$/.test(scan.text) ? t('location') : shownScan(text);
  };
  return {
    partName,
    goods,
    /** What was scanned, as short as it can be said. */
    told: (text: string, details: Details) => {
      const command = commandOf(text);
      const isKnown = command !== null || text === '' || details.part != null;
      return (isKnown && goods(details)) || (command ? t(`command.${command}`) : code(text));
    },
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
