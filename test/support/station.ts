import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freshBundle } from '../../server/app/fresh-bundle.ts';
import { fetchTrusting } from '../../server/cli/own-server.ts';
import { ownerCredentialPath } from '../../server/identity/owner-credential.ts';
import { JOURNAL_RUN, newJournal } from './journal-run.ts';
import { serveHere } from './server-here.ts';
import { TESTED } from './tested-program.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
/** Of the bundle, if it is of the sources as they are; from the sources the supervisor starts it all the same, but later. */
const PROGRAM = freshBundle(PROJECT) ? join(TESTED, 'main.js') : 'server/app/main.ts';
/** Looking for garbage, by several threads, took an eighth of a start, and most servers that tests start do little else. In MiB. */
const MEMORY_FLAGS = ['--min-semi-space-size=16', '--single-threaded-gc'];
const START_LIMIT_MS = 180_000;
/** Of a server that does not say that it serves, as other versions may not. */
const ASK_EVERY_MS = 500;
const STOP_LIMIT_MS = 180_000;

export interface StationOptions {
  /** An existing data folder; it is the caller's and stays. Without it, an empty temporary one. */
  readonly folder?: string;
  /** Further environment variables of the server process. */
  readonly env?: Record<string, string>;
  /** `serve` unless said; of a central, `HOLDPOINT_HOST` beyond loopback in `env` makes it speak TLS. */
  readonly role?: 'serve' | 'central';
  /** The program to run instead of the source, such as a bundle; `HOLDPOINT_PROGRAM` names one for a whole run. */
  readonly program?: string;
  /** A free one unless said: what other machines have noted of it stays true. */
  readonly port?: number;
  /** In a run with a journal (`journal-run.ts`) a central all the same, but without one: others go on with copies of its folder. */
  readonly isWithoutJournal?: boolean;
  /**
   * Within the test's process, which saves the start of one: for whoever asks the interface alone, and neither kills the server, looks
   * at its process nor waits for a program that asks it without giving way. A run of another program or with a journal has a process
   * all the same.
   */
  readonly isHere?: boolean;
}

/** Of servers within the test's process. */
const HERE_IS_TESTED =
  PROGRAM.endsWith('.js') && JOURNAL_RUN === undefined && process.env.HOLDPOINT_PROGRAM === undefined;

export interface CallOptions {
  /** A value is sent as JSON; a string as it is. */
  readonly body?: unknown;
  /** `undefined` leaves out a header that would be sent otherwise, such as `authorization`. */
  readonly headers?: Record<string, string | undefined>;
  readonly query?: Record<string, string | number | boolean>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; the text of any other type; undefined when empty. */
  readonly body: unknown;
}

/** A station's real server, a process (`serve`) unless it is `isHere`, on a free loopback port, with a random administrator's token. */
export class Station {
  readonly token = randomBytes(24).toString('base64url');
  readonly #options: StationOptions;
  #folder: string | undefined;
  #port: number | undefined;
  #process: ChildProcessByStdio<null, Readable, Readable> | undefined;
  #closed: Promise<unknown> = Promise.resolve();
  #output = '';
  #journal: string | undefined;
  #endHere: (() => Promise<void>) | undefined;
  #trusting: (ReturnType<typeof fetchTrusting> & { certificate: string }) | undefined;

  constructor(options: StationOptions = {}) {
    this.#options = options;
    this.#folder = options.folder;
    this.#port = options.port;
  }

  /** The data folder. */
  get folder(): string {
    return started(this.#folder);
  }

  /** `http://127.0.0.1:<port>`, or `https:`; the port stays the same over restarts. */
  get origin(): string {
    return `${this.#certificatePath === undefined ? 'http' : 'https'}://127.0.0.1:${started(this.#port)}`;
  }

  /** The certificate that it listens with; undefined with plain HTTP. */
  get certificate(): string | undefined {
    return this.#certificatePath === undefined ? undefined : readFileSync(this.#certificatePath, 'utf8');
  }

  get #certificatePath(): string | undefined {
    const {
      HOLDPOINT_CERTIFICATE: given,
      HOLDPOINT_HOST: host,
      HOLDPOINT_PROXY: proxy,
    } = this.#options.env ?? {};
    if (given !== undefined) return given;
    const isPlain = proxy === '1' || host === undefined || host === '127.0.0.1';
    return isPlain ? undefined : join(this.folder, 'central.crt');
  }

  /** What all server processes of this station have written so far, to both streams. */
  get output(): string {
    return this.#output;
  }

  /** Starts the server and waits until it answers; throws with its output when it ends or takes over three minutes. */
  async start(): Promise<void> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'holdpoint-test-'));
    this.#port ??= await freePort();
    const { env, role, isWithoutJournal, isHere } = this.#options;
    if (!isWithoutJournal && env?.HOLDPOINT_JOURNAL === undefined) this.#journal ??= await newJournal();
    const variables = {
      HOLDPOINT_DATA: this.#folder,
      HOLDPOINT_HOST: '127.0.0.1',
      HOLDPOINT_PORT: String(this.#port),
      HOLDPOINT_TOKEN: this.token,
      HOLDPOINT_LOG: 'warn',
      HOLDPOINT_JOURNAL: this.#journal,
      // A station may send to its own network by itself, and a central where it is told.
      ...(JOURNAL_RUN !== undefined && { HOLDPOINT_WEBHOOK_TARGETS: '127.0.0.0/8' }),
      ...env,
    };
    if (isHere && HERE_IS_TESTED) {
      this.#endHere = await serveHere(role === 'central' ? role : 'station', variables, text => {
        this.#output += text;
      });
      return;
    }
    // A group of its own: `serve` supervises a child, and kill() must reach both.
    const server = spawn(
      process.execPath,
      [
        ...MEMORY_FLAGS,
        this.#options.program ?? process.env.HOLDPOINT_PROGRAM ?? PROGRAM,
        role ?? (JOURNAL_RUN === undefined ? 'serve' : 'central'),
      ],
      {
        cwd: PROJECT,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...process.env,
          NODE_ENV: undefined,
          TZ: 'UTC',
          HOLDPOINT_HOSTS: undefined,
          HOLDPOINT_CERTIFICATE: undefined,
          HOLDPOINT_KEY: undefined,
          HOLDPOINT_PROXY: undefined,
          HOLDPOINT_CA: undefined,
          ...variables,
        },
      },
    );
    this.#process = server;
    // 'close', not 'exit': the pipes close when the last process that inherited them has ended.
    this.#closed = once(server, 'close');
    for (const stream of [server.stdout, server.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
    process.once('exit', this.#killGroup);

    const deadline = Date.now() + START_LIMIT_MS;
    const saidBefore = this.#output.length;
    for (;;) {
      // Each question that nobody hears costs most of a millisecond of a processor, and a start is tens of them long.
      const askAt = Date.now() + ASK_EVERY_MS;
      while (!this.#output.includes(' serves http', saidBefore) && this.isRunning && Date.now() < askAt)
        await sleep(10);
      if (await this.#isAnswering()) return;
      if (server.exitCode !== null || server.signalCode !== null) {
        throw new Error(`The server ended before it answered.\n${this.#output}`);
      }
      if (Date.now() > deadline) {
        await this.kill();
        throw new Error(`The server did not answer within ${START_LIMIT_MS} ms.\n${this.#output}`);
      }
      await sleep(25);
    }
  }

  /** Unless it ended by itself. */
  get isRunning(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  /** By which the owner of the data folder calls: the token, at a station of a central the credential of its server. */
  get bearer(): string {
    const credential = ownerCredentialPath(this.folder);
    return existsSync(credential) ? readFileSync(credential, 'utf8').trim() : this.token;
  }

  /** One request to `/api/v2<path>` by the owner of the data folder. */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const url = new URL(`/api/v2${path}`, this.origin);
    for (const [name, value] of Object.entries(options.query ?? {}))
      url.searchParams.append(name, String(value));
    const { body } = options;
    const headers = new Headers();
    const wanted = {
      authorization: `Bearer ${this.bearer}`,
      'content-type': body === undefined ? undefined : 'application/json',
      ...options.headers,
    };
    for (const [name, value] of Object.entries(wanted)) if (value !== undefined) headers.set(name, value);
    const response = await this.fetch(url, {
      method,
      headers,
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: await parsed(response) };
  }

  /** `fetch`, which over TLS believes this server's certificate and no other. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response> {
    const { certificate } = this;
    if (certificate === undefined) return fetch(url, init);
    if (this.#trusting?.certificate !== certificate) {
      this.#trusting?.close();
      this.#trusting = { certificate, ...fetchTrusting(this.origin, certificate) };
    }
    return this.#trusting.fetch(url, init);
  }

  get(path: string, query: Record<string, string | number | boolean> = {}): Promise<Answer> {
    return this.call('GET', path, { query });
  }

  post(path: string, body?: unknown): Promise<Answer> {
    return this.call('POST', path, { body });
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.call('PUT', path, { body });
  }

  patch(path: string, body: unknown): Promise<Answer> {
    return this.call('PATCH', path, { body });
  }

  /** Orderly end by SIGTERM; throws when a process is left after three minutes. Removes the folder unless it was given. */
  async stop(): Promise<void> {
    try {
      await this.#terminate();
    } finally {
      if (this.#folder !== undefined && this.#options.folder === undefined) {
        await rm(this.#folder, { recursive: true, force: true });
      }
    }
  }

  /** Orderly end by SIGTERM, as `stop()`; the folder stays for `start()`. */
  end(): Promise<void> {
    return this.#terminate();
  }

  /** SIGKILL to the server and its children, at once; the folder stays for `restart()`. */
  async kill(): Promise<void> {
    if (this.#endHere) throw new Error("A server within the test's process cannot be killed.");
    this.#killGroup();
    await this.#forget();
  }

  /** Server and children stand still until the returned function is called, or they are killed. */
  freeze(): () => void {
    const { pid } = started(this.#process);
    const signal = (name: NodeJS.Signals) => pid !== undefined && signalGroup(pid, name);
    signal('SIGSTOP');
    return () => void signal('SIGCONT');
  }

  /** Works only while nobody else wants the processor: who watches its files on a busy machine sees each step in time. */
  giveWay(): void {
    const pid = this.#process?.pid;
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  }

  /** A new server process on the same data folder and port, after an orderly end unless it was killed. */
  async restart(): Promise<void> {
    await this.#terminate();
    await this.start();
  }

  async #terminate(): Promise<void> {
    const endHere = this.#endHere;
    this.#endHere = undefined;
    await endHere?.();
    if (this.#process === undefined) return;
    this.#process.kill('SIGTERM');
    const limit = new AbortController();
    const late = sleep(STOP_LIMIT_MS, true, { signal: limit.signal }).catch(() => false);
    const isLate = await Promise.race([this.#closed.then(() => false), late]);
    limit.abort();
    if (isLate) this.#killGroup();
    await this.#forget();
    if (isLate) throw new Error(`The server did not end within ${STOP_LIMIT_MS} ms.\n${this.#output}`);
  }

  async #forget(): Promise<void> {
    await this.#closed;
    process.off('exit', this.#killGroup);
    this.#process = undefined;
  }

  readonly #killGroup = (): void => {
    const pid = this.#process?.pid;
    if (pid !== undefined) signalGroup(pid, 'SIGKILL');
  };

  async #isAnswering(): Promise<boolean> {
    try {
      const response = await this.fetch(`${this.origin}/api/v2/status`, {
        signal: AbortSignal.timeout(10_000),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      // Not listening yet; start() has the time limit.
      return false;
    }
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The group has ended already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function parsed(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
}

/**
 * Below the ports that systems give to outgoing connections (32768 and above): one of those could be taken by any request
 * between this look and the server's start, and while the server is away.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(11_000, 32_000);
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    // Taken by another program.
    return freePort();
  }
  probe.close();
  await once(probe, 'close');
  return port;
}

function started<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The station has not been started.');
  return value;
}
