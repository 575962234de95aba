import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { identityOf } from '../../../server/http/authenticate.ts';
import { exchange, type FrontServer, requestText, startFrontServer } from './app-server.ts';
import { expectRefusal } from './expect-refusal.ts';

let server: FrontServer;
beforeAll(async () => {
  server = await startFrontServer({
    mount: app => {
      app.get('/me', (_request, response) => void response.json({ name: identityOf(response).name }));
      app.post('/me', (_request, response) => void response.json({}));
      app.post('/session', (_request, response) => void response.json({ name: identityOf(response).name }));
    },
  });
});
afterAll(() => server.server.close());

const call = (line: string, authorization: string | null) =>
  exchange(server.port, requestText(server, line, { Authorization: authorization }), line.startsWith('HEAD'));

const CALLS = [
  'GET /items/7',
  'POST /items',
  'PUT /items/7',
  'PATCH /items/7',
  'DELETE /items/7',
  'OPTIONS /items/7',
  'GET /unknown',
];
const NOT_OPEN = [
  'POST /status',
  'GET /STATUS',
  'GET /status/',
  'GET //status',
  'GET /docs',
  'GET /session',
  'GET /Docs/page',
];

describe('without a good token', () => {
  it.each([
    ['none', () => null],
    ['an empty one', () => ''],
    ['only the scheme', () => 'Bearer '],
    ['a short one', () => 'Bearer x'],
    ['one of another scheme', () => `Basic ${server.secret}`],
    ['one without its scheme', () => server.secret],
    [
      'one character off',
      () => `Bearer ${server.secret.slice(0, -1)}${server.secret.endsWith('A') ? 'E' : 'A'}`,
    ],
    ['one character short', () => `Bearer ${server.secret.slice(0, -1)}`],
    ['one in other letters', () => `Bearer ${server.secret.toUpperCase()}`],
    ['8 kB', () => `Bearer ${'x'.repeat(8_192)}`],
    ['two in one header', () => `Bearer ${server.secret}, Bearer ${server.secret}`],
  ])('refuses every call: %s', async (_name, authorization) => {
    for (const line of CALLS) {
      const answer = await call(line, authorization());
      await expectRefusal(server, answer, [401]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('refuses HEAD', async () => {
    const answer = await call('HEAD /items/7', null);
    expect([answer.status, answer.body]).toEqual([401, '']);
  });

  it.each(NOT_OPEN)('refuses what only looks like an open path: %s', async line => {
    await expectRefusal(server, await call(line, null), [401]);
  });

  it('does not take a token from the address, nor log it', async () => {
    await expectRefusal(
      server,
      await call(`GET /items/7?token=${server.secret}&access_token=${server.secret}`, null),
      [401],
    );
    await expectRefusal(server, await call('GET /items/7', `Bearer ${server.secret}x`), [401]);
    expect(server.logged.some(line => line.path === '/items/7')).toBe(true);
    expect(JSON.stringify(server.logged)).not.toContain(server.secret.slice(0, 20));
  });

  it.each(['GET /status', 'HEAD /status', 'GET /docs/page', 'GET /status?x=1'])(
    'answers what is open: %s',
    async line => {
      expect((await call(line, null)).status).toBe(200);
      expect((await call(line, 'Bearer wrong')).status).toBe(200);
    },
  );

  it('refuses a route on an open path that asks for the caller', async () => {
    await expectRefusal(server, await call('POST /session', null), [401]);
    expect((await call('POST /session', `Bearer ${server.secret}`)).body).toBe('{"name":"all"}');
  });
});

describe('with a token', () => {
  it.each(['Bearer', 'bearer', 'BEARER ', 'Bearer   '])('knows the caller ("%s")', async scheme => {
    const answer = await call('GET /me', `${scheme} ${server.secret}`);
    expect([answer.status, answer.body]).toEqual([200, '{"name":"all"}']);
  });

  it('answers 404 for unknown paths', async () => {
    await expectRefusal(server, await call('GET /unknown', `Bearer ${server.secret}`), [404]);
  });

  it('refuses writes to a read-only one, on any path', async () => {
    const { secret } = server.tokens.create({ name: 'reader', scopes: ['read'] });
    expect((await call('GET /me', `Bearer ${secret}`)).status).toBe(200);
    expect((await call('HEAD /me', `Bearer ${secret}`)).status).toBe(200);
    for (const line of ['POST /me', 'PUT /items/7', 'PATCH /items/7', 'DELETE /unknown']) {
      await expectRefusal(server, await call(line, `Bearer ${secret}`), [403]);
    }
  });

  it('refuses the next call after it is revoked', async () => {
    const { secret, token } = server.tokens.create({ name: 'short-lived', scopes: ['read'] });
    expect((await call('GET /me', `Bearer ${secret}`)).status).toBe(200);
    server.tokens.revoke(token.id);
    await expectRefusal(server, await call('GET /me', `Bearer ${secret}`), [401]);
  });
});
