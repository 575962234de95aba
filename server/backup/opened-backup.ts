import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readBackupName } from '../store/restore/backup-names.ts';
import { FolderLock } from '../store/sqlite/lock.ts';
import { decryptFile, isAgeFile } from './age-file.ts';
import { readBackupKey } from './backup-key.ts';

export interface OpenOptions {
  /** The data folder that it is for. */
  folder: string;
  file: string;
  /** Answers the recovery key, as somebody typed it; `why` says which backup needs it. */
  askKey: (why: string) => Promise<string>;
  onBytes?: (bytes: number) => void;
  signal?: AbortSignal;
}

/** What a restore that was cut off may have left. */
export const RESTORING = 'restoring-decrypted.db';
const WAIT_MS = 3_000;

/**
 * A backup as a database: a plain one is it already, of an encrypted one a decrypted copy in the data folder, where the
 * database stands that it becomes. `close` removes the copy.
 * @throws AppError as `decryptFile` does; `unavailable` while another process uses the folder
 */
export async function openedBackup(options: OpenOptions): Promise<{ file: string; close(): void }> {
  const { folder, file, askKey, onBytes, signal } = options;
  const decrypted = join(folder, RESTORING);
  if (!existsSync(file) || !(await isAgeFile(file))) {
    rmSync(decrypted, { force: true });
    return { file, close: () => {} };
  }
  // Nobody types a key to hear then that the server must be stopped first.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  new FolderLock(folder, WAIT_MS).release();
  rmSync(decrypted, { force: true });
  const name = readBackupName(basename(file))?.key;
  const why = `${file} is encrypted${name ? ` to the key ${name}` : ''}.`;
  const key = await readBackupKey(await askKey(why));
  await decryptFile({
    from: file,
    to: decrypted,
    key,
    ...(onBytes && { onBytes }),
    ...(signal && { signal }),
  });
  return { file: decrypted, close: () => rmSync(decrypted, { force: true }) };
}
