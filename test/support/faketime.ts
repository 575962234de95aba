import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Debian's libfaketime; undefined where it is not installed. */
const LIBRARY = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu']
  .map(folder => `${folder}/faketime/libfaketime.so.1`)
  .find(existsSync);

export const HAS_FAKETIME = LIBRARY !== undefined;

/** A clock that a test sets while the processes run that have its environment. */
export class SetClock {
  readonly #file: string;

  /** @param folder of its own */
  constructor(folder: string) {
    this.#file = join(folder, 'clock');
    this.set('+0');
  }

  /** By so much it is off from now on: `-400d`, `+0`. */
  set(offset: string): void {
    writeFileSync(this.#file, `${offset}\n`);
  }

  get env(): Record<string, string> {
    return {
      LD_PRELOAD: LIBRARY ?? '',
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      DONT_FAKE_MONOTONIC: '1',
    };
  }
}

/** The environment of a process whose clock is off by so much (`-10y`, `+2h`), from its start on. */
export function fakeClock(offset: string): Record<string, string> {
  return { LD_PRELOAD: LIBRARY ?? '', FAKETIME: offset, DONT_FAKE_MONOTONIC: '1' };
}
