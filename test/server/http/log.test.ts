import { describe, expect, it } from 'vitest';

import { createLogger } from '../../../server/http/log.ts';
import { exchange, requestText, startFrontServer } from './app-server.ts';

function logTo(level: string) {
  const lines: string[] = [];
  return { lines, log: createLogger({ level, destination: { write: line => lines.push(line) } }) };
}

describe('createLogger', () => {
  it('masks secrets, wherever they stand in a line', () => {
    const { lines, log } = logTo('info');
    const secret = 'hp_0123456789';
    log.info({ authorization: secret, password: secret, token: secret });
    log.info({
      body: { esignature_password: secret, password: secret, name: 'kept' },
      url: `/items?token=${secret}`,
    });
    log.info({
      req: { headers: { authorization: secret, cookie: secret, host: 'kept' } },
      res: { headers: { 'set-cookie': secret } },
    });
    expect(lines.join('')).not.toContain(secret);
    expect(lines.map(line => JSON.parse(line))).toMatchObject([
      { level: 'info', token: '[secret]' },
      { body: { name: 'kept' }, url: '/items' },
      { req: { headers: { host: 'kept' } } },
    ]);
  });

  it('writes from its level on', () => {
    const { lines, log } = logTo('warn');
    log.info('quiet');
    log.warn('loud');
    expect(lines.map(line => JSON.parse(line).msg)).toEqual(['loud']);
  });
});

describe('the request log', () => {
  it('writes one line per request, without query or body', async () => {
    const server = await startFrontServer();
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '17' };
    const text = requestText(server, 'POST /items?keyword=private', headers, '{"name":"secret"}');
    const { headers: answered } = await exchange(server.port, text);
    await exchange(
      server.port,
      requestText(server, 'GET /status', { Authorization: null, 'X-Request-Id': 'chosen' }),
    );
    await exchange(
      server.port,
      requestText(server, 'GET /status', { Authorization: null, 'X-Request-Id': 'no "id"' }),
    );
    await server.server.close();
    expect(server.logged).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        requestId: answered.get('x-request-id'),
        method: 'POST',
        path: '/items',
        status: 201,
        duration: expect.any(Number),
        caller: 'all',
      },
      expect.objectContaining({ path: '/status', status: 200, requestId: 'chosen' }),
      expect.objectContaining({
        path: '/status',
        status: 200,
        requestId: expect.stringMatching(/^[\w-]{36}$/),
      }),
    ]);
    expect(JSON.stringify(server.logged)).not.toMatch(/private|secret|no \\"id/);
  });
});
