import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/** The name of PostgreSQL's socket in its folder. */
const SOCKET = '.s.PGSQL.5432';

/** Stands before a PostgreSQL on a socket, and takes away answers. */
export class CuttingProxy {
  readonly folder = mkdtempSync('/tmp/holdpoint-cut-');
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cutAt: string | undefined;
  #cuts = 0;

  /** @param folder with the server's socket */
  constructor(folder: string) {
    this.#server = createServer(client => {
      const server = connect(join(folder, SOCKET));
      let isLost = false;
      for (const socket of [client, server]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => {
          this.#sockets.delete(socket);
          client.destroy();
          server.destroy();
        });
      }
      client.on('data', data => {
        // By the simple protocol: its name and length, and the statement.
        if (this.#cutAt !== undefined && data.includes(`${this.#cutAt}\0`)) {
          this.#cutAt = undefined;
          isLost = true;
        }
        server.write(data);
      });
      server.on('data', data => {
        if (!isLost) return void client.write(data);
        this.#cuts += 1;
        client.destroy();
      });
    });
  }

  async start(): Promise<void> {
    await new Promise<void>(resolve => this.#server.listen(join(this.folder, SOCKET), resolve));
  }

  /** All connections end. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Nothing that is said arrives, and nobody is told; what was said meanwhile arrives when the returned function is called. */
  hang(): () => void {
    const held = [...this.#sockets];
    for (const socket of held) socket.pause();
    return () => {
      for (const socket of held) socket.resume();
    };
  }

  /** How many answers came from the server and were taken away. */
  get cuts(): number {
    return this.#cuts;
  }

  /** The answer to the next such statement does not arrive; of one that is prepared its name. */
  cutNext(statement = 'COMMIT'): void {
    this.#cutAt = statement;
  }

  stop(): void {
    this.#server.close();
    this.cut();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
