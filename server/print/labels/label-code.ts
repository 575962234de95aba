import { toGtin14 } from '../../../shared/gs1/check-digit.ts';
import { formatGs1 } from '../../../shared/gs1/format-gs1.ts';
import type { LabelSymbol } from '../../../shared/operations/paper-operations.ts';
import type { LabelCode } from './label.ts';

export interface Identified {
  /** `inventory:12`: what the code says where nothing else can be said. */
  key: string;
  /** What people know it by, such as a part number; instead of the key where a code can hold it. */
  name?: unknown;
  /** Of a lot: what GS1 codes say. */
  lot?: { barcodes: unknown; number: unknown; expiry: unknown; today: string };
}

/** What the code on a label holds. QR codes have no FNC1 that every printer writes, so they never are GS1 codes. */
export function labelCode(symbol: LabelSymbol, { key, name, lot }: Identified): LabelCode {
  const gs1 = symbol === 'qr' || !lot ? null : gs1Of(lot);
  if (gs1) return { symbol, isGs1: true, data: gs1.elementString, caption: gs1.bracketed };
  const data = typeof name === 'string' && PLAIN.test(name) ? name : key;
  return { symbol, isGs1: false, data, caption: data };
}

/**
 * What every code and scanner carries unchanged: printable ASCII. Without what begins a command of a printer (`^`, `~`)
 * or escapes in one of its fields (`\`, `|`), so that no text can be taken for one.
 */
const PLAIN = /^[!-[\]_-{}](?:[ -[\]_-{}]{0,38}[!-[\]_-{}])?$/;

/** Null where the part has no GTIN, or its lot number is none that GS1 codes can hold. */
function gs1Of(lot: NonNullable<Identified['lot']>): { elementString: string; bracketed: string } | null {
  const { barcodes, number, expiry, today } = lot;
  const gtins = Array.isArray(barcodes) ? barcodes.flatMap(barcode => toGtin14(String(barcode)) ?? []) : [];
  const [gtin] = gtins;
  if (gtin === undefined || typeof number !== 'string' || number === '') return null;
  const elements = [
    { ai: '01', value: gtin },
    ...(typeof expiry === 'string' ? [{ ai: '17', value: expiry.replaceAll('-', '').slice(2, 8) }] : []),
    { ai: '10', value: number },
  ];
  try {
    return formatGs1(elements, today);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
