import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Passes connections on to a port of this machine, and counts what goes over the wire, heads of messages included. */
export class CountingProxy {
  /** Bytes towards the target, and back, since `reset`. */
  up = 0;
  down = 0;
  /** When the first byte went up since `reset`, by `performance.now()`. */
  firstAt: number | undefined;
  /** When the last byte came back. */
  lastAt = 0;
  /** The port to pass on to; connections that come before it is set are ended. */
  target: number | undefined;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer(socket => this.#pass(socket));
  }

  static async open(): Promise<CountingProxy> {
    const proxy = new CountingProxy();
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Counts from nothing. */
  reset(): void {
    this.up = 0;
    this.down = 0;
    this.firstAt = undefined;
  }

  /** Ends what is open, and passes on to another port from now on; to none where it is undefined. */
  turnTo(target: number | undefined): void {
    this.target = target;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.turnTo(undefined);
    this.#server.close();
  }

  #pass(near: Socket): void {
    if (this.target === undefined) return void near.destroy();
    const far = connect(this.target, '127.0.0.1');
    near.on('data', chunk => {
      this.firstAt ??= performance.now();
      this.up += chunk.length;
    });
    far.on('data', chunk => {
      this.down += chunk.length;
      this.lastAt = performance.now();
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.pipe(other);
      // Whatever ends one of the two ends the other.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
