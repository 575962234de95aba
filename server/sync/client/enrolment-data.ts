import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { syncFolder } from '../../store/marks.ts';
import type { Database } from '../../store/sqlite/database.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import { createLink, type Link } from './central-client.ts';

const KEY_FILE = 'station.key';
const NAME = 'central';

const linkData = z.object({
  /** Central's address, without a slash at the end. */
  address: z.string(),
  /** PEM text of the one certificate by which central is known; null where authorities vouch for it. */
  certificate: z.string().nullable(),
  /** The installation that is central. */
  central: z.string(),
  /** What this station is called. */
  name: z.string(),
});

/** What a station keeps of its central beside the key, in its own tables. */
export type LinkData = z.infer<typeof linkData>;

/** Undefined where the station stands alone. */
export function readLinkData(database: Pick<Database, 'get'>): LinkData | undefined {
  const text = readLocal(database, NAME);
  return text === undefined ? undefined : linkData.parse(JSON.parse(text));
}

/** In the transaction that joins the store to central. */
export function writeLinkData(database: Pick<Database, 'run'>, data: LinkData): void {
  writeLocal(database, NAME, JSON.stringify(linkData.parse(data)));
}

/** Keeps the key durably, for its owner only. It goes to no backup: a copy of a station is not the station. */
export function writeStationKey(folder: string, key: string): void {
  const path = join(folder, KEY_FILE);
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(`${path}.new`, path);
  syncFolder(folder);
}

/** Undefined where there is none: the station must be enrolled (anew). */
export function readStationKey(folder: string): string | undefined {
  const path = join(folder, KEY_FILE);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}

/** The link of an enrolled station. `authorities`: PEM text of `HOLDPOINT_CA`. */
export function openLink(data: LinkData, key: string, authorities: string | undefined): Link {
  const { address, certificate } = data;
  return createLink({ address, key, trust: certificate === null ? { authorities } : { certificate } });
}
