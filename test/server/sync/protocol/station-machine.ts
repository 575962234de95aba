import type { Commit, Entry } from '../../../../server/store/changes.ts';
import { stationOf } from '../../../../server/store/history.ts';
import { placeToIssueAgain } from '../../../../server/sync/protocol/collision.ts';
import { isCreation } from '../../../../server/sync/protocol/decide.ts';
import { commitHash } from '../../../../server/sync/protocol/log.ts';
import { connected } from '../../../../server/sync/protocol/overlay.ts';
import { failedStep } from '../../../../server/sync/protocol/own-proof.ts';
import {
  abandon,
  NEW_PROTOCOL_STATE,
  type RecoveryCommit,
  type Slot,
  slotOf,
} from '../../../../server/sync/protocol/protocol-state.ts';
import type { RecordReader } from '../../../../server/sync/protocol/siblings.ts';
import type { Act, StationReader } from '../../../../server/sync/protocol/station.ts';
import { NEW_SNAPSHOT, type Request, type SnapshotPage } from '../../../../server/sync/protocol/wire.ts';
import {
  type Answered,
  type Central,
  readerOf,
  type Station,
  type StoredRecord,
  shortHash,
  sorted,
  withEntry,
} from './machines.ts';
import { type Protocol, rules, undecided } from './protocol-table.ts';
import {
  enterChain,
  issueOwnAgain,
  issuingAgain,
  leave,
  mayPush,
  startAgain,
  stepped,
  withOwn,
} from './second-machine.ts';
import { type Signing, signedAt } from './signed-writes.ts';
import { takeRecords } from './snapshot-machine.ts';
import { Violation } from './violation.ts';

/** A user's write: one transaction, answered at once. */
export function writeAtStation(
  before: Station,
  commitId: string,
  entries: Entry[],
  p: Protocol,
  signing?: Signing,
): Station {
  const head = stationReader(before).head(before.chain);
  const commit: Commit = {
    chain: before.chain,
    number: head.number + 1,
    commit_id: commitId,
    ...signedAt(before.name, shownReader(before), { commitId, entries, signing }),
    clock_offset: null,
    user: before.name,
    reason: null,
    entries,
    previous_hash: head.hash,
    hash: '',
  };
  const placed = { ...commit, hash: commitHash(commit, shortHash) };
  return showAnew({ ...before, own: [...before.own, placed] }, subjectsOf([placed]), p);
}

/** An answer arrives: its act is one transaction, then the protocol state is kept. */
export function receiveAtStation(
  before: Station,
  answer: Answered,
  p: Protocol,
  fresh: number,
  farBehind: number,
): Station {
  const slot = slotOf(answer.request, before.exchange);
  if (answer.kind === 'held_off') {
    const { proving } = before;
    if (!slot || !proving) return before;
    const exchange = abandon(slot, before.exchange);
    return { ...before, exchange, proving: { ...proving, own: failedStep(proving.own), isHeldOff: true } };
  }
  const told = slot ? withOwn(before, own => p.agreeTo(own, answer.agreed)) : before;
  if (slot && told.proving?.isHeldOff) {
    return { ...perform(told, { kind: 'begin_again' }, p, fresh), exchange: NEW_PROTOCOL_STATE };
  }
  const read = { ...stationReader(told), farBehind: () => farBehind };
  const { state, act } = p.receiveAnswer(answer, told.exchange, read, shortHash);
  const next = { ...perform(told, act, p, fresh), exchange: state };
  if (!next.proving || !slot) return next;
  const isNotified = state.isNotified || !next.proving.own.isAlone;
  const met = { ...next, exchange: { ...state, isNotified } };
  const isAtEnd = act.kind === 'take' && act.cursor.sequence >= answer.last;
  if (!isAtEnd || !met.proving?.issuing) return met;
  const again = issueOwnAgain(met, p, fresh);
  return showAnew(again, [...subjectsShown(met), ...subjectsShown(again)], p);
}

/** Every record that what is undecided may touch. */
function subjectsShown({ own, shown, records }: Station): Set<string> {
  return new Set([...subjectsOf(own), ...Object.keys(shown), ...Object.keys(records)]);
}

/** As `leave`, with what it shows. */
export function separate(
  central: Central,
  before: Station,
  p: Protocol,
  fresh: number,
): ReturnType<typeof leave> {
  const left = leave(central, before, p, fresh);
  return left && { ...left, station: showAnew(left.station, subjectsShown(before), p) };
}

/** What the station sends next in the slot, if anything. */
export function sendFromStation(
  before: Station,
  slot: Slot,
  p: Protocol,
  limit: number,
): { station: Station; request: Request } | undefined {
  const read = {
    station: before.name,
    cursor: () => before.cursor,
    snapshot: () => before.snapshot ?? undefined,
    offersAfter: (place: number, most: number) =>
      before.offers.filter(offer => offer.place > place).slice(0, most),
    ownAfter: (heads: Readonly<Record<string, number>>, most: number) =>
      p.ownAfter(before, heads).slice(0, most),
    chainInDoubt: () => p.chainInDoubt(before),
    hashAt: stationReader(before).hashAt,
  };
  if (slot !== 'down' && !mayPush(before)) return undefined;
  const next = p.whatNext(slot, before.exchange, read, `${before.machine}.${slot}`, limit);
  if (!next) return undefined;
  const station = { ...before, exchange: next.state };
  const proving = before.proving && stepped(before.proving, before.machine, p, slot === 'down');
  if (!proving) return { station, request: next.request };
  const { sent } = proving.own;
  return { station: { ...station, proving }, request: { ...next.request, ...(sent && { proof: sent }) } };
}

/** Issues the first own creation that another has the id of again, and what follows it; undefined when there is none. */
export function issueAgainAtStation(before: Station, p: Protocol, fresh: number): Station | undefined {
  const open = undecided(before);
  const first = placeToIssueAgain(open, id => before.held[id]);
  const held = open[first];
  if (!held) return undefined;
  const own = new Set(open.map(({ commit_id }) => commit_id));
  const taken = held.entries.filter(isCreation).map(({ subject }) => subject);
  const again = p.issueAgain(
    held,
    open.slice(first + 1),
    id => `${id}.${fresh}`,
    // What was changed of the record that another made is meant as it is.
    entry =>
      taken.includes(entry.subject) && entry.changes.every(({ over }) => over.every(id => own.has(id)))
        ? { ...entry, subject: `${entry.subject}.${fresh}` }
        : entry,
  );
  let station = before;
  for (const { commit_id, entries } of again) station = writeAtStation(station, commit_id, entries, p);
  return station;
}

/** A copy of an earlier time takes the place of what is on disk; where that is declared, all but the proof. */
export function restoreStation(
  copy: Station,
  present: Station,
  declared: { beginsNewChain: boolean } | null,
  fresh: number,
): Station {
  if (!declared) return startAgain(copy, fresh);
  const restored = startAgain(
    withOwn(copy, own => present.proving?.own ?? own),
    fresh,
  );
  const chain = `${copy.name}.${fresh}`;
  return declared.beginsNewChain ? { ...restored, chain, chains: [...copy.chains, chain] } : restored;
}

/** The records as shown: what is decided, and where own undecided commits touch a record, what was kept for that. */
export function shownReader({ records, shown, withdrawn }: Station): RecordReader {
  return readerOf({ ...records, ...shown }, withdrawn);
}

export function stationReader(station: Station): StationReader {
  const { log, cursor } = station;
  const commits = [...log.map(({ commit }) => commit), ...station.own];
  const inChain = (chain: string) => commits.filter(commit => commit.chain === chain);
  return {
    cursor: () => cursor,
    logStart: () => station.start.sequence,
    snapshot: () => station.snapshot ?? undefined,
    snapshotUntil: () => station.until ?? undefined,
    farBehind: () => Number.POSITIVE_INFINITY,
    logHashAt(sequence) {
      if (sequence === station.start.sequence) return station.start.hash;
      return sequence === 0 ? '' : log.find(entry => entry.sequence === sequence)?.hash;
    },
    ownChain: () => station.chain,
    isOwn: chain => stationOf(chain) === station.name,
    head(chain) {
      const head = inChain(chain).reduce((a, b) => (b.number > a.number ? b : a), NO_COMMIT);
      return { number: head.number, hash: head.hash };
    },
    hashAt: (chain, number) => inChain(chain).findLast(commit => commit.number === number)?.hash,
    commitAt: place => inChain(place.chain).findLast(({ number }) => number === place.number),
  };
}

const NO_COMMIT = { number: 0, hash: '' };

function perform(before: Station, act: Act, p: Protocol, fresh: number): Station {
  switch (act.kind) {
    case 'take': {
      const { entries, cursor } = act;
      const until = before.until && cursor.sequence >= before.until.sequence ? null : before.until;
      const next = fold({ ...before, log: [...before.log, ...entries], cursor, until }, entries, p);
      const decided = new Set(entries.flatMap(entry => entry.decisions.map(one => one.commit_id)));
      const offers = before.offers.filter(({ commit }) => !decided.has(commit.commit_id));
      const mine = before.own.filter(({ commit_id }) => decided.has(commit_id));
      const touched = p.logChanges(entries, () => false).subjects;
      return showAnew({ ...next, offers }, [...touched, ...subjectsOf(mine)], p);
    }
    case 'cut': {
      if (act.isAnew) return p.cutAnew(before, act.to);
      const above = before.log.filter(({ sequence }) => sequence > act.to.sequence);
      const { cursor, offers: cutOffers, subjects } = p.cut(act.to, above);
      const left = before.log.filter(({ sequence }) => sequence <= act.to.sequence);
      const empty = { ...before, records: {}, settled: [], withdrawn: [], held: {} };
      const refolded = fold({ ...empty, log: left, cursor }, left, p);
      const all = [...cutOffers, ...before.offers];
      const offers: RecoveryCommit[] = all.map((offer, index) => ({
        commit: offer.commit,
        countersignature: offer.countersignature,
        place: before.nextPlace + index,
      }));
      const station = { ...refolded, offers, nextPlace: before.nextPlace + all.length };
      return showAnew(station, [...subjects, ...subjectsOf(before.own)], p);
    }
    case 'begin_again': {
      const chain = p.beginsNewChain ? `${before.name}.${fresh}` : before.chain;
      return issuingAgain(before, enterChain(before, chain, p), false);
    }
    case 'heads': {
      const isOf = (ids: readonly string[]) => (offer: RecoveryCommit) =>
        ids.includes(offer.commit.commit_id);
      const [isRefused, isKnown] = [isOf(act.unverified), isOf(act.known)];
      return {
        ...before,
        offers: before.offers.filter(offer => !isRefused(offer) && !isKnown(offer)),
        known: [...before.known, ...before.offers.filter(isKnown)],
      };
    }
    case 'begin_snapshot':
      return { ...before, snapshot: NEW_SNAPSHOT, until: null };
    case 'records':
      return showRecords(before, act.page, p);
    case 'none':
      return before;
    default:
      throw new Violation(`C: ${before.name} cannot go on: ${JSON.stringify(act)}`);
  }
}

function showRecords(before: Station, page: SnapshotPage, p: Protocol): Station {
  const { station, touched } = takeRecords(before, page, p);
  return showAnew(station, touched, p);
}

/** Folds entries into what is decided, and notes what became of own commits. */
function fold(before: Station, entries: Station['log'], p: Protocol): Station {
  const changes = p.logChanges(entries, id => before.held[id] !== undefined);
  const records = entries.reduce(withEntry, before.records);
  const held: Record<string, string> = { ...before.held };
  for (const id of changes.settled) delete held[id];
  for (const { commit_id, reason } of changes.held) held[commit_id] = reason;
  const settled = [...new Set([...before.settled, ...changes.settled])].sort();
  return { ...before, records, held, settled, withdrawn: [...before.withdrawn, ...changes.withdrawn] };
}

/** Keeps up what is shown of the records that these are connected with, and of no others. */
function showAnew(station: Station, subjects: Iterable<string>, p: Protocol): Station {
  const open = p.undecided(station);
  const undecidedOf = (subject: string) =>
    open.filter(({ entries }) => entries.some(entry => entry.subject === subject));
  const group = connected(subjects, undecidedOf, commit => open.indexOf(commit));
  const { shown: layer } = p.overlay(group.commits, readerOf(station.records, station.withdrawn), rules);
  const shown: Record<string, StoredRecord> = {};
  for (const [subject, record] of Object.entries(station.shown)) {
    if (!group.subjects.has(subject)) shown[subject] = record;
  }
  for (const { subject, creator, paths } of layer.touched()) {
    const below = station.records[subject];
    const author = creator ?? below?.creator ?? '';
    shown[subject] = { creator: author, paths: { ...below?.paths, ...Object.fromEntries(paths) }, folded: 0 };
  }
  return { ...station, shown: sorted(shown) };
}

function subjectsOf(commits: readonly Commit[]): Set<string> {
  return new Set(commits.flatMap(({ entries }) => entries.map(({ subject }) => subject)));
}
