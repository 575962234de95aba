import type { Change, Entry } from '../../../../server/store/changes.ts';
import { isConflict, type RecordReader, siblingsOf } from '../../../../server/sync/protocol/siblings.ts';
import type { Signing } from './signed-writes.ts';

/** How often each fault may strike; a fault that is not named does not. */
export interface Budgets {
  /** A station gives up waiting; what it waited for stays on its way and may still arrive. */
  timeout?: number;
  /** A message arrives and arrives again. */
  repeat?: number;
  /** A station's process ends: its link is gone. */
  crash?: number;
  /** Central's process ends between two transactions of a push. */
  crashOfCentral?: number;
  /** Copies that are taken of central and of each station. */
  copies?: number;
  restoreOfCentral?: number;
  silentRestoreOfCentral?: number;
  restoreOfStation?: number;
  silentRestoreOfStation?: number;
  release?: number;
  withdraw?: number;
  /** The first station's disk is copied, while it is off or runs: there are two machines then. */
  clone?: number;
  cloneRunning?: number;
  /** A person says at central which machine goes on as the station. */
  choose?: number;
  /** By the station that wrote the held commit. */
  withdrawHere?: number;
}

/** One commit that a user makes: its entries on top of what he sees; undefined while there is nothing to do it to. */
export interface Write {
  name: string;
  /** Where people sign; she does unless said. */
  signing?: Signing;
  entries(
    read: RecordReader,
    writersShown: (siblings: ReturnType<typeof siblingsOf>) => string[],
  ): Entry[] | undefined;
}

export interface Scope {
  name: string;
  /** Of the two stations and of central's console: what is written, in this order, at any time. */
  writes: [Write[], Write[], Write[]];
  budgets: Budgets;
  /** Of the second machine, after the disk was copied. */
  writesOfCopy?: Write[];
  /** Whether the first station proves to be the newest machine with its disk. */
  isProving?: boolean;
  /** Which stations do something of themselves; both unless said. The other only takes part in healing. */
  active?: number[];
  /** Whether news may also come while a page is waited for, which makes five times as many states. */
  isNotifiedWaiting?: boolean;
  /** Whether the stations never heard of central. */
  areNew?: boolean;
  /** How many entries behind a station asks for records in place of the log; never unless said. */
  farBehind?: number;
  /** Commits in one message, at most. */
  limit?: number;
  /** Whether people have keys, and a station's commits bear what they signed. */
  isSigned?: boolean;
  /** Whether a push is sent before the one before it is answered. */
  isAhead?: boolean;
}

/** Of one station, which sends a commit before the one before it is answered. */
export const ahead = { active: [0], limit: 1, isAhead: true } satisfies Partial<Scope>;

/** Sets paths of records: `set('part:1/name', 'A')`. Several make one commit. */
export function set(...pairs: [target: string, value: unknown][]): Write {
  return {
    name: `sets ${pairs.map(([target, value]) => `${target}=${JSON.stringify(value)}`).join(' and ')}`,
    entries(read, writersShown) {
      const bySubject = new Map<string, Change[]>();
      for (const [target, value] of pairs) {
        const [subject = '', path = ''] = target.split('/');
        if (read.creator(subject) === undefined) return undefined;
        const siblings = siblingsOf(read, subject, path);
        const old = siblings[0]?.value ?? null;
        const changes = bySubject.get(subject) ?? [];
        bySubject.set(subject, changes);
        changes.push({ path, old, new: value, over: writersShown(siblings) });
      }
      return [...bySubject].map(([subject, changes]) => ({ subject, changes }));
    },
  };
}

/** Creates a record with a name. */
export function create(subject: string, name: string): Write {
  return {
    name: `creates ${subject} named ${name}`,
    entries: read =>
      read.creator(subject) === undefined
        ? [{ subject, changes: [{ path: 'name', old: null, new: name, over: [] }] }]
        : undefined,
  };
}

/** Decides an open conflict of a path: over everything that is in it. */
export function resolve(target: string, value: unknown): Write {
  const [subject = '', path = ''] = target.split('/');
  return {
    name: `resolves ${target}=${JSON.stringify(value)}`,
    entries(read) {
      const siblings = siblingsOf(read, subject, path);
      if (!isConflict(siblings)) return undefined;
      const over = siblings.map(({ commit }) => commit);
      return [{ subject, changes: [{ path, old: siblings[0]?.value ?? null, new: value, over }] }];
    },
  };
}
