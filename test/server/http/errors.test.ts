import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { AppError, invalid } from '../../../shared/contract/errors.ts';
import { exchange, type FrontServer, type RawAnswer, requestText, startFrontServer } from './app-server.ts';
import { expectRefusal } from './expect-refusal.ts';

const ERRORS: Record<string, () => unknown> = {
  field: () => invalid({ 'items.0.part_id': ['There is no part 9.'] }),
  conflict: () => new AppError('conflict', 'The number is taken.', { cause: new Error('UNIQUE constraint') }),
  method: () => new AppError('method_not_allowed', 'No.', { headers: { Allow: 'GET, PUT' } }),
  busy: () => new AppError('unavailable', 'Starting.'),
  limited: () => new AppError('too_many_requests', 'Slow down.', { headers: { 'Retry-After': '7' } }),
  fault: () => new Error('SELECT * FROM records at /home/station/store.ts'),
  text: () => 'SELECT 1',
  nothing: () => null,
  range: () => Object.assign(new Error('inside'), { status: 416 }),
  upstream: () => Object.assign(new Error('inside'), { status: 502 }),
};

let server: FrontServer;
beforeAll(async () => {
  server = await startFrontServer({
    mount: app => {
      app.get('/throw/:name', async request => {
        throw ERRORS[request.params.name]?.();
      });
      app.get('/begun', (_request, response, next) => {
        response.write('{"data":[', () => next(new Error('too late')));
      });
    },
  });
});
afterAll(() => server.server.close());

const call = (path: string): Promise<RawAnswer> => exchange(server.port, requestText(server, `GET ${path}`));

describe('the error handler', () => {
  it.each([
    ['field', 422, 'validation_failed', {}],
    ['conflict', 409, 'conflict', {}],
    ['method', 405, 'method_not_allowed', { allow: 'GET, PUT' }],
    ['busy', 503, 'unavailable', { 'retry-after': '5' }],
    ['limited', 429, 'too_many_requests', { 'retry-after': '7' }],
    ['fault', 500, 'internal', {}],
    ['text', 500, 'internal', {}],
    ['nothing', 500, 'internal', {}],
    ['range', 400, 'malformed', {}],
    ['upstream', 500, 'internal', {}],
  ] as [string, number, string, Record<string, string>][])(
    'answers %s with %i',
    async (name, status, code, headers) => {
      const answer = await call(`/throw/${name}`);
      await expectRefusal(server, answer, [status]);
      const body = JSON.parse(answer.body);
      expect(body.code).toBe(code);
      expect(body.request_id).toBe(answer.headers.get('x-request-id'));
      expect(answer.body).not.toMatch(/SELECT|UNIQUE|inside|station/);
      expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
    },
  );

  it('names the fields at fault', async () => {
    expect(JSON.parse((await call('/throw/field')).body)).toMatchObject({
      message: 'items.0.part_id: There is no part 9.',
      errors: { 'items.0.part_id': ['There is no part 9.'] },
    });
  });

  it('logs a fault with its stack under the request id that it answers, and no one else’s mistake', async () => {
    const fault = JSON.parse((await call('/throw/fault')).body);
    const mistake = JSON.parse((await call('/throw/conflict')).body);
    const errors = server.logged.filter(line => line.level === 'error');
    expect(errors.find(line => line.requestId === fault.request_id)).toMatchObject({
      err: {
        message: 'SELECT * FROM records at /home/station/store.ts',
        stack: expect.stringContaining('errors.test.ts'),
      },
    });
    expect(errors.find(line => line.requestId === mistake.request_id)).toBeUndefined();
  });

  it('cuts off an answer that has begun', async () => {
    const answer = await call('/begun');
    expect(answer.body).toBe('9\r\n{"data":[\r\n');
    expect(server.logged.find(line => line.path === '/begun')).toMatchObject({ aborted: true });
  });
});
