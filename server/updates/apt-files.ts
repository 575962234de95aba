import { realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** What a repository of apt consists of, and nothing else that lies beside it. */
const NAMES = [
  /^dists\/[a-z][a-z0-9-]*\/(?:InRelease|Release|Release\.gpg)$/,
  /^dists\/[a-z][a-z0-9-]*\/main\/binary-[a-z0-9]+\/Packages(?:\.gz)?$/,
  /^pool\/[a-z0-9][\w.~-]*\.deb$/,
  /^holdpoint\.asc$/,
];

/**
 * A file of the repository that somebody put into `folder`; undefined for any other name, and for what leads out of it. Its
 * publisher has signed it: apt believes central nothing.
 */
export function aptFile(folder: string, name: string): string | undefined {
  if (!NAMES.some(pattern => pattern.test(name))) return undefined;
  const path = join(folder, name);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  return realpathSync(path).startsWith(realpathSync(folder) + sep) ? path : undefined;
}
