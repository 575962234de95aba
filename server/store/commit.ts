import { randomUUID } from 'node:crypto';
import type { RxCollection, RxDocumentData } from 'rxdb';
import { AppError } from '../../shared/errors.ts';
import type { StoredRecord } from '../../shared/present.ts';
import type { Derived } from './derived.ts';
import { type Actor, Draft, type Rule, type StagedWrite } from './draft.ts';
import {
  CHAIN_START,
  type ChainHead,
  type Commit,
  type Entry,
  type History,
  hashOfCommit,
} from './history.ts';
import type { Ids } from './ids.ts';
import type { Records } from './records.ts';
import type { Database } from './sqlite/database.ts';
import type { Writers } from './writers.ts';

export interface CommitRequest<Work, Answer> {
  actor: Actor;
  reason: string | null;
  /** Puts records into the draft. Synchronous; whatever it throws leaves nothing written. */
  work: (draft: Draft) => Work;
  /** Builds the answer, in the same transaction and after the records and what is derived from them are written. */
  answer: (work: Work) => Answer;
}

export interface GateParts {
  database: Database;
  collection: RxCollection<StoredRecord>;
  /** Reads on the write connection. */
  records: Records;
  history: History;
  writers: Writers;
  derived: Derived;
  ids: Ids;
  rules: Readonly<Record<string, Rule>>;
  chain: string;
  station: string;
  clock: () => Date;
  /** Told the head of the chain after it is durable and before the commits up to it are answered. */
  onHead: (head: ChainHead) => void;
}

/** A commit that is written and durable, for those who follow changes. */
export interface Committed {
  sequence: number;
  /** Without their fields: the commits of an import wait for the end of its transaction, however many they are. */
  records: Pick<StoredRecord, 'key' | 'family' | 'id' | 'version'>[];
  /** Lots whose stock or locks the commit changed, though not their records. */
  lots: number[];
}

/** Commits that wait together share one durable transaction; each is answered only after it. */
const GROUP_LIMIT = 64;

interface Waiting {
  isAlone: boolean;
  /** Runs in the open transaction and keeps the result; rejects with what undoes it. */
  run: () => Promise<void>;
  /** Answers the one who waits: with the failure, or with the result. */
  settle: (failure: { cause: unknown } | undefined) => void;
}

/**
 * The one write gate. Every local change passes `commit`: rules, ids, then records, history and everything derived in
 * one transaction, all or nothing. Commits run one after the other.
 */
export class WriteGate {
  readonly #parts: GateParts;
  readonly #listeners = new Set<(committed: Committed) => void>();
  readonly #waiting: Waiting[] = [];
  #isDraining = false;
  #head: ChainHead = CHAIN_START;
  #writing: { commit: Omit<Commit, 'hash'>; writes: StagedWrite[] } | undefined;

  constructor(parts: GateParts) {
    this.#parts = parts;
    this.#head = parts.history.head(parts.chain);
  }

  /** @throws AppError of rules and references; `storage_full`; StoreFailedError. Nothing of the commit is written then. */
  commit<Work, Answer>(request: CommitRequest<Work, Answer>): Promise<Answer> {
    return this.#enqueue(() => this.#commitNow(request), false);
  }

  /**
   * Several commits in one transaction, all or nothing, while other writes wait: for an import. What `work` throws
   * undoes all of them.
   */
  together<Result>(
    work: (commit: <W, A>(request: CommitRequest<W, A>) => Promise<A>) => Promise<Result>,
  ): Promise<Result> {
    return this.#enqueue(() => work(request => this.#part(() => this.#commitNow(request))), true);
  }

  /** Calls the listener after every durable commit, in their order. Returns the way to stop it. */
  follow(listener: (committed: Committed) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called by the storage in the transaction of every write to `records`. Nothing but this gate writes them. */
  afterWrite(context: string): void {
    const writing = this.#writing;
    if (!writing || context !== contextOf(writing.commit)) {
      throw new Error('Records are written through the write gate only.');
    }
    const { derived, history, writers, database } = this.#parts;
    const subjects = writing.writes.map(({ after }) =>
      this.#parts.records.subjectNumber(after.family, after.id),
    );
    const commit: Commit = { ...writing.commit, hash: hashOfCommit(writing.commit) };
    const lots = new Set<number>();
    for (const { before, after, changes } of writing.writes) {
      for (const lot of derived.follow(before, after)) lots.add(lot);
      if (before) {
        writers.note(
          after.key,
          changes.map(change => change.path),
          commit.commit_id,
        );
      }
    }
    const sequence = history.append(commit, subjects);
    this.#head = { number: commit.number, hash: commit.hash };
    const records = writing.writes.map(({ after: { key, family, id, version } }) => ({
      key,
      family,
      id,
      version,
    }));
    for (const { family, id } of records) if (family === 'inventory') lots.delete(id);
    const committed: Committed = { sequence, records, lots: [...lots] };
    database.afterCommit(() => {
      for (const listener of this.#listeners) listener(committed);
    });
  }

  #enqueue<Result>(run: () => Promise<Result>, isAlone: boolean): Promise<Result> {
    return new Promise((resolve, reject) => {
      let answer: () => void = () => reject(new AppError('internal', 'The write did not run.'));
      this.#waiting.push({
        isAlone,
        run: async () => {
          const result = await run();
          answer = () => resolve(result);
        },
        settle: failure => (failure === undefined ? answer() : reject(failure.cause)),
      });
      void this.#drain();
    });
  }

  /** Group by group; a group's members are answered after its transaction is durable, or learn why it is not. */
  async #drain(): Promise<void> {
    if (this.#isDraining) return;
    this.#isDraining = true;
    while (this.#waiting.length > 0) {
      // Requests that have arrived meanwhile are read first, so that they share the transaction.
      await new Promise(setImmediate);
      await this.#writeGroup(this.#nextGroup());
    }
    this.#isDraining = false;
  }

  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    const { database } = this.#parts;
    const [first] = group;
    const failures = new Map<Waiting, { cause: unknown }>();
    const head = this.#head;
    let failure: { cause: unknown } | undefined;
    try {
      database.begin();
      // What one of several throws undoes its own part; what a single one throws undoes the transaction.
      if (group.length === 1) await first?.run();
      else {
        for (const member of group) {
          await this.#part(member.run).catch(cause => failures.set(member, { cause }));
        }
      }
      database.commit();
      if (this.#head !== head) this.#parts.onHead(this.#head);
    } catch (cause) {
      failure = { cause };
      this.#head = head;
      if (database.inTransaction) database.rollback();
    }
    for (const member of group) member.settle(failure ?? failures.get(member));
  }

  /** What may take long shares its transaction with nobody, so that no short write waits for its end. */
  #nextGroup(): Waiting[] {
    const alone = this.#waiting.findIndex(({ isAlone }) => isAlone);
    const end = alone === 0 ? 1 : alone < 0 ? GROUP_LIMIT : Math.min(alone, GROUP_LIMIT);
    return this.#waiting.splice(0, end);
  }

  /** A part of the open transaction that is undone alone when it rejects. */
  async #part<Result>(run: () => Promise<Result>): Promise<Result> {
    const head = this.#head;
    try {
      return await this.#parts.database.savepoint(run);
    } catch (error) {
      this.#head = head;
      throw error;
    }
  }

  async #commitNow<Work, Answer>(request: CommitRequest<Work, Answer>): Promise<Answer> {
    try {
      return await this.#write(request);
    } finally {
      this.#writing = undefined;
    }
  }

  async #write<Work, Answer>(request: CommitRequest<Work, Answer>): Promise<Answer> {
    const { collection, database, ids, records, rules, station } = this.#parts;
    const at = this.#parts.clock().toISOString();
    const { actor, reason } = request;
    const draft = new Draft({ records, sql: database, ids, rules, station, actor, at, reason });
    const work = request.work(draft);
    const writes = [...draft.staged()];
    if (writes.length > 0) {
      const commit = this.#newCommit(request, at, writes);
      this.#writing = { commit, writes };
      const rows = writes.map(({ before, after }) => ({
        ...(before ? { previous: asDocument(before) } : {}),
        document: { ...asDocument(after), ...(before ? metaOf(before) : {}) },
      }));
      const result = await collection.storageInstance.bulkWrite(rows, contextOf(commit));
      const [fault] = result.error;
      if (fault) throw new Error(`The record ${fault.documentId} was not written: status ${fault.status}.`);
    }
    return request.answer(work);
  }

  #newCommit(
    request: Pick<CommitRequest<unknown, unknown>, 'actor' | 'reason'>,
    at: string,
    writes: readonly StagedWrite[],
  ): Omit<Commit, 'hash'> {
    const { records, writers, chain } = this.#parts;
    const entries: Entry[] = writes.map(({ before, after, changes }) => {
      const writerOf = before
        ? writers.of(after.key, records.subjectNumber(after.family, after.id))
        : () => [];
      return {
        subject: after.key,
        changes: changes.map(change => ({ ...change, over: writerOf(change.path) })),
      };
    });
    return {
      chain,
      number: this.#head.number + 1,
      commit_id: randomUUID(),
      at,
      clock_offset: null,
      user: request.actor.user,
      reason: request.reason,
      entries,
      previous_hash: this.#head.hash,
    };
  }
}

/** By which the storage's hook knows its own write; `commit` makes the storage refuse all rows when it refuses one. */
function contextOf(commit: Pick<Commit, 'commit_id'>): string {
  return `commit:${commit.commit_id}`;
}

type Document = RxDocumentData<StoredRecord>;

/** What is read from the table is the whole RxDB document; a new record gets what RxDB fills in. */
function asDocument(record: StoredRecord): Document {
  return { _deleted: false, _attachments: {}, _meta: { lwt: 0 }, _rev: '', ...record } as Document;
}

function metaOf(before: StoredRecord): Pick<Document, '_meta' | '_rev'> {
  const { _meta, _rev } = asDocument(before);
  return { _meta, _rev };
}
