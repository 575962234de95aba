import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../../shared/contract/errors.ts';
import { keepsNumbersAsTyped, underivedFamilies } from '../derived-from.ts';
import { indexedValues } from '../family-index.ts';
import { type Head, readHeadMark } from '../head-mark.ts';
import { refuseNewer } from '../migrations.ts';
import { openReadOnly } from '../open-read-only.ts';
import type { LotFactsOf } from '../projections.ts';
import { recordSchema } from '../record-schema.ts';
import { tableNameOf } from '../sqlite/collection-table.ts';
import type { Connection } from '../sqlite/connection.ts';
import { isSqliteError, primaryCode, resultCode } from '../sqlite/sqlite-error.ts';
import { diskFull } from '../sqlite/store-errors.ts';
import { derivedTables } from '../tables.ts';
import { damageOfWal } from '../wal.ts';
import { type Finding, Findings, remedies } from './findings.ts';
import { verifyChecksums } from './verify-checksums.ts';
import type { ExchangeVerifier, VerifyContext } from './verify-context.ts';
import { counterVerifier } from './verify-counters.ts';
import { type VerifiedHistory, verifyHistory, verifySubjects } from './verify-history.ts';
import { projectionVerifier } from './verify-projections.ts';
import { verifyRecords } from './verify-records.ts';
import { verifySchema } from './verify-schema.ts';

export interface VerifyOptions {
  lotFactsOf: LotFactsOf;
  exchange: ExchangeVerifier;
  /** Told now and then what is being read and how many of it were. */
  onProgress?: (doing: string, count: number) => void;
  signal?: AbortSignal;
}

export interface VerifyReport {
  file: string;
  commits: number;
  chains: number;
  records: number;
  /** Records of families that this version does not know, whose fields cannot be folded. */
  unknown: number;
  /** The first hundred, in the order in which they were found. */
  findings: Finding[];
  /** The first that `rebuild` does not mend. */
  serious: Finding | null;
  /** How many there are in all. */
  faults: number;
  seconds: number;
}

export const DATABASE_FILE = 'holdpoint.db';
export const RECORDS_TABLE = tableNameOf('holdpoint', 'records', recordSchema.version);

/** Records or commits between two reports of progress, and two chances for others to work. */
const STRETCH = 500;

/**
 * Proves that what is stored agrees with itself: the file is sound, the chains are whole, every record is the fold of
 * its history, and everything derived is what a fresh derivation gives.
 *
 * Reads one snapshot on a connection of its own, so it works beside a running server and without one. Memory is bounded:
 * what must be sorted lies in temporary tables, on disk, about as large as history.
 * @param target a data folder, or a database file such as a backup
 * @throws AppError `not_found` when there is no such file; `unavailable` when a later version has written it;
 *   `storage_full`; the signal's reason
 */
export async function verify(target: string, options: VerifyOptions): Promise<VerifyReport> {
  const started = performance.now();
  const file = databaseIn(target);
  const findings = new Findings();
  const counts = { commits: 0, chains: 0, records: 0, unknown: 0 };
  // Before the snapshot is taken: the mark is never ahead of what is committed when it is read.
  const head = basename(file) === DATABASE_FILE ? readHeadMark(dirname(file)) : undefined;
  try {
    const sql = openReadOnly(file);
    try {
      sql.control('BEGIN');
      refuseNewer(sql, file);
      const damagedLog = damageOfWal(`${file}-wal`);
      if (damagedLog) findings.add(damagedLog, `${file}-wal`, remedies.restore);
      verifyFile(sql, file, findings);
      const context = contextOf(sql, findings, options);
      const history = await verifyHistory(context);
      verifyHead(context, history, head);
      verifySubjects(context);
      verifyChecksums(context);
      Object.assign(counts, { commits: history.commits, chains: history.heads.size });
      const [derived, counters] = [projectionVerifier(context), counterVerifier(context)];
      const records = await verifyRecords(context, record => {
        if (context.isDerivedHere) derived.record(record);
        counters.record(record);
      });
      Object.assign(counts, records);
      if (context.isDerivedHere) derived.finish();
      counters.finish();
      verifySchema(context);
    } finally {
      sql.close();
    }
  } catch (error) {
    // A RangeError: a number that nothing here writes, above what JavaScript holds.
    if (!isSqliteError(error) && !(error instanceof RangeError)) throw error;
    // Of the temporary tables: what is read has nothing to do with it.
    if (primaryCode(error) === resultCode.full) throw diskFull('temporary files', error);
    noteUnreadable(findings, file, error);
  }
  const seconds = (performance.now() - started) / 1_000;
  const { first, serious, count: faults } = findings;
  return { file, ...counts, findings: first, serious, faults, seconds };
}

function databaseIn(target: string): string {
  const isFolder = existsSync(target) && statSync(target).isDirectory();
  const file = isFolder ? join(target, DATABASE_FILE) : target;
  if (!existsSync(file)) throw new AppError('not_found', `There is no database ${file}.`);
  return file;
}

function contextOf(sql: Connection, findings: Findings, options: VerifyOptions): VerifyContext {
  const numbers = sql.all<{ family: string; number: number }>('SELECT family, number FROM family_number');
  return {
    sql,
    findings,
    table: RECORDS_TABLE,
    familyNumbers: new Map(numbers.map(({ family, number }) => [family, number])),
    lotFactsOf: options.lotFactsOf,
    isDerivedHere: underivedFamilies(sql).length === 0,
    hasNumbersAsTyped: keepsNumbersAsTyped(sql),
    isIndexedHere: indexDefinition(sql) === indexedValues.definition,
    exchange: options.exchange,
    async step(doing, count) {
      if (count % STRETCH !== 0) return;
      options.onProgress?.(doing, count);
      await new Promise(resolve => setImmediate(resolve));
      options.signal?.throwIfAborted();
    },
  };
}

/** By what the columns of the records were filled; undefined where that is not known. */
function indexDefinition(sql: Connection): string | undefined {
  return sql.get<{ computed: string }>(
    'SELECT computed FROM collection_sequence WHERE collection = ?',
    RECORDS_TABLE,
  )?.computed;
}

/** Pages, indexes and the structure of the search index, by SQLite's own check. */
function verifyFile(sql: Connection, file: string, findings: Findings): void {
  for (const { integrity_check: said } of sql.all<{ integrity_check: string }>(
    'PRAGMA integrity_check(20)',
  )) {
    if (said === 'ok') continue;
    const remedy = /\btable "?search_index\b/.test(said) ? remedies.rebuild : remedies.restore;
    findings.add(`SQLite finds damage: ${said}.`, file, remedy);
  }
}

/** What is gone or broken of what is derived ends the reading, too, and costs no backup. */
function noteUnreadable(findings: Findings, file: string, error: Error): void {
  const [, gone = ''] = /^no such (?:fts5 )?table: (?:main\.)?(\w+)$/.exec(error.message) ?? [];
  if (derivedTables.has(gone)) {
    findings.add(
      'The table is not there, so what comes after is not looked at.',
      `table ${gone}`,
      remedies.rebuild,
    );
    return;
  }
  const isDerived = isSqliteError(error) && error.errcode === CORRUPT_INDEX;
  const remedy = isDerived ? remedies.rebuild : remedies.restore;
  findings.add(`The file cannot be read to its end: ${error.message}.`, file, remedy);
}

/** SQLITE_CORRUPT_VTAB: of the index of words, which is the only virtual table. */
const CORRUPT_INDEX = 267;

/** History goes as far as the note beside the database says that it had come. */
function verifyHead(
  { sql, findings }: VerifyContext,
  { heads }: VerifiedHistory,
  head: Head | undefined,
): void {
  const fault = faultOfHead(sql, head);
  if (fault && head) findings.add(fault, `chain ${head.chain}`, remedies.restore);
  for (const [chain, { number }] of heads) {
    // One that was abandoned by itself is there, and stands elsewhere.
    const sqlCount = 'SELECT count(DISTINCT number) AS n FROM history WHERE chain = ? AND number <= ?';
    const count = sql.get<{ n: number }>(sqlCount, chain, number)?.n;
    if (count === number) continue;
    findings.add(
      `The chain has ${count} commits; its last is number ${number}.`,
      `chain ${chain}`,
      remedies.restore,
    );
  }
}

/** What the note of the last commit says that history lacks. */
export function faultOfHead(sql: Pick<Connection, 'get'>, head: Head | undefined): string | undefined {
  if (!head || head.number === 0) return undefined;
  const { chain, number, hash } = head;
  const at = sql.get<{ hash: string }>(
    'SELECT hash FROM history WHERE chain = ? AND number = ?',
    chain,
    number,
  );
  if (at?.hash === hash) return undefined;
  if (at) return `Commit ${number} is not the one that was written last: history was replaced.`;
  const last = sql.get<{ last: number | null }>(
    'SELECT max(number) AS last FROM history WHERE chain = ?',
    chain,
  );
  return `History ends at commit ${last?.last ?? 0}; commit ${number} had been written: what came between is lost.`;
}
