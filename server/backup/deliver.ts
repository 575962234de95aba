import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../../shared/contract/errors.ts';
import { syncFolder } from '../store/marks.ts';
import { listBackups, stationOf } from '../store/restore/backup.ts';
import { backupName, PART, stationMark } from '../store/restore/backup-names.ts';
import { diskFull } from '../store/sqlite/store-errors.ts';
import { encrypted, isOfSystem } from './age-file.ts';
import { keyNameOf } from './backup-key.ts';
import { bytesOf, digestOf, fileWriter } from './file-stream.ts';

export interface Delivery {
  /** A checked copy on this machine's own disk. */
  from: string;
  /** Where it goes. */
  folder: string;
  /** ISO 8601 UTC: its name. */
  at: string;
  /** Of the installation, as its database has it. */
  station: string;
  /** To whose key it is encrypted; null: it goes as it is. */
  recipient: string | null;
  /** How many backups of this installation stay there. */
  keep: number;
  /** A backup that went there before; null: none did, so that the folder may be made. */
  known: string | null;
}

/** What a stopped one has left. */
const STALE_MS = 86_400_000;

/**
 * Puts a copy into a folder that may be anywhere: under another name, durably, read again, then named; the oldest beyond
 * those to keep go. `onBytes` is a sign of life.
 * @throws AppError `storage_full`, `conflict` that names the folder and what to do
 */
export async function deliver(
  delivery: Delivery,
  onBytes: () => void,
): Promise<{ file: string; bytes: number }> {
  const { folder, at, recipient, station } = delivery;
  try {
    await reach(delivery);
    await removeStale(delivery);
    const marks =
      recipient === null ? undefined : { station: stationMark(station), key: keyNameOf(recipient) };
    const file = join(folder, backupName(at, marks));
    // On the same disk the copy itself becomes the backup.
    const isHere = recipient === null && resolve(dirname(delivery.from)) === resolve(folder);
    if (!isHere) await write(delivery, `${file}${PART}`, onBytes);
    await rename(isHere ? delivery.from : `${file}${PART}`, file);
    syncFolder(folder);
    const { size } = await stat(file);
    await prune(delivery, file);
    return { file, bytes: size };
  } catch (error) {
    throw said(folder, error);
  }
}

/** Where a disk is not mounted, its folder is missing or empty, and what is written there lies on another disk. */
export async function reach({ folder, known }: Pick<Delivery, 'folder' | 'known'>): Promise<void> {
  if (known === null) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return;
  }
  if (await isThere(folder)) return;
  throw new AppError('conflict', goneSays(folder));
}

/** Whether a folder that had backups has any. */
async function isThere(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).some(name => name.startsWith('holdpoint-'));
  } catch (error) {
    if (isOfSystem(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return false;
    throw error;
  }
}

export function goneSays(folder: string): string {
  return (
    `The backups in ${folder} are gone, or its disk is not there. Connect it again. ` +
    `If the folder is empty on purpose, begin it anew: holdpoint backup --to ${JSON.stringify(folder)}`
  );
}

async function write({ from, recipient }: Delivery, part: string, onBytes: () => void): Promise<void> {
  await rm(part, { force: true });
  const source = await open(from, 'r');
  try {
    const plain = bytesOf(source, onBytes);
    const stream = recipient === null ? plain : await encrypted(plain, recipient);
    const hash = createHash('sha256');
    const target = await fileWriter(part);
    try {
      for await (const chunk of stream) {
        hash.update(chunk);
        await target.write(chunk);
        onBytes();
      }
      await target.sync();
    } finally {
      await target.close();
    }
    if ((await digestOf(part, onBytes)) !== hash.digest('hex'))
      throw new AppError(
        'conflict',
        `What was written to ${part} is not what can be read there. Check the disk, or name another folder.`,
      );
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await source.close();
  }
}

/** Another installation may keep its backups in the same folder: those are not this one's to remove. */
async function prune({ folder, keep, station }: Delivery, made: string): Promise<void> {
  const mark = stationMark(station);
  const own = listBackups(folder).filter(
    ({ file, station: named }) =>
      file !== made && (named === null ? stationOf(file) === station : named === mark),
  );
  for (const { file } of own.slice(keep - 1)) await rm(file, { force: true });
}

async function removeStale({ folder, from, at }: Delivery): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('holdpoint-') || !name.endsWith(PART)) continue;
    const file = join(folder, name);
    if (resolve(file) === resolve(from)) continue;
    if (Math.abs(Date.parse(at) - (await stat(file)).mtimeMs) > STALE_MS) await rm(file, { force: true });
  }
}

/** In words that name the folder and the remedy. */
export function said(folder: string, error: unknown): unknown {
  if (!isOfSystem(error)) return error;
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return diskFull(folder, error);
  const why = WORDS[error.code ?? ''] ?? `it cannot be used (${error.code})`;
  return new AppError(
    'conflict',
    `The folder ${folder} takes no backup: ${why}. Put that right, or name another folder in Setup, Backup.`,
    { cause: error },
  );
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'the user that Holdpoint runs as may not write there',
  EPERM: 'the user that Holdpoint runs as may not write there',
  EROFS: 'its disk is read-only',
  ENOTDIR: 'a part of its path is a file',
  ENOENT: 'it is not there',
  EIO: 'its disk fails',
  ESTALE: 'the share that it lies on has changed; mount it again',
  ENODEV: 'its disk is gone',
  ENXIO: 'its disk is gone',
};
