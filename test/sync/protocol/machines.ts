import type { Commit } from '../../../server/store/history.ts';
import type { SubjectEffects } from '../../../server/sync/protocol/decide.ts';
import { siblingsAfter } from '../../../server/sync/protocol/decide.ts';
import type { HeldCommit } from '../../../server/sync/protocol/decide-in-log.ts';
import type { Link, Offer } from '../../../server/sync/protocol/link.ts';
import type { LogEntry } from '../../../server/sync/protocol/log.ts';
import {
  itemOf,
  type RecordReader,
  type Sibling,
  valueWithin,
} from '../../../server/sync/protocol/siblings.ts';
import type { Answer, Cursor, Request } from '../../../server/sync/protocol/wire.ts';

/** Decided records as plain data: who created each, and the siblings of every path that was ever written. */
export type Records = Readonly<Record<string, StoredRecord>>;

export interface StoredRecord {
  readonly creator: string;
  readonly paths: Readonly<Record<string, readonly Sibling[]>>;
}

export type StoredEntry = LogEntry & { countersignature: string };

/** Everything that central writes to disk. Never changed in place. */
export interface Central {
  readonly epoch: string;
  readonly formers: readonly string[];
  readonly chain: string;
  readonly log: readonly StoredEntry[];
  readonly records: Records;
  readonly held: readonly HeldCommit[];
  readonly withdrawn: readonly string[];
}

/** Everything that a station writes to disk, and its volatile link. Never changed in place. */
export interface Station {
  readonly name: string;
  readonly chain: string;
  readonly chains: readonly string[];
  /** Own commits in the order of writing. */
  readonly own: readonly Commit[];
  readonly cursor: Cursor;
  readonly log: readonly StoredEntry[];
  readonly offers: readonly Offer[];
  readonly nextPlace: number;
  readonly records: Records;
  /** Own commits that the log decided: they have left the overlay. */
  readonly settled: readonly string[];
  readonly withdrawn: readonly string[];
  /** Own and others' held commits, with why. */
  readonly held: Readonly<Record<string, string>>;
  /** What the records show that own undecided commits touch, kept up record by record. */
  readonly shown: Records;
  readonly link: Link;
}

export type Message =
  | { to: 'central'; from: number; body: Request }
  | { to: 'station'; from: number; body: Answer };

/** What outlives everything: budgets of faults, names that were given out, how far each script has come. */
export interface Ghost {
  readonly fresh: number;
  readonly written: readonly number[];
  readonly budgets: Readonly<Record<string, number>>;
  readonly copyOfCentral: Central | null;
  readonly copiesOfStations: readonly (Station | null)[];
}

export interface State {
  readonly central: Central;
  readonly stations: readonly Station[];
  readonly network: readonly Message[];
  readonly ghost: Ghost;
}

/** The records after a decision's effects. */
export function withEffects(records: Records, commit: string, effects: readonly SubjectEffects[]): Records {
  const next: Record<string, StoredRecord> = { ...records };
  for (const { subject, isNew, paths } of effects) {
    const before = next[subject] ?? { creator: commit, paths: {} };
    const listed: Record<string, readonly Sibling[]> = { ...before.paths };
    for (const effect of paths) listed[effect.path] = siblingsAfter(effect, commit);
    next[subject] = { creator: isNew ? commit : before.creator, paths: listed };
  }
  return next;
}

/** Reads plain records as the protocol's functions want it. */
export function readerOf(records: Records, withdrawn: readonly string[]): RecordReader {
  return {
    creator: subject => records[subject]?.creator,
    siblings: (subject, path) => records[subject]?.paths[path],
    value(subject, path) {
      const paths = records[subject]?.paths;
      const listed = paths?.[path];
      if (listed) return listed[0]?.value;
      for (let item = itemOf(path); item !== undefined; item = itemOf(item)) {
        const added = paths?.[item];
        if (added) return valueWithin(added[0]?.value, path.slice(item.length + 1));
      }
      return undefined;
    },
    isWithdrawn: commit => withdrawn.includes(commit),
  };
}

const names = new Map<string, string>();

/** A digest that is short to compare and read; the same text has the same for the life of the process. */
export function shortHash(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `h${names.size + 1}`;
  names.set(text, name);
  return name;
}
