import { createHmac, timingSafeEqual } from 'node:crypto';
import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../shared/contract/errors.ts';
import { createAgent } from '../sync/client/central-connection.ts';
import { addressOf } from './request-context.ts';

/** What lives in one process: of several that are one central, the one that does what is done at one alone answers it. */
const AT_ONE =
  /^\/api\/v2\/x\/((imports|webhooks|backups|backup-key|validation|sample-company|stations\/backup|stations\/\d+\/(backups|choose|group|revoke))(\/|$)|stations$)/;
/** By which a process tells another one for whom it asks. */
const FORWARDED = 'holdpoint-forwarded';
const CONNECT_MS = 3_000;
/** Of one connection, and of the way on: they are not the caller's. */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', FORWARDED];

export interface ForwardingOptions {
  /** Where what is done at one process alone is done: `here`, the origin of another process, or nowhere just now. */
  worker: () => string | undefined;
  /** What all processes know and nobody else. */
  key: Buffer;
  /** PEM, which all processes listen with; undefined with plain HTTP. */
  certificate: string | undefined;
}

export interface Forwarding {
  /** Before anything looks at where a request comes from: what another process forwards comes from its caller. */
  receive: RequestHandler;
  /** After it is known who calls: what is done elsewhere is asked for there, and the answer is given as it comes. */
  forward: RequestHandler;
  close(): void;
}

/** Between processes that are one central: whatever process a request meets, it is answered. */
export function createForwarding({ worker, key, certificate }: ForwardingOptions): Forwarding {
  const agents = new Map<string, ReturnType<typeof createAgent>>();
  const agentOf = (url: URL) => {
    const known = agents.get(url.origin);
    if (known) return known;
    const isSecure = url.protocol === 'https:';
    const address = { isSecure, host: url.hostname, port: Number(url.port), origin: url.origin };
    const made = createAgent(address, { certificate: certificate ?? '' }, CONNECT_MS);
    agents.set(url.origin, made);
    return made;
  };
  const proofOf = ({ method, originalUrl, headers }: Request, address: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([method, originalUrl, headers.authorization, headers.cookie, address]))
      .digest('base64url');

  function send(request: Request, response: Response, origin: string): Promise<void> {
    const url = new URL(request.originalUrl, origin);
    const address = addressOf({ request });
    const headers = { ...request.headers };
    for (const name of OF_CONNECTION) delete headers[name];
    headers[FORWARDED] = `${address} ${proofOf(request, address)}`;
    const options: RequestOptions = { method: request.method, headers, agent: agentOf(url) };
    return new Promise((resolve, reject) => {
      const ask = url.protocol === 'https:' ? requestHttps : requestHttp;
      const asked = ask(url, options, answer => {
        const { statusCode = 502, headers: given } = answer;
        for (const name of OF_CONNECTION) delete given[name];
        response.writeHead(statusCode, given);
        answer.on('error', () => response.destroy());
        answer.pipe(response).once('close', resolve);
      });
      response.once('close', () => asked.destroy());
      asked.on('error', cause => (response.headersSent ? resolve() : reject(notReached(cause))));
      request.pipe(asked);
    });
  }

  return {
    receive(request, response, next) {
      const given = request.headers[FORWARDED];
      const [address, proof] = typeof given === 'string' ? given.split(' ') : [];
      if (address === undefined || proof === undefined || !isSame(proof, proofOf(request, address)))
        return next();
      response.locals.isForwarded = true;
      // The connection speaks for those whom the other process asks for, one after the other.
      Object.defineProperty(request.socket, 'remoteAddress', { configurable: true, value: address });
      next();
    },
    forward(request, response, next) {
      const at = AT_ONE.test(request.path) ? worker() : 'here';
      if (at === 'here') return next();
      if (at === undefined || isForwarded(response)) return next(notReached(undefined));
      send(request, response, at).catch(next);
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

/** Whether another process of this central has sent it on. */
export function isForwarded({ locals }: Pick<Response, 'locals'>): boolean {
  return locals.isForwarded === true;
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

function notReached(cause: unknown): AppError {
  const message =
    'The process of this central that does this is not reached just now; another one takes it over within some seconds. Try again.';
  return new AppError('unavailable', message, { cause, headers: { 'Retry-After': '3' } });
}
