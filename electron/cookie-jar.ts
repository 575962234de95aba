/**
 * The session of the person at this app: what the server sets is kept here, in the main process, and goes with the
 * requests of pages, which neither see it nor can send another.
 */
export interface CookieJar {
  /** For the `Cookie` header; undefined while nobody is signed in. */
  header(): string | undefined;
  /** Takes `Set-Cookie` headers. */
  take(headers: readonly string[]): void;
}

export interface CookieJarOptions {
  /** What was kept, as `keep` got it. */
  kept?: string | undefined;
  /** Keeps the cookies over the end of the program; null when there are none. */
  keep: (cookies: string | null) => void;
}

const PAIR = /^([\w-]{1,100})=([\w.~-]{0,4000})$/;

export function createCookieJar({ kept, keep }: CookieJarOptions): CookieJar {
  const cookies = new Map<string, string>();
  for (const pair of (kept ?? '').split('; ')) put(pair);

  function put(pair: string, isEnded = false): void {
    const [, name = '', value = ''] = PAIR.exec(pair) ?? [];
    if (name === '') return;
    if (isEnded || value === '') cookies.delete(name);
    else cookies.set(name, value);
  }

  const header = () =>
    cookies.size === 0 ? undefined : [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  return {
    header,
    take(headers) {
      if (headers.length === 0) return;
      for (const text of headers) {
        const [pair = '', ...attributes] = text.split(';').map(part => part.trim());
        put(
          pair,
          attributes.some(attribute => /^max-age=(0|-\d+)$/i.test(attribute)),
        );
      }
      keep(header() ?? null);
    },
  };
}
