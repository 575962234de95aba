import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Connection } from './connection.ts';
import type { StartingThread } from './database-options.ts';
import { asks, ends, isIdle, newState, settles, type WriteBackTask } from './write-back-state.ts';

const THREAD = `./write-back-thread${extname(import.meta.url)}`;
const HEAP_MIB = 16;

/** Of the log that are not in the file yet: 8 MB. A page that many commits change is then copied once. */
const LONG_PAGES = 2_000;

/**
 * Writes the log back into the file in a thread of its own, which begins with the first log that is long: nobody waits while
 * pages are copied and the disk is asked to keep them. What is not written back stands in the log, as durable as it is.
 */
export class WriteBack {
  readonly #file: string;
  readonly #startingThread: StartingThread;
  readonly #state = newState();
  #thread: Worker | undefined;
  #isClosed = false;

  constructor(file: string, startingThread: StartingThread = start => start()) {
    this.#file = file;
    this.#startingThread = startingThread;
  }

  /** Whether the thread was asked and is not done. */
  get isUnderWay(): boolean {
    return !isIdle(this.#state);
  }

  /** After a commit of the connection: asks the thread where the log is long. */
  consider(connection: Connection): void {
    if (this.#isClosed || this.isUnderWay) return;
    // What is only asked stops no store that cannot say it.
    const log = connection.setting<{ log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
    if (!log || log.log - log.checkpointed < LONG_PAGES) return;
    this.#thread ??= this.#start();
    asks(this.#state);
    this.#thread.postMessage(null);
  }

  /** Returns when nothing is under way, and nothing will be. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    settles(this.#state);
    void this.#thread?.terminate();
  }

  /** Keeps no process alive. */
  #start(): Worker {
    const workerData: WriteBackTask = { file: this.#file, state: this.#state };
    const thread = this.#startingThread(
      () =>
        new Worker(new URL(THREAD, import.meta.url), {
          workerData,
          resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
        }),
    );
    thread.unref();
    thread.on('error', () => {});
    thread.once('exit', () => {
      this.#thread = undefined;
      ends(this.#state);
    });
    return thread;
  }
}
