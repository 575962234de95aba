import { familyOfKey } from '../../../shared/families/registry.ts';
import { lotFactsOf, movesStock } from '../../rules/lot-facts.ts';
import type { Fields } from '../../store/changes.ts';
import { balancesOf, StockMoves } from '../../store/lots.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
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

  constructor(sql: SqlReader) {
    this.#sql = sql;
  }

  /** Notes what the effects add, which `fold` puts into the records that `read` reads. */
  follow(effects: readonly SubjectEffects[], read: RecordReader, fold: () => void): void {
    const touched = touchedBy(effects);
    const moves = new StockMoves();
    addFacts(touched, read, moves, -1n);
    fold();
    addFacts(touched, read, moves, 1n);
    for (const { lot, location, quantity } of moves) {
      const places = this.#added.get(lot) ?? new Map<number, bigint>();
      this.#added.set(lot, places.set(location, (places.get(location) ?? 0n) + quantity));
    }
  }

  /** What the effects, after the earlier ones, would take beyond what a lot holds, in words. */
  fault(
    effects: readonly SubjectEffects[],
    earlier: () => readonly SubjectEffects[],
    before: RecordReader,
    after: () => RecordReader,
  ): string | undefined {
    if (touchedBy(effects).size === 0) return undefined;
    const touched = touchedBy([...earlier(), ...effects]);
    const moves = new StockMoves();
    addFacts(touched, before, moves, -1n);
    addFacts(touched, after(), moves, 1n);
    return moves.fault((lot, location) => this.#stockOf(lot, location));
  }

  #stockOf(lot: number, location: number): bigint {
    const written = balancesOf(this.#sql, lot).find(balance => balance.location === location);
    return (written?.quantity ?? 0n) + (this.#added.get(lot)?.get(location) ?? 0n);
  }
}

/** The paths that effects touch, by record, of those that stock is made of. */
function touchedBy(effects: readonly SubjectEffects[]): Map<string, Set<string>> {
  const touched = new Map<string, Set<string>>();
  for (const { subject, paths } of effects) {
    if (!movesStock(subject.slice(0, subject.lastIndexOf(':')))) continue;
    const known = touched.get(subject) ?? new Set();
    touched.set(subject, known);
    for (const { path } of paths) known.add(path);
  }
  return touched;
}

function addFacts(
  touched: ReadonlyMap<string, ReadonlySet<string>>,
  read: RecordReader,
  moves: StockMoves,
  sign: 1n | -1n,
): void {
  for (const [subject, paths] of touched) {
    if (read.creator(subject) === undefined) continue;
    const [family = '', id] = subject.split(':');
    moves.add(lotFactsOf({ family, id: Number(id), fields: fieldsOf(subject, paths, read) }), sign);
  }
}

/** Of a record's items only those that are touched: each says by itself what it does to lots, and a receipt can have thousands. */
function fieldsOf(subject: string, paths: ReadonlySet<string>, read: RecordReader): Fields {
  const family = familyOfKey(subject);
  const fields: Fields = {};
  for (const name of Object.keys(family?.fields ?? {})) fields[name] = read.value(subject, name);
  for (const [name, collection] of Object.entries(family?.collections ?? {})) {
    const within = [...paths].filter(path => path.startsWith(`${name}.`));
    const touched = new Set(within.flatMap(path => path.split('.')[1] ?? []));
    const named = ['is_removed', ...Object.keys(collection.fields)];
    const valuesOf = (item: string) =>
      Object.fromEntries(named.map(field => [field, read.value(subject, `${name}.${item}.${field}`)]));
    fields[name] = Object.fromEntries(Array.from(touched, item => [item, valuesOf(item)]));
  }
  return fields;
}
