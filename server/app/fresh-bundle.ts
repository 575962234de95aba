import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What the bundle is made from, folders with all below them. */
const SOURCES = ['server', 'shared', 'build', 'package.json', 'package-lock.json'];

/**
 * The program that `npm run build` made of this checkout, if nothing has changed since: it starts in half the time, with
 * less memory. Removing a file changes its folder.
 */
export function freshBundle(root: string): string | undefined {
  const bundle = join(root, 'dist', 'server', 'main.js');
  const built = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) return undefined;
  const isOlder = (path: string): boolean => statSync(path).mtimeMs < built;
  const isFresh = SOURCES.map(name => join(root, name)).every(
    path => isOlder(path) && (!statSync(path).isDirectory() || belowOf(path).every(isOlder)),
  );
  return isFresh ? bundle : undefined;
}

function belowOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name));
}
