import { getPrimaryFieldOfPrimaryKey, type RxDocumentData, type RxJsonSchema } from 'rxdb';
import { analyze, columnNames, createdIndexes } from './catalog.ts';
import { checksumOf } from './checksum.ts';
import {
  columnValue,
  type ExtraColumn,
  extraColumns,
  ownColumns,
  type PropertyColumn,
} from './collection-columns.ts';
import type { SqlValue } from './connection.ts';
import type { Database } from './database.ts';

/** An index on the columns of a collection's table. */
export interface CollectionIndex {
  name: string;
  /** What follows `CREATE INDEX … ON table`, e.g. `(f_family, f_id) WHERE deleted = 0`. */
  sql: string;
}

/** Columns whose values are worked out from the document: for indexes, which then need no JSON. */
export interface ComputedColumns<RxDocType> {
  names: readonly string[];
  /** Another text where the same document would give other values: the columns of every row are then filled anew. */
  definition: string;
  /** One value for each of the names. */
  of(document: RxDocType): readonly SqlValue[];
}

export interface CollectionTableParameters<RxDocType> {
  /** The table's name, by `tableNameOf`. */
  name: string;
  schema: RxJsonSchema<RxDocumentData<RxDocType>>;
  /** Top-level scalar properties that are columns, too. */
  columns: readonly string[];
  computed: ComputedColumns<RxDocType> | undefined;
  indexes: readonly CollectionIndex[];
}

/**
 * The table of one collection:
 *
 * | column      | holds                                                                     |
 * |-------------|---------------------------------------------------------------------------|
 * | `key`       | the document's primary key                                                |
 * | `revision`  | `_rev`                                                                    |
 * | `deleted`   | `_deleted` as 0 or 1                                                      |
 * | `lwt`       | `_meta.lwt`, for the clean-up of deleted documents                        |
 * | `sequence`  | which change of this collection wrote the row; grows, is never used again |
 * | `seal`      | checksum of `document`, looked at whenever it is read                     |
 * | `f_<name>`  | a scalar property, for indexes and queries that need no JSON              |
 * | others      | what is computed of the document                                          |
 * | `document`  | the whole document as JSON, last, so that the rest is read without it     |
 */
export class CollectionTable<RxDocType> {
  readonly name: string;
  /** Every column that queries can use in place of the document's property. */
  readonly columns: readonly PropertyColumn[];
  readonly #database: Database;
  readonly #parameters: CollectionTableParameters<RxDocType>;
  readonly #primaryPath: string;
  readonly #extraColumns: readonly ExtraColumn[];
  readonly #insertSql: string;
  readonly #updateSql: string;
  /** Without the columns that indexes are on: SQLite writes an index anew for each of its columns that is named. */
  readonly #rewriteSql: string;

  /** Creates the table, or brings its columns and indexes in line with what is asked for. */
  constructor(database: Database, parameters: CollectionTableParameters<RxDocType>) {
    const { name, schema, columns } = parameters;
    this.name = name;
    this.#database = database;
    this.#parameters = parameters;
    this.#primaryPath = getPrimaryFieldOfPrimaryKey(schema.primaryKey);
    this.#extraColumns = extraColumns(schema, columns);
    this.columns = [...ownColumns(this.#primaryPath), ...this.#extraColumns];
    const looked = [...this.#extraColumns.map(c => c.name), ...(parameters.computed?.names ?? [])];
    const own = ['revision', 'deleted', 'lwt', 'sequence', 'seal'];
    const written = [...own, ...looked, 'document'];
    this.#insertSql = `INSERT INTO "${name}" (${written.join(', ')}, key) VALUES (${written.map(() => '?').join(', ')}, ?)`;
    this.#updateSql = updateOf(name, written);
    this.#rewriteSql = updateOf(name, [...own, 'document']);
    database.transaction(() => this.#prepare());
  }

  /** @throws TypeError for what SQLite would not keep as it is: no string, half a surrogate pair, NUL. */
  keyOf(document: object): string {
    const key: unknown = Reflect.get(document, this.#primaryPath);
    if (typeof key !== 'string' || !key.isWellFormed() || key.includes('\0'))
      throw new TypeError(`A primary key must be a string of whole characters without NUL: ${String(key)}`);
    return key;
  }

  /**
   * Whether every committed key has the same place in the order of SQLite (UTF-8) and of JavaScript (UTF-16):
   * the two agree on characters below U+D800. An index holds the other keys, so this is one look at an empty index.
   */
  get isOrderedByKey(): boolean {
    return (
      this.#database.reader.get(`SELECT 1 FROM "${this.name}" WHERE ${hasHighCharacter} LIMIT 1`) ===
      undefined
    );
  }

  insert(document: RxDocumentData<RxDocType>, sequence: number): void {
    const { own, text, key } = this.#written(document, sequence);
    this.#database.run(this.#insertSql, ...own, ...this.#looked(document), text, key);
  }

  /** In the place of what is stored, `previous`. */
  update(document: RxDocumentData<RxDocType>, sequence: number, previous: RxDocumentData<RxDocType>): void {
    const { own, text, key } = this.#written(document, sequence);
    const [looked, before] = [this.#looked(document), this.#looked(previous)];
    const isFoundAsBefore = looked.every((value, column) => value === before[column]);
    if (isFoundAsBefore) this.#database.run(this.#rewriteSql, ...own, text, key);
    else this.#database.run(this.#updateSql, ...own, ...looked, text, key);
  }

  /** Takes `count` sequence numbers in the open transaction; returns the first. What is undone leaves its numbers out. */
  takeSequence(count: number): number {
    const { name } = this;
    const known = sequencesOf(this.#database);
    const last = known.get(name) ?? this.#lastWritten();
    known.set(name, last + count);
    this.#database.atEnd(`The sequence of ${name}`, () => {
      const sql = 'UPDATE collection_sequence SET last = ? WHERE collection = ?';
      this.#database.run(sql, known.get(name) ?? last, name);
    });
    return last + 1;
  }

  #lastWritten(): number {
    const sql = 'SELECT last FROM collection_sequence WHERE collection = ?';
    const row = this.#database.get<{ last: number }>(sql, this.name);
    if (row === undefined) throw new Error(`The collection ${this.name} was removed.`);
    return row.last;
  }

  /** Deletes up to `limit` deleted documents last written at or before `until`; returns how many. */
  purge(until: number, limit: number): number {
    const { changes } = this.#database.run(
      `DELETE FROM "${this.name}" WHERE key IN
         (SELECT key FROM "${this.name}" WHERE deleted = 1 AND lwt <= ? ORDER BY lwt LIMIT ?)`,
      until,
      limit,
    );
    return Number(changes);
  }

  /** The sequence stays, so that a later collection of the same name does not repeat its numbers. */
  drop(): void {
    this.#database.exec(`DROP TABLE IF EXISTS "${this.name}"`);
  }

  #prepare(): void {
    this.#database.exec(
      `CREATE TABLE IF NOT EXISTS collection_sequence (
        collection TEXT PRIMARY KEY, last INTEGER NOT NULL, computed TEXT NOT NULL
      ) WITHOUT ROWID`,
    );
    // Nothing is written that is there: a damaged database is opened for reading only.
    const known = this.#database.get<{ computed: string }>(
      'SELECT computed FROM collection_sequence WHERE collection = ?',
      this.name,
    )?.computed;
    const computed = this.#parameters.computed?.definition ?? '';
    const wanted = this.#wantedColumns().map(column => column.name);
    const existing = columnNames(this.#database, this.name);
    if (existing.length === 0) this.#create(this.name);
    else if (existing.join() !== wanted.join() || known !== computed) this.#rebuild();
    if (known !== computed) {
      this.#database.run(
        `INSERT INTO collection_sequence (collection, last, computed) VALUES (?, 0, ?)
         ON CONFLICT (collection) DO UPDATE SET computed = excluded.computed`,
        this.name,
        computed,
      );
    }
    this.#alignIndexes();
  }

  #wantedColumns(): { name: string; type: string }[] {
    return [
      { name: 'key', type: 'TEXT PRIMARY KEY NOT NULL' },
      { name: 'revision', type: 'TEXT NOT NULL' },
      { name: 'deleted', type: 'INTEGER NOT NULL' },
      { name: 'lwt', type: 'REAL NOT NULL' },
      { name: 'sequence', type: 'INTEGER NOT NULL' },
      { name: 'seal', type: 'INTEGER NOT NULL' },
      ...this.#extraColumns,
      // Without a type, so that a text of digits stays one.
      ...(this.#parameters.computed?.names ?? []).map(name => ({ name, type: '' })),
      { name: 'document', type: 'TEXT NOT NULL' },
    ];
  }

  #create(name: string): void {
    const columns = this.#wantedColumns().map(column => `${column.name} ${column.type}`);
    this.#database.exec(`CREATE TABLE "${name}" (${columns.join(', ')})`);
  }

  /** Copies every row: columns change with the program's version, rarely, and `document` has to stay the last. */
  #rebuild(): void {
    const old = `${this.name}__old`;
    this.#database.exec(`ALTER TABLE "${this.name}" RENAME TO "${old}"`);
    this.#create(this.name);
    const rows = this.#database.iterate<{ document: string; sequence: number }>(
      `SELECT document, sequence FROM "${old}"`,
    );
    for (const row of rows) this.insert(JSON.parse(row.document), row.sequence);
    this.#database.exec(`DROP TABLE "${old}"`);
  }

  #alignIndexes(): void {
    const indexes: CollectionIndex[] = [
      { name: 'sequence', sql: '(sequence)' },
      { name: 'deleted', sql: '(lwt) WHERE deleted = 1' },
      { name: 'high_key', sql: `(key) WHERE ${hasHighCharacter}` },
      ...this.#parameters.indexes,
    ];
    const wanted = new Map(
      indexes.map(({ name, sql }) => {
        const full = indexNameOf(this.name, name);
        return [full, `CREATE INDEX "${full}" ON "${this.name}" ${sql}`];
      }),
    );
    const existing = createdIndexes(this.#database, this.name);
    for (const [name, sql] of existing)
      if (wanted.get(name) !== sql) this.#database.exec(`DROP INDEX "${name}"`);
    const missing = [...wanted].filter(([name, sql]) => existing.get(name) !== sql);
    for (const [, sql] of missing) this.#database.exec(sql);
    if (missing.length > 0) analyze(this.#database, this.name);
  }

  #written(document: RxDocumentData<RxDocType>, sequence: number) {
    const text = JSON.stringify(document);
    const { _rev, _deleted, _meta } = document;
    const own = [_rev, _deleted ? 1 : 0, _meta.lwt, sequence, checksumOf(text)];
    return { own, text, key: this.keyOf(document) };
  }

  /** What is looked up by: columns of the document's properties, and what is computed of it. */
  #looked(document: RxDocumentData<RxDocType>): SqlValue[] {
    return [
      ...this.#extraColumns.map(column => columnValue(column, document)),
      ...(this.#parameters.computed?.of(document) ?? []),
    ];
  }
}

function updateOf(table: string, columns: readonly string[]): string {
  return `UPDATE "${table}" SET ${columns.map(column => `${column} = ?`).join(', ')} WHERE key = ?`;
}

/** A key with a character beyond the surrogates; half of a pair is never stored. */
const hasHighCharacter = `key GLOB '*[\ue000-\u{10ffff}]*'`;

/** The table of a collection: readable, and different for different names. */
export function tableNameOf(databaseName: string, collectionName: string, schemaVersion: number): string {
  const plain = (name: string) =>
    name.replace(/[^a-z0-9]/g, unit => `_${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `${plain(databaseName)}__${plain(collectionName)}__${schemaVersion}`;
}

/** The full name of a collection's index, as `INDEXED BY` needs it. */
/** The last number taken of each collection: once a transaction it is written, and not with each of its writes. */
const sequences = new WeakMap<Database, Map<string, number>>();

function sequencesOf(database: Database): Map<string, number> {
  const known = sequences.get(database) ?? new Map<string, number>();
  sequences.set(database, known);
  return known;
}

export function indexNameOf(table: string, index: string): string {
  return `${table}__${index}`;
}
