import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Gives each connection to the next of several servers that takes it, and knows nothing of what they say. */
export class Balancer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #next = 0;

  /** @param ports of servers on this machine, as they are now */
  constructor(ports: () => readonly number[]) {
    this.#server = createServer({ pauseOnConnect: true }, client => {
      this.#keep(client);
      this.#connect(client, ports(), 0);
    });
  }

  async start(): Promise<void> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #connect(client: Socket, ports: readonly number[], tried: number): void {
    const port = ports[this.#next % ports.length];
    this.#next += 1;
    if (port === undefined || tried === ports.length) return void client.destroy();
    const server = connect(port, '127.0.0.1');
    this.#keep(server);
    const refused = () => this.#connect(client, ports, tried + 1);
    server.once('error', refused);
    server.once('connect', () => {
      server.off('error', refused);
      client.pipe(server).pipe(client);
      client.on('close', () => server.destroy());
      server.on('close', () => client.destroy());
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
