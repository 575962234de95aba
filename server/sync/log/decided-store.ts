import type { StoredRecord } from '../../../shared/contract/present.ts';
import { OwnCopies } from '../../store/changes.ts';
import { type ChecksummedDocument, checkedDocument, checksumOf } from '../../store/sqlite/checksum.ts';
import type { Database } from '../../store/sqlite/database.ts';
import { atOnce, type Steps } from '../../store/yield-to-event-loop.ts';
import type { SubjectEffects } from '../protocol/decide.ts';
import { Conflicts } from './conflicts.ts';
import { Digest } from './digest.ts';
import { type Decided, foldEffects, withState } from './fold.ts';
import { withPlace } from './place-of-record.ts';

/**
 * Records as decided, in the open transaction: read once, changed in memory, written at the end. They are the records
 * themselves, except where undecided commits are shown on top; those are kept apart.
 */
export class DecidedStore {
  readonly #database: Database;
  readonly #digest: Digest;
  readonly #conflicts: Conflicts;
  readonly #shown: (key: string) => StoredRecord | undefined;
  readonly #isCovered: (key: string) => boolean;
  readonly #before = new Map<string, StoredRecord | undefined>();
  readonly #after = new Map<string, StoredRecord | undefined>();
  /** As of now, null where there is none: each commit asks for its record a dozen times. */
  readonly #now = new Map<string, StoredRecord | null>();
  /** A record can be folded thousands of times in one transaction. */
  readonly #own = new OwnCopies();
  /** What was kept apart as of the beginning. */
  readonly #apart = new Set<string>();

  /** `isCovered`: whether undecided commits stand on the record, as of the beginning. */
  constructor(
    database: Database,
    shown: (key: string) => StoredRecord | undefined,
    isCovered: (key: string) => boolean,
  ) {
    this.#database = database;
    this.#digest = new Digest(database);
    this.#conflicts = new Conflicts(database);
    this.#shown = shown;
    this.#isCovered = isCovered;
  }

  get(key: string): StoredRecord | undefined {
    const known = this.#now.get(key);
    if (known !== undefined) return known ?? undefined;
    if (!this.#before.has(key)) this.#before.set(key, this.#read(key));
    const record = this.#before.get(key);
    this.#now.set(key, record ?? null);
    return record;
  }

  #set(key: string, record: StoredRecord | undefined): void {
    this.#after.set(key, record);
    this.#now.set(key, record ?? null);
  }

  /** Reads many at once of those that are kept apart. */
  readAhead(keys: readonly string[]): void {
    const covered = keys.filter(key => this.#isCovered(key));
    if (covered.length === 0) return;
    const sql =
      'SELECT key, document, seal FROM decided_record WHERE key IN (SELECT value FROM json_each(?))';
    const rows = this.#database.all<ChecksummedDocument & { key: string }>(sql, JSON.stringify(covered));
    for (const key of covered) this.#before.set(key, undefined);
    for (const row of rows) {
      this.#apart.add(row.key);
      this.#before.set(
        row.key,
        checkedDocument(this.#database, row, () => `record ${row.key} as decided`),
      );
    }
  }

  put(key: string, record: StoredRecord | undefined): void {
    const before = this.get(key);
    this.#set(key, record);
    this.#conflicts.follow(before, record);
  }

  /**
   * Folds what a decision says of a record. Conflicts follow each: every machine folds the same entries, though not as many of
   * them at once. The hash of its fields is worked out by `write`.
   */
  fold(effect: SubjectEffects, decided: Decided): void {
    const before = this.get(effect.subject);
    const paths = effect.isNew ? Object.keys(before?.writers ?? {}) : effect.paths.map(({ path }) => path);
    const were = this.#conflicts.at(before, paths);
    const after = foldEffects(before, effect, decided, this.#own);
    this.#set(effect.subject, after);
    this.#conflicts.followAt(were, after);
  }

  /** Every record that was put, as it is now: once it is written. */
  changed(): ReadonlyMap<string, StoredRecord | undefined> {
    return this.#after;
  }

  /** Writes what was put. `isCovered` as of now: a covered record is kept apart, of another one the record itself is it. */
  write(keys: Iterable<string>, isCovered: (key: string) => boolean): void {
    atOnce(this.writing(keys, isCovered));
  }

  /** `write` in steps. */
  *writing(keys: Iterable<string>, isCovered: (key: string) => boolean): Steps<void> {
    const changed = [...this.#after];
    for (let from = 0; from < changed.length; from += PART) {
      yield;
      const part = changed.slice(from, from + PART).map(([key, record]) => {
        const after = record && withState(record);
        this.#set(key, after);
        return { before: this.#before.get(key), after };
      });
      this.#digest.follow(part);
    }
    for (const key of keys) {
      yield;
      const record = this.get(key);
      if (record && isCovered(key)) keepDecided(this.#database, record);
      else if (this.#apart.has(key)) this.#database.run('DELETE FROM decided_record WHERE key = ?', key);
    }
  }

  #read(key: string): StoredRecord | undefined {
    if (!this.#isCovered(key)) return this.#shown(key);
    const sql = 'SELECT document, seal FROM decided_record WHERE key = ?';
    const row = this.#database.get<{ document: string; seal: number }>(sql, key);
    if (row) this.#apart.add(key);
    return row && checkedDocument(this.#database, row, () => `record ${key} as decided`);
  }
}

/** Records that are written in one step. */
const PART = 500;

/** Keeps a record as it is decided, before the first undecided commit changes what is shown of it. */
export function keepDecided(database: Database, record: StoredRecord): void {
  const text = JSON.stringify(plain(withPlace(database, record)));
  database.run(
    `INSERT INTO decided_record (key, document, seal) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET document = excluded.document, seal = excluded.seal`,
    record.key,
    text,
    checksumOf(text),
  );
}

/** Of an open transaction in which what is read stays as it is until the end. */
export function readOnce<Value>(read: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>();
  return key => {
    const value = known.get(key);
    if (value !== undefined || known.has(key)) return value as Value;
    const found = read(key);
    known.set(key, found);
    return found;
  };
}

/** Without what RxDB adds to a record that is read from its table. */
export function plain(record: StoredRecord): StoredRecord {
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => !name.startsWith('_')),
  ) as unknown as StoredRecord;
}
