import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { Commit } from '../../store/changes.ts';
import { isReissuedId, reissuedId } from '../../store/commit-id.ts';
import { type ChainHead, hashAt, stationOf } from '../../store/history.ts';
import { noteAuthorship, noteCertificates, noteMoved } from '../../store/noted-authorship.ts';
import { checkedDocument } from '../../store/sqlite/checksum.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import { tableOf } from '../../store/sqlite/documents.ts';
import type { Store } from '../../store/store.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import { atOnce, type Steps } from '../../store/yield-to-event-loop.ts';
import { conflictsOf } from '../log/conflicts.ts';
import { DecidedRecords } from '../log/decided-records.ts';
import { type DecidedStore, plain } from '../log/decided-store.ts';
import { foldingEntry } from '../log/fold.ts';
import { GivenItems } from '../log/given-items.ts';
import { HeldCommits } from '../log/held-commits.ts';
import { InHistory } from '../log/in-history.ts';
import { Log } from '../log/log.ts';
import { forgetMeant, meantIn, noteMeant } from '../log/meant-records.ts';
import type { SnapshotRecord } from '../log/snapshot-record.ts';
import type { CentralReader } from '../protocol/central.ts';
import type { SubjectEffects } from '../protocol/decide.ts';
import { type HeldCommit, HeldLine } from '../protocol/held-line.ts';
import type { LogPlace } from '../protocol/log.ts';
import type { IsMeant } from '../protocol/overlay.ts';
import type { SignedEntry } from '../protocol/packed-entries.ts';
import { logChanges } from '../protocol/received-log.ts';
import type { RecordReader, Sibling } from '../protocol/siblings.ts';
import type { SnapshotReader } from '../protocol/snapshot.ts';
import { type Offer, PAGE_SIZE } from '../protocol/wire.ts';
import { AwaitedIds } from './awaited-ids.ts';
import { StockToCome } from './stock-to-come.ts';

/** In one page of a snapshot: taking it is one transaction at the station, which local writes wait for. */
const SNAPSHOT_RECORDS = 500;

/** By the names of stations. */
export type HeldLines = Map<string, HeldLine>;

/** What central keeps of its log, read in the open transaction of the write gate. */
export class CentralStore implements CentralReader, SnapshotReader<SnapshotRecord> {
  readonly log: Log;
  readonly heldCommits: HeldCommits;
  readonly awaited: AwaitedIds;
  readonly #store: Store;
  readonly #sql: SqlReader;
  readonly #records: DecidedRecords;
  #history: InHistory;
  #stock: StockToCome;
  readonly #items: GivenItems;
  /** What was read already, or written since: each commit of a push asks for it again. */
  #end: LogPlace | undefined;
  #epoch: string | undefined;
  readonly #heads = new Map<string, ChainHead>();
  /** Chains whose heads here are not written yet. */
  readonly #moved = new Set<string>();
  /** By their ids, whether commits stand in the log. */
  readonly #known = new Map<string, boolean>();
  readonly #held: HeldLines;
  /** By the names under which what is held would be issued again, whose it is: what a push holds is of its own station. */
  #toIssueAgain: Map<string, string> | undefined;
  #isMeant: IsMeant | undefined;
  /** Stations that are known to sign. */
  readonly #signing = new Set<string>();

  /**
   * Reads over `sql`, and records by `get`: what the open transaction has put, or what is committed. For one transaction,
   * or for what is committed at one moment; `forget` begins another.
   * @param held what is held of stations, as of that moment: it follows what is appended
   */
  constructor(
    store: Store,
    sql: SqlReader,
    get: (key: string) => StoredRecord | undefined,
    held: HeldLines = new Map(),
  ) {
    this.#store = store;
    this.#held = held;
    this.#sql = sql;
    this.#history = new InHistory(sql);
    this.#stock = new StockToCome(sql);
    this.#items = new GivenItems(store.database, sql);
    this.log = new Log(store.database, sql);
    this.heldCommits = new HeldCommits(store.database, sql, this.log);
    this.awaited = new AwaitedIds(store.database, sql, this.log);
    this.#records = new DecidedRecords(get, commit => this.heldCommits.isWithdrawn(commit));
  }

  forget(): void {
    this.#end = undefined;
    this.#epoch = undefined;
    this.#history = new InHistory(this.#sql);
    this.#stock = new StockToCome(this.#sql);
    this.#heads.clear();
    this.#known.clear();
    this.#held.clear();
    this.#signing.clear();
    this.#toIssueAgain = undefined;
    this.#isMeant = undefined;
  }

  /** Asks at once which of these ids stand in the log. */
  askFor(commits: readonly string[]): void {
    const known = this.log.knownOf(commits);
    for (const commit of commits) this.#known.set(commit, known.has(commit));
  }

  epoch(): string {
    this.#epoch ??= readLocal(this.#sql, 'epoch') ?? '';
    return this.#epoch;
  }

  isFormerEpoch(epoch: string): boolean {
    return this.#sql.get('SELECT 1 FROM former_epoch WHERE epoch = ?', epoch) !== undefined;
  }

  place(): LogPlace {
    this.#end ??= this.log.place();
    return this.#end;
  }

  logHashAt(sequence: number): string | undefined {
    return this.log.hashAt(sequence);
  }

  head(chain: string): ChainHead {
    const known = this.#heads.get(chain);
    if (known) return known;
    const sql = 'SELECT number, hash FROM chain_head WHERE chain = ?';
    const head = this.#sql.get<ChainHead>(sql, chain) ?? { number: 0, hash: '' };
    this.#heads.set(chain, head);
    return head;
  }

  hashAt(chain: string, number: number): string | undefined {
    return hashAt(this.#sql, chain, number);
  }

  sequenceOf(commit: string): number | undefined {
    return this.log.sequenceOf(commit);
  }

  headsOf(station: string): (ChainHead & { chain: string })[] {
    const sql = `SELECT chain, number, hash FROM chain_head WHERE chain > ? || '.' AND chain < ? || '/' ORDER BY chain`;
    return this.#sql.all(sql, station, station);
  }

  ownChain(): string {
    return this.#store.gate.chain;
  }

  isKnown(commit: string): boolean {
    return this.#known.get(commit) ?? this.log.isKnown(commit);
  }

  chainOf(commit: string): string | undefined {
    return this.log.chainOf(commit);
  }

  formerOf(commit: string): string | undefined {
    return this.log.formerOf(commit);
  }

  isNameOfAnother(commit: string, station: string): boolean {
    if (!isReissuedId(commit)) return false;
    this.#toIssueAgain ??= new Map(
      this.heldCommits.names().map(one => [reissuedId(one.commit_id), one.station]),
    );
    return (this.#toIssueAgain.get(commit) ?? station) !== station;
  }

  held(commit: string): HeldCommit | undefined {
    return this.heldCommits.held(commit);
  }

  heldOf(station: string): HeldLine {
    const known = this.#held.get(station);
    if (known) return known;
    const held = new HeldLine(this.heldCommits.heldOf(station));
    this.#held.set(station, held);
    return held;
  }

  /** Reads what is held of a station in steps: it is asked for with each of its commits. */
  *readingHeldOf(station: string): Steps<void> {
    if (this.#held.has(station)) return;
    this.#held.set(station, new HeldLine(yield* this.heldCommits.readingOf(station)));
  }

  creator(subject: string): string | undefined {
    return this.#records.creator(subject);
  }

  siblings(subject: string, path: string): readonly Sibling[] | undefined {
    return this.#records.siblings(subject, path);
  }

  value(subject: string, path: string): unknown {
    return this.#records.value(subject, path);
  }

  isMeant(commit: Commit, read: RecordReader): boolean {
    this.#isMeant ??= meantIn(this.#sql);
    return this.#isMeant(commit, read);
  }

  /** In the open transaction, before a commit is judged: its station says what it means. It is kept while that is held. */
  noteMeant(commit: Commit, means: NonNullable<Offer['means']>): void {
    noteMeant(this.#store.database, commit, new Map(Object.entries(means)));
    this.#isMeant = undefined;
  }

  isWithdrawn(commit: string): boolean {
    return this.heldCommits.isWithdrawn(commit);
  }

  allHeld(): HeldCommit[] {
    return this.heldCommits.all();
  }

  withdrawn(): string[] {
    return this.heldCommits.withdrawn();
  }

  recordsAfter(key: string | null, size = PAGE_SIZE): { records: SnapshotRecord[]; after: string | null } {
    const sql = `SELECT key, document, seal FROM "${tableOf(this.#store.collection)}" WHERE key > ? ORDER BY key LIMIT ?`;
    const rows = this.#sql.all<{ key: string; document: string; seal: number }>(
      sql,
      key ?? '',
      SNAPSHOT_RECORDS + 1,
    );
    let left = Math.min(size, PAGE_SIZE);
    const end = rows.findIndex(({ document }, index) => {
      left -= document.length;
      return index > 0 && (left < 0 || index === SNAPSHOT_RECORDS);
    });
    const part = end < 0 ? rows : rows.slice(0, end);
    return {
      records: part.map(row => this.#forSnapshot(row)),
      after: end < 0 ? null : (part.at(-1)?.key ?? null),
    };
  }

  #forSnapshot({ key, document, seal }: { key: string; document: string; seal: number }): SnapshotRecord {
    const record: StoredRecord = checkedDocument(this.#sql, { document, seal }, () => `record ${key}`);
    const conflicts = conflictsOf(this.#sql, key);
    const ids = conflicts.flatMap(({ siblings, closed_by }) => [
      ...siblings.map(({ commit }) => commit),
      ...(closed_by === null ? [] : [closed_by]),
    ]);
    return {
      record: plain(record),
      conflicts,
      commits: [...new Set([...ids, ...this.#formersOf(record.creator)])].flatMap(
        id => this.log.commit(id) ?? [],
      ),
    };
  }

  /** The names that the creator of a record had before, and its own; none for what was never issued again. */
  #formersOf(creator: string): string[] {
    const former = this.log.formerOf(creator);
    return former === undefined ? [] : [...new Set([...this.#formersOf(former), former, creator])];
  }

  /**
   * Writes an entry, in the open transaction: all but the records, which are put into `decided`, and the head of its
   * chain, which `writeHeads` writes for all entries of the transaction.
   */
  append(entry: SignedEntry, decided: DecidedStore): void {
    atOnce(this.appending(entry, decided));
  }

  /** `append` in steps. */
  *appending(entry: SignedEntry, decided: DecidedStore): Steps<void> {
    const { commit } = entry;
    if (!this.#history.includes(commit)) yield* this.#store.gate.receiving(commit);
    yield;
    yield* this.#noting(entry);
    this.#followAwaited(entry);
    yield;
    const { database, pending } = this.#store;
    if (entry.decisions[0]?.outcome !== 'repeated') this.#noteSigning(commit);
    if (entry.decisions[0]?.outcome === 'applied')
      noteCertificates(database, commit, id => pending.get('user', id)?.fields.public_key);
    const applied = entry.decisions.filter(({ outcome }) => outcome === 'applied');
    const [only] = applied;
    // Of one decision the very ones that were judged.
    const effects =
      only && applied.length === 1 ? only.effects : applied.flatMap(decision => decision.effects);
    yield* this.#stock.following(effects, this, () =>
      foldingEntry(entry, decided, id => this.log.commit(id)),
    );
  }

  /**
   * An entry that another process of this central has decided, in steps: what it knows beside the log of people and stations it
   * gives by itself.
   */
  *following(entry: SignedEntry, decided: DecidedStore): Steps<void> {
    if (!this.#history.includes(entry.commit)) yield* this.#store.gate.receiving(entry.commit);
    yield;
    yield* this.#noting(entry);
    yield;
    yield* foldingEntry(entry, decided, id => this.log.commit(id));
  }

  /** Of each station once: in a push all are of one. */
  #noteSigning(commit: Commit): void {
    const station = stationOf(commit.chain);
    if (!commit.authorship || this.#signing.has(station)) return;
    if (noteAuthorship(this.#store.database, commit)) this.#signing.add(station);
  }

  limitFault(
    effects: readonly SubjectEffects[],
    earlier: readonly SubjectEffects[],
    after: () => RecordReader,
  ): string | undefined {
    return this.#stock.fault(effects, earlier, this, after);
  }

  isItemTaken(effects: readonly SubjectEffects[], earlier: readonly SubjectEffects[]): boolean {
    return this.#items.isAnyTaken(effects, earlier);
  }

  /** The same for a commit of central's own gate, which writes history and records itself. */
  note(entry: SignedEntry): void {
    atOnce(this.#noting(entry));
    this.#followAwaited(entry);
    this.writeHeads();
  }

  #followAwaited({ decisions }: SignedEntry): void {
    for (const { commit_id } of decisions) this.awaited.follow(commit_id);
  }

  *#noting(entry: SignedEntry): Steps<void> {
    const { chain, number, hash, commit_id } = entry.commit;
    this.log.append(entry);
    for (const { outcome, effects } of entry.decisions)
      if (outcome === 'applied') this.#items.follow(effects);
    // What is applied on its arrival was never held.
    const isPlain = entry.decisions.length === 1 && entry.decisions[0]?.outcome === 'applied';
    if (!isPlain) {
      const changes = logChanges([entry], id => this.heldCommits.isHeld(id));
      this.heldCommits.follow(changes, entry.sequence);
      for (const { outcome, commit_id: id } of entry.decisions)
        if (outcome !== 'held') forgetMeant(this.#store.database, id);
    }
    for (const { outcome, commit_id: id } of entry.decisions) {
      const taken = id === commit_id || outcome !== 'applied' ? entry.commit : this.log.commit(id);
      if (outcome === 'applied' && taken) noteMoved(this.#store.database, taken);
    }
    this.#end = { sequence: entry.sequence, hash: entry.hash };
    this.#known.set(commit_id, true);
    this.#heads.set(chain, { number, hash });
    this.#moved.add(chain);
    if (!isPlain) yield* this.#followingHeld(entry);
  }

  /** Those that are known are read once: thousands can wait, and be decided one after the other. */
  *#followingHeld({ commit: arrived, decisions }: SignedEntry): Steps<void> {
    for (const { commit_id: id, outcome, reason } of decisions) {
      // What is known may be known as held.
      if (outcome === 'repeated') continue;
      const lines = [...this.#held.values()];
      const isArrived = id === arrived.commit_id;
      const line = isArrived
        ? this.#held.get(stationOf(arrived.chain))
        : lines.find(one => one.get(id) !== undefined);
      const commit = isArrived ? arrived : line?.get(id)?.commit;
      if (outcome !== 'held') line?.remove(id);
      else if (commit && line) yield* line.putting({ commit, reason: reason ?? '' });
    }
  }

  /** In the open transaction, after entries were appended and before the heads are asked for. */
  writeHeads(): void {
    for (const chain of this.#moved) {
      const { number, hash } = this.head(chain);
      this.#store.database.run(
        `INSERT INTO chain_head (chain, number, hash) VALUES (?, ?, ?)
         ON CONFLICT (chain) DO UPDATE SET number = excluded.number, hash = excluded.hash`,
        chain,
        number,
        hash,
      );
    }
    this.#moved.clear();
  }

  /** A new epoch; `lost` are those that no cursor may name any more. */
  beginEpoch(epoch: string, lost: readonly string[]): void {
    for (const former of [this.epoch(), ...lost]) {
      if (former !== '')
        this.#store.database.run('INSERT OR IGNORE INTO former_epoch (epoch) VALUES (?)', former);
    }
    writeLocal(this.#store.database, 'epoch', epoch);
    this.#epoch = epoch;
  }
}
