import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckpointFile } from '../../shared/operations/checkpoint-operations.ts';
import { replaceFile } from '../store/replace-file.ts';

const HOUR_MS = 3_600_000;
/** A share that does not answer is waited for so long when the server stops. In milliseconds. */
const PATIENCE_MS = 5_000;

export interface CheckpointFolderOptions {
  /**
   * `HOLDPOINT_CHECKPOINTS`: best on another machine's disk. It is not made here: where the share is gone, what is written in
   * its place lies on the disk that it is to watch over. Undefined: nothing is kept.
   */
  folder: string | undefined;
  /** What is written; undefined while there is no history. */
  read: () => CheckpointFile | undefined;
  /** Puts a file into the folder; apart from this process, where that must end while the folder hangs. */
  write?: typeof replaceFile;
  onFault: (error: unknown) => void;
  patienceMs?: number;
}

/**
 * Writes a file of checkpoints for each day: at the start, every hour, and at the end, each time in the place of the day's
 * former one. Whoever rewrites the database later cannot make these files say so. A share that hangs holds up nothing else.
 */
export function keepCheckpoints(options: CheckpointFolderOptions): { close(): Promise<void> } {
  const { read, onFault, folder, write: put = replaceFile, patienceMs = PATIENCE_MS } = options;
  if (folder === undefined) return { close: async () => {} };
  let written: string | undefined;
  let writing: Promise<void> | undefined;
  const write = async () => {
    const file = read();
    const [own] = file?.checkpoints ?? [];
    // The time alone is no news.
    const place = JSON.stringify([own?.log, own?.chain, own?.others]);
    if (!own || place === written) return;
    const name = `holdpoint-${own.installation}-${own.at.slice(0, 10)}.checkpoint.json`;
    await put(folder, name, `${JSON.stringify(file, null, 2)}\n`);
    written = place;
  };
  const begin = () => {
    if (writing) onFault(new Error('The last write has not ended: the share does not answer.'));
    writing ??= write()
      .catch(onFault)
      .finally(() => {
        writing = undefined;
      });
  };
  begin();
  const hourly = setInterval(begin, HOUR_MS).unref();
  return {
    async close() {
      clearInterval(hourly);
      const stop = new AbortController();
      const patience = sleep(patienceMs, undefined, { signal: stop.signal }).catch(() => undefined);
      await Promise.race([patience, Promise.resolve(writing)]);
      begin();
      await Promise.race([patience, writing]);
      stop.abort();
    },
  };
}
