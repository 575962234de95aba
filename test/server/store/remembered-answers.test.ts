import { expect, it } from 'vitest';
import { RememberedAnswers } from '../../../server/store/remembered-answers.ts';
import { temporaryStore } from './temporary-store.ts';

/** A clock that goes on by a second whenever it is read. */
function ticking(from: string) {
  let now = Date.parse(from);
  return () => {
    now += 1_000;
    return new Date(now);
  };
}

const answer = (body: string) => ({
  request_hash: `of ${body}`,
  status: 200,
  headers: { ETag: '"1"' },
  body,
});

it('what is remembered stays within its bytes: the oldest answers give way, and their requests stay known', async () => {
  const { database, gate } = await temporaryStore();
  const clock = ticking('2026-06-15T12:00:00Z');
  const answers = new RememberedAnswers(database, clock, { bytes: 10_000, requests: 500_000 });
  const text = (n: number) => `${n}:${'x'.repeat(497)}`;
  for (let n = 100; n < 200; n += 1)
    await gate.together(async () => answers.keep(1, `key ${n}`, answer(text(n))));
  const sizes = database.reader.all<{ key: string; size: number; request_hash: string }>(
    'SELECT key, octet_length(body) AS size, request_hash FROM remembered_answer ORDER BY key',
  );
  expect(sizes).toHaveLength(100);
  expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(10_000);
  expect(answers.find(1, 'key 199')).toMatchObject(answer(text(199)));
  expect(answers.find(1, 'key 100')).toMatchObject({ ...answer(''), request_hash: `of ${text(100)}` });

  // After a start, by a clock that was set back: the bound holds, and the last answer is there.
  const again = new RememberedAnswers(database, ticking('2026-06-01T12:00:00Z'), {
    bytes: 10_000,
    requests: 500_000,
  });
  for (let n = 200; n < 300; n += 1)
    await gate.together(async () => again.keep(1, `key ${n}`, answer(text(n))));
  const { size } = database.reader.get<{ size: number }>(
    'SELECT sum(octet_length(body)) AS size FROM remembered_answer',
  ) ?? { size: 0 };
  expect(size).toBeLessThanOrEqual(10_000);
});

it('requests beyond the most are forgotten, the oldest first', async () => {
  const { database, gate } = await temporaryStore();
  const clock = ticking('2026-06-15T12:00:00Z');
  const answers = new RememberedAnswers(database, clock, { bytes: 1_000_000, requests: 100 });
  await gate.together(async () => {
    for (let n = 0; n < 1_000; n += 1) answers.keep(1, `key ${n}`, answer(String(n)));
  });
  const count = database.reader.get<{ n: number }>('SELECT count(*) AS n FROM remembered_answer')?.n;
  expect(count).toBe(101);
  expect(answers.find(1, 'key 999')?.body).toBe('999');
});
