import { realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * A file that somebody put into `folder` and whose name is one of a published kind; undefined for any other name, and for what
 * leads out of the folder.
 */
export function publishedFile(folder: string, name: string, kinds: readonly RegExp[]): string | undefined {
  if (!kinds.some(pattern => pattern.test(name))) return undefined;
  const path = join(folder, name);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  return realpathSync(path).startsWith(realpathSync(folder) + sep) ? path : undefined;
}
