import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../shared/contract/errors.ts';
import { type Head, readHeadMark } from '../head-mark.ts';
import { syncFolder } from '../marks.ts';
import { openReadOnly } from '../open-read-only.ts';
import { isSqliteError, primaryCode, resultCode } from '../sqlite/sqlite-error.ts';
import { diskFull } from '../sqlite/store-errors.ts';
import { readLocal } from '../tables.ts';
import { DATABASE_FILE, faultOfHead, type VerifyOptions, verify } from '../verify/verify.ts';
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

export interface Backup {
  file: string;
  /** ISO 8601 UTC, from its name. */
  at: string;
  bytes: number;
}

const NAME = /^holdpoint-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.db$/;
const PART = '.part';
/** What a stopped backup has left. */
const STALE_MS = 86_400_000;

/**
 * A checked copy of what is committed, on a connection of its own, beside a running server: copied under another name,
 * verified, made durable, then named. Blocks its thread while SQLite copies: see `backup-thread.ts`.
 * @throws AppError `storage_full`; `conflict` when the copy is not whole
 */
export async function backUp(
  request: BackupRequest,
  proof: Pick<VerifyOptions, 'lotFactsOf' | 'exchange'>,
): Promise<BackupDone> {
  const started = performance.now();
  const { data, folder, at } = request;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeStale(folder, Date.parse(at));
  const file = join(folder, `holdpoint-${at.replace(/[-:.]/g, '')}.db`);
  const part = `${file}${PART}`;
  // Before the copy, so that it is not ahead of it.
  const head = readHeadMark(data);
  try {
    copyDatabase(join(data, DATABASE_FILE), part);
    const { findings, records, commits } = await verify(part, proof);
    const [first] = findings;
    const fault = first ? `${first.what} (${first.where})` : lostIn(part, head);
    if (fault !== undefined) {
      const message =
        `The backup is not whole and was not kept: ${fault} ` +
        'The database itself may be damaged: "npx holdpoint verify" tells.';
      throw new AppError('conflict', message);
    }
    renameSync(part, file);
    syncFolder(folder);
    prune(request, file);
    const seconds = (performance.now() - started) / 1_000;
    return { file, bytes: statSync(file).size, records, commits, seconds, verified: true };
  } catch (error) {
    rmSync(part, { force: true });
    throw primaryCode(error) === resultCode.full ? diskFull(folder, error) : error;
  }
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
      const [, year, month, day, hour, minute, second, fraction] = NAME.exec(name) ?? [];
      if (fraction === undefined) return [];
      const at = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`;
      const file = join(folder, name);
      return [{ file, at, bytes: statSync(file).size }];
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** Another station may keep its backups in the same folder: those are not this one's to remove. */
function prune({ data, folder, keep }: BackupRequest, made: string): void {
  const station = stationOf(join(data, DATABASE_FILE));
  const own = listBackups(folder).filter(({ file }) => file !== made && stationOf(file) === station);
  for (const { file } of own.slice(keep - 1)) rmSync(file, { force: true });
}

/** Undefined for a file that cannot be read. */
function stationOf(file: string): string | undefined {
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

function removeStale(folder: string, now: number): void {
  for (const name of readdirSync(folder).filter(entry => entry.endsWith(`.db${PART}`))) {
    const file = join(folder, name);
    if (Math.abs(now - statSync(file).mtimeMs) > STALE_MS) rmSync(file, { force: true });
  }
}
