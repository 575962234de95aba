import type { Collection } from '../../../shared/contract/define-family.ts';
import { families } from '../../../shared/families/registry.ts';
import { itemCounter } from '../../store/ids.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Database } from '../../store/sqlite/database.ts';
import type { SubjectEffects } from '../protocol/decide.ts';
import { type CreatedId, createdItems, familyWithItems } from './created-ids.ts';

/** In `local` of a central: of which kinds of items (`itemKinds`) all that stand in records are known. */
export const ITEMS_GIVEN = 'items_given';

/** The kinds of items that this version knows: a version with others looks through all records once. */
export function itemKinds(): string {
  const within = ({ collections }: Pick<Collection, 'collections'>): string[] =>
    Object.values(collections).flatMap(each => [itemCounter(each), ...within(each)]);
  return [...new Set(Object.values(families).flatMap(within))].sort().join(' ');
}

/** Ids of one kind of items that follow each other. */
interface Run {
  counter: string;
  first: number;
  last: number;
}

/**
 * Which ids of items stand in records of central's log. A machine gives them one after the other, so that they are kept as
 * few runs. What another machine gave again is seen by them, in whatever record it stands.
 */
export class GivenItems {
  readonly #database: Pick<Database, 'run'>;
  readonly #sql: Pick<SqlReader, 'get'>;

  /** Reads over `sql`: the write connection for what the open transaction has written. */
  constructor(database: Pick<Database, 'run'>, sql: Pick<SqlReader, 'get'>) {
    this.#database = database;
    this.#sql = sql;
  }

  has({ counter, id }: CreatedId): boolean {
    return this.#meets({ counter, first: id, last: id });
  }

  /** Whether any item has its id from another one: one that stands, or one of the earlier effects. */
  isAnyTaken(effects: readonly SubjectEffects[], earlier: readonly SubjectEffects[] = []): boolean {
    const runs = runsOf(effects);
    if (runs.some(run => this.#meets(run))) return true;
    const before = runs.length === 0 ? [] : runsOf(earlier);
    return before.some(one =>
      runs.some(run => run.counter === one.counter && run.first <= one.last && one.first <= run.last),
    );
  }

  /** In the open transaction: the effects are applied. */
  follow(effects: readonly SubjectEffects[]): void {
    for (const run of runsOf(effects)) {
      if (!this.#meets(run)) this.#add(run);
      else for (let id = run.first; id <= run.last; id += 1) this.#addOne({ counter: run.counter, id });
    }
  }

  #addOne(one: CreatedId): void {
    if (!this.has(one)) this.#add({ counter: one.counter, first: one.id, last: one.id });
  }

  #add({ counter, first, last }: Run): void {
    const before = this.#runBefore(counter, first);
    if (before?.last === first - 1) {
      const sql = 'UPDATE given_item SET last = ? WHERE counter = ? AND first = ?';
      this.#database.run(sql, last, counter, before.first);
      return;
    }
    const sql = 'INSERT INTO given_item (counter, first, last) VALUES (?, ?, ?)';
    this.#database.run(sql, counter, first, last);
  }

  #meets({ counter, first, last }: Run): boolean {
    return (this.#runBefore(counter, last)?.last ?? 0) >= first;
  }

  /** The last one that begins at the id or before it. */
  #runBefore(counter: string, id: number): Run | undefined {
    const sql = `SELECT counter, first, last FROM given_item WHERE counter = ? AND first <= ? ORDER BY first DESC LIMIT 1`;
    return this.#sql.get<Run>(sql, counter, id);
  }
}

function runsOf(effects: readonly SubjectEffects[]): Run[] {
  // Most records have none, and every commit is asked for them.
  if (!effects.some(({ subject }) => familyWithItems(subject))) return [];
  const created = effects.flatMap(({ subject, paths }) =>
    createdItems({ subject, changes: paths.map(({ path, value }) => ({ path, new: value })) }),
  );
  return [...Map.groupBy(created, ({ counter }) => counter)].flatMap(([counter, items]) => {
    const runs: Run[] = [];
    const ids = items.map(({ id }) => id);
    for (const id of ids.toSorted((one, other) => one - other)) {
      const run = runs.at(-1);
      if (run && id <= run.last + 1) run.last = id;
      else runs.push({ counter, first: id, last: id });
    }
    return runs;
  });
}
