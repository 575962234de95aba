import { parseScan, type Scan } from '../../../shared/gs1/parse-scan.ts';
import type { Client } from '../../../shared/operations/client.ts';
import type { recordWords } from '../../i18n/families/use-record-words.ts';
import { shownScan } from '../../ui/scan/commands.ts';

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

/** A scan, and what people call what it names. */
export type Scanned = Read & { text: string; name: string };

type Words = Pick<ReturnType<typeof recordWords>, 'title' | 'subtitle'>;

/** Reads a scan by GS1's rules and by what this station knows. @param today `YYYY-MM-DD`, for years of two digits */
export async function readGoods(
  client: Pick<Client, 'call'>,
  words: Words,
  text: string,
  today: string,
): Promise<Scanned> {
  const scan = parseScan(text, today);
  const plain = { text, name: saidBy(scan, text) };
  if (scan.kind === 'unreadable') return { ...plain, kind: 'unreadable', message: scan.message };
  const { data } = await client.call('x.scan', { body: { data: text } });
  const ids = (family: string) => data.matches.flatMap(match => (match.family === family ? match.id : []));
  const lots = ids('inventory');
  const [place, ...more] = ids('location');
  const quantity = scan.kind === 'gs1' ? (scan.count ?? scan.variableCount) : null;
  const [first] = data.matches;
  const named = {
    text,
    name: first ? [...wordsOf(words, first), quantity ?? []].flat().join(' · ') : plain.name,
  };
  if (lots.length > 0) return { ...named, kind: 'lot', lots, quantity };
  if (more.length > 0) return { ...named, kind: 'several-places' };
  if (place !== undefined) return { ...named, kind: 'place', id: place };
  if (scan.kind === 'gs1' && scan.sscc !== null) return { ...named, kind: 'new-unit', sscc: scan.sscc };
  return { ...named, kind: ids('part').length > 0 ? 'part' : 'other' };
}

/** A lot by its part, its number and its day: the number alone says little to who stands before it. */
export function wordsOf(
  words: Words,
  { family, id, title, subtitle }: { family: string; id: number; title: string; subtitle: string | null },
): string[] {
  const name = words.title(family, id, title);
  if (family !== 'inventory' || subtitle === null) return [name];
  const [, part = '', day] = /^(.*?)(?: · (\d{4}-\d{2}-\d{2}))?$/s.exec(subtitle) ?? [];
  return [words.subtitle(family, part), name, day && words.subtitle(family, day)].filter(
    (each): each is string => typeof each === 'string',
  );
}

/** What a code says by itself that nothing is known by. */
function saidBy(scan: Scan, text: string): string {
  const said = scan.kind === 'gs1' ? [scan.gtin, scan.lot, scan.sscc].filter(Boolean).join(' · ') : '';
  return said === '' ? shownScan(text) : said;
}
