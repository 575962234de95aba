import type { SqlValue } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';
import type { YieldToEventLoop } from './yield-to-event-loop.ts';

/** Rows that are copied or compared in one step: some milliseconds. */
const SLICE = 2_000;

/**
 * A table as it is now, kept aside until it is compared with what it has become: some rows at a time, so that others are answered
 * in between. In an open transaction.
 */
export class SetAside {
  readonly #database: Database;
  readonly #now: string;
  readonly #before: string;
  /** The columns of its primary key, by which it is gone through. */
  readonly #key: readonly string[];

  private constructor(database: Database, table: string) {
    this.#database = database;
    this.#now = `main.${table}`;
    this.#before = `temp.before_${table}`;
    const sql = 'SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk';
    this.#key = database.all<{ name: string }>(sql, table).map(({ name }) => name);
  }

  static async of(database: Database, table: string, goOn: YieldToEventLoop): Promise<SetAside> {
    const aside = new SetAside(database, table);
    const index = `CREATE UNIQUE INDEX temp.before_${table}_key ON before_${table} (${aside.#key.join()})`;
    database.exec(`CREATE TEMP TABLE before_${table} AS SELECT * FROM ${aside.#now} LIMIT 0; ${index}`);
    for (const range of aside.#ranges()) {
      await goOn();
      database.run(`INSERT INTO ${aside.#before} ${aside.#rowsOf(aside.#now, range)}`, ...valuesOf(range));
    }
    return aside;
  }

  /** Rows that only one of the two states has. */
  async differences(goOn: YieldToEventLoop): Promise<number> {
    let count = 0;
    for (const range of this.#ranges())
      for (const [one, other] of [
        [this.#now, this.#before],
        [this.#before, this.#now],
      ] as const) {
        await goOn();
        const only = `${this.#rowsOf(one, range)} EXCEPT ${this.#rowsOf(other, range)}`;
        const values = [...valuesOf(range), ...valuesOf(range)];
        count += this.#database.get<{ n: number }>(`SELECT count(*) AS n FROM (${only})`, ...values)?.n ?? 0;
      }
    return count;
  }

  drop(): void {
    this.#database.exec(`DROP TABLE ${this.#before}`);
  }

  /** All keys that there may be, by as many rows as the table has now in each range; none in the last one. */
  *#ranges(): Generator<Range> {
    const key = this.#key.join();
    for (let after: Place | undefined; ; ) {
      const from = after ? `WHERE (${key}) > (${marks(after)})` : '';
      const sql = `SELECT ${key} FROM ${this.#now} ${from} ORDER BY ${key} LIMIT 1 OFFSET ${SLICE - 1}`;
      const row = this.#database.getBig<Record<string, SqlValue>>(sql, ...(after ?? []));
      const until = row && this.#key.map(name => row[name] ?? null);
      yield { after, until };
      if (!until) return;
      after = until;
    }
  }

  #rowsOf(table: string, { after, until }: Range): string {
    const key = this.#key.join();
    const from = after ? `(${key}) > (${marks(after)})` : 'TRUE';
    const to = until ? `(${key}) <= (${marks(until)})` : 'TRUE';
    return `SELECT * FROM ${table} WHERE ${from} AND ${to}`;
  }
}

type Place = readonly SqlValue[];

/** Keys after one place, up to and with another. */
interface Range {
  after: Place | undefined;
  until: Place | undefined;
}

function valuesOf({ after = [], until = [] }: Range): SqlValue[] {
  return [...after, ...until];
}

function marks(place: Place): string {
  return place.map(() => '?').join();
}
