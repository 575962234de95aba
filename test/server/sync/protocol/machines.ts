import type { Commit } from '../../../../server/store/changes.ts';
import { siblingsAfter } from '../../../../server/sync/protocol/decide.ts';
import type { HeldCommit } from '../../../../server/sync/protocol/held-line.ts';
import type { LogEntry, LogPlace } from '../../../../server/sync/protocol/log.ts';
import type { OwnProof } from '../../../../server/sync/protocol/own-proof.ts';
import type { Agreed, Machines } from '../../../../server/sync/protocol/proof.ts';
import type { ProtocolState, RecoveryCommit } from '../../../../server/sync/protocol/protocol-state.ts';
import {
  itemOf,
  type RecordReader,
  type Sibling,
  valueWithin,
} from '../../../../server/sync/protocol/siblings.ts';
import type { Answer, Cursor, Request, SnapshotState } from '../../../../server/sync/protocol/wire.ts';

/** Decided records as plain data: who created each, and the siblings of every path that was ever written. */
export type Records = Readonly<Record<string, StoredRecord>>;

export interface StoredRecord {
  readonly creator: string;
  readonly paths: Readonly<Record<string, readonly Sibling[]>>;
  /** The last entry of the log that touched it; 0 where it is only shown. */
  readonly folded: number;
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
  /** Which machines call as each station. */
  readonly machines: Readonly<Record<string, Machines>>;
}

/** Everything that a station writes to disk, and its volatile protocol state. Never changed in place. */
export interface Station {
  /** Told apart also where two machines are one station. */
  readonly machine: string;
  readonly name: string;
  readonly chain: string;
  readonly chains: readonly string[];
  /** Own commits in the order of writing. */
  readonly own: readonly Commit[];
  readonly cursor: Cursor;
  readonly log: readonly StoredEntry[];
  readonly offers: readonly RecoveryCommit[];
  /** Offers that stand in the part of the log that was taken as a snapshot. */
  readonly known: readonly RecoveryCommit[];
  /** The place of the last snapshot, what it had, and the heads of own chains at it. */
  readonly start: LogPlace;
  readonly base: Records;
  readonly heads: Readonly<Record<string, number>>;
  readonly until: LogPlace | null;
  readonly snapshot: SnapshotState | null;
  readonly nextPlace: number;
  readonly records: Records;
  /** Own commits that the log decided: they have left the overlay. */
  readonly settled: readonly string[];
  readonly withdrawn: readonly string[];
  /** Own and others' held commits, with why. */
  readonly held: Readonly<Record<string, string>>;
  /** What the records show that own undecided commits touch, kept up record by record. */
  readonly shown: Records;
  readonly exchange: ProtocolState;
  /** Null for a station that proves nothing. */
  readonly proving: Proving | null;
}

/** By which a machine is told from another one with the same disk. */
export interface Proving {
  readonly own: OwnProof;
  /** What it names by chance is told by the start of the disk that it has. */
  readonly start: number;
  /** Until it begins again. */
  readonly isHeldOff: boolean;
  /** What of its own it issues again once the whole log was read, and whether it has become another station. */
  readonly issuing: { since: number; isOther: boolean; ids: readonly string[] } | null;
}

/** What central answers, with what it says of the proof. */
export type Answered = (Answer & { agreed?: Agreed }) | { kind: 'held_off'; request: string };

export type Message =
  /** `unsent`: changes that the station had not sent. */
  | { to: 'central'; from: number; body: Request; unsent?: number }
  | { to: 'station'; from: number; body: Answered };

/** What outlives everything: budgets of faults, names that were given out, how far each script has come. */
export interface Ghost {
  /** Commits that the first station had written when its disk was copied; null where it was not. */
  readonly copiedAt: number | null;
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

/** The records after an entry of the log; one that is of a later place already stays as it is. */
export function withEntry(
  records: Records,
  { sequence, decisions }: Pick<LogEntry, 'sequence' | 'decisions'>,
): Records {
  const next: Record<string, StoredRecord> = { ...records };
  for (const { commit_id, effects } of decisions) {
    for (const { subject, isNew, paths } of effects) {
      if ((records[subject]?.folded ?? 0) >= sequence) continue;
      const before = next[subject] ?? { creator: commit_id, paths: {} };
      const listed: Record<string, readonly Sibling[]> = { ...before.paths };
      for (const effect of paths) listed[effect.path] = siblingsAfter(effect, commit_id);
      next[subject] = { creator: isNew ? commit_id : before.creator, paths: listed, folded: sequence };
    }
  }
  return next;
}

/** With their keys ascending, so that two are the same when they are equal. */
export function sorted(records: Records): Records {
  return Object.fromEntries(Object.entries(records).sort(([a], [b]) => (a < b ? -1 : 1)));
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
