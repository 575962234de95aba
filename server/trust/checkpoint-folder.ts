import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckpointFile } from '../../shared/operations/checkpoint-operations.ts';
import { syncFolder } from '../store/marks.ts';

const HOUR_MS = 3_600_000;

export interface CheckpointFolderOptions {
  /** `HOLDPOINT_CHECKPOINTS`: best on another machine's disk. */
  folder: string;
  /** What is written; undefined while there is no history. */
  read: () => CheckpointFile | undefined;
  onFault: (error: unknown) => void;
}

/**
 * Writes a file of checkpoints for each day: at the start, every hour, and at the end, each time in the place of the day's
 * former one. Whoever rewrites the database later cannot make these files say so.
 */
export function keepCheckpoints({ folder, read, onFault }: CheckpointFolderOptions): { close(): void } {
  let written: string | undefined;
  const write = () => {
    try {
      const file = read();
      const [own] = file?.checkpoints ?? [];
      // The time alone is no news.
      const place = JSON.stringify([own?.log, own?.chain]);
      if (!own || place === written) return;
      mkdirSync(folder, { recursive: true });
      const path = join(folder, `holdpoint-${own.installation}-${own.at.slice(0, 10)}.checkpoint.json`);
      writeFileSync(`${path}.new`, `${JSON.stringify(file, null, 2)}\n`, { flush: true });
      renameSync(`${path}.new`, path);
      syncFolder(folder);
      written = place;
    } catch (error) {
      onFault(error);
    }
  };
  write();
  const hourly = setInterval(write, HOUR_MS).unref();
  return {
    close() {
      clearInterval(hourly);
      write();
    },
  };
}
