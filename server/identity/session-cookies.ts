/** The cookie of a session. One of an origin's ports is seen by the others: hosts tell them apart, ports do not. */
export const SESSION_COOKIE = 'holdpoint_session';
/** With a user's id behind it: the cookie of a session that rests while somebody else works in the same browser. */
export const PARKED_COOKIE = 'holdpoint_parked_';
/** Sessions that rest in one browser. */
export const MOST_PARKED = 20;
const SECRET = /^[\w-]{43}$/;

/** What the session's cookie holds; two of them say nothing, because one may be another page's. */
export function secretIn(cookie: string): string | undefined {
  const values = pairsIn(cookie).flatMap(([name, value]) => (name === SESSION_COOKIE ? [value] : []));
  const [secret = ''] = values;
  return values.length === 1 && SECRET.test(secret) ? secret : undefined;
}

/** The secrets of sessions that rest in the browser while somebody else works there, by their users. */
export function parkedIn(cookie: string): Map<number, string> {
  const found = pairsIn(cookie).flatMap(([name, value]): [number, string][] => {
    const id = name.startsWith(PARKED_COOKIE) ? name.slice(PARKED_COOKIE.length) : '';
    return /^[1-9]\d{0,15}$/.test(id) && SECRET.test(value) ? [[Number(id), value]] : [];
  });
  return new Map(found.slice(0, MOST_PARKED));
}

function pairsIn(cookie: string): [name: string, value: string][] {
  return cookie.split(';').map(pair => {
    const [name = '', value = ''] = pair.trim().split('=', 2);
    return [name, value];
  });
}
