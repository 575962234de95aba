import { isBrokenKey } from '../../../shared/gs1/broken-key.ts';
import { parseScan, type UnreadableScan } from '../../../shared/gs1/parse-scan.ts';
import type { Client } from '../../../shared/operations/client.ts';
import { type Label, labelOf, receivingUnitOf } from './line.ts';

/** What a scan means at the receiving dock. */
export type Reading =
  | { kind: 'label'; label: Label; bestBefore: string | null }
  | { kind: 'location'; location: number }
  /** A code that no part carries: somebody says of which part it is, and it is learned. */
  | { kind: 'unknown'; code: string; label: Label; bestBefore: string | null }
  /** A pallet that was announced with several goods, as people call them. */
  | { kind: 'mixed'; goods: string[] }
  | { kind: 'unreadable'; scan: UnreadableScan }
  /** Nothing is known by it, and it looks like a number whose check digit fails: no part's code to be learned. */
  | { kind: 'broken'; text: string };

/** What is asked of the server. */
export type Lookups = Pick<Client, 'call' | 'read'>;

/** Reads a scan by GS1's rules and by what this station knows. @param today `YYYY-MM-DD`, for years of two digits */
export async function readLabel(client: Lookups, text: string, today: string): Promise<Reading> {
  const scan = parseScan(text, today);
  if (scan.kind === 'unreadable') return { kind: 'unreadable', scan };
  const bestBefore = scan.kind === 'gs1' ? scan.bestBefore : null;
  const says = labelOf(scan);
  const code = scan.kind === 'gs1' ? (scan.gtin ?? scan.contentGtin) : scan.text;
  if (code === null) return { kind: 'label', label: { part: null, unit: null, ...says }, bestBefore };

  const { data } = await client.call('x.scan', { body: { data: code } });
  const location = data.matches.find(({ family }) => family === 'location');
  if (location && scan.kind !== 'gs1') return { kind: 'location', location: location.id };
  const part = data.matches.find(({ family }) => family === 'part');
  if (part) return { kind: 'label', label: { ...says, ...(await partOf(client, part.id)) }, bestBefore };
  const [lot, ...others] = data.matches.filter(({ family }) => family === 'inventory');
  // Pieces of several lots may have the same number: somebody says which part it is.
  if (lot && (data.serial_number === null || others.length === 0)) {
    const known = await client.read('inventory', lot.id);
    const { part_id, batch_number, nearest_expiry_date } = known.data;
    if (part_id !== null) {
      const label = {
        ...(await partOf(client, part_id)),
        lot: batch_number,
        expiry: nearest_expiry_date,
        quantity: null,
        weight: null,
        // A piece that was received before counts once here, too.
        serial: data.serial_number,
      };
      return { kind: 'label', label, bestBefore: null };
    }
  }
  if (scan.kind === 'plain' && isBrokenKey(scan.text)) return { kind: 'broken', text: scan.text };
  return { kind: 'unknown', code, label: { part: null, unit: null, ...says }, bestBefore };
}

/** The part and the unit in which it is received. */
export async function partOf(client: Lookups, id: number): Promise<Pick<Label, 'part' | 'unit'>> {
  const { data } = await client.read('part', id);
  return { part: id, unit: receivingUnitOf(data.unit_of_measure) };
}
