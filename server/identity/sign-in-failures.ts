import { readJson } from '../../shared/contract/read-json.ts';
import type { AuditEvent } from '../audit/event.ts';
import type { Trail } from '../audit/trail.ts';
import type { Store } from '../store/store.ts';
import { readLocal, writeLocal } from '../store/tables.ts';
import { networkOf } from './failure-limit.ts';

/** Under which `local` has what is counted and not noted yet. */
const NAME = 'sign_in_failures';
const HOUR_MS = 3_600_000;
/** Addresses of an hour that have an event of their own: a stranger with a network of addresses fills no disk. */
const ADDRESSES = 32;
/** Users of an address that are named. */
const LOGINS = 50;
/** Hours that wait where nothing can be written; the oldest make room. */
const HOURS = 48;
/** Stands for the addresses beyond those. */
const OTHERS = 'others';

/** What one address did in one hour. What was typed for a login that nobody has is counted and not kept: people type passwords there. */
interface Counted {
  /** Wrong passwords by the login of a user that there is. */
  users: Record<string, number>;
  /** Of further users. */
  further: number;
  /** Logins that nobody has. */
  unknown: number;
  /** Tokens, keys and codes that are none. */
  refused: number;
}

/** By the beginning of the hour, then by address. */
type Hours = Record<string, Record<string, Counted>>;

export interface SignInFailuresOptions {
  store: Pick<Store, 'database' | 'gate'>;
  trail: Pick<Trail, 'with'>;
  now: () => Date;
  onFault: (error: unknown) => void;
}

/**
 * Counts failures to sign in by hour and address. Each hour that is over is noted once, in one commit with an event for each
 * address; until then the counts lie beside the records and outlive the process but for some seconds.
 */
export function createSignInFailures({ store, trail, now, onFault }: SignInFailuresOptions) {
  const { database, gate } = store;
  const hours: Hours = stored();
  let isKept = true;
  let isTold = false;
  let isSettling = false;

  function stored(): Hours {
    const text = readLocal(database.reader, NAME);
    const known = text === undefined || text === '' ? undefined : readJson(text);
    return known !== null && typeof known === 'object' ? (known as Hours) : {};
  }

  function thisHour(): string {
    return new Date(Math.floor(now().getTime() / HOUR_MS) * HOUR_MS).toISOString();
  }

  function counted(address: string): Counted {
    const hour = thisHour();
    hours[hour] ??= {};
    const byAddress = hours[hour];
    for (const [oldest] of Object.entries(hours)) {
      if (Object.keys(hours).length <= HOURS) break;
      delete hours[oldest];
    }
    isKept = false;
    const network = networkOf(address);
    const isRoom = byAddress[network] !== undefined || Object.keys(byAddress).length < ADDRESSES;
    const place = isRoom ? network : OTHERS;
    byAddress[place] ??= { users: {}, further: 0, unknown: 0, refused: 0 };
    return byAddress[place];
  }

  /** `login`: of the user whose password it was not; undefined where nobody has the login. */
  function note(address: string, login: string | undefined): void {
    const counts = counted(address);
    if (login === undefined) counts.unknown += 1;
    else if (Object.hasOwn(counts.users, login) || Object.keys(counts.users).length < LOGINS)
      counts.users[login] = (counts.users[login] ?? 0) + 1;
    else counts.further += 1;
  }

  function noteRefused(address: string): void {
    counted(address).refused += 1;
  }

  /** Notes the hours that are over, or keeps what has changed since. Rejects never: it is tried again. */
  async function settle(): Promise<void> {
    const present = thisHour();
    const over = Object.keys(hours).filter(hour => hour !== present);
    if (isSettling) return;
    isSettling = true;
    try {
      if (over.length === 0) return await keep();
      const events = over.flatMap(hour => eventsOf(hour, hours[hour] ?? {}));
      await trail.with(events, () => writeLocal(database, NAME, textOf(over)));
      for (const hour of over) delete hours[hour];
      isTold = false;
    } catch (error) {
      if (!isTold) onFault(error);
      isTold = true;
    } finally {
      isSettling = false;
    }
  }

  /** Beside the records, for the next start. */
  async function keep(): Promise<void> {
    if (isKept) return;
    isKept = true;
    await gate
      .briefly(() => writeLocal(database, NAME, textOf([])))
      .catch((error: unknown) => {
        isKept = false;
        throw error;
      });
  }

  function textOf(without: readonly string[]): string {
    const kept = Object.entries(hours).filter(([hour]) => !without.includes(hour));
    return JSON.stringify(Object.fromEntries(kept));
  }

  return { note, noteRefused, settle, keep };
}

function eventsOf(hour: string, byAddress: Record<string, Counted>): AuditEvent[] {
  return Object.entries(byAddress).map(([address, { users, further, unknown, refused }]) => {
    const wrong = Object.values(users).reduce((sum, count) => sum + count, 0);
    return {
      kind: 'sign_in_failed',
      at: hour,
      address,
      count: wrong + further + unknown + refused,
      details: {
        ...(wrong > 0 && { users }),
        ...(further > 0 && { further_users: further }),
        ...(unknown > 0 && { unknown_logins: unknown }),
        ...(refused > 0 && { refused_tokens_and_codes: refused }),
      },
    };
  });
}
