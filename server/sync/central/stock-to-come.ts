import { lotFactsOf, movesStock, quantitySource } from '../../rules/lot-facts.ts';
import { type Fields, mapOf } from '../../store/changes.ts';
import { balanceAt, StockMoves } from '../../store/lots.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Steps } from '../../store/yield-to-event-loop.ts';
import type { SubjectEffects } from '../protocol/decide.ts';
import type { RecordReader } from '../protocol/siblings.ts';

/**
 * Stock as the commits leave it that one transaction takes: their records are written at its end, and each of them is judged
 * with those before it.
 */
export class StockToCome {
  readonly #sql: SqlReader;
  /** By lot and place, what the transaction adds to what is written. */
  readonly #added = new Map<number, Map<number, bigint>>();
  /** What was asked last for its fault: the same effects are followed next, unless they are held. */
  #judged: { effects: readonly SubjectEffects[]; moves: StockMoves } | undefined;

  constructor(sql: SqlReader) {
    this.#sql = sql;
  }

  /** Notes what the effects add, which `folding` puts into the records that `read` reads. */
  *following(
    effects: readonly SubjectEffects[],
    read: RecordReader,
    folding: () => Steps<void>,
  ): Steps<void> {
    const known = this.#judged?.effects === effects ? this.#judged.moves : undefined;
    this.#judged = undefined;
    const touched = known ? NONE : touchedBy(effects);
    if (!known && touched.size === 0) {
      yield* folding();
      return;
    }
    const moves = known ?? new StockMoves();
    addFacts(touched, read, moves, -1n);
    yield* folding();
    addFacts(touched, read, moves, 1n);
    for (const { lot, location, quantity } of moves) {
      const places = this.#added.get(lot) ?? new Map<number, bigint>();
      this.#added.set(lot, places.set(location, (places.get(location) ?? 0n) + quantity));
    }
  }

  /** What the effects, after the earlier ones, would take beyond what a lot holds, in words. */
  fault(
    effects: readonly SubjectEffects[],
    earlier: readonly SubjectEffects[],
    before: RecordReader,
    after: () => RecordReader,
  ): string | undefined {
    this.#judged = undefined;
    const own = touchedBy(effects);
    if (own.size === 0) return undefined;
    const touched = earlier.length === 0 ? own : touchedBy([...earlier, ...effects]);
    const moves = new StockMoves();
    addFacts(touched, before, moves, -1n);
    addFacts(touched, after(), moves, 1n);
    if (earlier.length === 0) this.#judged = { effects, moves };
    return moves.fault((lot, location) => this.#stockOf(lot, location));
  }

  #stockOf(lot: number, location: number): bigint {
    return balanceAt(this.#sql, lot, location) + (this.#added.get(lot)?.get(location) ?? 0n);
  }
}

/**
 * By record, the items whose values stock is made of, and whether each is added whole; no items of a record whose own values it
 * is made of.
 */
type Touched = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

const NONE: Touched = new Map();

function touchedBy(effects: readonly SubjectEffects[]): Touched {
  // Stock is made of few families' records, and every commit is asked for it.
  if (!effects.some(({ subject }) => movesStock(familyIn(subject)))) return NONE;
  const touched = new Map<string, Map<string, boolean>>();
  for (const { subject, paths } of effects) {
    const source = quantitySource(familyIn(subject));
    if (!source) continue;
    for (const { path } of paths) {
      const [name = '', item, field] = path.split('.', 3);
      const isOfItem = name === 'items' && item !== undefined && source.items.length > 0;
      const isTouched = isOfItem
        ? field === undefined || source.items.includes(field)
        : source.fields.includes(name);
      if (!isTouched) continue;
      const items = touched.get(subject) ?? new Map<string, boolean>();
      touched.set(subject, items);
      if (isOfItem) items.set(item, field === undefined && items.get(item) !== false);
    }
  }
  return touched;
}

function addFacts(touched: Touched, read: RecordReader, moves: StockMoves, sign: 1n | -1n): void {
  for (const [subject, items] of touched) {
    if (read.creator(subject) === undefined) continue;
    const family = familyIn(subject);
    const id = Number(subject.slice(family.length + 1));
    moves.add(lotFactsOf({ family, id, fields: fieldsOf(subject, items, read) }), sign);
  }
}

function familyIn(subject: string): string {
  return subject.slice(0, subject.lastIndexOf(':'));
}

/** Of a record's items only those that are touched: each says by itself what it does to lots, and a receipt can have thousands. */
function fieldsOf(subject: string, items: ReadonlyMap<string, boolean>, read: RecordReader): Fields {
  const source = quantitySource(familyIn(subject)) ?? { fields: [], items: [] };
  const valuesOf = (prefix: string, names: readonly string[]) =>
    Object.fromEntries(names.map(name => [name, read.value(subject, `${prefix}${name}`)]));
  const touched = Array.from(items, ([item, isWhole]) => [
    item,
    isWhole ? mapOf(read.value(subject, `items.${item}`)) : valuesOf(`items.${item}.`, source.items),
  ]);
  return { ...valuesOf('', source.fields), items: Object.fromEntries(touched) };
}
