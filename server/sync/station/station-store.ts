import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import type { Commit } from '../../store/changes.ts';
import type { ChainPlace } from '../../store/commit.ts';
import {
  type ChainHead,
  hashAt,
  hashOfCommit,
  headOf,
  newChain,
  readChainAfter,
  readCommit,
  sequenceOf,
  stationOf,
} from '../../store/history.ts';
import { recordsInParts } from '../../store/records-at-once.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Store } from '../../store/store.ts';
import { recordsIn } from '../../store/subjects.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import { inTurns, type YieldToEventLoop, yieldingToEventLoop } from '../../store/yield-to-event-loop.ts';
import { Conflicts } from '../log/conflicts.ts';
import { DecidedStore, readOnce } from '../log/decided-store.ts';
import { HeldCommits } from '../log/held-commits.ts';
import { Log } from '../log/log.ts';
import { meantIn } from '../log/meant-records.ts';
import { placesOf, withPlace } from '../log/place-of-record.ts';
import { parseSnapshotRecord, type SnapshotRecord } from '../log/snapshot-record.ts';
import type { Unplaced } from '../protocol/central.ts';
import type { Rules } from '../protocol/decide.ts';
import type { LogPlace } from '../protocol/log.ts';
import { connected } from '../protocol/overlay.ts';
import type { CommitPlace, SignedEntry } from '../protocol/packed-entries.ts';
import type { StationReader } from '../protocol/station.ts';
import {
  type Cursor,
  FAR_BEHIND,
  FIRST_CURSOR,
  type SnapshotPage,
  type SnapshotState,
} from '../protocol/wire.ts';
import { applyLogPage, namedBy } from './apply-log-page.ts';
import {
  beginIssuingAgain,
  issuingAgain,
  namesOfOthers,
  noteIssuingAgain,
  otherIds,
} from './issue-own-again.ts';
import { notingLostReferences } from './lost-references.ts';
import { PendingCommits } from './pending.ts';
import { rebasePending } from './rebase-pending.ts';
import { rebuildingFromLog } from './rebuild-from-log.ts';
import { RecentlySent } from './recently-sent.ts';
import { RecoveryCommits } from './recovery-commits.ts';
import { Snapshots } from './snapshots.ts';
import { startNewChain } from './start-new-chain.ts';
import type { StationTables } from './station-tables.ts';
import { takeRecords } from './take-records.ts';

/** In `local`: 'true' from when this machine was held off, or enrolled again, until it begins again. */
const HELD_OFF = 'held_off';

export interface StationStoreOptions {
  /** Entries of the log that take longer than all records. */
  farBehind?: number | undefined;
  /** Shared by those that read the same history. */
  sent?: RecentlySent;
}

/** What is done in the open transaction to what is decided; answers which records are to be shown anew beside those. */
type Work = (decided: DecidedStore, yieldToEventLoop: YieldToEventLoop) => Set<string> | Promise<Set<string>>;

/** In the open transaction: another machine with this disk may have been the station meanwhile. */
export function noteHeldOff(database: Store['database']): void {
  writeLocal(database, HELD_OFF, 'true');
}

/** What a station keeps of its exchange with central. Every change is one transaction of the write gate. */
export class StationStore implements StationReader, StationTables {
  readonly log: Log;
  readonly held: HeldCommits;
  readonly pendingCommits: PendingCommits;
  readonly recoveryCommits: RecoveryCommits;
  readonly snapshots: Snapshots;
  readonly sent: RecentlySent;
  readonly #store: Store;
  readonly #sql: SqlReader;
  readonly #rules: Rules;
  readonly #farBehind: number;

  /** Reads over `sql`: the write connection in its transactions, the other one for what is committed. */
  constructor(
    store: Store,
    rules: Rules,
    sql: SqlReader,
    { farBehind = FAR_BEHIND, sent = new RecentlySent() }: StationStoreOptions = {},
  ) {
    const { database } = store;
    this.sent = sent;
    this.#store = store;
    this.#sql = sql;
    this.#rules = rules;
    this.#farBehind = farBehind;
    this.log = new Log(database, sql);
    this.held = new HeldCommits(database, sql, this.log);
    this.pendingCommits = new PendingCommits(database, sql);
    this.recoveryCommits = new RecoveryCommits(database, sql);
    this.snapshots = new Snapshots(store, sql);
  }

  cursor(): Cursor {
    const text = readLocal(this.#sql, 'cursor');
    return text === undefined ? FIRST_CURSOR : JSON.parse(text);
  }

  snapshot(): SnapshotState | undefined {
    return this.snapshots.state();
  }

  snapshotUntil(): LogPlace | undefined {
    return this.snapshots.until();
  }

  farBehind(): number {
    return this.#farBehind;
  }

  logStart(): number {
    return this.log.start().sequence;
  }

  logHashAt(sequence: number): string | undefined {
    return this.log.hashAt(sequence);
  }

  ownChain(): string {
    return this.#store.gate.chain;
  }

  isOwn(chain: string): boolean {
    return stationOf(chain) === this.#store.station;
  }

  head(chain: string): ChainHead {
    return headOf(this.#sql, chain);
  }

  hashAt(chain: string, number: number): string | undefined {
    return hashAt(this.#sql, chain, number);
  }

  isNameOfAnother(commit: string): boolean {
    return namesOfOthers([{ commit_id: commit }], this.held, this.#store.station).length > 0;
  }

  /** @throws AppError `unavailable` for a commit that is not what was written */
  commitAt({ chain, number }: CommitPlace): Commit | undefined {
    return this.sent.get(chain, number) ?? readCommit(this.#sql, chain, number);
  }

  /** Own commits of all chains that are exchanged, in the order of writing, beyond the given numbers of their chains; not many more characters than `size`. */
  ownAfter(heads: Readonly<Record<string, number>>, limit: number, size?: number): Commit[] {
    return this.#ownAfter(chain => heads[chain] ?? 0, limit, size);
  }

  /** The chain of the oldest own commit that the received log does not hold at its place. */
  chainInDoubt(): string | undefined {
    return this.unplaced(1)[0]?.chain;
  }

  /** Takes a page of the log: keeps it, folds it, and shows the records anew that it touches. */
  take(entries: readonly SignedEntry[], cursor: Cursor): Promise<void> {
    const subjects = entries.flatMap(({ decisions }) =>
      decisions.flatMap(({ effects }) => effects.map(({ subject }) => subject)),
    );
    const work: Work = (decided, yieldToEventLoop) =>
      applyLogPage(this.#store, this, { entries, cursor, decided }, yieldToEventLoop);
    return this.#change(work, subjects, placesOf(entries));
  }

  /** Takes the received log back to a place that central's log shares; what was after it is offered again. */
  cutTo(to: Cursor): Promise<void> {
    return this.#change(async (decided, goOn) => {
      const above = await inTurns(this.log.readingAfter(to.sequence), goOn);
      const decisions = above.flatMap(entry => entry.decisions);
      const touched = new Set(decisions.flatMap(({ effects }) => effects.map(({ subject }) => subject)));
      const named = above.flatMap(entry => namedBy(entry, this.log));
      // Read while the log says where they have their place, and while it is known where they are kept.
      for (const key of [...touched, ...named]) decided.get(key);
      const offers = await inTurns(notingLostReferences(this.#store.database, this, above), goOn);
      this.recoveryCommits.putFirst(offers);
      this.log.cutAfter(to.sequence);
      new Conflicts(this.#store.database).cutAfter(to.sequence);
      await inTurns(rebuildingFromLog(this, touched, decided), goOn);
      for (const { commit } of above) {
        const isOpen =
          this.isOwn(commit.chain) &&
          !this.log.isKnown(commit.commit_id) &&
          !this.pendingCommits.includes(commit.commit_id);
        if (isOpen) this.pendingCommits.add(commit, sequenceOf(this.#sql, commit.chain, commit.number));
      }
      this.keepCursor(to);
      return new Set([...touched, ...named]);
    });
  }

  /**
   * Records that only central writes, as central has decided them: an earlier version, and this installation while it stood
   * alone, showed what was written here.
   */
  showCentrals(): Promise<void> {
    const sql = 'SELECT DISTINCT subject FROM undecided_subject WHERE subject > ? AND subject < ?';
    const names = Object.values(families).flatMap(({ name, writer }) => (writer === 'central' ? name : []));
    const subjects = names.flatMap(name =>
      this.#sql.all<{ subject: string }>(sql, `${name}:`, `${name};`).map(({ subject }) => subject),
    );
    return subjects.length === 0 ? Promise.resolve() : this.#change(() => new Set(subjects), subjects);
  }

  /** From now on records are asked for in place of the log. */
  beginSnapshot(): Promise<void> {
    return this.#store.gate.applyRemote(() => {
      this.snapshots.begin();
      return { result: undefined };
    });
  }

  /** Writes own commits past the rules of the families: a person's word on a held one, and what is issued again. */
  writeOwn(
    make: (decidedOf: (key: string) => StoredRecord | undefined) => readonly Unplaced[],
  ): Promise<void> {
    return this.#change(decided => {
      const touched = new Set<string>();
      const chain = this.ownChain();
      for (const unplaced of make(key => decided.get(key))) {
        const { number, hash } = this.head(chain);
        const commit = { ...unplaced, chain, number: number + 1, previous_hash: hash };
        for (const key of recordsIn(commit.entries)) {
          // Read while it is known where it is kept.
          decided.get(key);
          touched.add(key);
        }
        const placed: Commit = { ...commit, hash: hashOfCommit(commit) };
        this.pendingCommits.add(placed, this.#store.gate.receive(placed));
      }
      return touched;
    });
  }

  /** What was written here after a commit. What came back, having been lost here, was written before it. */
  ownSince(commit: Commit): Commit[] {
    const placeOf = (one: Commit) => sequenceOf(this.#sql, one.chain, one.number);
    const place = placeOf(commit);
    const left = new Set(
      this.#sql.all<{ chain: string }>('SELECT DISTINCT chain FROM abandoned').map(({ chain }) => chain),
    );
    return this.ownAfter({}, Number.MAX_SAFE_INTEGER).filter(
      one => placeOf(one) > place && (one.chain === commit.chain || !left.has(one.chain)),
    );
  }

  /**
   * As `cutTo`, where the log does not begin at its first entry: the records follow as a snapshot.
   * @param heads up to which numbers central has the own chains
   */
  cutAnew(to: Cursor, heads: Readonly<Record<string, number>>): Promise<void> {
    return this.#store.gate.applyRemote(async () => {
      const start = this.log.start().sequence;
      const above = await inTurns(this.log.readingAfter(to.sequence));
      // What has its place by its creator keeps it when the log does not say so any more.
      const keys = new Set(above.flatMap(({ commit }) => recordsIn(commit.entries)));
      const puts = [...keys].flatMap(key => this.#placed(key));
      const isBelow = to.sequence < start;
      const taken = isBelow && {
        recordOf: (key: string) => this.#store.pending.getByKey(key),
        lacking: this.ownAfter(heads, Number.MAX_SAFE_INTEGER),
      };
      const noting = notingLostReferences(this.#store.database, this, above, taken || undefined);
      this.recoveryCommits.putAll(await inTurns(noting), start);
      this.log.cutAfter(to.sequence);
      if (isBelow) this.log.beginAt({ sequence: to.sequence, hash: to.hash });
      this.snapshots.begin();
      this.snapshots.keepHeads([]);
      this.keepCursor(to);
      return { puts, result: undefined };
    });
  }

  /** Takes a page of a snapshot. */
  async takeRecords(page: SnapshotPage): Promise<void> {
    const yieldToReaders = yieldingToEventLoop();
    const records: SnapshotRecord[] = [];
    for (const record of page.records) {
      await yieldToReaders();
      records.push(parseSnapshotRecord(record));
    }
    return this.#change((decided, yieldToEventLoop) =>
      takeRecords(this.#store, this, { page, records, decided }, yieldToEventLoop),
    );
  }

  /**
   * Central knows this station's chain otherwise. What the received log does not hold at its place is abandoned, and
   * what it does not know at all is issued again, in a chain that was never used.
   */
  beginAgain(chain: string): Promise<void> {
    return this.#store.gate.applyRemote(() => {
      beginIssuingAgain(this.#store.database, this, { chain, left: [] });
      writeLocal(this.#store.database, HELD_OFF, '');
      return { place: { chain, head: startNewChain(chain, this.#store, this) }, result: undefined };
    });
  }

  /**
   * Central goes on with another machine that has this disk, or may do so: should this one be the station again, it begins
   * again, as one that was put back. Again writes nothing.
   */
  async noteHeldOff(): Promise<void> {
    if (this.wasHeldOff()) return;
    await this.#store.gate.applyRemote(() => {
      noteHeldOff(this.#store.database);
      return { result: undefined };
    });
  }

  wasHeldOff(): boolean {
    return readLocal(this.#sql, HELD_OFF) === 'true';
  }

  /** Whether nothing may be sent yet: see `IssuingAgain`. */
  isIssuingAgain(): boolean {
    return issuingAgain(this.#sql) !== undefined;
  }

  /** Once the whole log was read: what is issued again gets other ids where its own are taken, and may be sent. */
  issueOwnAgain(): Promise<void> {
    let place: ChainPlace | undefined;
    return this.#change(
      decided => {
        const { database, station } = this.#store;
        const issuing = issuingAgain(this.#sql);
        noteIssuingAgain(database, null);
        const as = issuing && otherIds(this.#store, this, issuing, key => decided.get(key) !== undefined);
        if (!as) return new Set();
        const commits = this.unplaced(Number.MAX_SAFE_INTEGER);
        const touched = new Set(
          [...commits, ...commits.flatMap(one => as(one) ?? [])].flatMap(({ entries }) => recordsIn(entries)),
        );
        // Read while it is known where it is kept.
        for (const key of touched) decided.get(key);
        const chain = newChain(station);
        place = { chain, head: startNewChain(chain, this.#store, this, as) };
        return touched;
      },
      [],
      undefined,
      () => place,
    );
  }

  /**
   * This machine is another station from now on, in a chain of that one. What is in central's log stays the former
   * station's, also what central holds of it; all else is issued again, with other ids.
   * @param keep in the same transaction, after the blocks that it had were read: gives it its own
   */
  becomeOwn(station: string, chain: string, keep: () => void): Promise<void> {
    const { database, ids } = this.#store;
    let place: ChainPlace | undefined;
    return this.#change(
      decided => {
        const touched = new Set(this.pendingCommits.all().flatMap(({ entries }) => recordsIn(entries)));
        for (const key of touched) decided.get(key);
        beginIssuingAgain(database, this, { chain, left: ids.blocks() });
        place = { chain, head: startNewChain(chain, this.#store, this) };
        const former = this.pendingCommits.places().filter(one => one.chain !== chain);
        this.pendingCommits.settle(this.pendingCommits.openOf(former.map(({ commit_id }) => commit_id)));
        database.run('DELETE FROM own_chain WHERE chain <> ?', chain);
        writeLocal(database, 'station', station);
        writeLocal(database, HELD_OFF, '');
        this.sent.clear();
        keep();
        return touched;
      },
      [],
      undefined,
      () => place,
    );
  }

  enterChain(chain: string): void {
    writeLocal(this.#store.database, 'chain', chain);
    this.#store.database.run('INSERT OR IGNORE INTO own_chain (chain) VALUES (?)', chain);
  }

  /** What central answers to offers: see `Act`. */
  noteOffers({
    unverified,
    known,
  }: {
    unverified: readonly string[];
    known: readonly string[];
  }): Promise<void> {
    if (unverified.length + known.length === 0) return Promise.resolve();
    return this.#store.gate.applyRemote(() => {
      this.recoveryCommits.refuse(unverified);
      this.recoveryCommits.setKnown(known);
      return { result: undefined };
    });
  }

  /** Own commits that the received log does not hold at their places; of each chain those beyond `after`. */
  unplaced(limit: number, after: Readonly<Record<string, number>> = {}, size?: number): Commit[] {
    const heads = this.placedHeads();
    return this.#ownAfter(chain => Math.max(heads[chain] ?? 0, after[chain] ?? 0), limit, size);
  }

  /** Per own chain the number up to which the received log holds it. */
  placedHeads(): Record<string, number> {
    const heads = this.snapshots.heads();
    const chains = this.#sql.all<{ chain: string }>('SELECT chain FROM own_chain');
    return Object.fromEntries(
      chains.map(({ chain }) => [chain, Math.max(this.log.lastOf(chain), heads[chain] ?? 0)]),
    );
  }

  #ownAfter(numberOf: (chain: string) => number, limit: number, size = Number.POSITIVE_INFINITY): Commit[] {
    const chains = this.#sql.all<{ chain: string }>('SELECT chain FROM own_chain');
    const read = chains.map(({ chain }) => readChainAfter(this.#sql, chain, numberOf(chain), limit, size));
    const found = read.flatMap(({ commits }) => commits).sort((a, b) => a.sequence - b.sequence);
    // What comes after the last of a chain that was cut is not known.
    const end = Math.min(
      ...read.flatMap(({ commits, isCut }) => (isCut ? (commits.at(-1)?.sequence ?? []) : [])),
    );
    return found.slice(0, limit).flatMap(({ commit, sequence }) => (sequence <= end ? commit : []));
  }

  /**
   * In one transaction: what `work` does to what is decided, then what is shown of the records that it names.
   * @param ahead records that it is known to read: they are read at once
   * @param places see `isInPlace`
   * @param placeOf the chain to go on in, where that is another one
   */
  #change(
    work: Work,
    ahead: readonly string[] = [],
    places: ReadonlyMap<string, number> = new Map(),
    placeOf: () => ChainPlace | undefined = () => undefined,
  ): Promise<void> {
    const { gate, pending, database, collection } = this.#store;
    return gate.applyRemote(async () => {
      const yieldToEventLoop = yieldingToEventLoop();
      const records = await inTurns(recordsInParts(database, collection, ahead), yieldToEventLoop);
      const covered = this.pendingCommits.coveredOf(ahead);
      const shownNow = readOnce(key => (records.has(key) ? records.get(key) : pending.getByKey(key)));
      const isCovered = readOnce(key => (records.has(key) ? covered.has(key) : this.pendingCommits.has(key)));
      const decided = new DecidedStore(database, key => withPlace(this.#sql, shownNow(key)), isCovered);
      decided.readAhead([...records.keys()]);
      const touched = await work(decided, yieldToEventLoop);
      await yieldToEventLoop();
      const subjects = [...touched, ...decided.changed().keys()];
      const still = this.pendingCommits.coveredOf(subjects);
      const asked = new Set(subjects);
      const read = new Map<number, Commit>();
      const group = connected(
        subjects,
        subject =>
          asked.has(subject) && !still.has(subject)
            ? []
            : this.pendingCommits.of(subject, read).map(({ commit }) => commit),
        commit => sequenceOf(this.#sql, commit.chain, commit.number),
      );
      const coveredNow = new Set(group.commits.flatMap(({ entries }) => recordsIn(entries)));
      await inTurns(
        decided.writing(group.subjects, key => coveredNow.has(key)),
        yieldToEventLoop,
      );
      const isWithdrawn = (commit: string) => this.held.isWithdrawn(commit);
      const showing = { isWithdrawn, isMeant: meantIn(this.#sql), rules: this.#rules };
      await yieldToEventLoop();
      const written = rebasePending(group, { decided, standing: shownNow, places, ...showing });
      const place = placeOf();
      return { ...written, standing: shownNow, ...(place && { place }), result: undefined };
    });
  }

  /** The record with its place, where it does not say that itself. */
  #placed(key: string): StoredRecord[] {
    const record = this.#store.pending.getByKey(key);
    return record?.folded === 0 && !this.pendingCommits.has(key) ? [withPlace(this.#sql, record)] : [];
  }

  keepCursor(cursor: Cursor): void {
    writeLocal(this.#store.database, 'cursor', JSON.stringify(cursor));
  }
}
