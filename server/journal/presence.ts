import { AppError } from '../../shared/contract/errors.ts';
import { JournalConnection, JournalLostError } from './connection.ts';
import { BEGIN_HEAD, ENDED, READ_HEAD, SCHEMA } from './schema.ts';

/** How often a process says that it is there, and after how much silence another one takes its work over. In milliseconds. */
const BEAT_MS = 1_000;
const LEASE_MS = 10_000;
/** Whoever cannot renew its lease stops so long before another one can have it. */
const MARGIN_MS = 2_000;

const TABLES = [
  `CREATE TABLE IF NOT EXISTS process (
    id text PRIMARY KEY, address text NOT NULL, version text NOT NULL, position bigint NOT NULL,
    seen_at timestamp with time zone NOT NULL
  )`,
  'CREATE TABLE IF NOT EXISTS lease (name text PRIMARY KEY, process text NOT NULL, until timestamp with time zone NOT NULL)',
];

/** By the database's clock alone: those of the machines may be apart. */
const SAY = `
INSERT INTO process (id, address, version, position, seen_at) VALUES ($1, $2, $3, $4::bigint, CURRENT_TIMESTAMP)
ON CONFLICT (id) DO UPDATE SET position = excluded.position, seen_at = excluded.seen_at`;

const TAKE = `
INSERT INTO lease (name, process, until) VALUES ('work', $1, CURRENT_TIMESTAMP + INTERVAL '${LEASE_MS / 1_000} seconds')
ON CONFLICT (name) DO UPDATE SET process = excluded.process, until = excluded.until
WHERE lease.process = excluded.process OR lease.until < CURRENT_TIMESTAMP`;

const WHO = `
SELECT lease.process, process.address FROM lease JOIN process ON process.id = lease.process
WHERE lease.name = 'work' AND lease.until > CURRENT_TIMESTAMP`;

const PROCESSES = `
SELECT id, address, version, position, seen_at > CURRENT_TIMESTAMP - INTERVAL '${LEASE_MS / 1_000} seconds' AS is_here,
  EXISTS (SELECT 1 FROM lease WHERE lease.process = process.id AND until > CURRENT_TIMESTAMP) AS is_working
FROM process ORDER BY address, id`;

const FORGET = "DELETE FROM process WHERE seen_at < CURRENT_TIMESTAMP - INTERVAL '7 days'";

export interface PresenceOptions {
  url: string;
  /** Of this process, as turns name it. */
  process: string;
  /** By which the other processes reach it: `https://host:port`. */
  address: string;
  version: string;
  /** How much of the journal it has. */
  position: () => number;
  /** Whether this process may do what is done at one alone. */
  mayWork: () => boolean;
  /** What runs at one process alone is to run here from now on, or no more. */
  onWork: (isHere: boolean) => void;
  onFault: (error: unknown) => void;
}

/** One process as the others see it. */
export interface SeenProcess {
  id: string;
  address: string;
  version: string;
  position: number;
  /** It was heard of in the last seconds. */
  isHere: boolean;
  /** What runs at one process alone runs there. */
  isWorking: boolean;
}

/**
 * Which processes there are, and which one of them does what is done at one alone: it has a lease on it, and another one takes
 * it when that is over.
 */
export class Presence {
  readonly #options: PresenceOptions;
  readonly #connection: JournalConnection;
  #timer: NodeJS.Timeout | undefined;
  /** In the milliseconds of `performance.now()`. */
  #until = 0;
  #isWorking = false;
  #worker: string | undefined;
  #isClosed = false;

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.#connection = new JournalConnection(options.url);
  }

  /** @throws JournalLostError */
  async start(): Promise<void> {
    await prepare(this.#connection);
    await this.#connection.query(FORGET);
    await this.#beat();
    this.#wait();
  }

  /** Where what runs at one process alone runs: `here`, at an address, or nowhere just now. */
  get worker(): string | undefined {
    return this.#isWorking ? 'here' : this.#worker;
  }

  /** In order: another one takes the work at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const { process } = this.#options;
    try {
      await this.#connection.query('DELETE FROM lease WHERE process = $1', [process]);
      await this.#connection.query('DELETE FROM process WHERE id = $1', [process]);
    } catch (error) {
      this.#options.onFault(error);
    }
    this.#connection.close();
  }

  #wait(): void {
    this.#timer = setTimeout(async () => {
      try {
        await this.#beat();
      } catch (error) {
        this.#worker = undefined;
        this.#options.onFault(error);
      }
      this.#judge();
      if (!this.#isClosed) this.#wait();
    }, BEAT_MS);
  }

  async #beat(): Promise<void> {
    const { process, address, version, position } = this.#options;
    // From before it was asked: the lease ends no sooner there.
    const asked = performance.now();
    await this.#connection.query(SAY, [process, address, version, position()]);
    const isTaken = this.#options.mayWork() && (await this.#connection.query(TAKE, [process])).rowCount === 1;
    if (isTaken) this.#until = asked + LEASE_MS - MARGIN_MS;
    const { rows } = await this.#connection.query<{ process: string; address: string }>(WHO);
    const [row] = rows;
    this.#worker = row && row.process !== process ? row.address : undefined;
    this.#judge();
  }

  #judge(): void {
    const isWorking = !this.#isClosed && performance.now() < this.#until;
    if (isWorking === this.#isWorking) return;
    this.#isWorking = isWorking;
    this.#options.onWork(isWorking);
  }
}

export interface JournalStanding {
  /** Its id; '' where it has not begun. */
  journal: string;
  position: number;
  /** The last entry of central's log. */
  sequence: number;
  isEnded: boolean;
  processes: SeenProcess[];
}

/** How far a journal is, and the processes that were there of late. @throws AppError `unavailable` where it is not reached */
export async function journalStanding(url: string): Promise<JournalStanding> {
  const connection = new JournalConnection(url);
  try {
    for (const statement of [...SCHEMA, BEGIN_HEAD]) await connection.query(statement);
    await prepare(connection);
    const { rows: heads } = await connection.query<HeadRow>(READ_HEAD);
    const [head] = heads;
    const { rows } = await connection.query<ProcessRow>(PROCESSES);
    return {
      journal: head?.journal ?? '',
      position: Number(head?.position ?? 0),
      sequence: Number(head?.sequence ?? 0),
      isEnded: head?.format === ENDED,
      processes: rows.map(({ position, is_here, is_working, ...row }) => ({
        ...row,
        position: Number(position),
        isHere: is_here,
        isWorking: is_working,
      })),
    };
  } catch (error) {
    if (error instanceof JournalLostError)
      throw new AppError(
        'unavailable',
        `${error.message}. Is HOLDPOINT_JOURNAL right, and the database running?`,
      );
    throw error;
  } finally {
    connection.close();
  }
}

interface HeadRow {
  journal: string;
  position: string;
  sequence: string;
  format: number;
}

interface ProcessRow {
  id: string;
  address: string;
  version: string;
  position: string;
  is_here: boolean;
  is_working: boolean;
}

/** Two that start at once make the tables both: one of them is refused, and finds them. */
async function prepare(connection: JournalConnection): Promise<void> {
  for (const statement of TABLES) await connection.query(statement).catch(() => connection.query(statement));
}
