import { DatabaseError } from 'pg';
import { AppError } from '../../shared/contract/errors.ts';
import { decisionsOf } from '../sync/log/log.ts';
import { isPlain, type SignedEntry } from '../sync/protocol/packed-entries.ts';
import { again } from './again.ts';
import { type JournalClient, JournalConnection, type JournalDriver, JournalLostError } from './connection.ts';
import {
  APPEND,
  BEGIN_HEAD,
  CHANNEL,
  END,
  ENDED,
  ENTRIES,
  FORMAT,
  LOCK_HEAD,
  RAISE_FENCE,
  READ_HEAD,
  SCHEMA,
  SETTLE,
  TELL,
  TURNS,
} from './schema.ts';
import type { Fact, Head, JournalPlace, Turn } from './turn.ts';

const RETRY = { 'Retry-After': '1' };
/** For how long a process looks for what became of a turn whose answer was lost, before it says that it does not know. */
const SETTLE_MS = 5_000;
const AGAIN_MS = 200;
/** Of those that hold the lock for long, so that the server does not take them for gone. */
const PING_MS = 1_000;

interface HeadRow {
  journal: string;
  position: string;
  turn: string;
  sequence: string;
  hash: string;
  fence: string;
  format: number;
}

interface TurnRow {
  position: string;
  id: string;
  format: number;
  facts: string;
}

interface EntryRow {
  position: string;
  sequence: string;
  body: string;
  decisions: string;
  hash: string;
  countersignature: string;
}

/** The process, and when by its clock. */
export interface WrittenBy {
  process: string;
  at: string;
}

export interface JournalOptions {
  url: string;
  /** Told that there is something new up to a position, as another process or this one says: `Infinity` where it says none. */
  onNews: (position: number) => void;
  /** PostgreSQL's own unless given. */
  driver?: JournalDriver | undefined;
  /** Told what was waited for, and for how long: for the lock, a group of writes up to its COMMIT, or a read. */
  onWaited?: ((operation: 'lock' | 'append' | 'read', seconds: number) => void) | undefined;
}

/** The journal in PostgreSQL that all processes of a central write to, one after the other. */
export class Journal {
  readonly #writer: JournalConnection;
  readonly #reader: JournalConnection;
  readonly #onWaited: JournalOptions['onWaited'];
  #locked: { session: JournalClient; ping: NodeJS.Timeout } | undefined;

  constructor({ url, onNews, driver, onWaited }: JournalOptions) {
    this.#onWaited = onWaited;
    this.#writer = new JournalConnection(url, undefined, driver);
    // Before what a server shows is believed, which may have been started again.
    const settle = (client: JournalClient) => again(() => client.query({ text: SETTLE }));
    this.#reader = new JournalConnection(url, said => onNews(positionSaid(said)), driver, settle);
  }

  /** Makes the tables where there are none. @throws JournalLostError */
  async prepare(): Promise<void> {
    // Two that start at once make them both; one of them is refused, and finds them.
    await again(async () => {
      for (const statement of [...SCHEMA, BEGIN_HEAD]) await this.#writer.query(statement);
    });
    await this.listen();
  }

  /** Hears of what is new on the connection that reads, which may be a new one; of nothing where the server has no LISTEN. */
  async listen(): Promise<void> {
    try {
      await this.#reader.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
    }
  }

  /** @throws JournalLostError */
  async head(): Promise<Head> {
    return headIn(await this.#timed('read', () => this.#reader.query<HeadRow>(READ_HEAD)));
  }

  /**
   * Keeps all others from writing until `append` or `release`.
   * @throws JournalLostError; the server's error where others have the lock for long
   */
  lock(): Promise<Head> {
    return this.#timed('lock', () => this.#lock());
  }

  async #lock(): Promise<Head> {
    const session = await this.#writer.connect();
    const head = await again(async () => {
      try {
        const begun = this.#writer.query('BEGIN', undefined, session);
        const [, head] = await Promise.all([
          begun,
          this.#writer.query<HeadRow>(LOCK_HEAD, undefined, session),
        ]);
        return headIn(head);
      } catch (error) {
        await this.#rollBack(session);
        throw error;
      }
    });
    const ping = setInterval(() => {
      this.#writer.query('SELECT 1', undefined, session).catch(() => {});
    }, PING_MS);
    this.#locked = { session, ping };
    return head;
  }

  /** Lets others write. What is under way comes to nothing. */
  async release(): Promise<void> {
    const locked = this.#unlocked();
    if (locked) await this.#rollBack(locked.session);
  }

  /**
   * Under the lock: writes a turn after a head, and keeps the lock.
   * @throws AppError `unavailable`: nothing since the lock is written, and the lock is gone
   */
  async append(head: Head, journal: string, turn: Turn, by: WrittenBy): Promise<void> {
    try {
      await this.#append(this.#locked?.session, head, journal, turn, by);
    } catch (error) {
      await this.release();
      throw notWritten(error);
    }
  }

  /**
   * Writes the last turn after a head, and lets others write. It is durable there, with all since the lock, when this resolves.
   * @throws AppError `unavailable`: nothing of it is written, or nobody knows. A later `head` tells.
   */
  appendLast(head: Head, journal: string, turn: Turn, by: WrittenBy): Promise<void> {
    return this.#timed('append', () => this.#appendLast(head, journal, turn, by));
  }

  async #appendLast(head: Head, journal: string, turn: Turn, by: WrittenBy): Promise<void> {
    const session = this.#unlocked()?.session;
    // One way there and back: what a failed statement leaves is undone by the COMMIT behind it.
    const [appended, committed] = await Promise.allSettled([
      this.#append(session, head, journal, turn, by),
      this.#writer.query('COMMIT', undefined, session),
    ]);
    if (committed.status === 'rejected') {
      if (!(committed.reason instanceof JournalLostError)) throw notWritten(committed.reason);
      if (!(await this.#settle(turn.turn))) throw notWritten(committed.reason);
    } else if (appended.status === 'rejected') throw notWritten(appended.reason);
    // What a failed transaction answers to COMMIT.
    else if (committed.value.command !== 'COMMIT') throw notWritten('The journal has undone the turn.');
    // A hint: the others look by themselves, where there is no NOTIFY too.
    void this.#reader.query(TELL, [String(turn.position)]).catch(() => {});
  }

  /**
   * Under the lock: the journal takes nothing any more, from no process.
   * @param by a random name that only the folder knows which goes on alone
   * @throws AppError `unavailable`: it goes on, or nobody knows; `endedAt` tells
   */
  async end({ position, turn, fence }: Head, by: string): Promise<void> {
    const session = this.#unlocked()?.session;
    if (session === undefined) throw new Error('A journal is ended under the lock.');
    try {
      const { rowCount } = await this.#writer.query(END, [position, turn, fence, by], session);
      const { command } = await this.#writer.query('COMMIT', undefined, session);
      if (rowCount !== 1 || command !== 'COMMIT') throw new Error('The journal has undone its end.');
    } catch (error) {
      throw notWritten(error);
    }
  }

  /** Its last place and by which attempt it was moved out; undefined while it goes on. @throws JournalLostError */
  async endedAt(): Promise<{ place: JournalPlace; by: string } | undefined> {
    const { rows } = await this.#reader.query<HeadRow>(READ_HEAD);
    const [row] = rows;
    if (row?.format !== ENDED) return undefined;
    return { place: { position: Number(row.position), turn: row.turn }, by: row.journal };
  }

  /** Up to so many turns after a place, entries and all, and which turn the place itself is. */
  after(position: number, limit: number): Promise<{ at: JournalPlace; turns: Turn[] }> {
    return this.#timed('read', () => this.#after(position, limit));
  }

  async #after(position: number, limit: number): Promise<{ at: JournalPlace; turns: Turn[] }> {
    const places = [position, position + limit];
    const [{ rows }, { rows: entries }] = await Promise.all([
      this.#reader.query<TurnRow>(TURNS, places),
      this.#reader.query<EntryRow>(ENTRIES, places),
    ]);
    if (rows.some(({ format }) => format > FORMAT))
      throw new AppError('unavailable', `The journal was written by a later version. Update this process.`);
    const entriesAt = Map.groupBy(entries, entry => entry.position);
    const turns = rows.map(row => ({
      ...turnIn(row),
      entries: (entriesAt.get(row.position) ?? []).map(entryIn),
    }));
    const [at] = turns;
    if (at?.position !== position) return { at: { position, turn: '' }, turns };
    return { at, turns: turns.slice(1) };
  }

  close(): void {
    this.#unlocked();
    this.#writer.close();
    this.#reader.close();
  }

  async #append(session: JournalClient | undefined, head: Head, journal: string, turn: Turn, by: WrittenBy) {
    if (session === undefined) throw new Error('A turn is appended under the lock.');
    const { rowCount } = await this.#writer.query(APPEND, valuesOf(head, journal, turn, by), session);
    if (rowCount !== 1) throw new Error('The head of the journal is another one under the lock.');
  }

  async #timed<Result>(operation: 'lock' | 'append' | 'read', run: () => Promise<Result>): Promise<Result> {
    const begun = performance.now();
    try {
      return await run();
    } finally {
      this.#onWaited?.(operation, (performance.now() - begun) / 1_000);
    }
  }

  #unlocked() {
    const locked = this.#locked;
    this.#locked = undefined;
    clearInterval(locked?.ping);
    return locked;
  }

  async #rollBack(session: JournalClient): Promise<void> {
    await this.#writer.query('ROLLBACK', undefined, session).catch(() => this.#writer.drop(session));
  }

  /** Whether the turn stands. It holds the head's row to find out, so that nothing of it is under way any more. */
  async #settle(turn: string): Promise<boolean> {
    const until = performance.now() + SETTLE_MS;
    for (;;) {
      try {
        const session = await this.#writer.connect();
        const ask = (sql: string, values?: readonly unknown[]) => this.#writer.query(sql, values, session);
        await ask('BEGIN');
        await ask(RAISE_FENCE);
        const { rowCount } = await ask('SELECT 1 FROM turn WHERE id = $1', [turn]);
        const { command } = await ask('COMMIT');
        if (command === 'COMMIT') return rowCount === 1;
      } catch (error) {
        this.#writer.drop();
        if (performance.now() > until) throw unknown(error);
      }
      await new Promise(resolve => setTimeout(resolve, AGAIN_MS));
    }
  }
}

/** A process of the version before says none. */
function positionSaid(said: string): number {
  return said === '' ? Number.POSITIVE_INFINITY : Number(said);
}

function headIn({ rows: [row] }: { rows: HeadRow[] }): Head {
  if (row === undefined) throw new JournalLostError('The journal has no head.');
  const { journal, turn, hash, format } = row;
  if (format === ENDED) throw new AppError('unavailable', MOVED_OUT);
  if (format > FORMAT)
    throw new AppError('unavailable', 'The journal is of a later version. Update this process.');
  const numbers = {
    position: Number(row.position),
    sequence: Number(row.sequence),
    fence: Number(row.fence),
  };
  return { journal, turn, hash, format, ...numbers };
}

const MOVED_OUT =
  'The journal was moved out to a data folder (holdpoint journal move-out), which is central alone since. Start that one without HOLDPOINT_JOURNAL.';

function valuesOf(head: Head, journal: string, { turn, entries, facts }: Turn, { process, at }: WrittenBy) {
  const last = entries.at(-1) ?? head;
  const commits = entries.map(({ commit }) => commit);
  return [
    journal,
    head.position,
    head.turn,
    head.fence,
    turn,
    last.sequence,
    last.hash,
    process,
    at,
    JSON.stringify(facts),
    entries.map(({ sequence }) => sequence),
    commits.map(({ commit_id }) => commit_id),
    commits.map(({ chain }) => chain),
    commits.map(({ number }) => number),
    commits.map(commit => JSON.stringify(commit)),
    entries.map(({ commit, decisions }) => (isPlain(commit, decisions) ? '' : JSON.stringify(decisions))),
    entries.map(({ hash }) => hash),
    entries.map(({ countersignature }) => countersignature),
  ];
}

function turnIn({ position, id, facts }: TurnRow) {
  return { position: Number(position), turn: id, facts: JSON.parse(facts) as Fact[] };
}

function entryIn({ sequence, body, decisions, hash, countersignature }: EntryRow): SignedEntry {
  const commit = JSON.parse(body);
  return {
    sequence: Number(sequence),
    commit,
    decisions: decisionsOf({ decisions }, commit),
    hash,
    countersignature,
  };
}

function notWritten(cause: unknown): AppError {
  const message = 'The journal does not take the change just now; nothing of it is written. Try again.';
  return new AppError('unavailable', message, { cause, headers: RETRY });
}

function unknown(cause: unknown): AppError {
  const message =
    'The journal does not answer, and whether the change is written is not known. Try again with the same Idempotency-Key.';
  return new AppError('unavailable', message, { cause, headers: RETRY });
}
