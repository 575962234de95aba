import {
  Client,
  type ClientConfig,
  DatabaseError,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg';
import { AppError } from '../../shared/contract/errors.ts';
import { PREPARED } from './schema.ts';

/** By which the server refuses a statement. */
export { DatabaseError };

/** In milliseconds. A process that stands still with the lock loses it, so that the others go on. */
const CONNECT_MS = 3_000;
const ANSWER_MS = 10_000;
const LOCK_MS = 8_000;
const IDLE_MS = 5_000;

/** What is asked of a driver's connection. */
export interface JournalClient {
  connect(): Promise<unknown>;
  query<Row extends QueryResultRow>(statement: QueryConfig): Promise<QueryResult<Row>>;
  end(): Promise<void>;
  on(event: 'notification', listener: (message: { payload?: string | undefined }) => void): unknown;
  on(event: 'error' | 'end', listener: () => void): unknown;
}

/** Makes one that is connected later. */
export type JournalDriver = (config: ClientConfig) => JournalClient;

const postgres: JournalDriver = config => new Client(config);

/** The journal was not reached, or its answer was lost. */
export class JournalLostError extends Error {}

/**
 * A connection to PostgreSQL that is made when it is needed, and again after it was lost, at the first of its hosts that takes
 * writes. What is asked at once is answered in that order.
 */
export class JournalConnection {
  readonly #url: string;
  readonly #onNotice: ((said: string) => void) | undefined;
  readonly #driver: JournalDriver;
  readonly #first: ((client: JournalClient) => Promise<unknown>) | undefined;
  #client: JournalClient | undefined;
  #connecting: Promise<JournalClient> | undefined;
  #isClosed = false;

  /**
   * @param url `postgres://user@host1,host2/database`, with the settings of libpq behind the question mark
   * @param first what is asked of each new connection before anything else; where it rejects it is none
   */
  constructor(
    url: string,
    onNotice?: (said: string) => void,
    driver = postgres,
    first?: (client: JournalClient) => Promise<unknown>,
  ) {
    this.#url = url;
    this.#onNotice = onNotice;
    this.#driver = driver;
    this.#first = first;
  }

  /**
   * @param session the connection on which its transaction is open
   * @throws JournalLostError, also where the session is no more; the server's error where it refuses the statement
   */
  async query<Row extends QueryResultRow>(
    sql: string,
    values?: readonly unknown[],
    session?: JournalClient,
  ): Promise<QueryResult<Row>> {
    const client = session ?? (await this.connect());
    if (session !== undefined && session !== this.#client) throw lost('its connection was lost');
    try {
      const name = PREPARED.get(sql);
      return await client.query<Row>({
        text: sql,
        ...(name && { name }),
        ...(values && { values: [...values] }),
      });
    } catch (error) {
      if (isRefusal(error)) throw error;
      this.drop(client);
      throw lost(error);
    }
  }

  /** @throws JournalLostError */
  connect(): Promise<JournalClient> {
    if (this.#client) return Promise.resolve(this.#client);
    this.#connecting ??= this.#connectToAny().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** What it was about is over there as soon as the server notices. */
  drop(client = this.#client): void {
    if (client === undefined) return;
    if (this.#client === client) this.#client = undefined;
    void client.end().catch(() => {});
  }

  /** Whoever asks from now on is refused: what was under way would connect again, and keep a command from ending. */
  close(): void {
    this.#isClosed = true;
    this.drop();
  }

  async #connectToAny(): Promise<JournalClient> {
    let failure: unknown;
    for (const config of hostsOf(this.#url)) {
      if (this.#isClosed) throw lost('it is closed');
      const client = this.#driver(config);
      // From the beginning: a connection that is lost before its first answer would end the process.
      client.on('error', () => this.drop(client));
      client.on('end', () => this.drop(client));
      try {
        await client.connect();
        const { rows } = await client.query<{ transaction_read_only: string }>({
          text: 'SHOW transaction_read_only',
        });
        if (rows[0]?.transaction_read_only !== 'off') throw new Error('The server takes no writes.');
        await this.#first?.(client);
        if (this.#isClosed) throw new Error('It is closed.');
        client.on('notification', ({ payload = '' }) => this.#onNotice?.(payload));
        this.#client = client;
        return client;
      } catch (error) {
        failure = error;
        void client.end().catch(() => {});
      }
    }
    throw lost(failure);
  }
}

/**
 * One configuration for each host.
 * @throws AppError that names the variable
 */
export function hostsOf(url: string): ClientConfig[] {
  const [, before, hosts = '', after] = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  if (before === undefined || after === undefined) {
    const message =
      'HOLDPOINT_JOURNAL cannot be used. Give postgres://user@host/database, or several hosts with commas between.';
    throw new AppError('validation_failed', message);
  }
  return hosts.split(',').map(host => ({
    connectionString: `${before}${host}${after}`,
    application_name: 'holdpoint',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: IDLE_MS,
    keepAlive: true,
    pipeline: true,
  }));
}

/**
 * The server answered, and goes on: with a code of SQL that is not of the connection or of its own end. Where it does not have
 * a statement that this end has named, or not with these columns any more, a new connection has it parsed anew.
 */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  const isParsedOtherwise = error.code === '26000' || error.routine === 'RevalidateCachedQuery';
  return !isParsedOtherwise && !/^(08|57P|25P03|58)/.test(error.code ?? '');
}

function lost(cause: unknown): JournalLostError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new JournalLostError(`The journal was not reached: ${why}`, { cause });
}
