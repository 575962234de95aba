import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface LogFile {
  path: string;
  /** Writes text as it is; whole lines are the writer's doing. */
  write(text: string): void;
  /** The last lines that were written by this program. */
  lastLines(): string[];
  close(): void;
}

export interface LogFileOptions {
  folder: string;
  /** Bytes after which the next file begins. */
  limit?: number;
  /** Files, the one that is written included. */
  files?: number;
}

const NAME = 'holdpoint.log';
const REMEMBERED = 20;

/**
 * The log of an app that runs for months: `holdpoint.log`, then `holdpoint.1.log` and so on, older with each number. A
 * log that cannot be written (a full disk) loses lines and stops nothing.
 */
export function openLogFile({ folder, limit = 5 * 1024 * 1024, files = 5 }: LogFileOptions): LogFile {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, NAME);
  const numbered = (number: number) => (number === 0 ? path : join(folder, `holdpoint.${number}.log`));
  let file = openSync(path, 'a', 0o640);
  let size = statSync(path).size;
  let last: string[] = [];

  function rotate(): void {
    closeSync(file);
    rmSync(numbered(files - 1), { force: true });
    for (let number = files - 2; number >= 0; number--) {
      if (statSync(numbered(number), { throwIfNoEntry: false }))
        renameSync(numbered(number), numbered(number + 1));
    }
    file = openSync(path, 'a', 0o640);
    size = 0;
  }

  return {
    path,
    write(text) {
      last = [...last, ...text.split('\n').filter(line => line.trim() !== '')].slice(-REMEMBERED);
      try {
        if (size > 0 && size + Buffer.byteLength(text) > limit) rotate();
        size += writeSync(file, text);
      } catch (error) {
        last = [...last, `The log cannot be written: ${String(error)}`].slice(-REMEMBERED);
      }
    },
    lastLines: () => last,
    close: () => closeSync(file),
  };
}
