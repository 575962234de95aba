import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SeededRandom, seededRandom } from '../../faults/seeded-random.ts';
import { askTarget, type Forwarded, forward, type Received, readBody, withoutHops } from './forward.ts';

/**
 * - `drop_request`: the connection ends before the target hears of it
 * - `drop_answer`: the target acts, and its answer is lost
 * - `delay`: the request and the answer take their time
 * - `cut`: the answer breaks off in its middle
 * - `twice`: the target is asked twice, and its second answer is given
 * - `repeat_later`: the target is asked again later, among other requests, and nobody hears that answer
 * - `stale`: the answer that an earlier request to the same path had
 * - `bad_gateway`: 502 with a page, as of a proxy whose target is away
 * - `portal`: 200 with a page that asks to sign in
 * - `pause`: nothing passes for a while, on open connections, and then this request is dropped
 */
export const faultKinds = [
  'drop_request',
  'drop_answer',
  'delay',
  'cut',
  'twice',
  'repeat_later',
  'stale',
  'bad_gateway',
  'portal',
  'pause',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface FaultProxyOptions {
  /** Where requests go: `http://127.0.0.1:4870`. */
  target: string;
  /** The nth request meets the same fault with the same seed. */
  seed: number;
  kinds?: readonly FaultKind[];
}

/** In milliseconds, each drawn below it. */
const LIMITS = { delay: 150, repeat: 1_500, pause: 400, stream: 1_500 };
const TICK_MS = 20;
const PAGE = '<!doctype html><title>Network</title><h1>Something else answers here</h1>';

/** A bad network between a station and central, on loopback: plain HTTP that it understands. Faultless until told. */
export class FaultProxy {
  /** How many requests met which fault. */
  readonly counts: Record<FaultKind, number>;
  /** How many of a hundred requests meet a fault. */
  percent = 0;
  /** All that came, streams among them. */
  requests = 0;
  /** Bytes a second of each message, there and back; undefined: as fast as it goes. */
  rate: number | undefined;
  readonly #options: FaultProxyOptions;
  readonly #random: SeededRandom;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #repeats = new Set<Promise<unknown>>();
  readonly #messages = new Set<Promise<void>>();
  readonly #earlier = new Map<string, Forwarded>();
  #pause: Promise<unknown> = Promise.resolve();
  #hole: Promise<void> | undefined;
  #endHole: () => void = () => {};
  #isStopped = false;

  private constructor(options: FaultProxyOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.counts = Object.fromEntries(faultKinds.map(kind => [kind, 0])) as Record<FaultKind, number>;
    this.#server = createServer((request, response) => {
      const answered: Promise<void> = this.#answer(request, response).finally(() =>
        this.#messages.delete(answered),
      );
      this.#messages.add(answered);
    });
    this.#server.on('connection', socket => {
      if (this.#isStopped) return void socket.destroy();
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async open(options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(options);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** Where requests go. */
  get target(): string {
    return this.#options.target;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends all connections, and every new one at once, until `heal`. */
  stop(): void {
    this.#isStopped = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Nothing that is sent arrives, and nobody is told, until `reappear` or `heal`: connections stay open and say nothing. */
  disappear(): void {
    if (this.#hole) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#hole = promise;
    this.#endHole = resolve;
  }

  /** What was sent meanwhile is lost, and its connections end. */
  reappear(): void {
    this.#hole = undefined;
    this.#endHole();
  }

  /** What was on its way when this was asked has reached its end: the target has heard it, or will not. */
  async settled(): Promise<void> {
    await Promise.all([...this.#messages, ...this.#repeats]);
  }

  /** After `stop`. */
  resume(): void {
    this.#isStopped = false;
  }

  /** No faults from now on. Returns when the last repeated request was answered. */
  async heal(): Promise<void> {
    this.resume();
    this.reappear();
    this.percent = 0;
    this.rate = undefined;
    await Promise.all([this.#pause, ...this.#repeats]);
  }

  async close(): Promise<void> {
    this.stop();
    this.reappear();
    this.#server.close();
    await Promise.all([once(this.#server, 'close'), this.#pause, ...this.#repeats]);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    const kind = this.#drawn();
    try {
      const received: Received = {
        method: request.method ?? 'GET',
        path: request.url ?? '/',
        headers: request.headers,
        bytes: await readBody(request),
      };
      await this.#pause;
      if (await this.#isLost()) return void response.destroy();
      const isStream = request.headers.accept === 'text/event-stream';
      if (isStream) await this.#stream(received, response, kind);
      else await this.#message(received, response, kind);
    } catch {
      // The client went away, or the target is not there: to whoever asks the connection ends.
      response.destroy();
    }
  }

  #drawn(): FaultKind | undefined {
    // Both are drawn for every request, so that a fault depends on nothing but the seed and the count.
    const [share, kind] = [this.#random.below(100), this.#random.pick(this.#options.kinds ?? faultKinds)];
    return share < this.percent ? kind : undefined;
  }

  async #message(received: Received, response: ServerResponse, kind: FaultKind | undefined): Promise<void> {
    const place = `${received.method} ${received.path}`;
    const earlier = this.#earlier.get(place);
    if (kind === 'stale' && !earlier) kind = undefined;
    if (kind) this.counts[kind] += 1;
    if (kind === 'pause') this.#pause = sleep(this.#random.below(LIMITS.pause));
    if (kind === 'drop_request' || kind === 'pause') {
      await this.#pause;
      return void response.destroy();
    }
    if (kind === 'bad_gateway' || kind === 'portal') return sendPage(response, kind);
    if (kind === 'delay') await sleep(this.#random.below(LIMITS.delay));
    if (kind === 'twice') await this.#forward(received);
    const answer = await this.#forward(received);
    this.#earlier.set(place, answer);
    if (kind === 'repeat_later') this.#repeat(received, this.#random.below(LIMITS.repeat));
    if (kind === 'delay') await sleep(this.#random.below(LIMITS.delay));
    if (kind === 'drop_answer' || (await this.#isLost())) return void response.destroy();
    if (kind === 'cut') return cut(response, answer, this.#random);
    send(response, kind === 'stale' && earlier ? earlier : answer);
  }

  /** Of a stream, whatever is not said at its beginning breaks it off later. */
  async #stream(received: Received, response: ServerResponse, kind: FaultKind | undefined): Promise<void> {
    if (kind) this.counts[kind] += 1;
    if (kind === 'drop_request') return void response.destroy();
    if (kind === 'bad_gateway' || kind === 'portal') return sendPage(response, kind);
    const answer = await askTarget(this.#options.target, received);
    response.writeHead(answer.statusCode ?? 0, withoutHops(answer.headers));
    const end = () => {
      answer.destroy();
      response.destroy();
    };
    answer
      .on('error', end)
      .on('close', end)
      .on('data', (chunk: Buffer) => {
        if (!this.#hole) response.write(chunk);
      });
    response.on('error', end).on('close', end);
    if (kind) setTimeout(end, this.#random.below(LIMITS.stream)).unref();
  }

  async #forward(received: Received): Promise<Forwarded> {
    await this.#carry(received.bytes.length);
    const answer = await forward(this.#options.target, received);
    await this.#carry(answer.bytes.length);
    return answer;
  }

  /** As long as so many bytes take at the rate, which may change meanwhile. */
  async #carry(bytes: number): Promise<void> {
    for (let left = bytes; this.rate !== undefined && left > 0; left -= (this.rate * TICK_MS) / 1_000) {
      await sleep(TICK_MS);
    }
  }

  /** Whether nothing passes just now; then it returns when something does again. */
  async #isLost(): Promise<boolean> {
    const hole = this.#hole;
    await hole;
    return hole !== undefined;
  }

  #repeat(received: Received, wait: number): void {
    const repeat: Promise<unknown> = sleep(wait)
      .then(() => this.#forward(received))
      // A target that is away does not hear it.
      .catch(() => undefined)
      .finally(() => this.#repeats.delete(repeat));
    this.#repeats.add(repeat);
  }
}

function send(response: ServerResponse, { status, headers, bytes }: Forwarded): void {
  response.writeHead(status, { ...headers, 'content-length': bytes.length }).end(bytes);
}

function cut(response: ServerResponse, { status, headers, bytes }: Forwarded, random: SeededRandom): void {
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.flushHeaders();
  const part = bytes.subarray(0, random.below(Math.max(1, bytes.length)));
  response.write(part, () => response.destroy());
}

function sendPage(response: ServerResponse, kind: 'bad_gateway' | 'portal'): void {
  response.writeHead(kind === 'portal' ? 200 : 502, { 'content-type': 'text/html' }).end(PAGE);
}
