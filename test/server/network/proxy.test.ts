import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findProxiesBy, proxyInAnswer, proxyInEnvironment } from '../../../server/network/proxy.ts';
import { createCentralClient } from '../../../server/sync/client/central-client.ts';
import { learnCertificate } from '../../../server/sync/client/central-tls.ts';
import { authority, signedBy } from '../../support/certificates.ts';

describe('the environment', () => {
  const env = {
    HTTPS_PROXY: 'http://proxy.example:3128',
    NO_PROXY: '.inner.example, 10.0.0.5,exact.example:4870',
  };
  it.each([
    ['central.example', 'http://proxy.example:3128/'],
    ['central.inner.example', undefined],
    ['inner.example', undefined],
    ['notinner.example', 'http://proxy.example:3128/'],
    ['10.0.0.5', undefined],
    ['10.0.0.51', 'http://proxy.example:3128/'],
    ['exact.example', undefined],
    ['localhost', undefined],
    ['127.0.0.1', undefined],
    ['::1', undefined],
  ])('reaches %s by %s', (host, proxy) => {
    expect(proxyInEnvironment(host, 4870, env)?.href).toBe(proxy);
  });

  it('names a proxy with or without a scheme, and no other thing', () => {
    expect(proxyInEnvironment('a.example', 443, { https_proxy: 'proxy:3128' })?.href).toBe(
      'http://proxy:3128/',
    );
    expect(proxyInEnvironment('a.example', 443, {})).toBeUndefined();
    expect(proxyInEnvironment('a.example', 443, { ...env, NO_PROXY: '*' })).toBeUndefined();
    expect(() => proxyInEnvironment('a.example', 443, { HTTPS_PROXY: 'socks5://x' })).toThrow('HTTPS_PROXY');
  });

  it.each([
    'http://ann:12#3@proxy:3128',
    'http://ann:1/23@proxy:3128',
    'http://ann:1%23%@proxy:3128',
    'http://',
  ])('takes no part of a password for the proxy: %s', HTTPS_PROXY => {
    const find = () => proxyInEnvironment('a.example', 443, { HTTPS_PROXY });
    expect(find).toThrow(expect.objectContaining({ code: 'EPROXYADDRESS' }));
    expect(find).not.toThrow(/ann|23/);
  });
});

it.each([
  ['PROXY proxy.example:3128; DIRECT', 'http://proxy.example:3128/'],
  ['HTTPS proxy.example:443', 'https://proxy.example/'],
  ['DIRECT', undefined],
  ['DIRECT; PROXY proxy.example:3128', undefined],
  ['SOCKS5 socks.example:1080', undefined],
  ['', undefined],
])('the system says %j, which is %s', (answer, proxy) => {
  expect(proxyInAnswer(answer)?.href).toBe(proxy);
});

describe('central behind a proxy', () => {
  const ca = authority();
  const central = signedBy(ca, ['central.example']);
  /** Knows central.example, which no name service does, and asks for a name and a password. */
  let proxy: Server;
  let port: number;
  let server: ReturnType<typeof createSecureServer>;
  const asked: string[] = [];
  let accepted: string;
  let scheme: string;
  beforeEach(() => {
    [accepted, scheme] = ['ann:se cret', 'Basic realm="the way out"'];
  });
  beforeAll(async () => {
    const { certificate: cert, key } = central;
    server = createSecureServer({ cert, key }, (_request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end('{"status":"success","message":"","data":"here"}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = createServer((_request, response) => response.writeHead(405).end());
    proxy.on('connect', (request: IncomingMessage, client, head) => {
      asked.push(String(request.url));
      if (request.headers['proxy-authorization'] !== `Basic ${Buffer.from(accepted).toString('base64')}`)
        return client.end(
          `HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${scheme}\r\n\r\n`,
        );
      if (request.url !== 'central.example:4870') return client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      const way = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        way.write(head);
        way.pipe(client).pipe(way);
      });
      for (const socket of [way, client]) socket.on('error', () => {});
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    port = (proxy.address() as AddressInfo).port;
  });
  afterAll(() => {
    proxy.close();
    server.close();
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    findProxiesBy(() => undefined);
  });

  const ask = (host = 'central.example') => {
    const client = createCentralClient({
      address: `https://${host}:4870`,
      trust: { authorities: ca.certificate },
      key: 'k',
    });
    return client.request('GET', '/x/stations').finally(() => client.close());
  };

  it('is reached through it, and proves itself to the station all the same', async () => {
    vi.stubEnv('HTTPS_PROXY', `http://ann:se%20cret@127.0.0.1:${port}`);
    expect(await ask()).toBe('here');
    expect(asked.at(-1)).toBe('central.example:4870');
    expect(await learnCertificate({ host: 'central.example', port: 4870 }, central.fingerprint)).toContain(
      'BEGIN',
    );
  });

  it('is reached by the proxy of the system too', async () => {
    findProxiesBy(() => new URL(`http://ann:se%20cret@127.0.0.1:${port}`));
    expect(await ask()).toBe('here');
  });

  it.each([
    [
      'asks for a name',
      'central.example',
      () => `http://127.0.0.1:${port}`,
      /asks for a name and a password/,
    ],
    [
      'lets nobody through',
      'other.example',
      () => `http://ann:se%20cret@127.0.0.1:${port}`,
      /does not let this machine/,
    ],
    [
      'does not take the name and the password',
      'central.example',
      () => `http://ann:guessed@127.0.0.1:${port}`,
      /does not take the name and the password in HTTPS_PROXY/,
    ],
    [
      'has a password with a sign that was not written as %23',
      'central.example',
      () => `http://ann:se#cret@127.0.0.1:${port}`,
      /HTTPS_PROXY is no address of a proxy.*%23/,
    ],
    [
      'is not there',
      'central.example',
      () => 'http://ann:se%20cret@127.0.0.1:9',
      /the proxy cannot be reached/,
    ],
  ])('says so where the proxy %s', async (_what, host, address, words) => {
    vi.stubEnv('HTTPS_PROXY', address());
    const error = await ask(host).catch((refused: unknown) => refused);
    expect(error).toMatchObject({ message: expect.stringMatching(words) });
    // Whatever a log writes of it.
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/se.?cret|guessed/);
  });

  it('says so where the proxy wants to be signed in to in another way', async () => {
    [accepted, scheme] = ['nobody', 'Negotiate, NTLM'];
    vi.stubEnv('HTTPS_PROXY', `http://ann:se%20cret@127.0.0.1:${port}`);
    await expect(ask()).rejects.toThrow(/another way of signing in/);
    scheme = 'Negotiate, Basic realm="the way out"';
    await expect(ask()).rejects.toThrow(/does not take the name and the password/);
  });

  it('is asked for by the next connection when the password was changed meanwhile, and by none before', async () => {
    vi.stubEnv('HTTPS_PROXY', `http://ann:se%20cret@127.0.0.1:${port}`);
    const client = createCentralClient({
      address: 'https://central.example:4870',
      trust: { authorities: ca.certificate },
      key: 'k',
    });
    try {
      expect(await client.request('GET', '/x/stations')).toBe('here');
      accepted = 'ann:another one';
      // What stands goes on.
      expect(await client.request('GET', '/x/stations')).toBe('here');
      server.closeAllConnections();
      await expect
        .poll(() => client.request('GET', '/x/stations').catch((error: Error) => error.message))
        .toMatch(/does not take the name and the password in HTTPS_PROXY/);
      accepted = 'ann:se cret';
      expect(await client.request('GET', '/x/stations')).toBe('here');
    } finally {
      client.close();
    }
  });
});
