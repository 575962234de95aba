import { setPriority } from 'node:os';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../../shared/contract/errors.ts';
import { scratchOf, type ValidatedConfig, type ValidationSign } from '../validation/work.ts';
import { findAll } from './find-all.ts';

/** Behind what people wait for. */
const NICE = 10;

if (!isMainThread) void answer(workerData as ValidatedConfig, sign => parentPort?.postMessage(sign));
else if (process.send !== undefined) {
  setPriority(NICE);
  process.once('message', asked => {
    void answer(asked as ValidatedConfig, sign =>
      process.send?.(sign, undefined, undefined, () => sign.is !== 'progress' && process.exit(0)),
    );
  });
  // Nobody is left to hear what comes of it; what it made goes with the next start.
  process.once('disconnect', () => process.exit(0));
}

async function answer(config: ValidatedConfig, send: (sign: ValidationSign) => void): Promise<void> {
  try {
    const onProgress = (done: number, total: number, doing: readonly [string, string]) =>
      send({ is: 'progress', done, total, doing });
    send({ is: 'done', found: await findAll({ config, scratch: scratchOf(config.folder), onProgress }) });
  } catch (error) {
    if (error instanceof AppError) send({ is: 'refused', code: error.code, message: error.message });
    else
      send({ is: 'fault', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}
