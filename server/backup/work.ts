import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../shared/contract/errors.ts';
import type { Job, Jobs, Sign } from './backup-work.ts';

export interface Work<Found> {
  /** Rejects with `SilentWork` once no sign of life came for so long; what still hangs is left behind then. */
  found: Promise<Found>;
  /** Resolves when nothing of it is left; a process that waits for a dead disk is there until the disk answers. */
  gone: Promise<void>;
  /** Ends it as far as that can be; does not wait. */
  end(): void;
}

/** No sign of life came: the disk or the share does not answer. */
export class SilentWork extends Error {}

const HEAP_MIB = 256;
/** Stands beside this module, in the sources as in a bundle. */
const PROGRAM = new URL(`./backup-work${extname(import.meta.url)}`, import.meta.url);

/**
 * A job in a process of its own, which can be left behind. Whatever waits for a folder that hangs cannot be ended: within
 * this process it would keep that from ending too, and from closing its files. The desktop app can start no processes of
 * Node; there it is a thread.
 */
export function startWork<Kind extends keyof Jobs>(
  kind: Kind,
  asked: Jobs[Kind]['asked'],
  patienceMs: number,
): Work<Jobs[Kind]['found']> {
  const { promise, resolve, reject } = Promise.withResolvers<Jobs[Kind]['found']>();
  let watch: NodeJS.Timeout | undefined;
  const listen = () => {
    clearTimeout(watch);
    watch = setTimeout(() => {
      reject(new SilentWork('It does not answer.'));
      started.end();
    }, patienceMs).unref();
  };
  const started = start({ kind, asked } as Job, sign => {
    clearTimeout(watch);
    if (sign.is === 'alive') listen();
    else if (sign.is === 'done') resolve(sign.found as Jobs[Kind]['found']);
    else if (sign.is === 'refused')
      reject(new AppError(sign.code, sign.message, sign.errors ? { errors: sign.errors } : {}));
    else if (sign.is === 'fault') reject(new Error(sign.message));
  });
  // A copy is made on this machine's own disk; where that hangs, nothing goes on.
  if (kind !== 'copy') listen();
  void started.silent.then(() => {
    clearTimeout(watch);
    reject(new AppError('unavailable', 'The backup was cut off.'));
  });
  return { found: promise, gone: started.gone, end: started.end };
}

interface Started extends Pick<Work<unknown>, 'gone' | 'end'> {
  /** Nothing more comes from it. */
  silent: Promise<void>;
}

function start(job: Job, onSign: (sign: Sign) => void): Started {
  const { promise: gone, resolve: isGone } = Promise.withResolvers<void>();
  if (process.versions.electron !== undefined) {
    const thread = new Worker(PROGRAM, {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    });
    thread.on('message', onSign);
    thread.once('error', error => onSign({ is: 'fault', message: error.message }));
    thread.once('exit', () => isGone());
    return { gone, silent: gone, end: () => void thread.terminate() };
  }
  const child = fork(fileURLToPath(PROGRAM), {
    execArgv: [`--max-old-space-size=${HEAP_MIB}`],
    // It may outlive this process: it holds nothing of it open.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('message', message => onSign(message as Sign));
  child.once('error', error => {
    onSign({ is: 'fault', message: error.message });
    isGone();
  });
  child.once('exit', () => isGone());
  // Its last words may come after its end.
  const silent = once(child, 'disconnect').then(() => {});
  child.send(job, error => error && onSign({ is: 'fault', message: error.message }));
  return {
    gone,
    silent,
    end() {
      child.kill('SIGKILL');
      // What cannot be ended keeps this process neither alive nor waiting.
      child.unref();
      child.channel?.unref();
    },
  };
}
