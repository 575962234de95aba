import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../shared/contract/errors.ts';
import { syncFolder } from '../marks.ts';

const FILE = 'restoring.json';
const schema = z.object({
  /** What is being restored. */
  file: z.string(),
  /** Where the former database goes. */
  aside: z.string(),
});

export type RestoreMark = z.infer<typeof schema>;

/** While a restore moves files it says so, durably: between two moves the folder holds no whole database. */
export function markRestore(folder: string, mark: RestoreMark): void {
  writeFileSync(join(folder, FILE), `${JSON.stringify(mark)}\n`, { mode: 0o600, flush: true });
  syncFolder(folder);
}

export function unmarkRestore(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
  syncFolder(folder);
}

/** The restore that was cut off, if one was. */
export function cutOffRestore(folder: string): RestoreMark | undefined {
  const path = join(folder, FILE);
  return existsSync(path) ? schema.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
}

/** @throws AppError `unavailable` when a restore was cut off. */
export function refuseUnfinishedRestore(folder: string): void {
  const cutOff = cutOffRestore(folder);
  if (!cutOff) return;
  const { file } = cutOff;
  throw new AppError(
    'unavailable',
    `A restore of ${file} was cut off. Run it again: holdpoint restore ${JSON.stringify(file)}`,
  );
}
