import { MOST_AGAIN, reissuedId } from '../../store/commit-id.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Database } from '../../store/sqlite/database.ts';
import type { CreatedId } from '../log/created-ids.ts';
import type { Log } from '../log/log.ts';

/** A record or an item that a commit which came back names. */
export interface AwaitedId extends CreatedId {
  commit: string;
  /** The commit that created it in the log that was lost. */
  creator: string;
}

/**
 * What came back names what was not back then, of the present epoch. How much of it there is costs no message anything: who created
 * it is looked for again where something was decided of that commit, by whatever name, and at no other time.
 */
export class AwaitedIds {
  readonly #database: Database;
  readonly #sql: SqlReader;
  readonly #log: Pick<Log, 'formerOf' | 'has'>;

  /** Reads over `sql`, as `Log` does. */
  constructor(database: Database, sql: SqlReader, log: Pick<Log, 'formerOf' | 'has'>) {
    this.#database = database;
    this.#sql = sql;
    this.#log = log;
  }

  /** In the open transaction, once the log has the entry that decided of this commit. */
  follow(commit: string): void {
    if (this.#sql.get('SELECT 1 FROM awaited_commit LIMIT 1') === undefined) return;
    for (const name of this.#namesOf(commit)) {
      for (const column of ['creator', 'again']) {
        const sql = `UPDATE awaited_commit SET is_due = 1 WHERE ${column} = ? AND is_due = 0`;
        this.#database.run(sql, name);
      }
    }
  }

  /** Those that the log has, and the one after them: who is awaited may not be in the log under its own name. */
  #namesOf(commit: string): string[] {
    const names = [commit];
    const formerOf = (name: string) => this.#log.formerOf(name);
    for (let name = formerOf(commit); name !== undefined && names.length < MOST_AGAIN; name = formerOf(name))
      names.push(name);
    for (let name = commit, again = 0; this.#log.has(name) && again < MOST_AGAIN; again += 1) {
      name = reissuedId(name);
      names.push(name);
    }
    return names;
  }

  /** The commits that have to be looked for again. */
  due(): string[] {
    const sql = 'SELECT creator FROM awaited_commit WHERE is_due = 1';
    return this.#sql.all<{ creator: string }>(sql).map(({ creator }) => creator);
  }

  /** What is awaited of a commit. */
  of(creator: string): AwaitedId[] {
    const sql = 'SELECT creator, commit_id AS "commit", counter, id FROM awaited_id WHERE creator = ?';
    return this.#sql.all(sql, creator);
  }

  /** In the open transaction: these are awaited of a commit as well, until something is decided of it. */
  await(creator: string, ids: readonly AwaitedId[]): void {
    const sql = `INSERT INTO awaited_commit (creator, again, is_due) VALUES (?, ?, 0)
      ON CONFLICT (creator) DO UPDATE SET is_due = 0`;
    this.#database.run(sql, creator, reissuedId(creator));
    for (const { commit, counter, id } of ids) {
      const insert = 'INSERT OR IGNORE INTO awaited_id (creator, commit_id, counter, id) VALUES (?, ?, ?, ?)';
      this.#database.run(insert, creator, commit, counter, id);
    }
  }

  /** In the open transaction: nothing is awaited of a commit. */
  forget(creator: string): void {
    for (const table of ['awaited_id', 'awaited_commit'])
      this.#database.run(`DELETE FROM ${table} WHERE creator = ?`, creator);
  }

  /** In the open transaction, as another epoch begins: what is lost from now on meant other records by its ids. */
  clear(): void {
    for (const table of ['awaited_id', 'awaited_commit']) this.#database.run(`DELETE FROM ${table}`);
  }
}
