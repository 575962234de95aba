import type { Present } from '../../identity/hands.ts';
import type { Identity } from '../../identity/identity.ts';
import {
  MOST_PARKED,
  PARKED_COOKIE,
  parkedIn,
  SESSION_COOKIE,
  secretIn,
} from '../../identity/session-cookies.ts';
import type { Sessions } from '../../identity/sessions.ts';
import { API_PREFIX } from '../reply.ts';
import { addressOf, type RequestContext } from '../request-context.ts';

/** Sessions that rest are of use to these operations only: their cookies go nowhere else. */
const PARKED_PATH = `${API_PREFIX}/x/session`;

export interface BrowserOptions {
  identity: Pick<Identity, 'sessions' | 'hands'>;
  /** Browsers reach the server by TLS, its own or a proxy's: cookies go no other way. */
  isSecure: boolean;
}

/** The sessions of the browser that calls: the one that works there first, then those that rest. */
export function presentIn({ request }: RequestContext, sessions: Pick<Sessions, 'identify'>): Present[] {
  return secretsIn(request.headers.cookie).flatMap(secret => {
    const identity = sessions.identify(secret, false);
    return identity ? [{ secret, identity }] : [];
  });
}

/** What the cookies hold, of sessions that are over as well. */
function secretsIn(header = ''): string[] {
  const active = secretIn(header);
  return [...new Set([...(active === undefined ? [] : [active]), ...parkedIn(header).values()])];
}

/**
 * Lets a session work in the browser. Who worked there rests, where a PIN or badge brings them back, and is signed out where
 * not; of one person there is one session. Sets the cookies. Answers what the browser has then.
 */
export async function takePlace(
  { identity: { sessions, hands }, isSecure }: BrowserOptions,
  context: RequestContext,
  next: Present,
): Promise<Present[]> {
  const { request, response } = context;
  const header = request.headers.cookie ?? '';
  const lines: string[] = [];
  const signOut = ({ identity }: Present) =>
    sessions.end(identity.session, { kind: 'signed_out', address: addressOf(context) });
  const others = presentIn(context, sessions).filter(
    ({ identity }) => identity.session !== next.identity.session,
  );
  await hands.inherit(
    secretsIn(header).filter(secret => secret !== next.secret),
    next,
  );
  const resting: Present[] = [];
  for (const other of others) {
    const { has_pin: hasPin, has_badge: hasBadge } = hands.stateOf(other.identity);
    const isOther = other.identity.userId !== next.identity.userId;
    const isResting = isOther && (hasPin || hasBadge) && resting.length < MOST_PARKED;
    if (!isResting) {
      await signOut(other);
      continue;
    }
    resting.push(other);
    if (!other.identity.isLocked) await sessions.lock(other.identity.session);
  }
  const parked = new Map(resting.map(({ secret, identity }) => [identity.userId, secret]));
  const before = parkedIn(header);
  for (const [userId, secret] of parked)
    if (before.get(userId) !== secret) lines.push(parkedCookie(userId, secret, isSecure));
  for (const userId of before.keys()) if (!parked.has(userId)) lines.push(parkedCookie(userId, '', isSecure));
  lines.push(sessionCookie(next.secret, isSecure));
  response.append('Set-Cookie', lines);
  return [next, ...resting];
}

/** Scripts cannot read it and other sites' pages cannot make a browser send it; it lasts as long as the browser runs. */
export function sessionCookie(secret: string, isSecure: boolean): string {
  return cookie(SESSION_COOKIE, secret, '/', isSecure);
}

function parkedCookie(userId: number, secret: string, isSecure: boolean): string {
  return cookie(`${PARKED_COOKIE}${userId}`, secret, PARKED_PATH, isSecure);
}

function cookie(name: string, secret: string, path: string, isSecure: boolean): string {
  const parts = [`${name}=${secret}`, `Path=${path}`, 'HttpOnly', 'SameSite=Strict'];
  if (isSecure) parts.push('Secure');
  if (secret === '') parts.push('Max-Age=0');
  return parts.join('; ');
}
