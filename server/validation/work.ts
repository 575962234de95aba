import { fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '../../shared/contract/errors.ts';
import type { Found } from './report.ts';

/** Of the configuration, what the work has to know. Never a secret: it is sent to another process. */
export interface ValidatedConfig {
  folder: string;
  host: string;
  port: number;
  certificate?: string | undefined;
  isBehindProxy?: boolean;
  checkpoints?: string | undefined;
}

export type ValidationSign =
  | { is: 'progress'; done: number; total: number; doing: readonly [en: string, de: string] }
  | { is: 'done'; found: Found }
  | { is: 'refused'; code: ErrorCode; message: string }
  | { is: 'fault'; message: string };

export interface Started {
  found: Promise<Found>;
  /** Resolves when nothing of it is left. */
  gone: Promise<void>;
  end(): void;
}

/** Where it works, made and removed again. */
export function scratchOf(data: string): string {
  return join(data, 'validation-scratch');
}

const HEAP_MIB = 512;
const PATIENCE_MS = 3_000;
/** In a bundle all programs lie beside each other. */
const PROGRAM = import.meta.url.endsWith('.ts')
  ? new URL('../qualification/qualification-work.ts', import.meta.url)
  : new URL('./qualification-work.js', import.meta.url);

/**
 * A validation in a process of its own, which disturbs nobody; in the desktop app, which can start no processes of Node, it is a
 * thread.
 */
export function startValidation(
  { folder, host, port, certificate, isBehindProxy = false, checkpoints }: ValidatedConfig,
  onProgress: (done: number, total: number, doing: readonly [en: string, de: string]) => void,
): Started {
  const asked: ValidatedConfig = { folder, host, port, certificate, isBehindProxy, checkpoints };
  const { promise: found, resolve, reject } = Promise.withResolvers<Found>();
  const { promise: gone, resolve: isGone } = Promise.withResolvers<void>();
  const onSign = (sign: ValidationSign) => {
    if (sign.is === 'progress') onProgress(sign.done, sign.total, sign.doing);
    else if (sign.is === 'done') resolve(sign.found);
    else if (sign.is === 'refused') reject(new AppError(sign.code, sign.message));
    else reject(new Error(sign.message));
  };
  const onEnd = () => {
    reject(new AppError('unavailable', 'It was cut off. Start it again.'));
    isGone();
  };
  if (process.versions.electron !== undefined) {
    const thread = new Worker(PROGRAM, {
      workerData: asked,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    });
    thread.on('message', onSign);
    thread.once('error', error => onSign({ is: 'fault', message: error.message }));
    thread.once('exit', onEnd);
    return {
      found,
      gone,
      end() {
        void thread.terminate();
        setTimeout(onEnd, PATIENCE_MS).unref();
      },
    };
  }
  const child = fork(fileURLToPath(PROGRAM), {
    execArgv: [`--max-old-space-size=${HEAP_MIB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('message', sign => onSign(sign as ValidationSign));
  child.once('error', error => onSign({ is: 'fault', message: error.message }));
  child.once('close', onEnd);
  child.send(asked, error => error && onSign({ is: 'fault', message: error.message }));
  return {
    found,
    gone,
    end() {
      child.kill('SIGKILL');
      // What waits for a disk that does not answer cannot be ended, and is left behind.
      setTimeout(onEnd, PATIENCE_MS).unref();
      child.unref();
      child.channel?.unref();
    },
  };
}
