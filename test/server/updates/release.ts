import { createHash, type KeyObject, sign } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  RELEASE_NAME,
  type Release,
  STABLE,
  writeRelease as writeStatement,
} from '../../../shared/contract/signed-release.ts';
import { PUBLISHER } from '../../support/publisher.ts';

export interface StandInRelease {
  version: string;
  bytes: Buffer;
  /** Of the feed, where it is to differ from the file's. */
  sha512?: string;
  /** Who signs it, and what of the statement is to differ; null: nobody signs it. */
  signed?: ({ by?: KeyObject } & Partial<Release>) | null;
}

/** A moment some hours from now. */
export const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Puts a release into a folder as electron-builder writes it, with any bytes for an installer, and signs it; answers its name. */
export async function writeRelease(
  folder: string,
  { version, bytes, sha512 = digestOf(bytes), signed = {} }: StandInRelease,
): Promise<string> {
  const name = `holdpoint-${version}-linux-x64.AppImage`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), bytes);
  const feed = feedOf({ name, version, sha512, size: bytes.length });
  await writeFile(join(folder, 'latest-linux.yml'), feed);
  if (signed) {
    const { by, ...other } = signed;
    await writeFile(join(folder, RELEASE_NAME), statementOf({ ...releaseOf(version, feed), ...other }, by));
  }
  return name;
}

export function releaseOf(version: string, feed: string): Release {
  return {
    product: 'holdpoint',
    ring: STABLE,
    version,
    signed_at: inHours(0),
    expires_at: inHours(24),
    feeds: [{ name: 'latest-linux.yml', sha512: digestOf(feed) }],
  };
}

export function statementOf(release: Release, by = PUBLISHER): string {
  return writeStatement(release, bytes => sign(null, bytes, by));
}

export function digestOf(bytes: Buffer | string): string {
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
