import { hash as digest } from 'node:crypto';
import type { Commit } from '../../store/changes.ts';
import { isReissuedId } from '../../store/commit-id.ts';
import { readCommit, rowAt } from '../../store/history.ts';
import { readingCommit } from '../../store/reading-commit.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Database } from '../../store/sqlite/database.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import type { Steps } from '../../store/yield-to-event-loop.ts';
import type { Decision, Outcome } from '../protocol/decide.ts';
import { LOG_START, type LogPlace } from '../protocol/log.ts';
import {
  type CommitPlace,
  isPlain,
  type KnownEntry,
  plainDecisions,
  type SignedEntry,
} from '../protocol/packed-entries.ts';
import { cutArrivals } from './arrivals.ts';
import { noteNames } from './noted-names.ts';

interface LogRow extends LogPlace {
  commit_id: string;
  chain: string;
  number: number;
  decisions: string;
  countersignature: string;
}

/** In the place of the decisions that follow from the commit itself: almost all, and as long as the commit. */
const PLAIN = '';

/** Rows that are read at once where a reader may end early. */
const AT_ONCE = 16;

/** What a row of the log says was decided on the arrival of its commit. */
export function decisionsOf(row: Pick<LogRow, 'decisions'>, commit: Commit): Decision[] {
  return row.decisions === PLAIN ? plainDecisions(commit) : JSON.parse(row.decisions);
}

function knownEntry({ sequence, hash, chain, number, decisions, countersignature }: LogRow): KnownEntry {
  const others = decisions === PLAIN ? {} : { decisions: JSON.parse(decisions) };
  return { sequence, hash, known: { chain, number }, ...others, countersignature };
}

export function sha256(text: string): string {
  return digest('sha256', text);
}

/** Central's log: all of it on central, on a station what it has received. The commits stand in history. */
export class Log {
  readonly #database: Database;
  readonly #sql: SqlReader;

  /** Reads over `sql`: the write connection for what the open transaction has written. */
  constructor(database: Database, sql: SqlReader) {
    this.#database = database;
    this.#sql = sql;
  }

  /** Where a log that began with a snapshot begins; `LOG_START` otherwise. */
  start(): LogPlace {
    const text = readLocal(this.#sql, 'log_start');
    return text === undefined ? LOG_START : JSON.parse(text);
  }

  /** What was asked for of the log before it was of another log. */
  beginAt(place: LogPlace): void {
    writeLocal(this.#database, 'log_start', JSON.stringify(place));
    for (const table of ['earlier_record', 'earlier_subject', 'earlier_commit']) {
      this.#database.run(`DELETE FROM ${table}`);
    }
  }

  /** The end. */
  place(): LogPlace {
    const start = this.start();
    const sql = 'SELECT sequence, hash FROM log WHERE sequence > ? ORDER BY sequence DESC LIMIT 1';
    return this.#sql.get<LogPlace>(sql, start.sequence) ?? start;
  }

  /** '' at 0; undefined where no entry was received, and after the end. */
  hashAt(sequence: number): string | undefined {
    const start = this.start();
    if (sequence === start.sequence) return start.hash;
    if (sequence === LOG_START.sequence) return LOG_START.hash;
    return this.#sql.get<{ hash: string }>('SELECT hash FROM log WHERE sequence = ?', sequence)?.hash;
  }

  /** In the open transaction; the commit stands in history already. */
  append({ sequence, commit, decisions, hash, countersignature }: SignedEntry): void {
    this.#database.run(
      `INSERT INTO log (sequence, commit_id, chain, number, decisions, hash, countersignature)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      sequence,
      commit.commit_id,
      commit.chain,
      commit.number,
      isPlain(commit, decisions) ? PLAIN : JSON.stringify(decisions),
      hash,
      countersignature,
    );
    noteNames(this.#database, { sequence, commit_id: commit.commit_id, decisions });
  }

  /** Whether an entry decided a commit of this id. */
  isKnown(commit: string): boolean {
    return this.#sql.get('SELECT 1 FROM log WHERE commit_id = ? LIMIT 1', commit) !== undefined;
  }

  /** The same, with those of the part that was taken as a snapshot, if they were kept. */
  has(commit: string): boolean {
    return (
      this.isKnown(commit) ||
      this.#sql.get('SELECT 1 FROM snapshot_commit WHERE commit_id = ?', commit) !== undefined
    );
  }

  /** The commit for which this is the name to be issued again under. */
  formerOf(commit: string): string | undefined {
    if (!isReissuedId(commit)) return undefined;
    const sql = 'SELECT commit_id FROM name_again WHERE name = ?';
    const former = this.#sql.get<{ commit_id: string }>(sql, commit)?.commit_id;
    // What was cut is not known any more.
    return former !== undefined && this.has(former) ? former : undefined;
  }

  /** The chain of who gave a held commit up; undefined where no entry says so. */
  withdrawnBy(commit: string): string | undefined {
    // An earlier version may have cut the log since, so that another entry stands there.
    const sql = `SELECT chain FROM given_up JOIN log USING (sequence)
      WHERE given_up.commit_id = ? AND instr(decisions, given_up.commit_id) > 0`;
    return this.#sql.get<{ chain: string }>(sql, commit)?.chain;
  }

  /** Of commits by their ids, those that an entry decided. */
  knownOf(commits: readonly string[]): Set<string> {
    const sql = 'SELECT commit_id FROM log WHERE commit_id IN (SELECT value FROM json_each(?))';
    const rows = this.#sql.all<{ commit_id: string }>(sql, JSON.stringify(commits));
    return new Set(rows.map(row => row.commit_id));
  }

  /** The number of the last commit of a chain that an entry holds at its place; 0 for none. */
  lastOf(chain: string): number {
    const sql = 'SELECT max(number) AS last FROM log WHERE chain = ?';
    return this.#sql.get<{ last: number | null }>(sql, chain)?.last ?? 0;
  }

  /** The entry that decided a commit on its arrival; undefined for none. */
  sequenceOf(commit: string): number | undefined {
    const sql = 'SELECT sequence FROM log WHERE commit_id = ? ORDER BY sequence LIMIT 1';
    return this.#sql.get<{ sequence: number }>(sql, commit)?.sequence;
  }

  /** What was decided of a commit when it arrived at this place of its chain; undefined where no entry did. */
  outcomeOf({
    commit_id: id,
    chain,
    number,
  }: Pick<Commit, 'commit_id' | 'chain' | 'number'>): Outcome | undefined {
    const sql = 'SELECT decisions FROM log WHERE commit_id = ? AND chain = ? AND number = ?';
    const row = this.#sql.get<Pick<LogRow, 'decisions'>>(sql, id, chain, number);
    if (row?.decisions === PLAIN) return 'applied';
    const [own]: Decision[] = row ? JSON.parse(row.decisions) : [];
    return own?.outcome;
  }

  /** The commit that an entry decided on its arrival; of the part that was taken as a snapshot, if it was kept. */
  commit(id: string): Commit | undefined {
    const place = this.#placeOf(id);
    return place && readCommit(this.#sql, place.chain, place.number);
  }

  /** `commit` in steps. */
  *readingCommit(id: string): Steps<Commit | undefined> {
    const place = this.#placeOf(id);
    const row = place && rowAt(this.#sql, place.chain, place.number);
    return row && (yield* readingCommit(this.#sql, row));
  }

  /** The chain of the same commit, which may be large. */
  chainOf(id: string): string | undefined {
    return this.#placeOf(id)?.chain;
  }

  #placeOf(id: string): CommitPlace | undefined {
    const place = (sql: string) => this.#sql.get<CommitPlace>(sql, id);
    return (
      place('SELECT chain, number FROM log WHERE commit_id = ? ORDER BY sequence LIMIT 1') ??
      place('SELECT chain, number FROM snapshot_commit WHERE commit_id = ?')
    );
  }

  /** Keeps where a commit stands that is in history and not in the received entries. */
  keepCommit({ commit_id, chain, number }: Commit): void {
    this.#database.run(
      `INSERT INTO snapshot_commit (commit_id, chain, number) VALUES (?, ?, ?)
       ON CONFLICT (commit_id) DO UPDATE SET chain = excluded.chain, number = excluded.number`,
      commit_id,
      chain,
      number,
    );
    noteNames(this.#database, { sequence: 0, commit_id, decisions: [] });
  }

  /** The entries after a place, oldest first. */
  after(sequence: number, limit: number): SignedEntry[] {
    return this.#rowsAfter(sequence, limit).map(row => this.#entry(row));
  }

  /** All of them, in steps: a log that central lost may be long. */
  *readingAfter(sequence: number): Steps<SignedEntry[]> {
    const entries: SignedEntry[] = [];
    for (;;) {
      const rows = this.#rowsAfter(entries.at(-1)?.sequence ?? sequence, AT_ONCE);
      for (const row of rows) {
        entries.push(this.#entry(row));
        yield;
      }
      if (rows.length < AT_ONCE) return entries;
    }
  }

  /**
   * The same one by one, for one who has some of the commits: those are not read, which takes most of the time. A few rows at
   * a time: an entry can be as large as a message, and as many of them as a page may have would fill the memory.
   */
  *afterFor(
    isKnown: (place: CommitPlace) => boolean,
    sequence: number,
    limit: number,
  ): Generator<SignedEntry | KnownEntry> {
    for (let read = 0; read < limit; read += AT_ONCE) {
      const rows = this.#rowsAfter(sequence + read, Math.min(AT_ONCE, limit - read));
      for (const row of rows) yield isKnown(row) ? knownEntry(row) : this.#entry(row);
      if (rows.length < AT_ONCE) return;
    }
  }

  #rowsAfter(sequence: number, limit: number): LogRow[] {
    return this.#sql.all('SELECT * FROM log WHERE sequence > ? ORDER BY sequence LIMIT ?', sequence, limit);
  }

  #entry(row: LogRow): SignedEntry {
    const commit = readCommit(this.#sql, row.chain, row.number);
    if (!commit) throw this.#sql.damaged(`The commit of the log's entry ${row.sequence} is not there.`);
    const { sequence, hash, countersignature } = row;
    return { sequence, commit, decisions: decisionsOf(row, commit), hash, countersignature };
  }

  /** Forgets the entries after a place: central's log goes on otherwise. */
  cutAfter(sequence: number): void {
    for (const table of ['log', 'given_up']) {
      this.#database.run(`DELETE FROM ${table} WHERE sequence > ?`, sequence);
    }
    cutArrivals(this.#database, sequence);
  }
}

/** Whether an entry of the log, up to `end`, has what stands at this place of a chain. */
export function isInLog(
  reader: SqlReader,
  { chain, number }: Pick<Commit, 'chain' | 'number'>,
  end = Number.MAX_SAFE_INTEGER,
): boolean {
  const sql = 'SELECT 1 FROM log WHERE chain = ? AND number = ? AND sequence <= ?';
  return reader.get(sql, chain, number, end) !== undefined;
}
