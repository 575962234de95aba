import type { Commit } from '../../../../server/store/changes.ts';
import * as central from '../../../../server/sync/protocol/central.ts';
import { issueAgain } from '../../../../server/sync/protocol/collision.ts';
import { decide, type Rules } from '../../../../server/sync/protocol/decide.ts';
import type { LogRules } from '../../../../server/sync/protocol/decide-in-log.ts';
import { overlay } from '../../../../server/sync/protocol/overlay.ts';
import { agreeTo, takeStep } from '../../../../server/sync/protocol/own-proof.ts';
import * as proof from '../../../../server/sync/protocol/proof.ts';
import { whatNext } from '../../../../server/sync/protocol/protocol-state.ts';
import { beginAgain, cut, logChanges } from '../../../../server/sync/protocol/received-log.ts';
import { writersShown } from '../../../../server/sync/protocol/siblings.ts';
import {
  ownAtSnapshot,
  type SnapshotReader,
  snapshotPage,
} from '../../../../server/sync/protocol/snapshot.ts';
import { receiveAnswer } from '../../../../server/sync/protocol/station.ts';
import type { SnapshotPage, SnapshotRequest } from '../../../../server/sync/protocol/wire.ts';
import { type Central, type Station, type StoredRecord, shortHash } from './machines.ts';
import { signedFault } from './signed-writes.ts';
import { cutAnew } from './snapshot-machine.ts';

/** What the machines of the model are put together of. A planted fault replaces one entry. */
export const protocol = {
  checkCursor: central.checkCursor,
  receiveCommit: central.receiveCommit,
  receiveOffer: central.receiveOffer,
  appendOwn: central.appendOwn,
  pushAnswer: central.pushAnswer,
  pageAnswer: central.pageAnswer,
  cursorUnknown: central.cursorUnknown,
  cursorAt: central.cursorAt,
  newEpoch,
  decide,
  overlay,
  writersShown,
  whatNext,
  receiveAnswer,
  logChanges,
  cut,
  beginAgain,
  issueAgain,
  judgeProof: proof.judgeProof,
  chooseMachine: proof.chooseMachine,
  withoutMachine: proof.withoutMachine,
  takeStep,
  agreeTo,
  /** Whether another machine may become a station of its own beside this one, which goes on. */
  mayLeave: (present: proof.Machine): boolean => present.has_sent_all,
  /** Whether what is issued again gets other ids. */
  givesOtherIds: true as boolean,
  snapshotPage: (
    request: SnapshotRequest,
    read: SnapshotReader<SnapshotRecord>,
    t: central.CentralTerms,
  ): SnapshotPage => snapshotPage(request, read, t),
  ownAtSnapshot,
  cutAnew,
  /** The own commits that are shown on top: those that the received log did not decide. */
  undecided,
  /** What of its own a station still has to push, when central has its chains up to these numbers. */
  ownAfter,
  /** The chain of the oldest own commit that the received log does not hold. */
  chainInDoubt,
  /** Whether a declared restore of central begins a new epoch and chain. */
  beginsNewEpoch: true as boolean,
  /** Whether a restored station takes a new chain when it learns of the restore. */
  beginsNewChain: true as boolean,
};

export type Protocol = typeof protocol;

/** A new epoch and chain, as after a restore. */
function newEpoch(before: Central, fresh: number, formers: readonly string[]): Central {
  const gone = new Set([...before.formers, ...formers]);
  return { ...before, epoch: `e${fresh}`, chain: `z.${fresh}`, formers: [...gone].sort() };
}

export function undecided(station: Station): Commit[] {
  return station.own.filter(({ commit_id }) => !station.settled.includes(commit_id));
}

/** A record as a page of a snapshot has it. */
export interface SnapshotRecord {
  key: string;
  record: StoredRecord;
}

function ownAfter(station: Station, heads: Readonly<Record<string, number>>): Commit[] {
  return station.own.filter(({ chain, number }) => number > (heads[chain] ?? 0));
}

function chainInDoubt(station: Station): string | undefined {
  return unplaced(station)[0]?.chain;
}

/** Own commits that neither an entry of the received log holds at their place nor the snapshot below it. */
export function unplaced({ log, own, heads }: Station): Commit[] {
  const hashes = new Set(log.map(({ commit }) => commit.hash));
  return own.filter(({ hash, chain, number }) => !hashes.has(hash) && number > (heads[chain] ?? 0));
}

/** Values that begin so are a fault of the schema to central. */
export const BAD = 'bad';
/** Values that nobody at a station may write. */
export const FORBIDDEN = 'forbidden';

/** Whether a commit writes what its author may not. */
export function isForbidden({ entries }: Pick<Commit, 'entries'>): boolean {
  return entries.some(({ changes }) => changes.some(change => String(change.new).startsWith(FORBIDDEN)));
}

export const rules: LogRules = {
  central: 'z',
  isVerdict: (_, path) => path === 'passed',
  isForCentral: subject => subject.startsWith('user:'),
  permissionFault: (commit, read) =>
    isForbidden(commit) ? 'not_permitted: it is forbidden.' : signedFault(commit, read),
  formFault: () => undefined,
  schemaFault: ({ changes }) =>
    changes.some(change => String(change.new).startsWith(BAD)) ? 'The value is bad.' : undefined,
} satisfies Rules & LogRules;

export const terms: central.CentralTerms = {
  ...rules,
  hash: shortHash,
  countersign: text => `~${shortHash(text)}`,
  verify: (text, countersignature) => countersignature === `~${shortHash(text)}`,
};
