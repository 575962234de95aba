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
  #isCutting = false;
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
        if (this.#isCutting && data.includes('COMMIT\0')) {
          this.#isCutting = false;
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

  /** How many answers to a COMMIT came from the server and were taken away. */
  get cuts(): number {
    return this.#cuts;
  }

  /** The answer to the next COMMIT does not arrive. */
  cutNextCommit(): void {
    this.#isCutting = true;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
