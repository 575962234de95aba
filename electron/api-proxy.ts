import { AppError } from '../shared/contract/errors.ts';
import type { CookieJar } from './cookie-jar.ts';

export interface ApiProxyOptions {
  /** `http://127.0.0.1:<port>`; undefined while the server does not run. */
  origin: () => string | undefined;
  jar: CookieJar;
  fetch?: typeof fetch;
}

/** Of one connection, not of the message (RFC 9110, 7.6.1), and what the answer's body no longer is after reading. */
const HOP_BY_HOP = [
  'connection',
  'content-encoding',
  'content-length',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
/** Who calls is said here, whatever a page writes; and a page has no business with where it comes from. */
const NOT_FROM_PAGES = ['authorization', 'cookie', 'forwarded', 'origin', 'referer', 'x-forwarded-for'];

/**
 * Passes what a page asks below `/api/` to the station's server, and the answer back, both as streams. The session of
 * the person who has signed in is added here and taken from the answers, so that no page holds anything that would be
 * worth stealing; and the request says to come from the server's own origin, as one from its own page would. A redirect
 * is refused: the interface has none, and nothing may lead a request with a session elsewhere.
 */
export function createApiProxy({ origin, jar, fetch: send = fetch }: ApiProxyOptions) {
  return async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    if (!pathname.startsWith('/api/')) return refusal('not_found', 'Only the interface is here.');
    const server = origin();
    if (server === undefined) return notRunning();
    const headers = headersFor(request.headers, server, jar.header());
    let answer: Response;
    try {
      answer = await send(server + pathname + search, {
        method: request.method,
        headers,
        redirect: 'manual',
        signal: request.signal,
        ...(request.body && { body: request.body, duplex: 'half' }),
      });
    } catch (error) {
      if (request.signal.aborted) throw error;
      return notRunning();
    }
    if (answer.status >= 300 && answer.status < 400 && answer.status !== 304) {
      await answer.body?.cancel();
      return refusal('internal', 'The server answered with a redirect, which the app does not follow.');
    }
    jar.take(answer.headers.getSetCookie());
    return new Response(answer.body, {
      status: answer.status,
      statusText: answer.statusText,
      headers: withoutOwn(answer.headers),
    });
  };
}

function headersFor(given: Headers, server: string, cookies: string | undefined): Headers {
  const headers = new Headers();
  for (const [name, value] of given) {
    if (HOP_BY_HOP.includes(name) || NOT_FROM_PAGES.includes(name) || name.startsWith('sec-')) continue;
    headers.set(name, value);
  }
  // On loopback packing costs more than it saves.
  headers.set('Accept-Encoding', 'identity');
  headers.set('Origin', server);
  if (cookies !== undefined) headers.set('Cookie', cookies);
  return headers;
}

function withoutOwn(answered: Headers): Headers {
  const headers = new Headers();
  for (const [name, value] of answered) {
    if (!HOP_BY_HOP.includes(name) && name !== 'set-cookie') headers.append(name, value);
  }
  return headers;
}

function notRunning(): Response {
  return refusal('unavailable', 'The server of this station is starting again. Try again in a moment.', {
    'Retry-After': '1',
  });
}

/** As the interface itself refuses. */
function refusal(
  code: 'not_found' | 'internal' | 'unavailable',
  message: string,
  headers: Record<string, string> = {},
): Response {
  const body = { status: 'error', message, code, request_id: crypto.randomUUID() };
  return Response.json(body, {
    status: new AppError(code, message).status,
    headers: { 'Cache-Control': 'no-store', ...headers },
  });
}
