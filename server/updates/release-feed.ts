import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What an update feed is called: `latest.yml`, `latest-mac.yml`, `latest-linux-arm64.yml`. */
export const FEED_NAME = /^latest(?:-[a-z0-9]+){0,3}\.yml$/;
/** What a release's file may be called: no folder, nothing hidden, no device name. */
const FILE_NAME = /^[A-Za-z0-9][\w.+-]{0,199}$/;
const SHA512 = /^[A-Za-z0-9+/]{86}==$/;
/** A feed names a handful of files. In characters. */
export const FEED_LIMIT = 64 * 1024;

/** A file that a feed offers. */
export interface ReleaseFile {
  name: string;
  /** Base64, as the feed has it. */
  sha512: string;
  /** In bytes. */
  size: number;
}

/**
 * The files that a feed offers, in the form that electron-builder writes (`files:` with `url`, `sha512` and `size`). An
 * entry that lacks one of them, or whose name is more than a name, is not offered.
 */
export function filesOfFeed(feed: string): ReleaseFile[] {
  const files: ReleaseFile[] = [];
  for (const entry of feed
    .slice(0, FEED_LIMIT)
    .split(/^\s*- (?=url:)/m)
    .slice(1)) {
    const name = textOf(entry, 'url');
    const sha512 = textOf(entry, 'sha512');
    const size = Number(textOf(entry, 'size'));
    if (FILE_NAME.test(name) && SHA512.test(sha512) && Number.isSafeInteger(size) && size > 0) {
      files.push({ name, sha512, size });
    }
  }
  return files;
}

/** The files that the feeds in a folder offer; none where there is no folder. */
export function offeredFiles(folder: string): ReleaseFile[] {
  return feedNames(folder).flatMap(name => filesOfFeed(readFileSync(join(folder, name), 'utf8')));
}

function feedNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => FEED_NAME.test(name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** The first value of a key; a file's entry ends where the next top-level key begins. */
function textOf(entry: string, key: string): string {
  const [own = ''] = entry.split(/^(?=\w)/m);
  const found = new RegExp(`^\\s*${key}:[ \\t]*(['"]?)([^'"\\r\\n]*?)\\1[ \\t]*$`, 'm').exec(own);
  return found?.[2] ?? '';
}
