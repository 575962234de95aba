import { existsSync, readFileSync } from 'node:fs';

/** Whether a process runs; one that has ended and that nobody has asked about is none, as on Windows. */
export function isRunning(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !/\) Z /.test(readFileSync(path, 'utf8'));
}

/** Lets this process believe that it is on another system, as far as the app's main process looks. */
export function standInFor(platform: string): void {
  Object.defineProperty(process, 'platform', { value: platform });
  const kill = process.kill.bind(process);
  process.kill = (pid, signal) => {
    if (signal === 0 && !isRunning(pid)) throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
    return kill(pid, signal);
  };
}
