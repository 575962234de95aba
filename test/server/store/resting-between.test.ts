import { expect, it, vi } from 'vitest';
import { restingBetween, untilOthersWait, workingClock } from '../../../server/store/yield-to-event-loop.ts';

function work(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

it.each([
  ['whoever waits', false, (run: () => void) => setImmediate(run)],
  ['whoever comes soon, while others are busy', true, (run: () => void) => setTimeout(run, 1)],
])('after a stretch of work %s comes first', async (_, isBusy, later) => {
  const order: string[] = [];
  const rest = restingBetween(() => isBusy, performance.now.bind(performance));
  work(2);
  later(() => order.push('other'));
  await rest();
  order.push('work');
  expect(order).toEqual(['other', 'work']);
});

it('what is waited for is no work: nobody rests for it', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  try {
    const clock = workingClock();
    const rest = restingBetween(() => true, clock.now);
    const news = clock.waitFor(new Promise(resolve => setTimeout(resolve, 60_000, 'news')));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await news).toBe('news');
    expect(rest()).toBeUndefined();
    const lost = clock
      .waitFor(new Promise((_, reject) => setTimeout(reject, 60_000, new Error('gone'))))
      .catch(String);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await lost).toBe('Error: gone');
    expect(rest()).toBeUndefined();
    // Work is.
    await vi.advanceTimersByTimeAsync(10);
    expect(rest()).toBeInstanceOf(Promise);
  } finally {
    vi.useRealTimers();
  }
});

it('has the result of steps at once unless others must have their turn in between', async () => {
  function* steps() {
    yield;
    yield;
    return 'done';
  }
  expect(untilOthersWait(steps(), () => undefined)).toBe('done');
  const turn = vi.fn(async () => {});
  const reached = untilOthersWait(steps(), turn);
  expect(reached).toBeInstanceOf(Promise);
  expect(await reached).toBe('done');
  expect(turn).toHaveBeenCalledTimes(2);
});
