import type { Database } from './sqlite/database.ts';

/**
 * Which record, or item of a record, an import made of which key of another program's file: so that the import can be
 * run again, and files can refer to records by their own keys. Written in the transaction of the record. It belongs to
 * this installation and is not synced; unlike what is derived, it cannot be worked out again.
 */
export class ImportKeys {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** `kind` is a family (`order`) or a collection of one (`order.items`). */
  find(source: string, kind: string, key: string): number | undefined {
    return this.#database.get<{ id: number }>(
      'SELECT id FROM import_key WHERE source = ? AND kind = ? AND key = ?',
      source,
      kind,
      key,
    )?.id;
  }

  /** In the open transaction. */
  remember(source: string, kind: string, key: string, id: number): void {
    this.#database.run(
      `INSERT INTO import_key (source, kind, key, id) VALUES (?, ?, ?, ?)
       ON CONFLICT (source, kind, key) DO UPDATE SET id = excluded.id WHERE id <> excluded.id`,
      source,
      kind,
      key,
      id,
    );
  }
}
