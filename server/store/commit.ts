import { randomUUID } from 'node:crypto';
import type { RxCollection, RxDocumentData } from 'rxdb';
import { AppError, type FieldErrors } from '../../shared/contract/errors.ts';
import { COMMIT_LIMIT } from '../../shared/contract/limits.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import type { Seen } from '../keys/authorship.ts';
import { inParts } from './canonical-commit.ts';
import type { Commit, Entry } from './changes.ts';
import { newCommitId } from './commit-id.ts';
import { isTakingRecords } from './earlier-history.ts';
import { expectGarbage } from './gc-tuning.ts';
import { GroupCommit, type SharedJournal } from './group-commit.ts';
import { type ChainHead, type History, hashOfCommit, stationOf } from './history.ts';
import type { HeldCounters, Ids } from './ids.ts';
import { StockMoves } from './lots.ts';
import type { Projections } from './projections.ts';
import { keyOf, type Records } from './records.ts';
import type { Database } from './sqlite/database.ts';
import { tableOf } from './sqlite/documents.ts';
import { AS_READ } from './sqlite/storage-instance.ts';
import { recordsIn } from './subjects.ts';
import { markTime } from './time-marks.ts';
import {
  type Actor,
  type Permit,
  type Rule,
  type Seal,
  type Signing,
  type StagedWrite,
  UnitOfWork,
} from './unit-of-work.ts';
import { noteUnlogged } from './unlogged-changes.ts';
import { writersAfter, writersOf } from './writers.ts';
import { atOnce, type Steps, type YieldToEventLoop, yieldingToEventLoop } from './yield-to-event-loop.ts';

/** Records that are written without a look at who else waits: a few milliseconds. */
const PART = 100;

export interface CommitRequest<Work, Answer> {
  actor: Actor;
  reason: string | null;
  /** What the acts in it are signed with. */
  signing?: Signing;
  /** What is at fault in the request already: the commit is refused, for that and all that `work` finds. */
  faults?: FieldErrors;
  /** Puts records into the unit of work. Synchronous; whatever it throws leaves nothing written. */
  work: (work: UnitOfWork) => Work;
  /** Builds the answer, in the same transaction and after the records and what is derived from them are written. */
  answer: (work: Work) => Answer;
}

/** A commit in a transaction that has others; undone alone when it rejects. */
export type CommitInPart = <Work, Answer>(request: CommitRequest<Work, Answer>) => Promise<Answer>;

export interface GateParts {
  database: Database;
  collection: RxCollection<StoredRecord>;
  /** Reads on the write connection. */
  records: Records;
  history: History;
  projections: Projections;
  ids: Ids;
  rules: Readonly<Record<string, Rule>>;
  permit: Permit;
  seal: Seal;
  chain: string;
  clock: () => Date;
  /** The time, and whether the machine's clock is believed: `ClockWatch.moment`. */
  moment: () => Pick<Commit, 'at' | 'clock_at_least'>;
  /** Told the head of the chain after it is durable and before the commits up to it are answered. */
  onHead: (chain: string, head: ChainHead) => void;
}

/** A commit that is written and durable, for those who follow changes. */
export interface Committed {
  sequence: number;
  /** What was written here; undefined for what arrived by sync, whose commits may be several, or none. */
  commit: Pick<Commit, 'commit_id' | 'chain' | 'at' | 'user' | 'reason' | 'hash'> | undefined;
  /** Without their fields: the commits of an import wait for the end of its transaction, however many they are. */
  records: (Pick<StoredRecord, 'key' | 'family' | 'id' | 'version' | 'user'> & { isNew: boolean })[];
  /** Lots whose stock or locks the commit changed, though not their records. */
  lots: number[];
}

/** What sync adds to the commits of this machine, in their transactions. */
export interface CommitHook {
  /** How far this machine knows central's log. */
  seen(): Seen | null;
  /** Before the records are written: their place in central's log, 0 for none. What it throws refuses the commit. */
  before(commit: Commit): number;
  /** After the records and history are written. */
  after(commit: Commit, sequence: number, writes: readonly StagedWrite[]): void;
}

/** Records as they are to stand after what arrived by sync, and keys of those that are to stand no more. */
export interface RemotePart {
  puts?: readonly StoredRecord[];
  removals?: readonly string[];
  /** A record as it stands, where the work has read it in this transaction; it is read otherwise. */
  standing?: (key: string) => StoredRecord | undefined;
  /** The chain to go on in, and its last commit. */
  place?: ChainPlace;
}

export interface RemoteWork<Result> extends RemotePart {
  result: Result;
}

export interface ChainPlace {
  chain: string;
  head: ChainHead;
}

/** A record before and after; without an after it is taken away. */
type RecordWrite =
  | { before: StoredRecord | undefined; after: StoredRecord }
  | { before: StoredRecord; after: undefined };

interface Writing {
  context: string;
  writes: readonly RecordWrite[];
  own?: OwnCommit;
}

/** What is written here: its records part by part, and with the last ones what is of the commit as a whole. */
interface OwnCommit {
  commit: Commit;
  staged: readonly StagedWrite[];
  moves: StockMoves;
  lots: Set<number>;
  isLast: boolean;
}

/**
 * The one write gate. Every local change passes `commit`: rules, ids, then records, history and everything derived in
 * one transaction, all or nothing. Commits run one after the other.
 */
export class WriteGate {
  /**
   * Milliseconds from central's clock to this one, as last compared while this process runs: a machine that was off may
   * have another time since. It goes into what is written here; null while it is not known.
   */
  clockOffset: number | null = null;
  readonly #parts: GateParts;
  readonly #queue: GroupCommit<{ place: ChainPlace; counters: HeldCounters }>;
  readonly #listeners = new Set<(committed: Committed) => void>();
  /** The records of commits that arrived in the open transaction. */
  readonly #logged = new Set<string>();
  #hook: CommitHook | undefined;
  /** The minute in which records were written last: `YYYY-MM-DDTHH:MM`. */
  #minute = '';
  #place: ChainPlace;
  #writing: Writing | undefined;

  constructor(parts: GateParts) {
    this.#parts = parts;
    this.#place = { chain: parts.chain, head: parts.history.head(parts.chain) };
    this.#queue = new GroupCommit({
      database: parts.database,
      state: () => ({ place: this.#place, counters: parts.ids.held }),
      restore: ({ place, counters }) => {
        this.#place = place;
        parts.ids.restore(counters);
      },
      begun: () => parts.ids.hold(),
      onDurable: ({ place }) => {
        if (this.#place !== place) parts.onHead(this.#place.chain, this.#place.head);
      },
    });
  }

  /** The chain that commits are written in. */
  get chain(): string {
    return this.#place.chain;
  }

  /** The installation that writes, whose chain it is. */
  get station(): string {
    return stationOf(this.chain);
  }

  /** By the clock of what is written here. ISO 8601 UTC. */
  now(): string {
    return this.#parts.clock().toISOString();
  }

  /** What a commit that is written now says of this machine's clock. */
  clockSays(): Pick<Commit, 'clock_offset' | 'clock_at_least'> {
    const { at: _, ...mark } = this.#parts.moment();
    return { clock_offset: this.clockOffset, ...mark };
  }

  /** @throws AppError of rules and references; `storage_full`; StoreFailedError. Nothing of the commit is written then. */
  commit<Work, Answer>(request: CommitRequest<Work, Answer>): Promise<Answer> {
    return this.#queue.add(() => this.#commitNow(request), false);
  }

  /**
   * Several commits in one transaction, all or nothing, while other writes wait: for an import. What `work` throws
   * undoes all of them. `put` writes records as `applyRemote` does.
   */
  together<Result>(
    work: (commit: CommitInPart, put: (part: RemotePart) => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    const commit: CommitInPart = request => this.#queue.part(() => this.#commitNow(request));
    return this.#queue.add(() => {
      this.#logged.clear();
      return work(commit, part => this.#put(part));
    }, true);
  }

  /**
   * In one transaction: what `work` writes of the log, and the records that follow from it, past rules and history. It lets
   * reads through in between, and so may `work`.
   */
  applyRemote<Result>(work: () => RemoteWork<Result> | Promise<RemoteWork<Result>>): Promise<Result> {
    return this.#queue.add(async () => {
      this.#logged.clear();
      const { result, ...part } = await work();
      await this.#put(part);
      return result;
    }, true);
  }

  /** What takes a moment and is no change of records, in a transaction that it shares with other short writes; all or nothing. */
  briefly<Result>(work: () => Result): Promise<Result> {
    return this.#queue.add(async () => work(), false);
  }

  /** As `applyRemote`, for more than memory should hold at once: `work` puts what it has part by part. */
  applyRemoteInParts<Result>(
    work: (put: (part: RemotePart) => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    return this.#queue.add(() => {
      this.#logged.clear();
      return work(part => this.#put(part));
    }, true);
  }

  /**
   * In the open transaction of `fold`: keeps a commit of another machine, or one that is issued again, in
   * history. Returns its place there.
   */
  receive(commit: Commit): number {
    return atOnce(this.receiving(commit));
  }

  /** `receive` in steps. */
  *receiving(commit: Commit): Steps<number> {
    const { history, records } = this.#parts;
    if (commit.chain === this.chain) this.#place = placeOf(commit);
    const subjects: number[] = [];
    for (const [place, part] of inParts(commit.entries).entries()) {
      if (place > 0) yield;
      for (const { subject } of part) this.#logged.add(subject);
      subjects.push(...records.subjectNumbersOf(recordsIn(part)));
    }
    return yield* history.appending(commit, subjects);
  }

  /** From now on every group of writes is durable there first. */
  join(journal: SharedJournal | undefined): void {
    this.#queue.journal = journal;
  }

  /** Runs `work` between two groups of writes, for `fold`. */
  between<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#queue.between(work);
  }

  /** Between two groups of writes, past the journal, in its own transaction: what each process works out for itself. */
  aside<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#queue.between(() => this.#queue.apart(work));
  }

  /**
   * As `applyRemote`, of what stands in the journal already: by the journal itself, before a group or `between` two.
   */
  fold<Result>(work: () => Promise<RemoteWork<Result>>): Promise<Result> {
    return this.#queue.apart(async () => {
      this.#logged.clear();
      const { result, ...part } = await work();
      await this.#put(part);
      return result;
    });
  }

  /** From now on, for every commit. */
  hookInto(hook: CommitHook | undefined): void {
    this.#hook = hook;
  }

  /** Calls the listener after every durable commit, in their order. Returns the way to stop it. */
  follow(listener: (committed: Committed) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called by the storage in the transaction of every write to `records`. Nothing but this gate writes them. */
  afterWrite(context: string): void {
    const writing = this.#writing;
    if (writing?.context !== context) throw new Error('Records are written through the write gate only.');
    const { projections, database, collection } = this.#parts;
    const { own, writes } = writing;
    const moves = own?.moves ?? new StockMoves();
    const lots = own?.lots ?? new Set<number>();
    for (const lot of projections.follow(writes, moves)) lots.add(lot);
    for (const { before, after } of writes) {
      // Nothing asks for a record that is no more, so that none has to leave it out.
      if (!after) database.run(`DELETE FROM "${tableOf(collection)}" WHERE key = ?`, before.key);
    }
    if (own?.isLast === false) return;
    moves.write(database, own !== undefined);
    this.#markTime(own?.commit.at ?? this.now());
    const sequence = this.#appendHistory(own) ?? this.#parts.history.last();
    const records = (own?.staged ?? writes).flatMap(({ before, after }) => {
      if (!after) return [];
      const { key, family, id, version, user } = after;
      return [{ key, family, id, version, user, isNew: !before }];
    });
    for (const { family, id } of records) if (family === 'inventory') lots.delete(id);
    if (!own) this.#noteUnlogged(writes, lots, sequence);
    const commit = own && headOfCommit(own.commit);
    const committed: Committed = { sequence, commit, records, lots: [...lots] };
    database.afterCommit(() => {
      for (const listener of this.#listeners) listener(committed);
    });
  }

  /** Once a minute. */
  #markTime(at: string): void {
    const minute = at.slice(0, 16);
    if (minute === this.#minute) return;
    this.#minute = minute;
    markTime(this.#parts.database, tableOf(this.#parts.collection), Date.parse(at));
  }

  /** What sync changes of records without a commit that arrives with it: who follows changes would never hear of it. */
  #noteUnlogged(writes: readonly RecordWrite[], lots: Iterable<number>, sequence: number): void {
    const { database, records } = this.#parts;
    const changed = writes.filter(
      ({ before, after }) =>
        !(after && this.#logged.has(after.key)) &&
        (before?.state !== after?.state ||
          before?.version !== after?.version ||
          before?.updated_at !== after?.updated_at),
    );
    // While records are taken in place of the log all of them change; who follows begins anew then (`changesBeginAnew`).
    if (changed.length === 0 || isTakingRecords(database)) return;
    const keys = changed.map(({ before, after }) => after?.key ?? before?.key ?? '');
    const subjects = records.subjectNumbersOf([...[...lots].map(lot => keyOf('inventory', lot)), ...keys]);
    noteUnlogged(database, sequence, subjects);
  }

  #appendHistory(own: OwnCommit | undefined): number | undefined {
    if (!own) return undefined;
    const { commit, staged } = own;
    const sequence = this.#parts.history.append(
      commit,
      staged.map(({ after }) => this.#parts.records.subjectNumber(after.family, after.id)),
    );
    this.#place = placeOf(commit);
    this.#hook?.after(commit, sequence, staged);
    return sequence;
  }

  async #commitNow<Work, Answer>(request: CommitRequest<Work, Answer>): Promise<Answer> {
    const { database, ids, records, rules, permit, seal } = this.#parts;
    const moment = this.#parts.moment();
    const { at } = moment;
    const { actor, reason, signing, faults } = request;
    const who = { actor, at, reason, signing, faults };
    // Between two of its steps others read; what it wrote by then is seen by nobody.
    const goOn = yieldingToEventLoop();
    const work = new UnitOfWork({
      records,
      sql: database,
      ids,
      rules,
      permit,
      station: this.station,
      ...who,
    });
    const done = work.run(() => {
      const done = request.work(work);
      seal(work);
      return done;
    });
    await goOn();
    const staged = [...work.staged()];
    if (staged.length > COMMIT_LIMIT) {
      const message = `This changes ${staged.length} records at once. The most is ${COMMIT_LIMIT}: send it in parts.`;
      throw new AppError('too_large', message);
    }
    if (staged.length > 0) {
      const commit = this.#newCommit(request, moment, staged);
      await goOn();
      const folded = this.#hook?.before(commit) ?? 0;
      for (const [index, { before, after }] of staged.entries()) {
        after.creator = before?.creator ?? commit.commit_id;
        after.writers = writersAfter(before, commit.entries[index]?.changes ?? [], commit.commit_id);
        if (folded > 0) after.folded = folded;
      }
      await this.#writeOwn(commit, staged, goOn);
      await goOn();
    }
    return request.answer(done);
  }

  /** All were read in the transaction in which they are written. */
  async #writeOwn(commit: Commit, staged: readonly StagedWrite[], goOn: YieldToEventLoop): Promise<void> {
    const own = { commit, staged, moves: new StockMoves(), lots: new Set<number>() };
    const context = `${AS_READ}${commit.commit_id}`;
    if (staged.length > PART) expectGarbage();
    for (let from = 0; from < staged.length; from += PART) {
      await goOn();
      const writes = staged.slice(from, from + PART);
      const isLast = from + PART >= staged.length;
      await this.#writeRecords({ context, writes, own: { ...own, isLast } });
    }
  }

  async #put({ puts = [], removals = [], standing, place }: RemotePart): Promise<void> {
    const before = standing ?? ((key: string) => this.#parts.records.getByKey(key));
    const writes: RecordWrite[] = puts.map(after => ({ before: before(after.key), after }));
    for (const key of removals) {
      const record = before(key);
      if (record) writes.push({ before: record, after: undefined });
    }
    const yieldToEventLoop = yieldingToEventLoop();
    for (let from = 0; from < writes.length; from += PART) {
      await yieldToEventLoop();
      const part = writes.slice(from, from + PART);
      await this.#writeRecords({ context: `${AS_READ}${randomUUID()}`, writes: part });
    }
    if (place) this.#place = place;
  }

  async #writeRecords(writing: Writing): Promise<void> {
    this.#writing = writing;
    try {
      const rows = writing.writes.map(({ before, after }) => {
        const document = asDocument(after ?? before);
        if (!before) return { document };
        const previous = asDocument(before);
        const { _meta, _rev } = previous;
        return { previous, document: { ...document, _meta, _rev, _deleted: after === undefined } };
      });
      const { error } = await this.#parts.collection.storageInstance.bulkWrite(rows, writing.context);
      const [fault] = error;
      if (fault) throw new Error(`The record ${fault.documentId} was not written: status ${fault.status}.`);
    } finally {
      this.#writing = undefined;
    }
  }

  #newCommit(
    { actor, reason }: Pick<CommitRequest<unknown, unknown>, 'actor' | 'reason'>,
    moment: Pick<Commit, 'at' | 'clock_at_least'>,
    writes: readonly StagedWrite[],
  ): Commit {
    const { chain, head } = this.#place;
    const entries: Entry[] = writes.map(({ before, after, changes }) => ({
      subject: after.key,
      changes: changes.map(change => ({
        ...change,
        over: change.over ?? (before ? writersOf(before, change.path) : []),
      })),
    }));
    const said = {
      commit_id: newCommitId(),
      ...moment,
      clock_offset: this.clockOffset,
      user: actor.user,
      reason,
      entries,
    };
    const authorship = actor.author?.(said, this.#hook?.seen() ?? null);
    const placed = { chain, number: head.number + 1, ...said, previous_hash: head.hash };
    const commit = authorship ? { ...placed, authorship } : placed;
    return { ...commit, hash: hashOfCommit(commit) };
  }
}

function headOfCommit({ commit_id, chain, at, user, reason, hash }: Commit): Committed['commit'] {
  return { commit_id, chain, at, user, reason, hash };
}

function placeOf({ chain, number, hash }: Commit): ChainPlace {
  return { chain, head: { number, hash } };
}

type Document = RxDocumentData<StoredRecord>;

/** What is read from the table is the whole RxDB document; a new record gets what RxDB fills in. */
function asDocument(record: StoredRecord): Document {
  return { _deleted: false, _attachments: {}, _meta: { lwt: 0 }, _rev: '', ...record } as Document;
}
