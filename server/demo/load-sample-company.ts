import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { dateIn } from '../../shared/contract/dates.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { type Client, createClient } from '../../shared/operations/client.ts';
import type { SampleCompanyState } from '../../shared/operations/sample-operations.ts';
import type { TokenIdentity } from '../identity/tokens.ts';
import { SCOPES } from '../store/token-table.ts';
import { fillSampleCompany } from './fill-sample-company.ts';

export interface SampleLoaderOptions {
  clock: () => Date;
  /** A server over HTTP that is not listening yet. */
  createServer: (handler: RequestListener) => {
    listen(host: string, port: number): Promise<{ port: number }>;
    close(): Promise<void>;
  };
  onFault: (error: unknown) => void;
}

export type SampleLoader = ReturnType<typeof createSampleLoader>;

/**
 * Loads the sample company through the server's own interface, like any other client: by a listener on loopback and a
 * secret that exist only while it runs and that nobody else knows. Its author is whoever asked for it.
 */
export function createSampleLoader({ clock, createServer, onFault }: SampleLoaderOptions) {
  let caller: { header: Buffer; identity: TokenIdentity } | undefined;
  let state: SampleCompanyState | undefined;
  let running: { abort: AbortController; ended: Promise<void> } | undefined;

  /** The loader's own calls; null for everybody else's. */
  function authenticate(authorization: string | undefined): TokenIdentity | null {
    if (!caller || authorization === undefined) return null;
    const given = Buffer.from(authorization);
    const isOwn = given.length === caller.header.length && timingSafeEqual(given, caller.header);
    return isOwn ? caller.identity : null;
  }

  /** Begins, for the author `user`. @throws AppError 409 while it runs, and where there are records */
  function start(handler: RequestListener, user: string, isEmpty: boolean): SampleCompanyState {
    if (running) throw new AppError('conflict', 'The sample company is being loaded already.');
    if (!isEmpty) {
      const message =
        'This installation has records already. Use another data folder for the sample company.';
      throw new AppError('conflict', message);
    }
    const abort = new AbortController();
    const begun: SampleCompanyState = { state: 'running', message: 'It begins.', done: 0, steps: null };
    state = begun;
    running = { abort, ended: run(handler, user, abort.signal) };
    return begun;
  }

  async function run(handler: RequestListener, user: string, signal: AbortSignal): Promise<void> {
    const token = randomBytes(32).toString('base64url');
    const header = Buffer.from(`Bearer ${token}`);
    caller = { header, identity: { tokenId: -1, name: user, scopes: SCOPES } };
    const server = createServer(handler);
    try {
      const { port } = await server.listen('127.0.0.1', 0);
      await fill(createClient({ baseUrl: `http://127.0.0.1:${port}`, token }), signal);
      state = {
        state: 'done',
        message: 'The sample company is there.',
        done: 1,
        steps: 1,
        ...stepsOf(state),
      };
    } catch (error) {
      if (!signal.aborted) onFault(error);
      const message =
        'Loading the sample company failed; the log of the server names the cause. What was written stays.';
      state = { state: 'failed', message, done: 0, steps: null, ...stepsOf(state) };
    } finally {
      caller = undefined;
      running = undefined;
      await server.close();
    }
  }

  async function fill(client: Client, signal: AbortSignal): Promise<void> {
    const { data: settings } = await client.call('x.settings.read');
    await fillSampleCompany(client, {
      today: dateIn(settings.time_zone, clock().toISOString()),
      signal,
      onProgress: ({ done, steps, title }) => {
        state = { state: 'running', message: title, done, steps };
      },
    });
  }

  return {
    authenticate,
    start,
    read(isEmpty: boolean): SampleCompanyState {
      if (state) return state;
      return isEmpty
        ? { state: 'possible', message: 'The sample company can be loaded.', done: 0, steps: null }
        : { state: 'impossible', message: 'This installation has records already.', done: 0, steps: null };
    },
    /** Ends what runs after the step at work. */
    async close(): Promise<void> {
      running?.abort.abort();
      await running?.ended;
    },
  };
}

function stepsOf(state: SampleCompanyState | undefined): Partial<SampleCompanyState> {
  return state ? { done: state.done, steps: state.steps } : {};
}
