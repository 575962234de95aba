import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../../../shared/contract/errors.ts';
import { backupRecipient } from '../backup-recipient.ts';
import { removeHeadMark } from '../head-mark.ts';
import { newChain } from '../history.ts';
import { BLOCKS_FROM_CENTRAL, FIRST_OPEN_BLOCK, highestBlockIn } from '../ids.ts';
import { highestBlock, markBlock, syncFolder } from '../marks.ts';
import { openReadOnly } from '../open-read-only.ts';
import type { LotFactsOf } from '../projections.ts';
import { leaveJournal, refuseShared } from '../shared-folder.ts';
import { Connection, type SqlReader } from '../sqlite/connection.ts';
import { FolderLock } from '../sqlite/lock.ts';
import { isSqliteError } from '../sqlite/sqlite-error.ts';
import { damaged } from '../sqlite/store-errors.ts';
import { STATION_TABLES } from '../station-rows.ts';
import { readLocal, writeLocal } from '../tables.ts';
import { revokeToken } from '../token-table.ts';
import { DATABASE_FILE, type VerifyReport, verify } from '../verify/verify.ts';
import type { ExchangeVerifier } from '../verify/verify-context.ts';
import { copyDatabase } from './copy-database.ts';
import { cutOffRestore, markRestore, unmarkRestore } from './restore-mark.ts';
import { type FormerStations, keepStations, readFormerStations } from './restore-stations.ts';

export interface RestoreOptions {
  /** The data folder; no other process may use it. */
  folder: string;
  /** A backup, or the folder's own database to go on with what is left of it. */
  file: string;
  /** What people know it by, where `file` is a decrypted copy of it. */
  source?: string;
  lotFactsOf: LotFactsOf;
  exchange: ExchangeVerifier;
  clock: () => Date;
  onProgress?: (doing: string, count: number) => void;
  signal?: AbortSignal;
}

export interface RestoreReport {
  records: number;
  commits: number;
  /** Where the former database is now; null where there was none. */
  aside: string | null;
  chain: string;
  /** New ids are from this block on; null at a station, which gets its next one from central. */
  block: number | null;
  /** To whose key backups are encrypted now, and were by the former database; null: plain, or not known. */
  recipient: { now: string | null; before: string | null };
  /** What the former database has and the backup lacks; null when the former one cannot be read, or is none. */
  lost: Lost | null;
}

export interface Lost {
  commits: number;
  /** When the newest of them was written; null when there is none. */
  newest: string | null;
}

const WAIT_MS = 3_000;

/**
 * Puts a backup in the place of the database, which is kept aside. What follows is told apart from what was lost: a new
 * chain, named at random, and a block of ids that was never begun here, by the mark outside the database.
 * @throws AppError `unavailable` while another process uses the folder; `conflict` for a backup that is not whole
 */
export async function restore(options: RestoreOptions): Promise<RestoreReport> {
  const { folder, clock } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = new FolderLock(folder, WAIT_MS);
  try {
    const cutOff = cutOffRestore(folder);
    if (cutOff) setAside(folder, cutOff.aside);
    const present = join(folder, DATABASE_FILE);
    refuseSharedFile(present);
    const fresh = join(folder, 'restoring.db');
    const report = await verifiedCopy(options, fresh);
    const former = readFormer(existsSync(present) ? present : cutOff?.aside, fresh);
    const begun = beginAnew(fresh, folder, former);
    const stamp = clock().toISOString().replace(/[-:.]/g, '');
    const aside = cutOff?.aside ?? join(folder, `holdpoint-set-aside-${stamp}.db`);
    const isOwn = resolve(options.file) === resolve(present);
    markRestore(folder, { file: isOwn ? aside : resolve(options.source ?? options.file), aside });
    setAside(folder, aside);
    removeHeadMark(folder);
    renameSync(fresh, present);
    syncFolder(folder);
    unmarkRestore(folder);
    const { records, commits } = report;
    return {
      records,
      commits,
      aside: existsSync(aside) ? aside : null,
      ...begun,
      recipient: { now: recipientIn(present), before: former?.recipient ?? null },
      lost: former?.lost ?? null,
    };
  } finally {
    lock.release();
  }
}

/**
 * The copy is what is verified: of a database that lost the end of its log, it holds what is left.
 * @throws AppError `not_found`, `conflict` when it is not whole; nothing is changed then
 */
async function verifiedCopy(options: RestoreOptions, fresh: string): Promise<VerifyReport> {
  const { file, source = file, lotFactsOf, exchange, onProgress, signal } = options;
  if (!existsSync(file)) throw new AppError('not_found', `There is no file ${file}.`);
  rmSync(fresh, { force: true });
  let fault: string;
  try {
    copyDatabase(file, fresh);
    const report = await verify(fresh, {
      lotFactsOf,
      exchange,
      ...(onProgress ? { onProgress } : {}),
      ...(signal ? { signal } : {}),
    });
    const [first] = report.findings;
    if (!first) return report;
    fault = `${first.what} (${first.where})`;
  } catch (error) {
    rmSync(fresh, { force: true });
    if (!isSqliteError(error)) throw error;
    fault = `${error.message}.`;
  }
  rmSync(fresh, { force: true });
  throw new AppError(
    'conflict',
    `${source} is not whole and was not restored: ${fault} Give another backup.`,
  );
}

interface Former {
  highestBlock: number;
  stations: FormerStations;
  /** The present one and those before it; empty where it is no central. */
  epochs: string[];
  recipient: string | null;
  lastToken: number;
  revoked: { id: number; revoked_at: string }[];
  lost: Lost;
}

/** What must outlive the former database; undefined when there is none or it cannot be read. */
function readFormer(present: string | undefined, fresh: string): Former | undefined {
  if (present === undefined || !existsSync(present)) return undefined;
  try {
    const [old, backup] = [openReadOnly(present), openReadOnly(fresh)];
    try {
      const stations = readFormerStations(old, backup);
      const given = stations.block_given.map(({ block }) => Number(block));
      const own = old.get<{ last: number }>('SELECT max(block) AS last FROM block')?.last ?? 0;
      return {
        highestBlock: given.reduce((highest, block) => Math.max(highest, block), own),
        stations,
        epochs: epochsIn(old),
        recipient: backupRecipient(old)?.recipient ?? null,
        lastToken: old.get<{ last: number | null }>('SELECT max(id) AS last FROM token')?.last ?? 0,
        revoked: old.all('SELECT id, revoked_at FROM token WHERE revoked_at IS NOT NULL'),
        lost: lostOf(old, backup),
      };
    } finally {
      old.close();
      backup.close();
    }
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return undefined;
  }
}

function recipientIn(file: string): string | null {
  const sql = openReadOnly(file);
  try {
    return backupRecipient(sql)?.recipient ?? null;
  } finally {
    sql.close();
  }
}

/** Chain by chain, the commits after the backup's last; all of a chain that it does not have. */
function lostOf(old: SqlReader, backup: SqlReader): Lost {
  const lost: Lost = { commits: 0, newest: null };
  for (const { chain } of old.all<{ chain: string }>('SELECT DISTINCT chain FROM history')) {
    const last = backup.get<{ last: number | null }>(
      'SELECT max(number) AS last FROM history WHERE chain = ?',
      chain,
    );
    const after = old.get<{ commits: number; newest: string | null }>(
      'SELECT count(*) AS commits, max(at) AS newest FROM history WHERE chain = ? AND number > ?',
      chain,
      last?.last ?? 0,
    );
    lost.commits += after?.commits ?? 0;
    if (after?.newest && after.newest > (lost.newest ?? '')) lost.newest = after.newest;
  }
  return lost;
}

/** What is restored there alone, the other processes would never have. */
function refuseSharedFile(present: string): void {
  if (!existsSync(present)) return;
  try {
    const sql = openReadOnly(present);
    try {
      refuseShared(sql, dirname(present));
    } finally {
      sql.close();
    }
  } catch (error) {
    // What cannot be read is what is restored.
    if (!isSqliteError(error)) throw error;
  }
}

/** In the copy, before it takes the database's place. */
function beginAnew(
  fresh: string,
  folder: string,
  former: Former | undefined,
): { chain: string; block: number | null } {
  const sql = new Connection(fresh, {
    readOnly: false,
    busyTimeoutMs: 0,
    guard: statement => statement(),
    onDamage: what => damaged(fresh, what),
  });
  try {
    // A backup of an older version lacks them.
    sql.control(STATION_TABLES);
    const block = Math.max(highestBlockIn(sql), former?.highestBlock ?? -1, highestBlock(folder)) + 1;
    // The blocks of a station are central's to give; what it has may have given ids that the backup lacks.
    const isFromCentral = readLocal(sql, BLOCKS_FROM_CENTRAL) !== undefined;
    // The mark first: a block that is marked and never used costs nothing, one that is used twice costs everything.
    if (!isFromCentral) markBlock(folder, block);
    const chain = newChain(readLocal(sql, 'station') ?? 'station');
    sql.control('PRAGMA synchronous = FULL; BEGIN');
    writeLocal(sql, 'chain', chain);
    writeLocal(sql, FIRST_OPEN_BLOCK, String(block));
    leaveJournal(sql);
    beginEpoch(sql, former);
    if (!isFromCentral) sql.run('INSERT INTO block (block) VALUES (?)', block);
    keepTokensRevoked(sql, former);
    keepStations(sql, former?.stations);
    sql.control('COMMIT');
    return { chain, block: isFromCentral ? null : block };
  } finally {
    sql.close();
  }
}

/**
 * A central begins another epoch, and knows those that its stations may name: they give back what it lacks, also where
 * nothing that it writes next would tell them.
 */
function beginEpoch(sql: Connection, former: Former | undefined): void {
  const known = epochsIn(sql);
  if (known.length === 0) return;
  for (const epoch of new Set([...known, ...(former?.epochs ?? [])])) {
    sql.run('INSERT OR IGNORE INTO former_epoch (epoch) VALUES (?)', epoch);
  }
  writeLocal(sql, 'epoch', randomUUID());
}

function epochsIn(sql: SqlReader): string[] {
  const present = readLocal(sql, 'epoch');
  if (present === undefined) return [];
  const before = sql.all<{ epoch: string }>('SELECT epoch FROM former_epoch');
  return [present, ...before.map(({ epoch }) => epoch)];
}

/** A token that was revoked after the backup stays so, and no later token gets the id of a lost one. */
function keepTokensRevoked(sql: Connection, former: Former | undefined): void {
  for (const { id, revoked_at } of former?.revoked ?? []) {
    revokeToken(sql, Number(id), String(revoked_at));
  }
  const last = former?.lastToken ?? 0;
  const { changes } = sql.run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'token'", last);
  if (changes === 0 && last > 0) {
    sql.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('token', ?)", last);
  }
}

/** The database goes with its log, which holds its newest commits. Goes on where an earlier one was cut off. */
function setAside(folder: string, aside: string): void {
  const present = join(folder, DATABASE_FILE);
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(`${present}${suffix}`)) renameSync(`${present}${suffix}`, `${aside}${suffix}`);
  }
  syncFolder(folder);
}
