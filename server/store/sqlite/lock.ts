import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/contract/errors.ts';
import { primaryCode, resultCode } from './sqlite-error.ts';
import { folderInUse } from './store-errors.ts';

const LOCK_FILE = 'lock.db';

/**
 * The right of one process to use a data folder: an exclusive SQLite transaction on a small file beside the database.
 * The operating system drops it when its holder ends in whatever way, `kill -9` included, so there is no stale lock.
 */
export class FolderLock {
  readonly #database: DatabaseSync;

  /**
   * Waits up to `waitMs`, blocking: a killed predecessor may take a moment to go.
   * @throws AppError `unavailable` when another process keeps the folder.
   */
  constructor(folder: string, waitMs: number) {
    const file = join(folder, LOCK_FILE);
    createPrivateFile(file);
    this.#database = new DatabaseSync(file, { timeout: waitMs });
    try {
      // In memory, so that taking the lock leaves no journal beside it.
      this.#database.exec('PRAGMA journal_mode = MEMORY');
      this.#database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      this.#database.close();
      throw primaryCode(error) === resultCode.busy ? folderInUse(folder, error) : error;
    }
  }

  release(): void {
    this.#database.close();
  }
}

/** Whether another process uses the folder at this moment. Not for the process that uses it: see `createPrivateFile`. */
export function isFolderInUse(folder: string): boolean {
  if (!existsSync(join(folder, LOCK_FILE))) return false;
  try {
    new FolderLock(folder, 0).release();
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return true;
    throw error;
  }
}

/**
 * Creates an empty file that only its owner can read, unless it exists.
 * An existing file is not touched: on POSIX, closing any descriptor of a file drops the process's locks on it.
 */
export function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
