import { existsSync, readFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Config } from '../app/config.ts';
import { isLoopback } from '../enrolment/certificate.ts';
import { createAgent } from '../sync/client/central-connection.ts';
import { readCentralAddress } from '../sync/client/central-tls.ts';

const CONNECT_MS = 10_000;

/** Where this installation's own server is, and how to speak with it. */
export interface OwnServer {
  baseUrl: string;
  fetch: typeof fetch;
  /** Ends what keeps the process alive. */
  close(): void;
}

/** A server that speaks TLS is known by its very certificate, which lies on this machine. */
export function ownServer(config: Config): OwnServer {
  const path = certificatePath(config);
  const { host, port } = config;
  // One that listens on every address is reached on this machine's own.
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const baseUrl = `${path ? 'https' : 'http'}://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
  if (path === undefined) return { baseUrl, fetch, close: () => {} };
  return { baseUrl, ...fetchTrusting(baseUrl, readFileSync(path, 'utf8')) };
}

function certificatePath({ folder, host, certificate, isBehindProxy }: Config): string | undefined {
  if (certificate !== undefined) return certificate;
  const own = join(folder, 'central.crt');
  return isLoopback(host) || isBehindProxy || !existsSync(own) ? undefined : own;
}

/** `fetch` to one server, whose certificate must be this one. Redirects are answers like any other. */
export function fetchTrusting(baseUrl: string, certificate: string): Pick<OwnServer, 'fetch' | 'close'> {
  const agent = createAgent(readCentralAddress(baseUrl), { certificate }, CONNECT_MS);
  return {
    fetch: (input, init) =>
      new Promise((resolve, reject) => {
        const asked = new Request(input, init);
        const sent = httpsRequest(
          asked.url,
          {
            agent,
            method: asked.method,
            headers: Object.fromEntries(asked.headers),
            signal: asked.signal,
          },
          answer => {
            const headers = Object.entries(answer.headersDistinct).flatMap(([name, values]) =>
              (values ?? []).map((value): [string, string] => [name, value]),
            );
            const body = Readable.toWeb(answer) as ReadableStream<Uint8Array>;
            resolve(new Response(body, { status: answer.statusCode ?? 502, headers }));
          },
        );
        sent.on('error', reject);
        if (asked.body === null) sent.end();
        else Readable.from(asked.body).on('error', reject).pipe(sent);
      }),
    close: () => agent.destroy(),
  };
}
