import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readJson } from '../../shared/contract/read-json.ts';

/** Below the data folder. */
export const FAILED_STARTS = join('logs', 'failed-starts.json');
/** The last so many are kept. */
const KEPT = 20;

/** That the server could not start, for who looks after the machine from elsewhere: it can tell only once it starts again. */
export function noteFailedStart(folder: string, at: Date): void {
  try {
    mkdirSync(join(folder, 'logs'), { recursive: true, mode: 0o700 });
    const starts = [...failedStarts(folder), at.toISOString()].slice(-KEPT);
    writeFileSync(join(folder, FAILED_STARTS), JSON.stringify(starts), { mode: 0o600 });
  } catch (error) {
    // What keeps the server from starting may keep this from being written.
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

/** When the server could not start, the oldest first. */
export function failedStarts(folder: string): string[] {
  try {
    const read = z
      .array(z.iso.datetime())
      .safeParse(readJson(readFileSync(join(folder, FAILED_STARTS), 'utf8')));
    return read.success ? read.data : [];
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}
