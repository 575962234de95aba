import { AppError } from '../../shared/contract/errors.ts';
import type { SqlValue } from '../store/sqlite/connection.ts';
import type { Database } from '../store/sqlite/database.ts';
import { FACT_TABLES, OWN_NAMES } from './facts.ts';
import { factsIn, quoted, type Row, type Shape, shapeOf } from './small-tables.ts';
import type { Fact } from './turn.ts';

/**
 * Which rows of the small tables a transaction has changed. Triggers of this connection alone note them in a table of this
 * connection alone, so that a savepoint that is undone takes its notes with it, and the file stays as it is.
 */
export class Outbox {
  readonly #database: Database;
  readonly #shapes = new Map<string, Shape>();

  constructor(database: Database) {
    this.#database = database;
    database.exec('CREATE TEMP TABLE IF NOT EXISTS outbox (tbl TEXT NOT NULL, key TEXT NOT NULL)');
    // What INSERT OR REPLACE takes away for another unique value passes no trigger for DELETE otherwise.
    database.exec('PRAGMA recursive_triggers = ON');
    // At once: each statement for itself took a tenth of the time that a process needs to begin.
    database.exec(FACT_TABLES.flatMap(table => this.#watching(table)).join(';\n'));
  }

  /** In the open transaction: what it has changed, as it stands now; it is noted no longer. */
  take(): Fact[] {
    const noted = this.#database.all<{ tbl: string; key: string }>(
      'SELECT DISTINCT tbl, key FROM temp.outbox ORDER BY tbl, key',
    );
    if (noted.length > 0) this.clear();
    return noted.map(({ tbl, key }) => this.#fact(tbl, JSON.parse(key)));
  }

  /** In the open transaction: what it has changed is known already. */
  clear(): void {
    this.#database.run('DELETE FROM temp.outbox');
  }

  /** Every row of the small tables. */
  all(): Fact[] {
    return factsIn(this.#database);
  }

  /** In the open transaction: the rows stand as the facts say. @throws AppError `unavailable` for those of a later version */
  apply(facts: readonly Fact[]): void {
    // First what goes: a value that is given once may have moved from one row to another.
    for (const { table, key } of facts) {
      const where = this.#shapeOf(table)
        .key.map(name => `"${name}" = ?`)
        .join(' AND ');
      this.#database.run(`DELETE FROM ${table} WHERE ${where}`, ...key);
    }
    for (const { table, row } of facts) {
      if (!row) continue;
      const columns = Object.keys(row).map(name => `"${name}"`);
      const unknown = columns.find(name => !this.#shapeOf(table).columns.includes(name));
      if (unknown) throw ofLaterVersion(`${table}.${unknown}`);
      const values: SqlValue[] = Object.values(row);
      const places = columns.map(() => '?');
      this.#database.run(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`,
        ...values,
      );
    }
  }

  /** In the open transaction: the small tables are empty, but for what is of this folder. */
  empty(): void {
    for (const table of this.#shapes.keys()) {
      const own = table === 'local' ? ` WHERE name NOT IN (${quoted(OWN_NAMES)})` : '';
      this.#database.run(`DELETE FROM ${table}${own}`);
    }
  }

  /** Statements for its triggers. */
  #watching(table: string): string[] {
    const shape = shapeOf(this.#database, table);
    this.#shapes.set(table, shape);
    const { key } = shape;
    // A row as often as it is written: to look whether it is noted already costs each write more, and OR IGNORE does not
    // hold here, since what the statement says that fires a trigger holds for the trigger's own, an upsert's ABORT too.
    const events = [
      ['INSERT', 'NEW'],
      ['UPDATE', 'NEW'],
      ['DELETE', 'OLD'],
    ];
    return events.map(([event, row]) => {
      const values = key.map(name => `${row}."${name}"`).join(', ');
      const when = table === 'local' ? `WHEN ${row}.name NOT IN (${quoted(OWN_NAMES)})` : '';
      return `CREATE TEMP TRIGGER IF NOT EXISTS outbox_${table}_${event} AFTER ${event} ON main.${table} ${when}
         BEGIN INSERT INTO outbox VALUES ('${table}', json_array(${values})); END`;
    });
  }

  #shapeOf(table: string): Shape {
    const shape = this.#shapes.get(table);
    if (!shape) throw ofLaterVersion(table);
    return shape;
  }

  #fact(table: string, key: readonly (string | number)[]): Fact {
    const shape = this.#shapeOf(table);
    const where = shape.key.map(name => `"${name}" = ?`).join(' AND ');
    const sql = `SELECT ${shape.columns.join(', ')} FROM ${table} WHERE ${where}`;
    return { table, key, row: this.#database.get<Row>(sql, ...key) ?? null };
  }
}

/** To fold what is left would take away what a later version knows more of. */
function ofLaterVersion(what: string): AppError {
  const message = `The journal has ${what} of a later version, which this one does not know. Update this process.`;
  return new AppError('unavailable', message, { headers: { 'Retry-After': '3' } });
}
