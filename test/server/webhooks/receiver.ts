import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: { type: string; timestamp: string; data: Record<string, unknown> };
  at: number;
}

/** Answers a message; true: it was taken. */
export type Answer = (message: Received, response: ServerResponse) => boolean;

export const taking: Answer = (_message, response) => {
  response.writeHead(204).end();
  return true;
};

/** A receiver of webhooks on loopback. What it took stands in `taken`, every request in `seen`. */
export class Receiver {
  readonly seen: Received[] = [];
  readonly taken: Received[] = [];
  answer: Answer = taking;
  #server: Server | undefined;
  #port = 0;
  #watchers: (() => void)[] = [];

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hooks`;
  }

  async open(): Promise<this> {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', chunk => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const { headers } = request;
        const message = {
          id: String(headers['webhook-id']),
          headers,
          text,
          body: JSON.parse(text),
          at: Date.now(),
        };
        this.seen.push(message);
        if (this.answer(message, response)) this.taken.push(message);
        for (const watcher of [...this.#watchers]) watcher();
      });
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  /** Until this holds, looked at with each request. */
  async until(holds: (receiver: this) => boolean): Promise<void> {
    if (holds(this)) return;
    await new Promise<void>(resolve => {
      const watcher = () => {
        if (!holds(this)) return;
        this.#watchers = this.#watchers.filter(each => each !== watcher);
        resolve();
      };
      this.#watchers.push(watcher);
    });
  }

  /** Those of a type that were taken, once so many were. */
  async take(count: number, type = ''): Promise<Received[]> {
    const found = () => this.taken.filter(({ body }) => body.type.startsWith(type));
    await this.until(({ taken }) => taken.length >= count && found().length >= count);
    return found();
  }
}
