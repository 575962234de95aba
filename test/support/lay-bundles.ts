import { cp, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { packagesFile } from '../../build/list-packages.ts';
import { BUILT } from './tested-program.ts';

/**
 * Puts the bundle of the server, as it was built before all tests, into `dist/server`, with the list of its packages beside it: as
 * `buildBundles(['server'], dist)` does, without building it once more.
 * @param from `TESTED` for the one with cheap passwords
 */
export async function layServer(dist: string, from = BUILT): Promise<void> {
  await mkdir(dist, { recursive: true });
  // What was compiled in the other place is of no use in this one.
  const filter = (path: string) => basename(path) !== 'compiled';
  await cp(from, join(dist, 'server'), { recursive: true, filter });
  await cp(join(dirname(BUILT), packagesFile('server')), join(dist, packagesFile('server')));
}
