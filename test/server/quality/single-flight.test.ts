import { expect, it } from 'vitest';
import { singleFlight } from '../../../server/quality/single-flight.ts';

/** Work that ends when it is told to, and counts how often it was begun and how many are under way. */
function slowWork() {
  const ends: (() => void)[] = [];
  const counts = { begun: 0, running: 0, most: 0 };
  const work = async () => {
    counts.begun += 1;
    counts.running += 1;
    counts.most = Math.max(counts.most, counts.running);
    const { begun } = counts;
    await new Promise<void>(resolve => ends.push(resolve));
    counts.running -= 1;
    return begun;
  };
  return { work, counts, end: () => ends.shift()?.() };
}

const settled = () => new Promise(resolve => setImmediate(resolve));

it('does in one go what is asked for while an older answer is under way, and one piece at a time', async () => {
  let state = 1;
  const inTurn = singleFlight(() => String(state));
  const { work, counts, end } = slowWork();
  const first = inTurn('value', work);
  await settled();
  state = 2;
  const later = [inTurn('value', work), inTurn('value', work), inTurn('other', work)];
  state = 3;
  later.push(inTurn('value', work));
  await settled();
  expect(counts).toEqual({ begun: 1, running: 1, most: 1 });
  for (let turn = 0; turn < 3; turn += 1) {
    end();
    await settled();
  }
  expect(await first).toBe(1);
  expect(await Promise.all(later)).toEqual([2, 2, 3, 2]);
  expect(counts).toEqual({ begun: 3, running: 0, most: 1 });
  expect(await inTurn('value', work)).toBe(2);
});

it('goes on after work that failed, and does that again', async () => {
  const inTurn = singleFlight(() => 'same');
  let calls = 0;
  const failing = async () => {
    calls += 1;
    if (calls === 1) throw new Error('damaged');
    return calls;
  };
  await expect(inTurn('value', failing)).rejects.toThrow('damaged');
  expect(await inTurn('value', failing)).toBe(2);
});
