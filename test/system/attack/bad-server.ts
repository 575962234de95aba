import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Target } from './attack-case.ts';

/** What a server does wrong: the negative control of the cases. */
export type Fault = (
  request: IncomingMessage,
  response: ServerResponse,
  rows: Record<string, unknown>[],
) => void;

export interface BadServer extends Target {
  close(): void;
}

const NORMAL_PATH = '/normal';
const FOLDER = '/home/station/data';

/** A server that answers its normal request well, and every other one as the fault says. */
export async function startBadServer(fault: Fault): Promise<BadServer> {
  const rows: Record<string, unknown>[] = [{ id: 1, name: 'Provence Botanicals' }];
  // One object stands for what all objects inherit from, so that nothing of this process is polluted.
  const inherited: Record<string, unknown> = {};
  const server = createServer((request, response) => {
    if (request.url !== NORMAL_PATH) return fault(request, response, rows);
    response.setHeader('X-Content-Type-Options', 'nosniff').end(JSON.stringify({ ...inherited, ...rows[0] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    token: 'a-token',
    readerToken: 'another-token',
    normal: { line: `GET ${NORMAL_PATH}`, answer: JSON.stringify(rows[0]) },
    stored: () => JSON.stringify(rows),
    secrets: [FOLDER],
    close: () => void server.close(),
  };
}

/** An answer as it should be, but for what the caller puts in. */
export function refuse(
  response: ServerResponse,
  options: { status?: number; message?: string; headers?: Record<string, string> } = {},
): void {
  const { status = 400, message = 'This is not valid.', headers = {} } = options;
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  const request_id = '5f0c8f0e-6d0b-4c0a-9a55-0f6f6f1f2b7e';
  response.end(JSON.stringify({ status: 'error', message, code: 'malformed', request_id }));
}
