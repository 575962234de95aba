import { readdirSync, readFileSync } from 'node:fs';

/** The most megabytes that a process on the data folder has held so far; 0 where none runs. Linux. */
export function memoryOf(folder: string): number {
  const sizes = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => (read(pid, 'environ').includes(`HOLDPOINT_DATA=${folder}\0`) ? read(pid, 'status') : ''))
    .map(status => Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
  return Math.round(Math.max(0, ...sizes));
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // It has ended meanwhile, or is another user's.
    return '';
  }
}
