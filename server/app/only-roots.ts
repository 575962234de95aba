import { realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

export const OTHERS_WRITE = 0o022;
/** Of a folder: who may write into it moves nothing there that is another's. */
const STICKY = 0o1000;

/**
 * The first of the folders above a path in which others than root may write, and so put another file in its place; undefined
 * where there is none. On POSIX.
 * @param strict a folder that must not be open even with the sticky bit
 */
export function folderOfOthers(path: string, strict?: string): string | undefined {
  return foldersAbove(path).find(folder => isOthers(statSync(folder), folder === strict));
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [...foldersAbove(folder), folder];
}

function isOthers({ uid, mode }: Stats, isStrict: boolean): boolean {
  const isSticky = (mode & STICKY) !== 0 && !isStrict;
  return uid !== 0 || ((mode & OTHERS_WRITE) !== 0 && !isSticky);
}

/** A file, or the first folder above it, that others than root may write, wherever a link leads; undefined where it is root's alone. */
export function othersFile(path: string): string | undefined {
  const real = realpathSync(path);
  const { uid, mode } = statSync(real);
  return uid !== 0 || (mode & OTHERS_WRITE) !== 0 ? real : folderOfOthers(real);
}
