import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { readCommitText } from '../commit-text.ts';
import { isTakingRecords, logStart } from '../earlier-history.ts';
import { readHeadMark } from '../head-mark.ts';
import { CHAIN_START, type HistoryRow, isExchanging, STANDING } from '../history.ts';
import { refuseNewer } from '../migrations.ts';
import { openReadOnly } from '../open-read-only.ts';
import { type ChecksummedDocument, checksumOf } from '../sqlite/checksum.ts';
import type { Connection } from '../sqlite/connection.ts';
import { isSqliteError } from '../sqlite/sqlite-error.ts';
import { databaseGone } from '../sqlite/store-errors.ts';
import { derivedTables, lostTables, readLocal } from '../tables.ts';
import { stateOf } from '../unit-of-work.ts';
import { damageOfWal } from '../wal.ts';
import { type Finding, Findings, remedies } from './findings.ts';
import { DATABASE_FILE, faultOfHead, RECORDS_TABLE } from './verify.ts';
import { beforeOf, standingBefore, verifyLink } from './verify-history.ts';

/** The newest commits, whose chain and records are looked at: a crash hits what was written last. */
const COMMITS = 500;
const RECORDS = 1_000;
/** SQLite's own check reads the whole file; of this size it takes one to two seconds. */
const QUICK_CHECK_BYTES = 512 * 2 ** 20;

export interface SelfCheck {
  /** Whether the last process ended without closing the store. */
  isUnclean: boolean;
  findings: Finding[];
  /** Derived tables that are gone, which the opening works out anew. */
  lost: string[];
  /** In words, for the log. */
  looked: string;
  milliseconds: number;
}

/**
 * What a store looks at before it opens. How far history had come, always; after an unclean stop also, in bounded time,
 * the log, the file and the newest commits with their records. Writes nothing, so that what is damaged stays as it is.
 * @throws AppError `unavailable` when there was a database and it is gone: an empty one must not take its place, and
 *   when a later version has written it
 */
export function selfCheck(folder: string): SelfCheck {
  const started = performance.now();
  const file = join(folder, DATABASE_FILE);
  const findings = new Findings();
  const head = readHeadMark(folder);
  const isThere = existsSync(file) && statSync(file).size > 0;
  const isUnclean = isThere && (head ? !head.is_closed : existsSync(`${file}-wal`));
  const looked = ['how far history had come'];
  const lost: string[] = [];
  if (!isThere && head && head.number > 0) throw databaseGone(file);
  if (isThere) {
    try {
      const damagedLog = isUnclean ? damageOfWal(`${file}-wal`) : undefined;
      if (damagedLog) findings.add(damagedLog, `${file}-wal`, remedies.restore);
      const sql = openReadOnly(file);
      try {
        refuseNewer(sql, file);
        if (hasHistory(sql)) {
          const ending = faultOfHead(sql, head);
          if (ending) findings.add(ending, `chain ${head?.chain}`, remedies.restore);
          for (const table of lostTables(sql)) {
            if (derivedTables.has(table)) lost.push(table);
            else findings.add('The table is gone.', `table ${table}`, remedies.restore);
          }
          if (isUnclean) looked.push(...checkNewest(sql, file, findings));
        } else if (head && head.number > 0) {
          findings.add(
            `There is no history; commit ${head.number} had been written.`,
            file,
            remedies.restore,
          );
        }
      } finally {
        sql.close();
      }
    } catch (error) {
      // A RangeError: a number that nothing here writes, above what JavaScript holds.
      if (!isSqliteError(error) && !(error instanceof RangeError)) throw error;
      findings.add(`The file cannot be read: ${error.message}.`, file, remedies.restore);
    }
  }
  const milliseconds = Math.round(performance.now() - started);
  return { isUnclean, findings: findings.first, lost, looked: looked.join(', '), milliseconds };
}

/** The first start may have ended before there was any. */
function hasHistory(sql: Connection): boolean {
  return sql.get("SELECT 1 FROM sqlite_schema WHERE name = 'history'") !== undefined;
}

function checkNewest(sql: Connection, file: string, findings: Findings): string[] {
  const looked = ['the log'];
  if (statSync(file).size <= QUICK_CHECK_BYTES) {
    for (const { quick_check: said } of sql.all<{ quick_check: string }>('PRAGMA quick_check(5)')) {
      if (said !== 'ok') findings.add(`SQLite finds damage: ${said}.`, file, remedies.restore);
    }
    looked.push('every page');
  }
  const rows = sql
    .all<HistoryRow>(`SELECT * FROM history WHERE ${STANDING} ORDER BY sequence DESC LIMIT ?`, COMMITS + 1)
    .reverse();
  const heads = new Map<string, { number: number; hash: string }>();
  const touched = new Set<string>();
  const own = readLocal(sql, 'chain');
  // Where records came in place of the log, of other chains only some commits are here.
  const isPart = isTakingRecords(sql) || logStart(sql) !== undefined;
  const hasGaps = (chain: string) => isPart && chain !== own;
  for (const row of rows) {
    const met = heads.get(row.chain) ?? (row.number === 1 ? CHAIN_START : undefined);
    const before = met && (hasGaps(row.chain) ? beforeOf(row) : standingBefore({ sql }, row, met));
    if (before) verifyLink({ findings }, row, before, `commit ${row.number} of chain ${row.chain}`);
    heads.set(row.chain, { number: row.number, hash: row.hash });
    for (const { subject } of readCommitText(row.entries)?.entries ?? []) touched.add(subject);
  }
  looked.push(`${rows.length} newest commits`);
  const keys = [...touched].slice(-RECORDS);
  for (const key of keys) checkRecord(sql, key, findings);
  looked.push(`${keys.length} records of theirs`);
  return looked;
}

/**
 * A record is there, is what its hash says, and has a version for each commit that changed it. Of what is exchanged,
 * held commits make no record and no version; the rest is for `verify`, which works the log out.
 */
function checkRecord(sql: Connection, key: string, findings: Findings): void {
  const where = `record ${key}`;
  const row = sql.get<ChecksummedDocument>(
    `SELECT document, seal FROM "${RECORDS_TABLE}" WHERE key = ?`,
    key,
  );
  const isExchanged = isExchanging(sql);
  if (!row) {
    if (isExchanged) return;
    findings.add('A record of history is not there.', where, remedies.restore);
    return;
  }
  const record: StoredRecord | undefined =
    checksumOf(row.document) === row.seal ? JSON.parse(row.document) : undefined;
  if (record === undefined || stateOf(record.fields) !== record.state) {
    findings.add('A record is not what its hash says.', where, remedies.restore);
    return;
  }
  if (isExchanged) return;
  const commits = sql.get<{ n: number }>(
    `SELECT count(*) AS n FROM history_subject WHERE subject = (SELECT number FROM family_number WHERE family = ?) * (1 << 44) + ?`,
    record.family,
    record.id,
  );
  if (commits?.n !== record.version) {
    findings.add(
      `A record has the version ${record.version}, and ${commits?.n} commits.`,
      where,
      remedies.restore,
    );
  }
}
