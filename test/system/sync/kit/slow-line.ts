import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../faults/seeded-random.ts';

export interface SlowLineOptions {
  /** Bytes a second in each direction, of all connections together. */
  rate: number;
  /** Milliseconds that each byte is on its way, in each direction. */
  delay?: number;
  /** What TCP makes of lost packets: of a hundred, how many stop their direction for `stall` milliseconds. */
  loss?: number;
  stall?: number;
  /** In each `every` milliseconds, from the first connection on, nothing passes in the last `dark`. */
  hole?: { every: number; dark: number };
  seed?: number;
}

/** About what one packet carries. */
const PACKET = 1_400;

/** A slow line between a station and central, on loopback. It breaks nothing: all that is sent arrives, in its time. */
export class SlowLine {
  /** Where connections go, once it is known: `http://127.0.0.1:4870`. */
  target = '';
  /** Bytes that went towards the target, and back. */
  up = 0;
  down = 0;
  readonly #options: SlowLineOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #ways: Record<'up' | 'down', Way>;

  private constructor(options: SlowLineOptions) {
    this.#options = options;
    this.#ways = { up: new Way(options, 1), down: new Way(options, 2) };
    this.#server = createServer({ allowHalfOpen: true }, near => this.#pass(near));
  }

  static async open(options: SlowLineOptions): Promise<SlowLine> {
    const line = new SlowLine(options);
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  /** `127.0.0.1:4870`: central must answer to it, in `HOLDPOINT_HOSTS`. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends all connections, and takes no more. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #pass(near: Socket): void {
    const { hostname, port } = new URL(this.target);
    const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      // What one side ends at once, the other side learns as its end.
      socket
        .on('error', () => {})
        .on('close', () => {
          this.#sockets.delete(socket);
          other.destroySoon();
        });
    }
    void this.#carry(near, far, 'up');
    void this.#carry(far, near, 'down');
  }

  async #carry(from: Socket, to: Socket, direction: 'up' | 'down'): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        for (let start = 0; start < chunk.length; start += PACKET) {
          const packet = chunk.subarray(start, start + PACKET);
          await this.#ways[direction].let(packet.length);
          this[direction] += packet.length;
          setTimeout(() => to.writable && to.write(packet), this.#options.delay ?? 0).unref();
        }
      }
      setTimeout(() => to.end(), this.#options.delay ?? 0).unref();
    } catch {
      // It was cut, and the other side hears of it.
    }
  }
}

/** One direction of a line: packets follow each other. */
class Way {
  readonly #options: SlowLineOptions;
  readonly #random: ReturnType<typeof seededRandom>;
  #began: number | undefined;
  #freeAt = 0;

  constructor(options: SlowLineOptions, direction: number) {
    this.#options = options;
    this.#random = seededRandom((options.seed ?? 1) * 2 + direction);
  }

  /** Returns when so many bytes have passed. */
  async let(bytes: number): Promise<void> {
    const { rate, loss = 0, stall = 0 } = this.#options;
    const now = performance.now();
    this.#began ??= now;
    const lost = this.#random.below(100) < loss ? stall : 0;
    this.#freeAt = this.#afterHole(Math.max(now, this.#freeAt) + lost) + (bytes / rate) * 1_000;
    await sleep(this.#freeAt - now);
  }

  /** The first moment, not before the given one, at which something passes. */
  #afterHole(moment: number): number {
    const { hole } = this.#options;
    if (!hole) return moment;
    const since = (moment - (this.#began ?? moment)) % hole.every;
    return since < hole.every - hole.dark ? moment : moment + hole.every - since;
  }
}
