import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, type FrontServer, requestText, startFrontServer } from './app-server.ts';
import { expectNormalAnswer, expectRefusal } from './expect-refusal.ts';

let server: FrontServer;
beforeAll(async () => {
  server = await startFrontServer({
    hosts: ['central.example', 'proxy.example:8443'],
    otherOrigins: () => ['https://mes.example:8443'],
    mount: app => app.get('/cookie', ({ headers: { cookie } }, response) => void response.json({ cookie })),
  });
});
afterAll(() => server.server.close());

const send = (line: string, headers: Record<string, string | null> = {}) =>
  exchange(server.port, requestText(server, line, headers));
/** `PORT` stands for the server's own. */
const withPort = (text: string) => text.replace('PORT', String(server.port));

describe('Host', () => {
  it.each([
    '127.0.0.1:PORT',
    'localhost:PORT',
    'LocalHost:PORT',
    '[::1]:PORT',
    'central.example',
    'central.example:PORT',
    'proxy.example:8443',
  ])('answers to %s', async host => {
    expect((await send('GET /items/7', { Host: withPort(host) })).status).toBe(200);
  });

  it.each([
    'evil:PORT',
    '127.0.0.1.evil.com',
    '127.0.0.1.evil.com:PORT',
    '0.0.0.0:PORT',
    '2130706433:PORT',
    '127.1:PORT',
    '127.0.0.1',
    '127.0.0.1:1',
    'localhost',
    'localhost.:PORT',
    'user@127.0.0.1:PORT',
    'proxy.example',
    'proxy.example:PORT',
    'central.example:8443',
    '',
  ])('refuses "%s"', async host => {
    await expectRefusal(server, await send('GET /items/7', { Host: withPort(host) }), [403]);
  });

  it('refuses a request without one', async () => {
    await expectRefusal(server, await send('GET /items/7', { Host: null }), [400]);
    const old = `GET /items/7 HTTP/1.0\r\nAuthorization: Bearer ${server.secret}\r\n\r\n`;
    await expectRefusal(server, await exchange(server.port, old), [400]);
  });

  it.each(['Host', 'hOST'])('refuses two (%s)', async name => {
    const text = requestText(server, 'GET /items/7').replace(
      '\r\n',
      `\r\n${name}: 127.0.0.1:${server.port}\r\n`,
    );
    await expectRefusal(server, await exchange(server.port, text), [400]);
  });
});

describe('origin', () => {
  it.each([
    ['the same', { Origin: 'http://127.0.0.1:PORT' }],
    [
      'the same by name',
      { Host: 'localhost:PORT', Origin: 'http://localhost:PORT', 'Sec-Fetch-Site': 'same-origin' },
    ],
    ['a configured host behind TLS', { Host: 'central.example', Origin: 'https://central.example' }],
    ['none, typed by a person', { 'Sec-Fetch-Site': 'none' }],
  ] as [string, Record<string, string>][])('answers %s', async (_name, headers) => {
    const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, withPort(value)]));
    expect((await send('GET /items/7', own)).status).toBe(200);
  });

  it.each([
    { Origin: 'http://evil' },
    { Origin: 'null' },
    { Origin: '' },
    { Origin: 'http://localhost:1' },
    { Origin: 'http://localhost' },
    { Origin: 'https://127.0.0.1:PORT' },
    { Origin: 'http://127.0.0.1:PORT, http://evil' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'http://127.0.0.1:PORT', 'Sec-Fetch-Site': 'cross-site' },
  ] as Record<string, string>[])('refuses %j', async headers => {
    const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, withPort(value)]));
    await expectRefusal(server, await send('GET /items/7', own), [403]);
    await expectRefusal(server, await send('GET /status', own), [403]);
  });

  it('refuses a preflight from elsewhere', async () => {
    const preflight = { Origin: 'http://evil', 'Access-Control-Request-Method': 'PUT', Authorization: null };
    await expectRefusal(server, await send('OPTIONS /items/7', preflight), [403]);
  });
});

describe('a page of an origin that is named', () => {
  const named = { Origin: 'https://mes.example:8443', 'Sec-Fetch-Site': 'cross-site' };

  it('calls with a token, and reads what concerns it', async () => {
    const { status, headers } = await send('GET /items/7', named);
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe('https://mes.example:8443');
    expect(headers.get('vary')).toContain('Origin');
    expect(headers.get('access-control-expose-headers')).toContain('ETag');
    expect(headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('may ask before what it may', async () => {
    const asked = {
      ...named,
      Authorization: null,
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'authorization,if-match',
    };
    const { status, headers } = await send('OPTIONS /items/7', asked);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-methods')).toContain('PUT');
    expect(headers.get('access-control-allow-headers')).toBe('authorization,if-match');
    expect(headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('reads why it is refused', async () => {
    const { status, headers } = await send('GET /items/7', { ...named, Authorization: null });
    expect(status).toBe(401);
    expect(headers.get('access-control-allow-origin')).toBe('https://mes.example:8443');
  });

  it('signs nobody in', async () => {
    for (const headers of [{ ...named, Authorization: null }, named])
      expect((await send('POST /session', headers)).status).toBe(403);
  });

  it('brings no cookie', async () => {
    const cookies = async (headers: Record<string, string>) =>
      JSON.parse((await send('GET /cookie', { ...headers, Cookie: 'holdpoint_session=1' })).body);
    expect(await cookies({})).toEqual({ cookie: 'holdpoint_session=1' });
    expect(await cookies(named)).toEqual({});
  });

  it.each([
    'https://mes.example',
    'http://mes.example:8443',
    'https://mes.example:8443.evil',
    'https://mes.example:8443/',
    'HTTPS://mes.example:8443',
    'https://a.mes.example:8443',
  ])('is not %s', async origin => {
    const { status, headers } = await send('GET /items/7', { Origin: origin });
    expect(status).toBe(403);
    expect(headers.has('access-control-allow-origin')).toBe(false);
  });
});

describe('framing and target', () => {
  it.each([
    ['absolute form', 'GET http://evil/items/7', [400]],
    ['absolute form of the own host', 'GET http://127.0.0.1:PORT/items/7', [400]],
    ['asterisk form', 'OPTIONS *', [400]],
    ['TRACE', 'TRACE /items/7', [405, 501]],
    ['a method of WebDAV', 'PROPFIND /items/7', [405, 501]],
    ['NUL in the path', 'GET /items/%00', [400]],
    ['NUL in the query', 'GET /items/7?keyword=%00', [400]],
    ['a climbing path', 'GET /docs/..%2f..%2fetc/passwd', [400]],
    ['a climbing path, plain', 'GET /docs/../items/7', [400]],
    ['a climbing path, dots escaped', 'GET /docs/%2e%2e/items/7', [400]],
    ['a climbing path, backslash', 'GET /docs/..%5citems', [400]],
    ['a broken percent sequence', 'GET /items/%zz', [400]],
    ['a broken percent sequence in the query', 'GET /items/7?keyword=100%', [400]],
    ['a percent sequence that is not UTF-8', 'GET /items/%c0%ae', [400]],
    ['an address of 20 kB', `GET /items/${'7'.repeat(20_000)}`, [414, 431]],
  ] as [string, string, number[]][])('refuses %s', async (_name, line, statuses) => {
    await expectRefusal(server, await send(withPort(line)), statuses);
  });

  it.each([
    ['two Authorization headers', { authorization: 'Bearer x' }, [400]],
    ['two Content-Type headers', { 'Content-Type': 'text/plain', 'content-type': 'application/json' }, [400]],
    ['an unknown transfer coding', { 'Transfer-Encoding': 'gzip, chunked' }, [400, 501]],
    ['a header of 20 kB', { 'X-Long': 'x'.repeat(20_000) }, [431]],
    ['3,000 headers', Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`x${at}`, ''])), [431]],
    ['101 headers', Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`x${at}`, ''])), [431]],
  ] as [string, Record<string, string>, number[]][])('refuses %s', async (_name, headers, statuses) => {
    await expectRefusal(server, await send('GET /items/7', headers), statuses);
  });

  it('answers 100 headers', async () => {
    const headers = Object.fromEntries(Array.from({ length: 98 }, (_, at) => [`x${at}`, '']));
    expect((await send('GET /items/7', headers)).status).toBe(200);
  });

  it('answers escaped paths that mean what they say', async () => {
    expect((await send('GET /items/a%20b.c?keyword=%25_')).body).toBe('{"id":"a b.c"}');
  });

  it('ignores a method override', async () => {
    const headers = { 'X-HTTP-Method-Override': 'DELETE', 'X-Method-Override': 'DELETE' };
    expect((await send('GET /items/7', headers)).status).toBe(200);
    await expectNormalAnswer(server);
  });
});

it('sends the security headers, and none that names the software', async () => {
  const { headers } = await send('GET /items/7');
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
  });
  expect([...headers.keys()].filter(name => /^(server|x-powered-by|access-control-.*)$/.test(name))).toEqual(
    [],
  );
});
