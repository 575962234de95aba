import type { Attempted } from './attempts.ts';
import { networkOf } from './failure-limit.ts';

/** Wrong passwords of one network, whatever the logins, and of one login, from wherever, from which on a few more are enough there. */
const TIGHT = { network: 50, login: 20 } as const;
const NETWORK_MS = 15 * 60_000;
const LOGIN_MS = 3_600_000;
/** Wrong passwords of one login within an hour, and the networks they come from, that somebody must be told of. */
const INCIDENT = { failures: 10, networks: 3 } as const;
/** How much longer answers to a network take at most, and by how many wrong passwords they take once more as long. */
const SLOWEST = 8;
const SLOWER_EACH = 10;
/** What is kept of each kind; the oldest make room. */
const LIMIT = 10_000;
const NETWORKS_LIMIT = 1_000;

/** Many wrong passwords of one user from many places. */
export interface SignInIncident {
  userId: number;
  count: number;
  networks: readonly string[];
}

interface OfLogin {
  begun: number;
  count: number;
  networks: Set<string>;
  isTold: boolean;
}

export interface SignInWatchOptions {
  /** Milliseconds of a clock that never goes back. */
  steady: () => number;
  onIncident: (incident: SignInIncident) => void;
}

/** Watches wrong passwords at the sign-in by network and by login. It closes nothing to who has not got one wrong there. */
export function createSignInWatch({ steady, onIncident }: SignInWatchOptions) {
  const networks = new Map<string, { begun: number; count: number }>();
  const logins = new Map<string, OfLogin>();

  function note(whom: Attempted, address: string): void {
    const moment = steady();
    const network = networkOf(address);
    const ofNetwork = networks.get(network);
    const isRunning = ofNetwork && moment - ofNetwork.begun < NETWORK_MS;
    keepIn(
      networks,
      network,
      isRunning ? { ...ofNetwork, count: ofNetwork.count + 1 } : { begun: moment, count: 1 },
    );
    const key = keyOf(whom);
    const known = logins.get(key);
    const isFresh = known && moment - known.begun < LOGIN_MS;
    const ofLogin = isFresh ? known : { begun: moment, count: 0, networks: new Set<string>(), isTold: false };
    ofLogin.count += 1;
    if (ofLogin.networks.size < NETWORKS_LIMIT) ofLogin.networks.add(network);
    keepIn(logins, key, ofLogin);
    const isMany = ofLogin.count >= INCIDENT.failures && ofLogin.networks.size >= INCIDENT.networks;
    if (!isMany || ofLogin.isTold || !('userId' in whom)) return;
    ofLogin.isTold = true;
    onIncident({ userId: whom.userId, count: ofLogin.count, networks: [...ofLogin.networks] });
  }

  /** Whether a few wrong passwords of a place are enough: many others were wrong in its network, or of that login. */
  function isTight(whom: Attempted, address: string): boolean {
    const login = logins.get(keyOf(whom));
    const isAttacked = login && steady() - login.begun < LOGIN_MS && login.count >= TIGHT.login;
    return countOf(address) >= TIGHT.network || isAttacked === true;
  }

  /** How many times as long as checking a password an answer to this network takes that says no. */
  function slowness(address: string): number {
    return Math.min(SLOWEST, 1 + Math.floor(countOf(address) / SLOWER_EACH));
  }

  function countOf(address: string): number {
    const known = networks.get(networkOf(address));
    return known && steady() - known.begun < NETWORK_MS ? known.count : 0;
  }

  /** Another password: what was tried before says nothing any more. */
  function forget(userId: number): void {
    logins.delete(keyOf({ userId }));
  }

  return { note, isTight, slowness, forget };
}

function keepIn<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= LIMIT) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

function keyOf(whom: Attempted): string {
  return 'userId' in whom ? `user ${whom.userId}` : `login ${whom.login}`;
}
