import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../shared/contract/errors.ts';
import type { PrintJob, PrintOutcome } from './print-job.ts';

/** Makes files beside the thread that answers requests. */
export interface Printer {
  /**
   * The file of a job. Jobs run one after the other.
   * @throws AppError as the job is refused; `too_many_requests` while too many wait
   */
  print(job: PrintJob): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** A document of the largest allowed size takes a second, others a fifth of one. */
const MOST_WAITING = 16;
const HEAP_MIB = 384;
const LONGEST_MS = 30_000;
/** The libraries and fonts are some 60 MB: a station that prints seldom has them back. */
const IDLE_MS = 60_000;
/** Stands beside this module, in the sources as in a bundle. */
const THREAD = `./print-thread${extname(import.meta.url)}`;

/** Its thread starts with the first job, and ends when there was none for a minute. */
export function createPrinter(): Printer {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let idle: NodeJS.Timeout | undefined;

  async function run(job: PrintJob): Promise<Uint8Array> {
    clearTimeout(idle);
    worker ??= startThread(thread => {
      if (worker === thread) worker = undefined;
    });
    const outcome = await outcomeOf(worker, job, () => void end());
    if ('file' in outcome) return outcome.file;
    if ('fault' in outcome) throw outcome.fault;
    const { code, message, errors } = outcome.refused;
    throw new AppError(code, message, errors ? { errors } : {});
  }

  /** A thread takes a moment to end, and the next job must not be given to it. */
  async function end(): Promise<void> {
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  }

  return {
    async print(job) {
      if (waiting >= MOST_WAITING) {
        const headers = { 'Retry-After': '5' };
        throw new AppError('too_many_requests', 'Too many documents are waiting. Try again soon.', {
          headers,
        });
      }
      waiting += 1;
      const mine = last.then(() => run(job));
      last = mine.then(
        () => {},
        () => {},
      );
      try {
        return await mine;
      } finally {
        waiting -= 1;
        if (waiting === 0) idle = setTimeout(() => void end(), IDLE_MS).unref();
      }
    },
    async close() {
      clearTimeout(idle);
      await end();
    },
  };
}

/** Keeps no process alive. */
function startThread(onEnd: (thread: Worker) => void): Worker {
  const worker = new Worker(new URL(THREAD, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });
  worker.once('exit', () => onEnd(worker));
  worker.on('error', () => {});
  return worker;
}

function outcomeOf(worker: Worker, job: PrintJob, end: () => void): Promise<PrintOutcome> {
  return new Promise((fulfil, reject) => {
    const limit = setTimeout(() => {
      settle();
      reject(tooMuch());
      end();
    }, LONGEST_MS);
    const settle = () => {
      clearTimeout(limit);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    const onMessage = (outcome: PrintOutcome) => {
      settle();
      fulfil(outcome);
    };
    const onError = (error: unknown) => {
      settle();
      reject(isOutOfMemory(error) ? tooMuch() : error);
      end();
    };
    const onExit = () => {
      settle();
      reject(new AppError('unavailable', 'The printing was cut off. Try again.'));
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(job);
  });
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Of what the limits of a document did not foresee: the thread has ended, and the next job starts another. */
function tooMuch(): AppError {
  return new AppError('conflict', 'The document is too large to be printed. Export the record instead.');
}
