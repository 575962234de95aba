import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const FILE = 'marks.json';
const marks = z.object({ highest_block: z.int().min(0) });

/** The highest block of ids that was ever begun in this data folder; -1 where none is known. */
export function highestBlock(folder: string): number {
  try {
    const read = marks.safeParse(JSON.parse(readFileSync(join(folder, FILE), 'utf8')));
    return read.success ? read.data.highest_block : -1;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    // An unreadable mark counts as none; the databases beside it know their blocks.
    if (isMissing || error instanceof SyntaxError) return -1;
    throw error;
  }
}

/**
 * Keeps the mark outside the database, durably, before an id of the block is given: a backup that is restored later
 * knows nothing of blocks begun after it, and their ids must not be given again.
 */
export function markBlock(folder: string, block: number): void {
  if (block <= highestBlock(folder)) return;
  const file = join(folder, FILE);
  writeFileSync(`${file}.new`, `${JSON.stringify({ highest_block: block })}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  syncFolder(folder);
}

/** Makes the names in a folder durable. */
export function syncFolder(folder: string): void {
  // Windows keeps names by itself and opens no folders.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
