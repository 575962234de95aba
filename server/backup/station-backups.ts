import { mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import type { BackupPart, BackupReceived } from '../../shared/operations/station-backup-operations.ts';
import { DISK_LEFT } from '../../shared/operations/sync-operations.ts';
import { InOrder } from '../store/in-order.ts';
import { syncFolder } from '../store/marks.ts';
import { PART, readBackupName, stationMark } from '../store/restore/backup-names.ts';
import { diskFull } from '../store/sqlite/store-errors.ts';
import { AGE_MAGIC, isOfSystem } from './age-file.ts';
import { digestOf } from './file-stream.ts';

export interface StationBackupsOptions {
  /** The data folder of central. */
  data: string;
  clock: () => Date;
  /** Milliseconds that only go forward. */
  now?: () => number;
  settings: () => { station_backups_keep: number; station_backups_days: number };
  /** Gigabytes of one station that are kept at most; `STATION_GB` unless it is set. */
  stationGB?: number | undefined;
  /** The installations whose keys are valid. */
  active: () => ReadonlySet<string>;
}

/** A backup of a station that is whole, as its name says it. */
export interface KeptBackup {
  file: string;
  /** ISO 8601 UTC. */
  at: string;
  bytes: number;
  /** The name of the key that opens it. */
  key: string;
}

/** Of what central keeps of a station. */
export interface BackupSummary {
  at: string;
  bytes: number;
  count: number;
}

/** Gigabytes of one station unless it is set. */
export const STATION_GB = 20;
/** Bytes a second that central takes of all stations together: the exchange keeps most of its processor and its disk. */
const RATE = 2_000_000;
/** What a question costs, in bytes. */
const LEAST = 4_096;
/** A clock and a line are not exact: so much earlier than told is no offence. In milliseconds. */
const SLACK_MS = 2_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What a station began to send and did not go on with. */
const STALE_MS = 7 * DAY_MS;
const GB = 1e9;

export type StationBackups = ReturnType<typeof keepStationBackups>;

/**
 * Backups of stations at central, each in a folder of its installation: encrypted by the station to a key that neither has, so
 * that who takes central's disk can read none. A backup arrives in parts and has its name only once it is whole. In the folder
 * `station-backups` of the data folder, and in no backup of central.
 */
export function keepStationBackups(options: StationBackupsOptions) {
  const { data, clock, settings, active, now = () => performance.now(), stationGB = STATION_GB } = options;
  const root = join(data, 'station-backups');
  const limit = stationGB * GB;
  const order = new InOrder<string>();
  const known = new Map<string, readonly KeptBackup[]>();
  /** When all that was granted is taken, and when each station may come again. */
  let granted = 0;
  const notBefore = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const folderOf = (station: string) => join(root, station);

  /** Newest first. */
  function list(station: string): readonly KeptBackup[] {
    const kept = known.get(station) ?? readFolder(folderOf(station));
    known.set(station, kept);
    return kept;
  }

  /** Null: none is kept. */
  function summary(station: string): BackupSummary | null {
    const [last, ...others] = list(station);
    return last ? { at: last.at, bytes: last.bytes, count: others.length + 1 } : null;
  }

  /** @throws AppError 404 */
  function pathOf(station: string, file: string): string {
    if (list(station).some(one => one.file === file)) return join(folderOf(station), file);
    throw new AppError('not_found', `Central keeps no backup ${JSON.stringify(file)} of this station.`);
  }

  /**
   * Takes what a station sends, and says how much of the backup is there.
   * @throws AppError 409 where central takes none or the whole is not what was announced, 413, 422, 429 before the pause is over, 507
   */
  function take(station: string, part: BackupPart): Promise<BackupReceived> {
    return order.run(station, async () => {
      const bytes = Buffer.from(part.data, 'base64');
      refuseWrong(station, part);
      const pause_ms = grant(station, bytes.length);
      try {
        return { ...(await receive(station, part, bytes)), pause_ms };
      } catch (error) {
        if (isOfSystem(error) && (error.code === 'ENOSPC' || error.code === 'EDQUOT'))
          throw diskFull(root, error);
        throw error;
      }
    });
  }

  function refuseWrong(station: string, { file, bytes }: BackupPart): void {
    const { station_backups_keep: keep } = settings();
    if (keep === 0) throw new AppError('conflict', KEEPS_NONE);
    if (readBackupName(file)?.station !== stationMark(station))
      throw invalid({ file: [`${file} is no backup of the station that sends it.`] });
    if (bytes > limit)
      throw new AppError(
        'too_large',
        `Central keeps ${stationGB} GB of backups of one station, and this backup has ${(bytes / GB).toFixed(1)} GB. Set HOLDPOINT_STATION_BACKUPS_GB at central.`,
      );
  }

  /** How long the station is to wait then. @throws AppError 429 */
  function grant(station: string, bytes: number): number {
    const at = now();
    const early = (notBefore.get(station) ?? 0) - at;
    if (early > SLACK_MS) {
      const seconds = Math.ceil(early / 1_000);
      const message = `Central takes the next part of this backup in ${seconds} seconds.`;
      throw new AppError('too_many_requests', message, { headers: { 'Retry-After': String(seconds) } });
    }
    granted = Math.max(granted, at) + (Math.max(bytes, LEAST) / RATE) * 1_000;
    notBefore.set(station, granted);
    return Math.ceil(granted - at);
  }

  async function receive(
    station: string,
    { file, bytes, digest, from }: BackupPart,
    part: Buffer,
  ): Promise<Omit<BackupReceived, 'pause_ms'>> {
    const folder = folderOf(station);
    const kept = list(station).find(one => one.file === file);
    if (kept) return { received: kept.bytes, is_kept: true };
    const path = join(folder, `${file}.${digest.slice(0, 16)}${PART}`);
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (part.length > 0 && from === size) {
      if (size + part.length > bytes)
        throw invalid({ data: [`The backup has ${bytes} bytes; this part would go beyond its end.`] });
      if (size === 0) begin(folder, path, part);
      refuseFull(bytes - size);
      await append(path, size, part);
    }
    const received = part.length > 0 && from === size ? size + part.length : size;
    if (received < bytes) return { received, is_kept: false };
    await finish(station, path, { file, digest });
    return { received, is_kept: true };
  }

  /** What else the station began is given up: one at a time arrives. */
  function begin(folder: string, path: string, part: Buffer): void {
    if (!part.toString('latin1', 0, AGE_MAGIC.length).startsWith(AGE_MAGIC))
      throw invalid({ data: ['This is no file of age: central keeps encrypted backups only.'] });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder))
      if (name.endsWith(PART) && join(folder, name) !== path) rmSync(join(folder, name), { force: true });
  }

  /** Before its disk is full central stops taking backups: what it is there for goes on. */
  function refuseFull(more: number): void {
    const { bavail, blocks, bsize } = statfsSync(data);
    const reserve = Math.min(DISK_LEFT.bytes, blocks * bsize * DISK_LEFT.share);
    if (bavail * bsize - more >= reserve) return;
    throw new AppError('storage_full', NO_ROOM);
  }

  async function append(path: string, size: number, part: Buffer): Promise<void> {
    const file = await open(path, size === 0 ? 'w' : 'r+', 0o600);
    try {
      for (let at = 0; at < part.length; ) {
        const { bytesWritten } = await file.write(part, at, part.length - at, size + at);
        at += bytesWritten;
      }
    } catch (error) {
      // What did not fit whole is sent again.
      await file.truncate(size);
      throw error;
    } finally {
      await file.close();
    }
  }

  async function finish(
    station: string,
    path: string,
    { file, digest }: Pick<BackupPart, 'file' | 'digest'>,
  ): Promise<void> {
    const whole = await open(path, 'r+');
    await whole.sync().finally(() => whole.close());
    if ((await digestOf(path, () => {})) !== digest) {
      await rm(path, { force: true });
      throw new AppError(
        'conflict',
        'The backup that arrived is not the one that was sent. It is sent again.',
      );
    }
    await rename(path, join(folderOf(station), file));
    syncFolder(folderOf(station));
    known.delete(station);
    prune(station);
  }

  /** By count, by bytes and by age; the newest of a station that is let in stays whatever its age. */
  function prune(station: string): void {
    const { station_backups_keep: keep, station_backups_days: days } = settings();
    const oldest = clock().getTime() - days * DAY_MS;
    const isActive = active().has(station);
    let total = 0;
    list(station).forEach(({ file, at, bytes }, nth) => {
      total += bytes;
      const isOld = days > 0 && Date.parse(at) < oldest && !(nth === 0 && isActive);
      // With 0 central takes none; those that it has go by age.
      if (isOld || (keep > 0 && nth >= keep) || (nth > 0 && total > limit))
        rmSync(join(folderOf(station), file), { force: true });
    });
    known.delete(station);
  }

  function pruneAll(): void {
    for (const station of foldersIn(root)) {
      for (const name of namesIn(folderOf(station))) {
        const path = join(folderOf(station), name);
        const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(path, { throwIfNoEntry: false }) ?? {};
        if (name.endsWith(PART) && clock().getTime() - mtimeMs > STALE_MS) rmSync(path, { force: true });
      }
      prune(station);
    }
  }

  return {
    list,
    summary,
    pathOf,
    take,
    /** Looks each hour whether one is too old. */
    start() {
      pruneAll();
      timer = setInterval(pruneAll, HOUR_MS).unref();
    },
    close: () => clearInterval(timer),
  };
}

function readFolder(folder: string): KeptBackup[] {
  return namesIn(folder)
    .flatMap(file => {
      const named = readBackupName(file);
      const { size } = statSync(join(folder, file), { throwIfNoEntry: false }) ?? {};
      return named?.key && size !== undefined ? [{ file, at: named.at, bytes: size, key: named.key }] : [];
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isOfSystem(error) && error.code === 'ENOENT') return [];
    throw error;
  }
}

function foldersIn(root: string): string[] {
  return namesIn(root).filter(name => statSync(join(root, name), { throwIfNoEntry: false })?.isDirectory());
}

export const KEEPS_NONE =
  'This central keeps no backups of stations (0 in its Setup, Backup). Nothing is sent until it does.';
export const NO_ROOM =
  'The disk of central has no room for this backup: what is left is for its records. Free some space there, or keep fewer backups of stations (Setup, Backup at central).';
