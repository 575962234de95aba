import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { CentralFailureKind } from '../../../../server/sync/client/central-failure.ts';
import { CentralFailure } from '../../../../server/sync/client/central-failure.ts';
import type { TestCertificate } from '../../../support/certificates.ts';

/** A server on a free loopback port, by HTTPS when a certificate is given; closed with the test. Answers its port. */
export async function centralStandIn(handler: RequestListener, tls?: TestCertificate): Promise<number> {
  const server: Server = tls
    ? createTlsServer({ cert: tls.certificate, key: tls.key }, handler)
    : createServer(handler);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}

/** An envelope with data, as central sends it. */
export function successText(data: unknown): string {
  return JSON.stringify({ status: 'success', message: 'The request was successful', data });
}

/** The kind of failure with which a promise rejects, and its words. */
export async function failureOf(
  promise: Promise<unknown>,
): Promise<{ kind: CentralFailureKind; message: string }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof CentralFailure) return { kind: error.kind, message: error.message };
    throw error;
  }
  throw new Error('It did not fail.');
}
