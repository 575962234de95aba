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
  let file: number | undefined = openSync(path, 'a', 0o640);
  let size = statSync(path).size;
  let isClosed = false;
  let last: string[] = [];

  /** The number of a file that is closed may be another file's already: what is not open is opened before it is written. */
  function rotate(): void {
    if (file !== undefined) closeSync(file);
    file = undefined;
    size = 0;
    rmSync(numbered(files - 1), { force: true });
    for (let number = files - 2; number >= 0; number--) {
      if (statSync(numbered(number), { throwIfNoEntry: false }))
        renameSync(numbered(number), numbered(number + 1));
    }
  }

  function open(): number {
    if (isClosed) throw new Error('It is closed.');
    file ??= openSync(path, 'a', 0o640);
    return file;
  }

  const note = (error: unknown) => {
    last = [...last, `The log cannot be written: ${String(error)}`].slice(-REMEMBERED);
  };

  return {
    path,
    write(text) {
      last = [...last, ...text.split('\n').filter(line => line.trim() !== '')].slice(-REMEMBERED);
      try {
        if (size > 0 && size + Buffer.byteLength(text) > limit) rotate();
      } catch (error) {
        // Something holds a file, such as a virus scanner: the same one is written on, and the next limit tries again.
        note(error);
      }
      try {
        size += writeSync(open(), text);
      } catch (error) {
        note(error);
      }
    },
    lastLines: () => last,
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
      isClosed = true;
    },
  };
}
