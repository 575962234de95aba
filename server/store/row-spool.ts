import { DatabaseSync, type StatementSync } from 'node:sqlite';

/**
 * What an import puts aside while it reads its files: rows of a second file until their record comes along, and the
 * keys that have been there. On disk, so that memory does not grow with the files; nothing in it outlives the import.
 */
export class RowSpool {
  readonly #database: DatabaseSync;
  readonly #put: StatementSync;
  readonly #take: StatementSync;
  readonly #see: StatementSync;
  readonly #seenAt: StatementSync;

  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA cache_size = -16384;
      CREATE TABLE spooled (list TEXT, key TEXT, line INTEGER, data TEXT, PRIMARY KEY (list, key, line)) WITHOUT ROWID;
      CREATE TABLE seen (list TEXT, key TEXT, line INTEGER, PRIMARY KEY (list, key)) WITHOUT ROWID;
      BEGIN;
    `);
    this.#put = this.#database.prepare('INSERT INTO spooled (list, key, line, data) VALUES (?, ?, ?, ?)');
    this.#take = this.#database.prepare(
      'SELECT line, data FROM spooled WHERE list = ? AND key = ? ORDER BY line',
    );
    this.#see = this.#database.prepare('INSERT OR IGNORE INTO seen (list, key, line) VALUES (?, ?, ?)');
    this.#seenAt = this.#database.prepare('SELECT line FROM seen WHERE list = ? AND key = ?');
  }

  put(list: string, key: string, line: number, data: string): void {
    this.#put.run(list, key, line, data);
  }

  /** The rows of a key in the order of their lines. */
  take(list: string, key: string): { line: number; data: string }[] {
    return this.#take.all(list, key) as { line: number; data: string }[];
  }

  /** Notes a key; answers the line where it was seen before, if it was. */
  see(list: string, key: string, line: number): number | undefined {
    if (Number(this.#see.run(list, key, line).changes) > 0) return undefined;
    return Number((this.#seenAt.get(list, key) as { line: number }).line);
  }

  /** Rows of a list whose key was never seen, for a list of the same name. */
  *unseen(list: string): Generator<{ line: number; key: string }> {
    const sql =
      'SELECT line, key FROM spooled WHERE list = ? AND key NOT IN (SELECT key FROM seen WHERE list = spooled.list) ORDER BY line';
    for (const row of this.#database.prepare(sql).iterate(list)) yield row as { line: number; key: string };
  }

  forgetSeen(): void {
    this.#database.exec('DELETE FROM seen');
  }

  close(): void {
    this.#database.close();
  }
}
