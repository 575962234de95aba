import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface StandInRelease {
  version: string;
  bytes: Buffer;
  /** Of the feed, where it is to differ from the file's. */
  sha512?: string;
}

/** Puts a release into a folder as electron-builder writes it, with any bytes for an installer; answers its name. */
export async function writeRelease(
  folder: string,
  { version, bytes, sha512 = digestOf(bytes) }: StandInRelease,
): Promise<string> {
  const name = `holdpoint-${version}-linux-x64.AppImage`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), bytes);
  await writeFile(join(folder, 'latest-linux.yml'), feedOf({ name, version, sha512, size: bytes.length }));
  return name;
}

export function digestOf(bytes: Buffer): string {
  return createHash('sha512').update(bytes).digest('base64');
}

export function feedOf(file: { name: string; version: string; sha512: string; size: number }): string {
  return [
    `version: ${file.version}`,
    'files:',
    `  - url: ${file.name}`,
    `    sha512: ${file.sha512}`,
    `    size: ${file.size}`,
    '    blockMapSize: 5150',
    `path: ${file.name}`,
    `sha512: ${file.sha512}`,
    "releaseDate: '2031-01-15T08:00:00.000Z'",
    '',
  ].join('\n');
}
