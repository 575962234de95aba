import { hash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { syncFolder } from '../../store/marks.ts';
import type { Database } from '../../store/sqlite/database.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import { type CentralClient, createCentralClient } from './central-client.ts';
import { trustOf } from './central-pins.ts';

const KEY_FILE = 'station.key';
/** The key of an enrolment until the database says that it came to its end. */
const NEXT_KEY_FILE = 'station.key.next';
const NAME = 'central';

const enrolmentData = z.object({
  /** Central's address, without a slash at the end. */
  address: z.string(),
  /** PEM text of the one certificate by which central is known; null where authorities vouch for it. */
  certificate: z.string().nullable(),
  /** PEM text of the one to come, which central has announced; absent while none is. */
  next: z.string().optional(),
  /** SHA-256, in hex, of certificates that central had before, as far as the station followed it. */
  former: z.array(z.string()).optional(),
  /** The installation that is central. */
  central: z.string(),
  /** What this station is called. */
  name: z.string(),
  /** SHA-256 of the key that belongs to it, in hex; former versions kept none. */
  key_hash: z.string().optional(),
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

/** As `EnrolmentData` has it. */
export function hashOfKey(key: string): string {
  return hash('sha256', key);
}

/**
 * Keeps the key of an enrolment durably, for its owner only, beside the one in use, until `takeStationKey`. It goes to no
 * backup: a copy of a station is not the station.
 */
export function writeStationKey(folder: string, key: string): void {
  const path = join(folder, NEXT_KEY_FILE);
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(`${path}.new`, path);
  syncFolder(folder);
}

/**
 * From now on the station speaks with the key that belongs to its enrolment. A machine that ends between the two does it at
 * its next start; the key of an enrolment that did not come to its end is never used. Again does nothing.
 */
export function takeStationKey(folder: string, { key_hash: keyHash }: EnrolmentData): void {
  const path = join(folder, NEXT_KEY_FILE);
  if (!existsSync(path) || hashOfKey(readFileSync(path, 'utf8').trim()) !== keyHash) return;
  renameSync(path, join(folder, KEY_FILE));
  syncFolder(folder);
}

/** Undefined where there is none: the station must be enrolled (anew). */
export function readStationKey(folder: string): string | undefined {
  const path = join(folder, KEY_FILE);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}

/**
 * The way to central of an enrolled station. `authorities`: PEM text of `HOLDPOINT_CA`.
 * @param current what the station keeps of central now: its certificate is renewed while the client is open
 */
export function openCentralClient(
  data: EnrolmentData,
  key: string,
  authorities: string | undefined,
  current: () => EnrolmentData = () => data,
): CentralClient {
  return createCentralClient({ address: data.address, key, trust: trustOf(current, authorities) });
}
