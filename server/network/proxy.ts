import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';

/** By which proxy a host is reached; undefined: by none. */
export type FindProxy = (host: string, port: number) => Promise<URL | undefined> | URL | undefined;

type Environment = Record<string, string | undefined>;

/**
 * What `HTTPS_PROXY` and `NO_PROXY` say, as other programs read them. `NO_PROXY`: names, `.names` of all below, addresses, each with a port or
 * without, or `*`. This machine is never reached by a proxy.
 * @throws Error where `HTTPS_PROXY` is no address of a proxy
 */
export function proxyInEnvironment(
  host: string,
  port: number,
  env: Environment = process.env,
): URL | undefined {
  const named = env.HTTPS_PROXY || env.https_proxy;
  if (!named || isThisMachine(host)) return undefined;
  const except = (env.NO_PROXY || env.no_proxy || '').toLowerCase().split(/[\s,]+/);
  const name = host.toLowerCase();
  const isExcept = except.some(each => {
    if (each === '*') return true;
    const [, pattern = '', only] = /^\*?(.+?)(?::(\d+))?$/.exec(each) ?? [];
    if (pattern === '' || (only !== undefined && Number(only) !== port)) return false;
    const below = pattern.startsWith('.') ? pattern : `.${pattern}`;
    return name === below.slice(1) || (isIP(name) === 0 && name.endsWith(below));
  });
  return isExcept ? undefined : proxyAt(named);
}

/** The first way in what Chromium answers, such as `PROXY proxy.example:3128; DIRECT`. Others than HTTP proxies are not used. */
export function proxyInAnswer(answer: string): URL | undefined {
  const [first = ''] = answer.split(';');
  const [, kind, place] = /^\s*(PROXY|HTTPS)\s+(\S+)\s*$/.exec(first) ?? [];
  return place === undefined ? undefined : proxyAt(`${kind === 'HTTPS' ? 'https' : 'http'}://${place}`);
}

/** A path and the like are a password with a sign in it that ends a host's name: what follows would be taken for the proxy. */
function proxyAt(text: string): URL {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  const isPlain = url?.pathname === '/' && url.search === '' && url.hash === '';
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '' || !isPlain || !credentialsOf(url))
    throw failure('EPROXYADDRESS', 'HTTPS_PROXY is no address such as http://proxy.example:3128.');
  return url;
}

/** `name:password` in plain; `:` where there are none, undefined where a sign is written as none can be. */
function credentialsOf({ username, password }: URL): string | undefined {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);
}

/** A connection to `host` through a proxy, which sees no more of it than where it leads. @throws Error with a code `EPROXY…` */
export function openTunnel(
  proxy: URL,
  { host, port, timeoutMs }: { host: string; port: number; timeoutMs: number },
): Promise<Socket> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const isSecure = proxy.protocol === 'https:';
  const credentials = credentialsOf(proxy) ?? ':';
  return new Promise((resolve, reject) => {
    const asked = (isSecure ? httpsRequest : httpRequest)({
      method: 'CONNECT',
      host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(proxy.port || (isSecure ? 443 : 80)),
      path: authority,
      agent: false,
      headers: {
        Host: authority,
        ...(credentials !== ':' && {
          'Proxy-Authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
        }),
      },
    });
    const late = setTimeout(
      () => asked.destroy(failure('ETIMEDOUT', 'The proxy does not answer.')),
      timeoutMs,
    );
    const settle = (answer: IncomingMessage): void => {
      clearTimeout(late);
      asked.destroy();
      const code = answer.statusCode === 407 ? refusalOf(answer, credentials !== ':') : 'EPROXY';
      reject(failure(code, `The proxy answers ${answer.statusCode}.`));
    };
    asked.once('connect', (answer, socket) => {
      clearTimeout(late);
      if (answer.statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      settle(answer);
    });
    asked.once('response', settle);
    asked.once('error', error => {
      clearTimeout(late);
      const isLate = 'code' in error && error.code === 'ETIMEDOUT';
      reject(isLate ? error : failure('EPROXYGONE', error.message));
    });
    asked.end();
  });
}

/** What a proxy misses that answers 407 (RFC 9110, 11.7.1): a name and a password, right ones, or what is not spoken here. */
function refusalOf({ headers }: IncomingMessage, hasGiven: boolean): string {
  const offered = String(headers['proxy-authenticate'] ?? 'Basic');
  if (!/(?:^|,)\s*Basic\b/i.test(offered)) return 'EPROXYSCHEME';
  return hasGiven ? 'EPROXYREFUSED' : 'EPROXYAUTH';
}

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** What the desktop app knows of the system; by the environment where there is no app. */
let findBySystem: FindProxy | undefined;

/** Once, at the start of a process. */
export function findProxiesBy(find: FindProxy): void {
  findBySystem = find;
}

/**
 * A way through the proxy that the environment or the system names for a host; undefined where it is reached directly.
 * @param to the address that the way leads to, where the name was looked up here: the proxy looks up nothing then
 */
export async function tunnelTo(
  host: string,
  port: number,
  timeoutMs: number,
  to = host,
): Promise<Socket | undefined> {
  if (isThisMachine(host)) return undefined;
  const hasNamed = Boolean(process.env.HTTPS_PROXY || process.env.https_proxy);
  const proxy = hasNamed ? proxyInEnvironment(host, port) : await findBySystem?.(host, port);
  return proxy && openTunnel(proxy, { host: to, port, timeoutMs });
}
