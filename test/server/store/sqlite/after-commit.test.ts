import { expect, it } from 'vitest';
import { AfterCommit } from '../../../../server/store/sqlite/after-commit.ts';

const MANY = 1_000;

it('runs a few callbacks at once, and many in portions, in the order of queueing', async () => {
  const waiting = new AfterCommit();
  const run: number[] = [];
  for (let index = 0; index < 100; index++) waiting.add(() => run.push(index));
  waiting.deliver();
  expect(run).toHaveLength(100);
  for (let index = 100; index < MANY; index++) waiting.add(() => run.push(index));
  waiting.deliver();
  expect(run.length).toBeLessThan(MANY);
  waiting.add(() => run.push(MANY));
  waiting.deliver();
  await expect.poll(() => run.length).toBe(MANY + 1);
  expect(run).toEqual(Array.from({ length: MANY + 1 }, (_, index) => index));
});

it('runs the rest at once when it is to finish', () => {
  const waiting = new AfterCommit();
  const run: number[] = [];
  for (let index = 0; index < MANY; index++) waiting.add(() => run.push(index));
  waiting.deliver();
  waiting.finish();
  expect(run).toHaveLength(MANY);
});
