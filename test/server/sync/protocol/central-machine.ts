import type { ChainHead } from '../../../../server/store/history.ts';
import { stationOf } from '../../../../server/store/history.ts';
import type { CentralReader, Received, Unplaced } from '../../../../server/sync/protocol/central.ts';
import { HeldLine } from '../../../../server/sync/protocol/held-line.ts';
import { LOG_START } from '../../../../server/sync/protocol/log.ts';
import type { SnapshotReader } from '../../../../server/sync/protocol/snapshot.ts';
import type { Answer, PushRequest, Request } from '../../../../server/sync/protocol/wire.ts';
import {
  type Answered,
  type Central,
  type Message,
  readerOf,
  type StoredEntry,
  withEntry,
} from './machines.ts';
import { type Protocol, type SnapshotRecord, terms } from './protocol-table.ts';
import { judgeAtCentral } from './second-machine.ts';

const NO_HEAD: ChainHead = { number: 0, hash: '' };

/** Central takes a message of a station, if that is of the machine that goes on as it; else as `answerRequest`. */
export function answerMessage(
  before: Central,
  { body: request, unsent = 0 }: Message & { to: 'central' },
  p: Protocol,
  fresh: number,
  stopAfter?: number,
): { central: Central; answer: Answered | null } {
  const judged = judgeAtCentral(before, request, unsent, p);
  if (!judged) return answerRequest(before, request, p, fresh, stopAfter);
  const { isHeldOff, agreed } = judged;
  const central = { ...before, machines: { ...before.machines, [request.station]: judged.machines } };
  if (isHeldOff) return { central, answer: { kind: 'held_off', request: request.request } };
  const answered = answerRequest(central, request, p, fresh, stopAfter);
  return { ...answered, answer: answered.answer && { ...answered.answer, ...(agreed && { agreed }) } };
}

/**
 * Central takes a request and answers. `stopAfter` is the number of transactions after which the process dies, so that
 * there is no answer. `fresh` names a new epoch and chain, should one be needed.
 */
export function answerRequest(
  before: Central,
  request: Request,
  p: Protocol,
  fresh: number,
  stopAfter = Number.POSITIVE_INFINITY,
): { central: Central; answer: Answer | null } {
  const checked = p.checkCursor(request.cursor, centralReader(before), terms);
  if (checked !== 'known' || request.kind === 'prefix') {
    const central =
      checked === 'restored' ? p.newEpoch(before, fresh, [before.epoch, request.cursor.epoch]) : before;
    return { central, answer: p.cursorUnknown(request, centralReader(central), terms) };
  }
  if (request.kind === 'push') return takePush(before, request, p, stopAfter);
  if (request.kind === 'snapshot') {
    const page = p.snapshotPage(request, snapshotReader(before), terms);
    return { central: before, answer: page };
  }
  const entries = before.log.filter(({ sequence }) => sequence > request.cursor.sequence);
  const page = entries.slice(0, request.limit);
  return { central: before, answer: p.pageAnswer(request, page, centralReader(before), terms) };
}

/** Central's own commit: an edit of its console, a release, a withdrawal. */
export function writeAtCentral(before: Central, unplaced: Unplaced, p: Protocol): Central {
  return append(before, p.appendOwn(unplaced, centralReader(before), terms), p);
}

export function centralReader(central: Central): CentralReader {
  const { log, records, held, withdrawn } = central;
  const inChain = (chain: string) => log.filter(({ commit }) => commit.chain === chain);
  const head = (chain: string) => inChain(chain).at(-1)?.commit ?? NO_HEAD;
  return {
    ...readerOf(records, withdrawn),
    isKnown: id => log.some(({ decisions }) => decisions.some(one => one.commit_id === id)),
    held: id => held.find(({ commit }) => commit.commit_id === id),
    heldOf: station => new HeldLine(held.filter(({ commit }) => stationOf(commit.chain) === station)),
    epoch: () => central.epoch,
    isFormerEpoch: epoch => central.formers.includes(epoch),
    place: () => log.at(-1) ?? LOG_START,
    logHashAt: sequence => (sequence === 0 ? '' : log[sequence - 1]?.hash),
    head,
    hashAt: (chain, number) => inChain(chain).find(({ commit }) => commit.number === number)?.commit.hash,
    sequenceOf: id => log.find(({ commit }) => commit.commit_id === id)?.sequence,
    headsOf: station =>
      [...new Set(log.map(({ commit }) => commit.chain))]
        .filter(chain => stationOf(chain) === station)
        .map(chain => ({ chain, number: head(chain).number, hash: head(chain).hash })),
    ownChain: () => central.chain,
  };
}

/** One record in a page. */
function snapshotReader(central: Central): SnapshotReader<SnapshotRecord> {
  const { records, held, withdrawn } = central;
  return {
    ...centralReader(central),
    allHeld: () => [...held],
    withdrawn: () => [...withdrawn],
    recordsAfter(after) {
      const rest = Object.keys(records)
        .filter(key => after === null || key > after)
        .sort();
      const [key] = rest;
      const record = key === undefined ? undefined : records[key];
      return {
        records: key !== undefined && record ? [{ key, record }] : [],
        after: rest.length > 1 && key !== undefined ? key : null,
      };
    },
  };
}

function takePush(
  before: Central,
  request: PushRequest,
  p: Protocol,
  stopAfter: number,
): { central: Central; answer: Answer | null } {
  let central = before;
  let transactions = 0;
  const unverified: string[] = [];
  const take = (received: Received) => {
    if (received.kind !== 'append') return;
    central = append(central, received, p);
    transactions += 1;
  };
  for (const offer of request.offers) {
    if (transactions >= stopAfter) return { central, answer: null };
    const received = p.receiveOffer(offer, centralReader(central), terms);
    if (received.kind === 'unverified') unverified.push(offer.commit.commit_id);
    else take(received);
  }
  for (const commit of request.commits) {
    if (transactions >= stopAfter) return { central, answer: null };
    const received = p.receiveCommit(commit, request.station, centralReader(central), terms);
    if (received.kind === 'refused') {
      const answer = p.pushAnswer(request, received.refusal, unverified, centralReader(central), terms);
      return { central, answer };
    }
    take(received);
  }
  if (stopAfter !== Number.POSITIVE_INFINITY) return { central, answer: null };
  return { central, answer: p.pushAnswer(request, null, unverified, centralReader(central), terms) };
}

/** One transaction. */
function append(
  before: Central,
  { entry, countersignature }: Received & { kind: 'append' },
  p: Protocol,
): Central {
  const stored: StoredEntry = { ...entry, countersignature };
  const isHeld = (id: string) => before.held.some(({ commit }) => commit.commit_id === id);
  const changes = p.logChanges([entry], isHeld);
  const records = withEntry(before.records, entry);
  const held = before.held.filter(({ commit }) => !changes.settled.includes(commit.commit_id));
  for (const { commit_id, reason } of changes.held) {
    const place = held.findIndex(({ commit }) => commit.commit_id === commit_id);
    if (place >= 0) held[place] = { commit: held[place]?.commit ?? entry.commit, reason };
    else held.push({ commit: entry.commit, reason });
  }
  const withdrawn = [...before.withdrawn, ...changes.withdrawn];
  return { ...before, log: [...before.log, stored], records, held, withdrawn };
}
