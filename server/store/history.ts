import { hash as digest, randomUUID } from 'node:crypto';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { canonicalCommit } from './canonical-commit.ts';
import type { Commit } from './changes.ts';
import { CLOCK_MARK, markSql, readCommitText, textOfCommit, writingCommitText } from './commit-text.ts';
import { type HistorySource, isTakingRecords, SINCE_START, withEarlier } from './earlier-history.ts';
import { checksumOf } from './sqlite/checksum.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';
import { FAMILY_SPAN } from './subjects.ts';
import { atOnce, type Steps } from './yield-to-event-loop.ts';

export interface ChainHead {
  number: number;
  hash: string;
}

export const CHAIN_START: ChainHead = { number: 0, hash: '' };

/** A chain of the station that was never used: named at random, never counted from what is stored. */
export function newChain(station: string): string {
  return `${station}.${randomUUID().slice(0, 8)}`;
}

/** The station that a chain belongs to: the chain's name without its random end. */
export function stationOf(chain: string): string {
  return chain.slice(0, Math.max(0, chain.lastIndexOf('.')));
}

/** The hash of a commit covers everything of it, and by `previous_hash` everything before it in its chain. */
export function hashOfCommit(commit: Omit<Commit, 'hash'>): string {
  return digest('sha256', canonicalCommit(commit));
}

/** Whether a commit is what its hash says. A text in whose type a bit has flipped is read as bytes. */
export function isItsHash(commit: Commit): boolean {
  const hasBytes = Object.values(commit).some(value => value instanceof Uint8Array);
  return !hasBytes && hashOfCommit(commit) === commit.hash;
}

/** Append-only history of commits, numbered and hash-chained per chain. */
export class History {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In the open transaction. Returns the sequence: the order of arrival on this machine. */
  append(commit: Commit, subjects: readonly number[]): number {
    return atOnce(this.appending(commit, subjects));
  }

  /** `append` in steps. */
  *appending(commit: Commit, subjects: readonly number[]): Steps<number> {
    const entries = yield* writingCommitText(commit);
    const { lastInsertRowid } = this.#database.run(INSERT, ...columnsOf(commit, entries));
    const sequence = Number(lastInsertRowid);
    yield* listingSubjects(this.#database, sequence, subjects);
    return sequence;
  }

  /** The sequence of the newest commit. */
  last(): number {
    return lastSequence(this.#database);
  }

  head(chain: string): ChainHead {
    return headOf(this.#database, chain);
  }
}

/** Records that are noted in one step: some milliseconds. */
const LISTED = 2_000;

/** `listSubjects` in steps: a commit may have thousands of records. */
export function* listingSubjects(
  database: Database,
  sequence: number,
  subjects: readonly number[],
): Steps<void> {
  for (let from = 0; from < subjects.length; from += LISTED) {
    if (subjects.length > LISTED) yield;
    listSubjects(database, sequence, subjects.slice(from, from + LISTED));
  }
}

/** Notes which records (numbers by `subjectNumber`) a commit touched. */
export function listSubjects(database: Database, sequence: number, subjects: readonly number[]): void {
  const [subject] = subjects;
  if (subject !== undefined && subjects.length === 1) {
    database.run('INSERT INTO history_subject (subject, sequence) VALUES (?, ?)', subject, sequence);
    return;
  }
  database.run(
    'INSERT INTO history_subject (subject, sequence) SELECT value, ? FROM json_each(?)',
    sequence,
    JSON.stringify(subjects),
  );
}

/** A commit as its row has it. */
export interface HistoryRow extends Omit<Commit, 'entries'> {
  /** Of a list of a record's commits only. */
  part?: number;
  sequence: number;
  /** By `textOfCommit`. */
  entries: string;
  seal: number;
}

/** The columns of a commit in the tables that keep commits, in the order of `columnsOf`. */
export const COMMIT_COLUMNS =
  'chain, number, commit_id, at, clock_offset, user, reason, entries, previous_hash, hash, seal';

/** Made once: a statement is found by its text. */
const INSERT = `INSERT INTO history (${COMMIT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** A commit as its row keeps it. */
export function columnsOf(commit: Commit, entries = textOfCommit(commit)): (string | number | null)[] {
  const { chain, number, commit_id, at, clock_offset, user, reason, previous_hash, hash } = commit;
  const seal = checksumOf(entries);
  return [chain, number, commit_id, at, clock_offset, user, reason, entries, previous_hash, hash, seal];
}

/** What a row says, proved or not; undefined where its entries cannot be read. */
export function commitOf({
  sequence: _,
  part: __,
  seal: ___,
  entries: text,
  ...columns
}: HistoryRow): Commit | undefined {
  const content = readCommitText(text);
  return content && { ...content.further, ...columns, entries: content.entries };
}

/** With this before its name, what `local` keeps of a chain that a station had before it joined: its head. */
export const ARCHIVED = 'archived:';

/**
 * Of two commits in one place, one was abandoned and issued again elsewhere. Those of an archived chain were all issued
 * again, with other ids: they stay as they are, and are no part of any record's history under those ids.
 */
export const STANDING = `NOT EXISTS (SELECT 1 FROM abandoned AS a
  WHERE a.chain = history.chain AND a.number = history.number AND a.hash = history.hash)
  AND NOT EXISTS (SELECT 1 FROM local WHERE name = '${ARCHIVED}' || history.chain)`;
const AT_PLACE = `FROM history WHERE chain = ? AND number = ? AND ${STANDING}`;

/**
 * One page of the commits that touched a record (its number by `subjectNumber`), oldest first. With its key also those that
 * were asked for where records came in place of the log; without it what stands in history alone.
 */
export function readHistory(
  reader: SqlReader,
  subject: number,
  offset: number,
  limit: number,
  key?: string,
): { total: number; commits: Commit[] } {
  const { from, parameters } = sourceOf(reader, subject, key);
  const sql = `SELECT * ${from} ORDER BY part, sequence LIMIT ? OFFSET ?`;
  return {
    total: reader.get<{ total: number }>(`SELECT count(*) AS total ${from}`, ...parameters)?.total ?? 0,
    commits: reader.all<HistoryRow>(sql, ...parameters, limit, offset).map(row => toCommit(reader, row)),
  };
}

/**
 * When the oldest commit was written from which on all of a record's history is here, while what was before is missing;
 * null where nothing is.
 */
export function knownSince(reader: SqlReader, key: string, subject: number): string | null {
  if (isTakingRecords(reader)) return null;
  const { from, parameters } = sourceOf(reader, subject, key);
  const sql = `SELECT at ${from} WHERE part > 0 ORDER BY part, sequence LIMIT 1`;
  return reader.get<{ at: string }>(sql, ...parameters)?.at ?? null;
}

function sourceOf(reader: SqlReader, subject: number, key?: string): HistorySource {
  const here = `FROM (SELECT ${SINCE_START} AS part, history.* FROM history_subject AS s JOIN history USING (sequence)
    WHERE s.subject = ? AND ${STANDING})`;
  const earlier = key === undefined ? undefined : withEarlier(reader, key, subject, STANDING);
  return earlier ?? { from: here, parameters: [subject] };
}

/**
 * As `readHistory`, for the subject number of one record: a list that leads to other commits, or to fewer than the
 * record has versions, is refused.
 * @throws AppError `unavailable`; the database is for reading only from then on
 */
export function readHistoryOf(
  reader: SqlReader,
  { key, version }: Pick<StoredRecord, 'key' | 'version'>,
  subject: number,
  offset: number,
  limit: number,
): { total: number; commits: Commit[] } {
  const read = readHistory(reader, subject, offset, limit, key);
  const isWhole =
    (read.total === version || isExchanging(reader)) &&
    read.commits.length === Math.min(limit, Math.max(0, read.total - offset)) &&
    read.commits.every(({ entries }) => entries.some(entry => entry.subject === key));
  if (!isWhole) throw reader.damaged(`The list of the commits of ${key} is not what was written.`);
  return read;
}

/** Who wrote a record, and when, by a clock that was not confirmed; the oldest first, so many at most. */
export function readUnconfirmed(
  reader: SqlReader,
  key: string,
  limit: number,
): { user: string; at: string; clock_at_least: string }[] {
  const { from, parameters } = sourceOf(reader, subjectIn(reader, key), key);
  const sql = `SELECT * FROM (SELECT user, at, part, sequence, ${markSql('entries')} ${from})
    WHERE ${CLOCK_MARK} IS NOT NULL ORDER BY part, sequence LIMIT ?`;
  return reader.all(sql, ...parameters, limit);
}

/** The oldest commits of a record that are here, so many at most. */
export function commitsOf(reader: SqlReader, key: string, limit: number): Commit[] {
  return readHistory(reader, subjectIn(reader, key), 0, limit, key).commits;
}

/** The first commit of a record that is here: of a history that is whole the one that made it. */
export function firstCommitOf(reader: SqlReader, key: string): Commit | undefined {
  return commitsOf(reader, key, 1)[0];
}

/** The number of a record in lists of history; of none where its family is not known. */
function subjectIn(reader: SqlReader, key: string): number {
  const place = key.lastIndexOf(':');
  const sql = 'SELECT number FROM family_number WHERE family = ?';
  const family = reader.get<{ number: number }>(sql, key.slice(0, place))?.number ?? 0;
  return family * FAMILY_SPAN + Number(key.slice(place + 1));
}

/** Whether central held a commit when it arrived there, as far as its log is here: what counts of it a person let in. */
export function wasHeldFirst(reader: SqlReader, { commit_id: id, chain, number }: Commit): boolean {
  if (!isExchanging(reader)) return false;
  const sql = 'SELECT decisions FROM log WHERE commit_id = ? AND chain = ? AND number = ?';
  const text = reader.get<{ decisions: string }>(sql, id, chain, number)?.decisions;
  return Boolean(text) && JSON.parse(text ?? '[]')[0]?.outcome === 'held';
}

/** Whether commits of other machines stand in history: of those, not each makes a version of its record. */
export function isExchanging(reader: Pick<SqlReader, 'get'>): boolean {
  return (
    reader.get("SELECT 1 FROM local WHERE name IN ('cursor', 'epoch', 'blocks_from_central')") !== undefined
  );
}

/** The commits of a record before a place of central's log, the newest first, each read when it is asked for. */
export function* readLoggedBefore(
  reader: SqlReader,
  subject: number,
  before: number,
): Generator<{ sequence: number; length: number; commit: () => Commit }> {
  const sql = `SELECT history.*, log.sequence AS place
    FROM history_subject AS s JOIN history USING (sequence)
    JOIN log ON log.chain = history.chain AND log.number = history.number
    WHERE s.subject = ? AND log.sequence < ? AND ${STANDING} ORDER BY log.sequence DESC`;
  for (const { place, ...row } of reader.iterate<HistoryRow & { place: number }>(sql, subject, before)) {
    yield { sequence: place, length: row.entries.length, commit: () => toCommit(reader, row) };
  }
}

/** @throws AppError `unavailable` for a commit that is not what its hash says */
export function readCommit(reader: SqlReader, chain: string, number: number): Commit | undefined {
  const row = rowAt(reader, chain, number);
  return row && toCommit(reader, row);
}

/** The row of a commit as it is kept. */
export function rowAt(reader: SqlReader, chain: string, number: number): HistoryRow | undefined {
  return reader.get<HistoryRow>(`SELECT * ${AT_PLACE}`, chain, number);
}

/** The last commit of a chain. */
export function headOf(reader: SqlReader, chain: string): ChainHead {
  const sql = `SELECT number, hash FROM history WHERE chain = ? AND ${STANDING} ORDER BY number DESC LIMIT 1`;
  return reader.get<ChainHead>(sql, chain) ?? CHAIN_START;
}

/** The hash of a commit by its place. */
export function hashAt(reader: SqlReader, chain: string, number: number): string | undefined {
  return reader.get<{ hash: string }>(`SELECT hash ${AT_PLACE}`, chain, number)?.hash;
}

/**
 * The commits of a chain after a number, with their places in the order of arrival: no more than `limit`, and none after
 * that with which the characters of their entries exceed `size`.
 */
export function readChainAfter(
  reader: SqlReader,
  chain: string,
  number: number,
  limit: number,
  size: number,
): { commits: { sequence: number; commit: Commit }[]; isCut: boolean } {
  const sql = `SELECT * FROM history WHERE chain = ? AND number > ? AND ${STANDING} ORDER BY number LIMIT ?`;
  const commits: { sequence: number; commit: Commit }[] = [];
  let left = size;
  for (const row of reader.iterate<HistoryRow>(sql, chain, number, limit)) {
    commits.push({ sequence: row.sequence, commit: toCommit(reader, row) });
    left -= row.entries.length;
    if (left < 0) break;
  }
  return { commits, isCut: left < 0 };
}

/**
 * In the open transaction, before another commit is put in the place of one: what stands there, and what follows it in its
 * chain, was written by a machine that was put back to an earlier state since. It stays readable by its id.
 */
export function abandonFrom(database: Database, chain: string, number: number): void {
  database.run(
    `INSERT INTO abandoned (chain, number, hash)
     SELECT chain, number, hash FROM history WHERE chain = ? AND number >= ? AND ${STANDING}`,
    chain,
    number,
  );
}

/** As `abandonFrom`, of a single commit that its station has issued again at another place. */
export function abandonAt(
  database: Database,
  { chain, number }: Pick<Commit, 'chain' | 'number'>,
  id: string,
): void {
  database.run(
    `INSERT INTO abandoned (chain, number, hash)
     SELECT chain, number, hash FROM history WHERE chain = ? AND number = ? AND commit_id = ? AND ${STANDING}`,
    chain,
    number,
    id,
  );
}

/** In the open transaction: whether a commit that was abandoned stands again, the machine having got it back. */
export function standAgain(
  database: Database,
  { chain, number, hash }: Pick<Commit, 'chain' | 'number' | 'hash'>,
): boolean {
  const sql = 'DELETE FROM abandoned WHERE chain = ? AND number = ? AND hash = ?';
  return database.run(sql, chain, number, hash).changes > 0;
}

/** A commit that was written at that place, whether it stands there now or not. */
export function readNamed(reader: SqlReader, chain: string, number: number, id: string): Commit | undefined {
  const sql = 'SELECT * FROM history WHERE chain = ? AND number = ? AND commit_id = ?';
  const row = reader.get<HistoryRow>(sql, chain, number, id);
  return row && toCommit(reader, row);
}

/** Where a commit stands in the order of arrival on this machine. */
export function sequenceOf(reader: SqlReader, chain: string, number: number): number {
  return reader.get<{ sequence: number }>(`SELECT sequence ${AT_PLACE}`, chain, number)?.sequence ?? 0;
}

/** The commits after a sequence, in order of arrival, with their sequences. */
export function readCommitsAfter(
  reader: SqlReader,
  sequence: number,
  limit: number,
): { sequence: number; commit: Commit }[] {
  const sql = 'SELECT * FROM history WHERE sequence > ? ORDER BY sequence LIMIT ?';
  return reader
    .all<HistoryRow>(sql, sequence, limit)
    .map(row => ({ sequence: row.sequence, commit: toCommit(reader, row) }));
}

/** When the oldest commit was written; null while there is none. */
export function firstCommitAt(reader: SqlReader): string | null {
  return reader.get<{ at: string }>('SELECT at FROM history ORDER BY sequence LIMIT 1')?.at ?? null;
}

/** The hash of the commit at a place in the order of arrival. */
export function hashAtSequence(reader: SqlReader, sequence: number): string | undefined {
  return reader.get<{ hash: string }>('SELECT hash FROM history WHERE sequence = ?', sequence)?.hash;
}

export function lastSequence(reader: SqlReader): number {
  return reader.get<{ last: number | null }>('SELECT max(sequence) AS last FROM history')?.last ?? 0;
}

/** @throws AppError `unavailable` for a commit that is not what its hash says */
export function toCommit(reader: SqlReader, row: HistoryRow): Commit {
  const commit = commitOf(row);
  if (commit && checksumOf(row.entries) === row.seal && isItsHash(commit)) return commit;
  throw reader.damaged(`Commit ${row.number} of chain ${row.chain} is not what was written.`);
}
