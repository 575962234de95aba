import { existsSync } from 'node:fs';

/** Debian's libfaketime; undefined where it is not installed. */
const LIBRARY = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu']
  .map(folder => `${folder}/faketime/libfaketime.so.1`)
  .find(existsSync);

export const HAS_FAKETIME = LIBRARY !== undefined;

/** The environment of a process whose clock is off by so much (`-10y`, `+2h`), from its start on. */
export function fakeClock(offset: string): Record<string, string> {
  return { LD_PRELOAD: LIBRARY ?? '', FAKETIME: offset, DONT_FAKE_MONOTONIC: '1' };
}
