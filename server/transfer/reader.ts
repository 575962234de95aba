import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ReaderCommand, ReaderMessage, ReaderTask } from './reader-messages.ts';

/** Enough for the largest row; a file of any size is read in it. */
const HEAP_MIB = 256;

/** A thread that reads an import's files; its messages come one by one, in their order. */
export interface Reader {
  next(): Promise<ReaderMessage>;
  tell(command: ReaderCommand): void;
  close(): Promise<void>;
}

/** Stands beside this module, in the sources as in a bundle. */
const THREAD = `./reader-thread${extname(import.meta.url)}`;

/** Reads, parses and maps beside the thread that answers requests. */
export function startReader(task: ReaderTask): Reader {
  const worker = new Worker(new URL(THREAD, import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });
  const messages: ReaderMessage[] = [];
  let failure: { cause: unknown } | undefined;
  let wake: () => void = () => {};
  worker.on('message', (message: ReaderMessage) => {
    messages.push(message);
    wake();
  });
  worker.on('error', cause => {
    failure ??= { cause };
    wake();
  });
  worker.on('exit', () => {
    failure ??= { cause: new Error('The thread that reads the files has ended.') };
    wake();
  });
  return {
    async next() {
      for (;;) {
        const message = messages.shift();
        if (message) return message;
        if (failure) throw failure.cause;
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
    },
    tell: command => worker.postMessage(command),
    async close() {
      await worker.terminate();
    },
  };
}
