import type { IncomingMessage } from 'node:http';

import type { RequestHandler } from 'express';

import { AppError } from '../../shared/contract/errors.ts';
import { otherOrigin } from './other-origins.ts';

/** Names and values that `createHttpServer` lets through; beyond it Node drops headers without a word. */
export const HEADER_COUNT_LIMIT = 100;

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** What a path may have. */
const POSSIBLE = 'GET, HEAD, POST, PUT, PATCH';
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];
/** Segments that mean what they say: no escapes, none that begins with a dot. */
const PLAIN_PATH = /^(?:\/[\w~-][\w.~:@-]*)*\/?$/;

export interface GuardOptions {
  /** The server itself speaks TLS. */
  isSecure?: boolean;
  /**
   * Further hosts that the server answers to (`HOLDPOINT_HOSTS`): `name`, for any scheme's own port and the port that
   * the server listens on, or `name:port` for that port alone.
   */
  hosts?: readonly string[];
  /** Origins whose pages may call with a token, as a browser says them. */
  otherOrigins?: (() => readonly string[]) | undefined;
}

/**
 * The first check of every request, before anything is read or looked up: framing that Node lets through, the host that
 * was asked for (against DNS rebinding), the page that asks (against cross-site requests), and the path.
 *
 * Refuses with `malformed` (400), `forbidden` (403: host or origin), `method_not_allowed` (405: TRACE), `headers_too_large` (431), `not_implemented` (501:
 * method or transfer coding). Pages of other origins are let through where they are named, and never with a cookie (`otherOrigin`).
 */
export function createGuard({
  hosts = [],
  isSecure = false,
  otherOrigins,
}: GuardOptions = {}): RequestHandler {
  const addressesByPort = new Map<number, Addresses>();
  const addressesOf = (port: number): Addresses => {
    let addresses = addressesByPort.get(port);
    if (addresses === undefined) {
      addresses = listAddresses(port, hosts, isSecure);
      addressesByPort.set(port, addresses);
    }
    return addresses;
  };
  return (request, response, next) => {
    checkFraming(request);
    const addresses = addressesOf(request.socket.localPort ?? 0);
    checkHost(request, addresses);
    const { origin } = request.headers;
    const isOther =
      origin !== undefined && !addresses.origins.has(origin) && otherOrigins?.().includes(origin) === true;
    if (!isOther) checkPage(request, addresses);
    checkTarget(request.url);
    if (isOther) otherOrigin(request, response, next);
    else next();
  };
}

interface Addresses {
  hosts: ReadonlySet<string>;
  origins: ReadonlySet<string>;
}

function listAddresses(port: number, configured: readonly string[], isSecure: boolean): Addresses {
  const own = LOOPBACK_NAMES.map(name => `${name}:${port}`);
  if (port === (isSecure ? 443 : 80)) own.push(...LOOPBACK_NAMES);
  const further = configured.map(host => host.toLowerCase());
  for (const host of [...further]) if (!/:\d+$/.test(host)) further.push(`${host}:${port}`);
  return {
    hosts: new Set([...own, ...further]),
    // Before plain HTTP, only a configured host can have a proxy that speaks TLS.
    origins: isSecure
      ? new Set([...own, ...further].map(host => `https://${host}`))
      : new Set(
          [...own, ...further].map(host => `http://${host}`).concat(further.map(host => `https://${host}`)),
        ),
  };
}

function checkFraming(request: IncomingMessage): void {
  const { rawHeaders, headers, method } = request;
  if (rawHeaders.length > 2 * HEADER_COUNT_LIMIT) {
    throw new AppError('headers_too_large', `The request has more than ${HEADER_COUNT_LIMIT} headers.`);
  }
  checkSingleHeaders(rawHeaders);
  if (method === 'TRACE') {
    const message = `TRACE is not possible here. Possible: ${POSSIBLE}.`;
    throw new AppError('method_not_allowed', message, { headers: { Allow: POSSIBLE } });
  }
  if (method === undefined || !METHODS.has(method)) {
    throw new AppError('not_implemented', `The method ${method} is not implemented.`);
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw new AppError('not_implemented', 'No Transfer-Encoding but chunked is implemented.');
  }
}

/** Node keeps the first of two; another program on the way may have judged the second. */
function checkSingleHeaders(rawHeaders: readonly string[]): void {
  let hosts = 0;
  let authorizations = 0;
  let contentTypes = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++;
    else if (name.length === 12 && name.toLowerCase() === 'content-type') contentTypes++;
  }
  if (hosts !== 1) throw new AppError('malformed', 'The request needs one Host header.');
  if (authorizations > 1) throw new AppError('malformed', 'The request has two Authorization headers.');
  if (contentTypes > 1) throw new AppError('malformed', 'The request has two Content-Type headers.');
}

function checkHost({ headers: { host = '' } }: IncomingMessage, { hosts }: Addresses): void {
  if (!hosts.has(host) && !hosts.has(host.toLowerCase())) {
    throw new AppError(
      'forbidden',
      'This server does not answer to that host name. HOLDPOINT_HOSTS adds names.',
    );
  }
}

function checkPage({ headers }: IncomingMessage, { origins }: Addresses): void {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && !origins.has(origin)) {
    throw new AppError(
      'forbidden',
      'Requests from pages of another origin are refused. An administrator may name origins in Setup, Tokens.',
    );
  }
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw new AppError('forbidden', 'Requests from pages of another site are refused.');
  }
}

/** Refuses absolute and asterisk forms, and a path or query that does not decode or changes its meaning when it does. */
function checkTarget(target: string): void {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  if (!PLAIN_PATH.test(path)) {
    if (!path.startsWith('/')) throw new AppError('malformed', 'The request target must be a path.');
    for (const segment of path.slice(1).split('/')) checkSegment(segment);
  }
  if (mark !== -1 && target.includes('%', mark)) decode(target.slice(mark + 1));
}

function checkSegment(segment: string): void {
  const decoded = decode(segment);
  if (decoded === '.' || decoded === '..' || decoded.includes('/') || decoded.includes('\\')) {
    throw new AppError('malformed', 'A part of the path is not allowed.');
  }
}

function decode(text: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch (cause) {
    throw new AppError('malformed', 'The request target has a percent sequence that is not UTF-8.', {
      cause,
    });
  }
  if (decoded.includes('\0')) throw new AppError('malformed', 'The request target holds a NUL character.');
  return decoded;
}
