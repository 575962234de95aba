import { sameJson } from '../../../shared/contract/canonical-json.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Database } from '../../store/sqlite/database.ts';
import { isConflict, type Sibling, valueWithin } from '../protocol/siblings.ts';
import { sha256 } from './log.ts';

/** Values of one path that stations wrote without having seen each other's. */
export interface Conflict {
  /** The same on every machine. */
  id: string;
  subject: string;
  path: string;
  /** The standing write first; as they were when it was closed. */
  siblings: Sibling[];
  /** The entries of the log that opened and closed it. */
  opened: number;
  closed: number | null;
  /** The value that stands since it was closed. */
  outcome: unknown;
  /** The commit that closed it. */
  closed_by: string | null;
}

interface Row extends Omit<Conflict, 'siblings' | 'outcome'> {
  siblings: string;
  outcome: string | null;
}

/** Keeps a record of every conflict, open and closed, in the transactions that decide the records. */
export class Conflicts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Notes what a decision has opened, widened and closed. */
  follow(before: StoredRecord | undefined, after: StoredRecord | undefined): void {
    if (!after || before?.writers === after.writers) return;
    const [were, are] = [Object.keys(before?.writers ?? {}), Object.keys(after.writers)];
    if (were.length + are.length === 0) return;
    this.followAt(this.at(before, [...were, ...are]), after);
  }

  /** What waits for a person at these paths of a record, before it is changed there. */
  at(before: StoredRecord | undefined, paths: readonly string[]): Map<string, Sibling[] | undefined> {
    return new Map(paths.map(path => [path, siblingsAt(before, path)]));
  }

  /** The same as `follow`, of these paths alone. */
  followAt(were: ReadonlyMap<string, Sibling[] | undefined>, after: StoredRecord): void {
    for (const [path, was] of were) {
      const is = siblingsAt(after, path);
      if (was && !is) this.#close(after, path);
      else if (is && !was) this.#open(after, path, is);
      else if (is && !sameJson(was, is)) this.#widen(after, path, is);
    }
  }

  /** What a snapshot says of the conflicts of a record, in the place of what was known. */
  replace(subject: string, conflicts: readonly Conflict[]): void {
    this.#database.run('DELETE FROM conflict WHERE subject = ?', subject);
    for (const one of conflicts) {
      this.#database.run(
        `INSERT OR REPLACE INTO conflict (id, subject, path, siblings, opened, closed, closed_by, outcome)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        one.id,
        subject,
        one.path,
        textOf(one.siblings),
        one.opened,
        one.closed,
        one.closed_by,
        one.closed === null ? null : textOf(one.outcome),
      );
    }
  }

  /** The log is cut: what it opened or closed after a place is so no longer. */
  cutAfter(sequence: number): void {
    this.#database.run('DELETE FROM conflict WHERE opened > ?', sequence);
    this.#database.run(
      'UPDATE conflict SET closed = NULL, closed_by = NULL, outcome = NULL WHERE closed > ?',
      sequence,
    );
  }

  #open({ key, folded }: StoredRecord, path: string, siblings: readonly Sibling[]): void {
    this.#database.run(
      'INSERT OR REPLACE INTO conflict (id, subject, path, siblings, opened) VALUES (?, ?, ?, ?, ?)',
      sha256(`${key} ${path} ${folded}`).slice(0, 16),
      key,
      path,
      textOf(siblings),
      folded,
    );
  }

  #widen({ key }: StoredRecord, path: string, siblings: readonly Sibling[]): void {
    this.#database.run(
      'UPDATE conflict SET siblings = ? WHERE subject = ? AND path = ? AND closed IS NULL',
      textOf(siblings),
      key,
      path,
    );
  }

  #close(record: StoredRecord, path: string): void {
    const writers = record.writers[path];
    const [first] = typeof writers === 'string' ? [] : (writers ?? []);
    this.#database.run(
      'UPDATE conflict SET closed = ?, closed_by = ?, outcome = ? WHERE subject = ? AND path = ? AND closed IS NULL',
      record.folded,
      typeof writers === 'string' ? writers : (first?.commit ?? null),
      textOf(valueWithin(record.fields, path)),
      record.key,
      path,
    );
  }
}

/** One page of the conflicts, the newest first. */
export function readConflicts(
  reader: SqlReader,
  { isOpen, offset, limit }: { isOpen: boolean; offset: number; limit: number },
): { total: number; conflicts: Conflict[] } {
  const where = `closed IS ${isOpen ? '' : 'NOT '}NULL`;
  const total = reader.get<{ n: number }>(`SELECT count(*) AS n FROM conflict WHERE ${where}`)?.n ?? 0;
  const sql = `SELECT * FROM conflict WHERE ${where} ORDER BY opened DESC, id LIMIT ? OFFSET ?`;
  return { total, conflicts: reader.all<Row>(sql, limit, offset).map(toConflict) };
}

/** All that a record ever had. */
export function conflictsOf(reader: SqlReader, subject: string): Conflict[] {
  return reader
    .all<Row>('SELECT * FROM conflict WHERE subject = ? ORDER BY opened, id', subject)
    .map(toConflict);
}

export function readConflict(reader: SqlReader, id: string): Conflict | undefined {
  const row = reader.get<Row>('SELECT * FROM conflict WHERE id = ?', id);
  return row && toConflict(row);
}

function toConflict(row: Row): Conflict {
  const { siblings, outcome } = row;
  return { ...row, siblings: JSON.parse(siblings), outcome: outcome === null ? null : JSON.parse(outcome) };
}

/** With what is null within a value: somebody wrote it. */
function textOf(value: unknown): string {
  return JSON.stringify(value ?? null);
}

/** The siblings of a path that waits for a person. */
function siblingsAt(record: StoredRecord | undefined, path: string): Sibling[] | undefined {
  const writers = record?.writers[path];
  return Array.isArray(writers) && isConflict(writers) ? writers : undefined;
}
