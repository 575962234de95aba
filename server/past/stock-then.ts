import type { StoredRecord } from '../../shared/contract/present.ts';
import type { Micro } from '../../shared/quantities/quantity.ts';
import { lotFactsOf, movesStock } from '../rules/lot-facts.ts';
import { balancesAfter, StockMoves } from '../store/lots.ts';
import { keyOf } from '../store/records.ts';
import { type Replay, recordThen } from './replay.ts';

/** A lot in which something stood, in the unit that it had then. */
export interface LotThen {
  id: number;
  batch_number: string | null;
  part_id: number | null;
  unit: string | null;
  quantity: Micro;
  /** By location; 0: no place was named. */
  places: Map<number, Micro>;
}

/** What stood of a part, of lots with the same unit. */
export interface PartThen {
  part_id: number | null;
  unit: string | null;
  quantity: Micro;
  lots: number;
}

/** Rows of stock that are read at once. */
const SLICE = 2_000;

/** The lots in which something stood, by id; of one part, if one is named. */
export async function lotsThen(replay: Replay, part: number | undefined): Promise<LotThen[]> {
  const lots: LotThen[] = [];
  for (const [id, places] of [...(await placesThen(replay))].sort(([a], [b]) => a - b)) {
    const lot = recordThen(replay, keyOf('inventory', id));
    await replay.step();
    const partId = numberIn(lot, 'part_id');
    if (part !== undefined && partId !== part) continue;
    const quantity = [...places.values()].reduce((sum, one) => sum + one, 0n);
    const about = { batch_number: textIn(lot, 'batch_number'), unit: textIn(lot, 'lot_unit') };
    lots.push({ id, part_id: partId, ...about, quantity, places });
  }
  return lots;
}

/** Different units are never summed (interface decisions, 5.6). */
export function byPart(lots: readonly LotThen[]): PartThen[] {
  const groups = Map.groupBy(lots, ({ part_id: part, unit }) => `${part} ${unit}`);
  const parts = [...groups.values()].flatMap(of => {
    const [first] = of;
    const quantity = of.reduce((sum, lot) => sum + lot.quantity, 0n);
    return first ? [{ part_id: first.part_id, unit: first.unit, quantity, lots: of.length }] : [];
  });
  return parts.sort((a, b) => (a.part_id ?? 0) - (b.part_id ?? 0));
}

/** Answers what people called a record then, null where they did not: many lots are of one part, which is worked out once. */
export function namesThen(replay: Replay) {
  const known = new Map<string, StoredRecord | undefined>();
  return (family: 'part' | 'location', id: number | null, field = 'name'): string | null => {
    if (id === null) return null;
    const key = keyOf(family, id);
    if (!known.has(key)) known.set(key, recordThen(replay, key));
    return textIn(known.get(key), field);
  };
}

/** What stands now, without what the records say now that said something else then, and with what they said then. */
async function placesThen(replay: Replay): Promise<Map<number, Map<number, Micro>>> {
  const { past, sql, changed, step } = replay;
  const moves = new StockMoves();
  let last = { lot: 0, location: -1 };
  for (;;) {
    const rows = balancesAfter(sql, last, SLICE);
    moves.add(rows, 1n);
    await step();
    last = rows.at(-1) ?? last;
    if (rows.length < SLICE) break;
  }
  for (const key of changed.keys()) {
    if (!movesStock(key.slice(0, key.lastIndexOf(':')))) continue;
    const [now, then] = [past.now(key), recordThen(replay, key)];
    if (now) moves.add(lotFactsOf(now), -1n);
    if (then) moves.add(lotFactsOf(then), 1n);
    await step();
  }
  const places = new Map<number, Map<number, Micro>>();
  for (const { lot, location, quantity } of moves) {
    const of = places.get(lot) ?? new Map<number, Micro>();
    places.set(lot, of.set(location, quantity));
  }
  return places;
}

function numberIn(record: StoredRecord | undefined, field: string): number | null {
  const value = record?.fields[field];
  return typeof value === 'number' ? value : null;
}

function textIn(record: StoredRecord | undefined, field: string): string | null {
  const value = record?.fields[field];
  return typeof value === 'string' ? value : null;
}
