import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Station } from '../support/station.ts';

/** What befalls the answer to a request, which the server has given by then. */
export type Fate = 'pass' | 'cut' | 'kill' | { status: 429 | 503; retryAfter: string };

export interface CuttingProxy {
  origin: string;
  /** What befalls the next writes (and reads of changes), one after the other; all others pass. */
  fates: Fate[];
  /** The keys of the writes that came, in their order. */
  keys: (string | undefined)[];
  close(): Promise<void>;
}

/**
 * Stands before a station and loses answers: cuts the line once the server has answered, or kills the server (SIGKILL) and
 * starts it again. Also serves the files below `folder` at `/client/`, so that a page of the same origin can import them.
 */
export async function startCuttingProxy(station: Station, folder: string): Promise<CuttingProxy> {
  const fates: Fate[] = [];
  const keys: (string | undefined)[] = [];

  async function answerOf(request: IncomingMessage): Promise<Response> {
    const url = request.url ?? '/';
    if (url === '/') return new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } });
    if (url.startsWith('/client/')) {
      const text = await readFile(join(folder, url.slice('/client/'.length)), 'utf8');
      return new Response(text, { headers: { 'Content-Type': 'text/javascript' } });
    }
    const headers = new Headers();
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'if-match', 'last-event-id']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const body = request.method === 'GET' ? null : new Uint8Array(await buffer(request));
    return fetch(station.origin + url, { method: request.method ?? 'GET', headers, body });
  }

  const server = createServer(async (request, response) => {
    const isWrite = request.method !== 'GET';
    if (isWrite) keys.push(request.headers['idempotency-key']?.toString());
    const isFated = isWrite || request.url?.includes('/x/changes');
    const fate = (isFated && fates.shift()) || 'pass';
    if (typeof fate === 'object') {
      const words = { status: 'error', message: 'Later.', code: 'unavailable', request_id: 'a test' };
      response.writeHead(fate.status, { 'Content-Type': 'application/json', 'Retry-After': fate.retryAfter });
      response.end(JSON.stringify(fate.status === 429 ? { ...words, code: 'too_many_requests' } : words));
      return;
    }
    try {
      const answer = await answerOf(request);
      if (fate === 'kill') {
        await station.kill();
        await station.start();
      }
      if (fate !== 'pass') {
        request.socket.destroy();
        return;
      }
      const kept = ['content-type', 'etag', 'location', 'retry-after'].flatMap(name => {
        const value = answer.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      });
      response.writeHead(answer.status, Object.fromEntries(kept));
      for await (const chunk of answer.body ?? []) response.write(chunk);
      response.end();
    } catch {
      // The station is away: so is its proxy.
      request.socket.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fates,
    keys,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
