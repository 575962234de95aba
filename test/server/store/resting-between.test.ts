import { expect, it } from 'vitest';
import { restingBetween } from '../../../server/store/yield-to-event-loop.ts';

function work(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

it.each([
  ['whoever waits', false, (run: () => void) => setImmediate(run)],
  ['whoever comes soon, while others are busy', true, (run: () => void) => setTimeout(run, 1)],
])('after a stretch of work %s comes first', async (_, isBusy, later) => {
  const order: string[] = [];
  const rest = restingBetween(() => isBusy);
  work(2);
  later(() => order.push('other'));
  await rest();
  order.push('work');
  expect(order).toEqual(['other', 'work']);
});
