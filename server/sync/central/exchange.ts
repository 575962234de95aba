import { createHmac, createSecretKey, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../../shared/contract/errors.ts';
import { COMMIT_LIMIT } from '../../../shared/contract/limits.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { Commit } from '../../store/changes.ts';
import type { CommitHook } from '../../store/commit.ts';
import { reissuedId } from '../../store/commit-id.ts';
import { expectGarbage } from '../../store/gc-tuning.ts';
import { CHAIN_START, newChain, readCommitsAfter, stationOf } from '../../store/history.ts';
import { recordsInParts } from '../../store/records-at-once.ts';
import { keepEnds } from '../../store/station-ends.ts';
import type { Store } from '../../store/store.ts';
import { recordsIn } from '../../store/subjects.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import { inTurns, untilOthersWait, yieldingToEventLoop } from '../../store/yield-to-event-loop.ts';
import { noteArrival } from '../log/arrivals.ts';
import { Conflicts } from '../log/conflicts.ts';
import { DecidedStore, readOnce } from '../log/decided-store.ts';
import { Digest, digestsOf, type LogDigests } from '../log/digest.ts';
import { ITEMS_GIVEN, itemKinds } from '../log/given-items.ts';
import { sha256 } from '../log/log.ts';
import { forgetMeant } from '../log/meant-records.ts';
import { syncRules } from '../log/rules.ts';
import {
  appendOwn,
  type CentralTerms,
  checkCursor,
  cursorUnknown,
  knownTo,
  pageAnswer,
  pushAnswer,
  type Received,
  receivingCommit,
  receivingOffer,
} from '../protocol/central.ts';
import type { HoldDecision } from '../protocol/decide-in-log.ts';
import { decideInLog } from '../protocol/decide-in-log.ts';
import { logEntry } from '../protocol/log.ts';
import { entrySize } from '../protocol/message-size.ts';
import type { KnownEntry, SignedEntry } from '../protocol/packed-entries.ts';
import { snapshotPage } from '../protocol/snapshot.ts';
import {
  type Answer,
  type Cursor,
  commitText,
  type Offer,
  PAGE_LIMIT,
  PAGE_SIZE,
  type PushAnswer,
  type PushRequest,
  type Refusal,
  type Request,
} from '../protocol/wire.ts';
import { createAuthors } from './authors.ts';
import { CentralStore } from './central-store.ts';
import { type AfterDecision, decideAllHeld, decideHeld, KeptHeld } from './hold-decision.ts';
import { issueLostAgain } from './issue-lost-again.ts';
import { letInCertified } from './let-in-certified.ts';
import { noteItemsGiven } from './note-items-given.ts';
import { permissionFault } from './push-permission.ts';
import type { AuthorReader } from './pushed.ts';
import { notePutBack, noteReturned } from './put-back.ts';
import { RecentEntries } from './recent-entries.ts';
import { checkEnds } from './station-keys.ts';

/** Set once all that the store held before it was a central stands in the log. */
const BEGUN = 'log_begun';

/** Commits that share a transaction, and records of theirs, so that other writes wait for no more of them. */
const BATCH = { commits: 500, records: 1_000 };

/** Many commits that come together. */
const LARGE = 100;

/** Central's side of the exchange: takes what stations send, and answers with its log. */
export interface CentralExchange {
  /** @throws AppError `unavailable` while the store is damaged, `storage_full` */
  answer(request: Request): Promise<Answer>;
  /** The digests of all records by family, and the place in the log that they are of. */
  digests(): LogDigests;
  /** As `decideHeld`. */
  decideHeld(
    decision: HoldDecision & { alike?: readonly string[] },
    after?: AfterDecision,
  ): Promise<{ sequence: number; alike: number }>;
  /** As `decideAllHeld`. */
  decideAllHeld(decision: Omit<HoldDecision, 'commit'> & { commits: readonly string[] }): Promise<number>;
  /** As `letInCertified`: to be called where a push was taken. */
  letInCertified(): Promise<void>;
  /** Committed state. */
  reader(): CentralStore;
  /** Central's signature, by a key that outlives restores. */
  signing: Pick<CentralTerms, 'countersign' | 'verify'>;
}

/**
 * Makes the store a central: what it holds becomes the beginning of its log, and every commit of its own is put into
 * the log from now on.
 */
export async function createCentralExchange(
  store: Store,
  clock: () => Date,
  permission: typeof permissionFault = permissionFault,
  onStationKey: OnStationKey = () => {},
): Promise<CentralExchange> {
  const terms = await beginCentral(store, clock, permission);
  const recent = new RecentEntries();
  const deciding = { store, terms, kept: new KeptHeld() };
  const reader = () => new CentralStore(store, store.database.reader, key => store.records.getByKey(key));
  store.gate.hookInto(ownCommits(store, terms, recent));
  return {
    async answer(request) {
      if (request.kind === 'push') return push({ store, terms, recent, clock, onStationKey }, request);
      const checked = checkCursor(request.cursor, reader(), terms);
      if (checked === 'restored') await beginLost(store, request.cursor, terms, clock());
      if (checked !== 'known' || request.kind === 'prefix') return cursorUnknown(request, reader(), terms);
      const read = reader();
      if (request.kind === 'snapshot') return snapshotPage(request, read, terms);
      const limit = Math.min(request.limit, PAGE_LIMIT);
      const { sequence } = request.cursor;
      const size = Math.min(request.size ?? PAGE_SIZE, PAGE_SIZE);
      const isKnown = knownTo(request, read);
      const entries = recent.after(sequence, limit) ?? read.log.afterFor(isKnown, sequence, limit);
      return pageAnswer(request, await fitting(entries, size, isKnown), read, terms);
    },
    signing: terms,
    decideHeld: (decision, after) => decideHeld(deciding, decision, after),
    decideAllHeld: decision => decideAllHeld(deciding, decision),
    letInCertified: () => letInCertified(deciding, clock),
    digests: () => ({ sequence: reader().place().sequence, digests: digestsOf(store.database.reader) }),
    reader,
  };
}

/** The first of these that a page has room for: at least one. */
async function fitting(
  entries: Iterable<SignedEntry | KnownEntry>,
  size: number,
  isKnown: ReturnType<typeof knownTo>,
): Promise<(SignedEntry | KnownEntry)[]> {
  const yieldToEventLoop = yieldingToEventLoop();
  const page: (SignedEntry | KnownEntry)[] = [];
  let left = size;
  for (const entry of entries) {
    await yieldToEventLoop();
    left -= entrySize(entry, isKnown);
    if (left < 0 && page.length > 0) break;
    page.push(entry);
  }
  return page;
}

/** A station that signed nothing before signs what it sends with this key. */
export type OnStationKey = (station: string, key: string) => void;

interface PushParts {
  onStationKey: OnStationKey;
  store: Store;
  terms: CentralTerms;
  recent: RecentEntries;
  clock: () => Date;
}

async function push(
  { store, terms, recent, clock, onStationKey }: PushParts,
  request: PushRequest,
): Promise<PushAnswer | Answer> {
  const todo = [
    ...request.offers.map(offer => ({ offer, commit: offer.commit })),
    ...request.commits.map(commit => ({ offer: undefined, commit })),
  ];
  const newKey = checkEnds(store.database.reader, request);
  const unverified: string[] = [];
  if (todo.length >= LARGE) expectGarbage();
  const yieldToEventLoop = yieldingToEventLoop();
  for (let from = 0; ; ) {
    const batch = batchOf(todo.slice(from, from + BATCH.commits));
    from += batch.length;
    const isLast = from >= todo.length;
    const entries: SignedEntry[] = [];
    const taken = await store.gate.applyRemote<Answer | 'restored' | undefined>(async () => {
      const { database, pending, collection } = store;
      const commits = batch.map(({ commit }) => commit);
      // What has too many is held for that, before any of its records is looked at.
      const keys = commits.flatMap(({ entries }) =>
        entries.length > COMMIT_LIMIT ? [] : recordsIn(entries),
      );
      const known = await inTurns(recordsInParts(database, collection, keys), yieldToEventLoop);
      const standing = readOnce(key => (known.has(key) ? known.get(key) : pending.getByKey(key)));
      const decided = new DecidedStore(database, standing, () => false);
      const read = new CentralStore(store, database, key => decided.get(key));
      const checked = checkCursor(request.cursor, read, terms);
      if (checked === 'restored') return { result: 'restored' };
      if (checked === 'unknown') return { result: cursorUnknown(request, read, terms) };
      read.askFor(commits.flatMap(({ commit_id }) => [commit_id, reissuedId(commit_id)]));
      await inTurns(read.readingHeldOf(request.station), yieldToEventLoop);
      const returned: Offer[] = [];
      let refused: Refusal | null = null;
      for (const { offer, commit } of batch) {
        const others = yieldToEventLoop();
        if (others) await others;
        const means = offer ? undefined : saidOf(commit, request);
        if (means) read.noteMeant(commit, means);
        const receiving = offer
          ? receivingOffer(offer, read, terms)
          : receivingCommit(commit, request.station, read, terms);
        const reached = untilOthersWait<Received | { kind: 'unverified' }>(receiving, yieldToEventLoop);
        const received = reached instanceof Promise ? await reached : reached;
        if (received.kind === 'append') {
          const entry = { ...received.entry, countersignature: received.countersignature };
          const appended = untilOthersWait(read.appending(entry, decided), yieldToEventLoop);
          if (appended instanceof Promise) await appended;
          entries.push(entry);
          if (offer) returned.push(offer);
        } else if (received.kind === 'unverified') unverified.push(offer?.commit.commit_id ?? '');
        else if (received.kind === 'refused') refused = received.refusal;
        if (means && !read.heldCommits.isHeld(commit.commit_id)) forgetMeant(database, commit.commit_id);
        if (refused) break;
      }
      if (returned.length > 0) noteReturned(database, returned.length);
      if (returned.length > 0 || entries.some(({ decisions }) => decisions.length > 1)) {
        const recordOf = (key: string) => decided.get(key);
        for (const unplaced of issueLostAgain(store, read, recordOf, returned)) {
          await yieldToEventLoop();
          if (!unplaced) continue;
          const { entry, countersignature } = appendOwn(unplaced, read, terms);
          read.append({ ...entry, countersignature }, decided);
          entries.push({ ...entry, countersignature });
        }
      }
      const [first, last] = [entries[0]?.sequence, entries.at(-1)?.sequence];
      if (first !== undefined && last !== undefined)
        noteArrival(database, { first, last, at: store.gate.now(), clock_offset: null });
      read.writeHeads();
      await inTurns(
        decided.writing([], () => false),
        yieldToEventLoop,
      );
      const puts = [...decided.changed().values()].flatMap(record => record ?? []);
      if (isLast && !refused) keepEnds(database, request);
      const answer = refused || isLast ? pushAnswer(request, refused, unverified, read, terms) : undefined;
      return { puts, standing, result: answer };
    });
    recent.add(entries);
    if (taken === 'restored') {
      await beginLost(store, request.cursor, terms, clock());
      const read = new CentralStore(store, store.database.reader, key => store.records.getByKey(key));
      return cursorUnknown(request, read, terms);
    }
    if (taken && newKey !== undefined) onStationKey(request.station, newKey);
    if (taken) return taken;
  }
}

/** What a station says that a commit of its own means: of another's it could say so to have that held. */
function saidOf({ commit_id: id, chain }: Commit, { station, means = {} }: PushRequest): Offer['means'] {
  return stationOf(chain) === station && Object.hasOwn(means, id) ? means[id] : undefined;
}

/** The first of these that may share a transaction: at least one. */
function batchOf<Item extends { commit: Commit }>(items: readonly Item[]): readonly Item[] {
  let left = BATCH.records;
  const end = items.findIndex(({ commit }, index) => {
    left -= commit.entries.length;
    return left < 0 && index > 0;
  });
  return end < 0 ? items : items.slice(0, end);
}

/** Every commit of central itself is decided and put into the log in its own transaction. */
function ownCommits(store: Store, terms: CentralTerms, recent: RecentEntries): CommitHook {
  const { database, pending } = store;
  // Read once for a commit: each of its paths asks for its record, and an inspection has thousands of both.
  const known = new Map<string, StoredRecord | undefined>();
  const read = new CentralStore(store, database, key => {
    if (!known.has(key)) known.set(key, pending.getByKey(key));
    return known.get(key);
  });
  const digest = new Digest(database);
  const conflicts = new Conflicts(database);
  let entry: SignedEntry | undefined;
  return {
    seen() {
      read.forget();
      return { epoch: read.epoch(), ...read.place() };
    },
    before(commit) {
      known.clear();
      read.forget();
      const decisions = decideInLog(commit, read, terms);
      known.clear();
      const [own] = decisions;
      if (own?.outcome !== 'applied') {
        const message = `The change cannot be applied: ${own?.reason ?? 'another value was given meanwhile'}.`;
        throw new AppError('conflict', message);
      }
      const countersignature = terms.countersign(commitText(commit.hash));
      entry = { ...logEntry(read.place(), commit, decisions, terms.hash), countersignature };
      return entry.sequence;
    },
    after(_commit, _sequence, writes) {
      const written = entry;
      if (written) {
        read.note(written);
        database.afterCommit(() => recent.add([written]));
      }
      digest.follow(writes);
      for (const { before, after } of writes) conflicts.follow(before, after);
    },
  };
}

/** The key and the epoch of a central; a store that stood alone gives the beginning of the log. */
async function beginCentral(
  store: Store,
  clock: () => Date,
  permission: typeof permissionFault,
): Promise<CentralTerms> {
  const { database, gate, pending } = store;
  await gate.applyRemote(() => {
    if (readLocal(database, 'countersign_key') === undefined) {
      writeLocal(database, 'countersign_key', randomBytes(32).toString('hex'));
    }
    if (readLocal(database, 'epoch') === undefined) writeLocal(database, 'epoch', randomUUID());
    return { result: undefined };
  });
  const terms = termsOf(
    store,
    readLocal(database, 'countersign_key') ?? '',
    createAuthors(store, clock),
    permission,
  );
  if (readLocal(database, BEGUN) !== undefined) {
    await noteItemsGiven(store);
    return terms;
  }
  // What is not in the log yet is folded from nothing, and stands in the place of what is there.
  const decidedOnly = (key: string) => {
    const record = pending.getByKey(key);
    return record && record.folded > 0 ? record : undefined;
  };
  for (let sequence = 0; ; ) {
    const next = await gate.applyRemote<number | undefined>(() => {
      const decided = new DecidedStore(database, decidedOnly, () => false);
      const read = new CentralStore(store, database, key => decided.get(key));
      const commits = readCommitsAfter(database, sequence, BATCH.commits);
      for (const { commit } of commits) {
        if (read.isKnown(commit.commit_id)) continue;
        const entry = logEntry(read.place(), commit, decideInLog(commit, read, terms), terms.hash);
        read.append({ ...entry, countersignature: terms.countersign(commitText(commit.hash)) }, decided);
      }
      read.writeHeads();
      decided.write([], () => false);
      const puts = [...decided.changed().values()].flatMap(record => record ?? []);
      const last = commits.at(-1)?.sequence;
      if (last === undefined) {
        writeLocal(database, BEGUN, 'true');
        writeLocal(database, ITEMS_GIVEN, itemKinds());
      }
      return { puts, result: last };
    });
    if (next === undefined) return terms;
    sequence = next;
  }
}

function termsOf(
  store: Store,
  key: string,
  authors: AuthorReader,
  permission: typeof permissionFault,
): CentralTerms {
  // Made ready once: that takes longer than to sign.
  const secret = createSecretKey(key, 'hex');
  const countersign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');
  return {
    ...syncRules,
    permissionFault: (commit, read) => permission(commit, read, authors),
    central: store.station,
    hash: sha256,
    countersign,
    verify(text, countersignature) {
      const [expected, given] = [Buffer.from(countersign(text)), Buffer.from(countersignature)];
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
  };
}

/** A cursor shows that central has lost what it names. */
function beginLost(store: Store, cursor: Cursor, terms: CentralTerms, at: Date): Promise<void> {
  return beginEpoch(store, at, read =>
    // Of several that show such a cursor at once, the first one has begun it.
    checkCursor(cursor, read, terms) === 'restored' ? [cursor.epoch] : undefined,
  );
}

/**
 * After a restore, or an image that was put back: another epoch and another chain, both named at random, and other ids.
 * @param lost in the transaction: the epochs that no cursor may name any more beside the present one; undefined: none is to begin
 */
export async function beginEpoch(
  store: Store,
  at: Date,
  lost: (read: CentralStore) => readonly string[] | undefined,
): Promise<void> {
  const { database, gate, ids } = store;
  const chain = newChain(store.station);
  await gate.applyRemote(() => {
    const read = new CentralStore(store, database, () => undefined);
    const epochs = lost(read);
    if (!epochs) return { result: undefined };
    read.beginEpoch(randomUUID(), epochs);
    writeLocal(database, 'chain', chain);
    read.awaited.clear();
    notePutBack(database, at);
    ids.leap();
    return { place: { chain, head: CHAIN_START }, result: undefined };
  });
}
