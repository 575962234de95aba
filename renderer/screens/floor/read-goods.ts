import { parseScan } from '../../../shared/gs1/parse-scan.ts';
import type { Client } from '../../../shared/operations/client.ts';

/** What a scan means among shelves. */
export type Read =
  /** @field quantity how much the label says is in it; null: it does not say */
  | { kind: 'lot'; lots: number[]; quantity: number | null }
  | { kind: 'place'; id: number }
  /** A pallet or case that is not known here yet. */
  | { kind: 'new-unit'; sscc: string }
  /** Two places that are called alike: their own labels tell them apart. */
  | { kind: 'several-places' }
  | { kind: 'part' }
  | { kind: 'other' }
  | { kind: 'unreadable'; message: string };

/** What people call goods: the part, and the lot of it. */
export function nameOf(goods: { part: string | null; batch_number: string | null }): string {
  return [goods.part, goods.batch_number].filter(Boolean).join(' · ');
}

/** Reads a scan by GS1's rules and by what this station knows. @param today `YYYY-MM-DD`, for years of two digits */
export async function readGoods(client: Pick<Client, 'call'>, text: string, today: string): Promise<Read> {
  const scan = parseScan(text, today);
  if (scan.kind === 'unreadable') return { kind: 'unreadable', message: scan.message };
  const { data } = await client.call('x.scan', { body: { data: text } });
  const ids = (family: string) => data.matches.flatMap(match => (match.family === family ? match.id : []));
  const lots = ids('inventory');
  const [place, ...more] = ids('location');
  const quantity = scan.kind === 'gs1' ? (scan.count ?? scan.variableCount) : null;
  if (lots.length > 0) return { kind: 'lot', lots, quantity };
  if (more.length > 0) return { kind: 'several-places' };
  if (place !== undefined) return { kind: 'place', id: place };
  if (scan.kind === 'gs1' && scan.sscc !== null) return { kind: 'new-unit', sscc: scan.sscc };
  return { kind: ids('part').length > 0 ? 'part' : 'other' };
}
