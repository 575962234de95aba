import { type ChildProcess, fork } from 'node:child_process';
import { tellGrave } from '../http/journal.ts';
import { REFUSED } from './exit-codes.ts';

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
/** A process that ran so long was well; the next fault starts counting anew. */
const WELL_AFTER_MS = 60_000;
/**
 * In MiB; most of what a request makes dies young, and nothing of what a start makes: a tenth of it went to looking for that.
 * Not among the flags that make V8 refuse compiled code (`memory.ts`).
 */
export const SERVER_FLAGS = ['--min-semi-space-size=4', '--max-semi-space-size=16'];

/**
 * Runs the server as a child process and starts it again, with growing waits, when it ends by a fault. Ends with it
 * when it ends by itself or refuses to start. The child sees the channel close when this process is gone, and ends too.
 */
export function supervise(program: string, args: readonly string[]): void {
  let child: ChildProcess;
  let isStopping = false;
  let wait = FIRST_WAIT_MS;

  const start = () => {
    const started = Date.now();
    child = fork(program, args, {
      execArgv: [...process.execArgv, ...SERVER_FLAGS],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.once('exit', (code, signal) => {
      if (isStopping || code === 0 || code === REFUSED) process.exit(code ?? 0);
      if (Date.now() - started > WELL_AFTER_MS) wait = FIRST_WAIT_MS;
      tellGrave(`Holdpoint's server ended (${signal ?? `code ${code}`}); it starts again in ${wait} ms.\n`);
      setTimeout(start, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    });
  };

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      const isRunning = child.exitCode === null && child.signalCode === null;
      if (isRunning) child.kill('SIGTERM');
      else process.exit(0);
    });
  }
  start();
}
