import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { syncFolder } from '../../store/marks.ts';
import type { Database } from '../../store/sqlite/database.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import { type CentralClient, createCentralClient } from './central-client.ts';

const KEY_FILE = 'station.key';
const NAME = 'central';

const enrolmentData = z.object({
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
export type EnrolmentData = z.infer<typeof enrolmentData>;

/** Undefined where the station stands alone. */
export function readEnrolmentData(database: Pick<Database, 'get'>): EnrolmentData | undefined {
  const text = readLocal(database, NAME);
  return text === undefined ? undefined : enrolmentData.parse(JSON.parse(text));
}

/** In the transaction that joins the store to central. */
export function writeEnrolmentData(database: Pick<Database, 'run'>, data: EnrolmentData): void {
  writeLocal(database, NAME, JSON.stringify(enrolmentData.parse(data)));
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

/** The way to central of an enrolled station. `authorities`: PEM text of `HOLDPOINT_CA`. */
export function openCentralClient(
  data: EnrolmentData,
  key: string,
  authorities: string | undefined,
): CentralClient {
  const { address, certificate } = data;
  return createCentralClient({
    address,
    key,
    trust: certificate === null ? { authorities } : { certificate },
  });
}
