import { expect } from 'vitest';

import { exchange, type FrontServer, type RawAnswer, requestText } from './app-server.ts';

/** The envelope with the status, nothing of the inside, nothing for other origins; and the server goes on answering. */
export async function expectRefusal(
  server: FrontServer,
  answer: RawAnswer,
  statuses: readonly number[],
): Promise<void> {
  expect(statuses).toContain(answer.status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  for (const name of answer.headers.keys())
    expect(name).not.toMatch(/^(access-control-|x-powered-by|server$)/);
  const body: unknown = JSON.parse(answer.body);
  expect(body).toEqual({
    status: 'error',
    message: expect.stringMatching(/\S/),
    code: expect.stringMatching(/^[a-z_]+$/),
    request_id: expect.stringMatching(/^[\w-]{36}$/),
    ...(answer.status === 422 ? { errors: expect.any(Object) } : {}),
  });
  expect(answer.body).not.toMatch(/node_modules|\.ts\b|\\n\s*at /);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  await expectNormalAnswer(server);
}

export async function expectNormalAnswer(server: FrontServer): Promise<void> {
  const answer = await exchange(server.port, requestText(server, 'GET /items/7'));
  expect([answer.status, answer.body]).toEqual([200, '{"id":"7"}']);
}
