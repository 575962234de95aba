import { createHmac, hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { AppError } from '../../shared/contract/errors.ts';
import { isLoopback, isWildcard } from '../enrolment/certificate.ts';
import type { Stations } from '../enrolment/stations.ts';
import type { Identity } from '../identity/identity.ts';
import type { Tokens } from '../identity/tokens.ts';
import type { Shared } from '../journal/open-shared.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { keepRole } from '../store/role.ts';
import type { Store } from '../store/store.ts';
import { readLocal, writeLocal } from '../store/tables.ts';
import type { StationMachines } from '../sync/central/station-machines.ts';
import { openAuthority } from '../trust/authority-key.ts';
import { KNOWN_KEY } from '../trust/known-key.ts';
import { ensureSecretKey, SECRET_KEY_FILE } from '../webhooks/secret-box.ts';
import type { Config } from './config.ts';

/** Under which `local` has by what `webhook.key` is known; the key itself is in no database. */
const KNOWN_WEBHOOK_KEY = 'webhook_key';

export interface SharedCentralOptions {
  /** With a journal. */
  config: Config;
  role: 'station' | 'central' | undefined;
  open: () => Promise<Store>;
  clock: () => Date;
  log: Logger;
  onFail: (error: unknown) => void;
  /** Told what of the journal was waited for, and for how long. */
  onWaited?: Metrics['waited'];
}

/**
 * Opens a central's store as one of those that a journal keeps in step (HOLDPOINT_JOURNAL). Waits for a database that is not
 * there yet: machines that start together come up in any order.
 * @throws AppError for what waiting does not mend
 */
export async function openSharedCentral(options: SharedCentralOptions): Promise<Shared> {
  const { config, role, open, clock, log, onFail, onWaited } = options;
  refuseOwnCertificate(config);
  // Loaded here: a central that stands alone has no use for a driver of PostgreSQL.
  const { openShared } = await import('../journal/open-shared.ts');
  const told = new Set<string>();
  const shared = await openShared({
    url: config.journal ?? '',
    clock,
    onWaited,
    async open() {
      const store = await open();
      try {
        if (keepRole(store.database, role) !== 'central') throw new AppError('validation_failed', NO_CENTRAL);
      } catch (error) {
        await store.close();
        throw error;
      }
      return store;
    },
    onAway(error) {
      if (!told.has(error.message)) log.warn(`${error.message} It is tried again until it is there.`);
      told.add(error.message);
    },
    onParted: message => log.fatal(message),
    onBehind: onFail,
    onFault: error => log.debug({ err: error }, 'The journal was not followed.'),
  });
  try {
    await keepSameKeys(config.folder, shared.store);
    return shared;
  } catch (error) {
    await shared.close();
    throw error;
  }
}

/** What keeps rows of small tables in memory, and reads those again that another process has written. */
export interface Caches {
  tokens: Tokens;
  stations: Stations;
  identity: Identity;
  machines: StationMachines | undefined;
}

/** Before a request is answered by what was followed. */
export function tellCaches({ store, shared }: Shared, caches: Caches): void {
  shared.onFollowed(({ facts }) => {
    const keys = new Map<string, Set<unknown>>();
    for (const { table, key } of facts) keys.set(table, (keys.get(table) ?? new Set()).add(key[0]));
    const keysIn = (table: string) => keys.get(table) ?? NONE;
    caches.tokens.reread(keysIn('token'));
    caches.stations.reread(keysIn('station'));
    caches.identity.reread(keysIn);
    caches.machines?.reread(keysIn('local'));
    if (keys.has('remembered_answer')) store.answers.reread();
  });
}

/** What all processes of a central know and nobody else, to say something to each other. */
export function betweenProcesses({ database }: Store): Buffer {
  return createHmac('sha256', readLocal(database, 'countersign_key') ?? '')
    .update('holdpoint between processes')
    .digest();
}

/** Where the other processes reach this one. */
export function reachedAt({ processAddress, host }: Config, isSecure: boolean, port: number): string {
  if (processAddress !== undefined) return processAddress;
  const name = isWildcard(host) ? hostname() : host;
  return `${isSecure ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** @throws AppError: each process would make another one, and stations know central by one */
function refuseOwnCertificate({ certificate, isBehindProxy, host }: Config): void {
  if (certificate !== undefined || isBehindProxy || isLoopback(host)) return;
  const message =
    'HOLDPOINT_JOURNAL: processes that are one central need one certificate. Give all of them the same HOLDPOINT_CERTIFICATE and HOLDPOINT_KEY, or set HOLDPOINT_PROXY=1 when a balancer before them speaks TLS.';
  throw new AppError('validation_failed', message);
}

/**
 * The keys that lie in files and in no database are the same at all processes. The first one makes them.
 * @throws AppError that names the file which is missing or another one, and the remedy
 */
async function keepSameKeys(folder: string, store: Store): Promise<void> {
  const known = (name: string) => readLocal(store.database.reader, name);
  const path = (file: string) => join(folder, file);
  const [authority, webhook] = [known(KNOWN_KEY), known(KNOWN_WEBHOOK_KEY)];
  if (authority !== undefined && !existsSync(path('authority.key'))) throw isMissing(path('authority.key'));
  if (webhook !== undefined && !existsSync(path(SECRET_KEY_FILE))) throw isMissing(path(SECRET_KEY_FILE));
  const own = openAuthority(folder).key;
  ensureSecretKey(folder);
  const ownWebhook = hash('sha256', readFileSync(path(SECRET_KEY_FILE), 'utf8').trim());
  const isSettled = authority === own && webhook === ownWebhook;
  if (!isSettled)
    await store.gate.briefly(() => {
      // Another process may have begun at the same moment.
      const same = (name: string, file: string, mine: string) => {
        const there = readLocal(store.database, name);
        if (there !== undefined && there !== mine) throw isOther(path(file));
        if (there === undefined) writeLocal(store.database, name, mine);
      };
      same(KNOWN_KEY, 'authority.key', own);
      same(KNOWN_WEBHOOK_KEY, SECRET_KEY_FILE, ownWebhook);
    });
}

function isMissing(path: string): AppError {
  const message = `${path} is missing. All processes of a central have the same: copy it from the data folder of one that works, with no rights for others (chmod 600), and start again.`;
  return new AppError('conflict', message);
}

function isOther(path: string): AppError {
  const message = `${path} is another one than the other processes of this central have. Put the file of one that works in its place, and start again.`;
  return new AppError('conflict', message);
}

const NONE: ReadonlySet<unknown> = new Set();

const NO_CENTRAL =
  'HOLDPOINT_JOURNAL is for a central: start it with npm run central. A station works on a data folder of its own: leave the variable out.';
