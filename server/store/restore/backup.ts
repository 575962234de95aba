import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../../../shared/contract/errors.ts';
import { type Head, readHeadMark } from '../head-mark.ts';
import { syncFolder } from '../marks.ts';
import type { BeforeBackup } from '../migrations.ts';
import { openReadOnly } from '../open-read-only.ts';
import { PROGRAM_VERSION } from '../program-version.ts';
import { isDamage, isSqliteError, primaryCode, resultCode } from '../sqlite/sqlite-error.ts';
import { diskFull } from '../sqlite/store-errors.ts';
import { readLocal } from '../tables.ts';
import type { Finding } from '../verify/findings.ts';
import {
  DATABASE_FILE,
  faultOfHead,
  type VerifyOptions,
  type VerifyReport,
  verify,
} from '../verify/verify.ts';
import { backupName, type NamedBackup, PART, readBackupName, stampOf } from './backup-names.ts';
import { copyDatabase } from './copy-database.ts';

export interface BackupRequest {
  /** The data folder. */
  data: string;
  /** Where the backup goes; made if missing. */
  folder: string;
  /** How many backups of this station stay; the oldest others are removed. */
  keep: number;
  /** ISO 8601 UTC: the backup's name. */
  at: string;
}

export interface BackupDone {
  file: string;
  bytes: number;
  records: number;
  commits: number;
  seconds: number;
  /** Always: one that is not whole is an error. */
  verified: true;
}

export interface Backup extends NamedBackup {
  file: string;
  bytes: number;
}

const BEFORE = 'before-';
/** What a stopped backup has left. */
const STALE_MS = 86_400_000;

/** What a copy has that was verified. */
export type CheckedCopy = Pick<BackupDone, 'records' | 'commits'> & {
  /** Of the installation, as its database has it. */
  station: string;
};

/**
 * A checked copy of what is committed, on a connection of its own, beside a running server: copied under another name,
 * verified, made durable, then named. Blocks its thread while SQLite copies.
 * @throws AppError `storage_full`; `conflict` when the copy is not whole
 */
export async function backUp(request: BackupRequest, proof: VerifyOptions): Promise<BackupDone> {
  const started = performance.now();
  const { folder, at } = request;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeStale(folder, Date.parse(at));
  const file = join(folder, backupName(at));
  const part = `${file}${PART}`;
  const { records, commits } = await checkedCopy(request.data, part, proof);
  renameSync(part, file);
  syncFolder(folder);
  prune(request, file);
  const seconds = (performance.now() - started) / 1_000;
  return { file, bytes: statSync(file).size, records, commits, seconds, verified: true };
}

/**
 * Copies what is committed into the file `part`, durably, and reads it again; the file is gone where it is not whole.
 * @throws AppError `storage_full`; `conflict` when the copy is not whole
 */
export async function checkedCopy(data: string, part: string, proof: VerifyOptions): Promise<CheckedCopy> {
  try {
    const { report, lost } = await copyAndVerify(data, part, proof);
    const { findings, records, commits } = report;
    const fault = findings[0] ? textOf(findings[0]) : lost;
    if (fault === undefined) return { records, commits, station: stationOf(part) ?? '' };
    const message =
      `The backup is not whole and was not kept: ${fault} ` +
      'The database itself may be damaged: "holdpoint verify" tells.';
    throw new AppError('conflict', message);
  } catch (error) {
    rmSync(part, { force: true });
    throw primaryCode(error) === resultCode.full ? diskFull(dirname(part), error) : error;
  }
}

/**
 * Before the file is changed for this version: a checked copy in the data folder's own `backups`, which retention neither
 * counts nor removes. What `rebuild` mends is no fault here, because the store has to open for it. A copy of the same
 * bytes that an opening which was cut off has left is taken in the place of a new one.
 * @throws AppError that says what to do: `storage_full`, or `conflict` when the folder cannot be used
 */
export async function backUpBefore(
  { data, at }: Pick<BackupRequest, 'data' | 'at'>,
  proof: VerifyOptions,
): Promise<BeforeBackup> {
  const folder = join(data, 'backups');
  const file = join(folder, `${BEFORE}${PROGRAM_VERSION}-${stampOf(at)}.db`);
  const part = `${file}${PART}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const former = readdirSync(folder).filter(name => name.startsWith(BEFORE));
    for (const name of former.filter(name => name.endsWith(PART))) rmSync(join(folder, name));
    const { report, lost } = await copyAndVerify(data, part, proof);
    const fault = report.serious ? textOf(report.serious) : lost;
    if (fault !== undefined) {
      rmSync(part);
      return { fault };
    }
    const same = former.find(name => name.endsWith('.db') && isSameFile(join(folder, name), part));
    if (same !== undefined) {
      rmSync(part);
      return { file: join(folder, same) };
    }
    renameSync(part, file);
    syncFolder(folder);
    return { file };
  } catch (error) {
    if (existsSync(part)) rmSync(part);
    if (isDamage(error)) return { fault: `The file cannot be read to its end: ${error}.` };
    throw refusedBefore(folder, error);
  }
}

/** Nothing of the data has been changed, so that the former version still works with them. */
function refusedBefore(folder: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isSystems = 'code' in error && 'syscall' in error;
  const isFull = primaryCode(error) === resultCode.full || (isSystems && error.code === 'ENOSPC');
  const why = isFull ? diskFull(folder, error) : error;
  if (!(why instanceof AppError) && !isSystems) return error;
  const message = `The data are as they were: before they are changed for this version a backup is made in ${folder}, and it failed. ${why.message}`;
  return new AppError(why instanceof AppError ? why.code : 'conflict', message, { cause: error });
}

async function copyAndVerify(
  data: string,
  part: string,
  proof: VerifyOptions,
): Promise<{ report: VerifyReport; lost: string | undefined }> {
  // Before the copy, so that it is not ahead of it.
  const head = readHeadMark(data);
  copyDatabase(join(data, DATABASE_FILE), part);
  return { report: await verify(part, proof), lost: lostIn(part, head) };
}

function textOf({ what, where }: Finding): string {
  return `${what} (${where})`;
}

/** What is left of a database that lost its end is whole in itself; it must not push good backups out. */
function lostIn(file: string, head: Head | undefined): string | undefined {
  const sql = openReadOnly(file);
  try {
    return faultOfHead(sql, head);
  } finally {
    sql.close();
  }
}

/** Finished backups, newest first; none when the folder cannot be reached. */
export function listBackups(folder: string): Backup[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap(name => {
      const named = readBackupName(name);
      const file = join(folder, name);
      return named ? [{ file, ...named, bytes: statSync(file).size }] : [];
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** Another station may keep its backups in the same folder: those are not this one's to remove. */
function prune({ data, folder, keep }: BackupRequest, made: string): void {
  const station = stationOf(join(data, DATABASE_FILE));
  const own = listBackups(folder).filter(
    ({ file, key }) => file !== made && key === null && stationOf(file) === station,
  );
  for (const { file } of own.slice(keep - 1)) rmSync(file, { force: true });
}

/** The installation that a plain one is of; undefined for a file that cannot be read. */
export function stationOf(file: string): string | undefined {
  try {
    const sql = openReadOnly(file);
    try {
      return readLocal(sql, 'station');
    } finally {
      sql.close();
    }
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return undefined;
  }
}

function isSameFile(one: string, other: string): boolean {
  if (statSync(one).size !== statSync(other).size) return false;
  const [digest, otherDigest] = [one, other].map(digestOf);
  return digest === otherDigest;
}

/** In stretches: a database may be larger than what Node reads at once. */
function digestOf(file: string): string {
  const hash = createHash('sha256');
  const stretch = Buffer.alloc(2 ** 20);
  const descriptor = openSync(file, 'r');
  try {
    for (let read = readSync(descriptor, stretch); read > 0; read = readSync(descriptor, stretch))
      hash.update(stretch.subarray(0, read));
  } finally {
    closeSync(descriptor);
  }
  return hash.digest('hex');
}

function removeStale(folder: string, now: number): void {
  for (const name of readdirSync(folder).filter(entry => entry.endsWith(`.db${PART}`))) {
    const file = join(folder, name);
    if (Math.abs(now - statSync(file).mtimeMs) > STALE_MS) rmSync(file, { force: true });
  }
}
