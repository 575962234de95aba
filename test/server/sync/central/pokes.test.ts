import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Pokes } from '../../../../server/sync/central/pokes.ts';

let last: number;
let pokes: Pokes;
/** By station, how often it was poked. */
let counts: Map<number, number>;
const faults: unknown[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  last = 10;
  counts = new Map();
  faults.length = 0;
  pokes = new Pokes(
    () => last,
    error => faults.push(error),
  );
});
afterEach(() => {
  pokes.close();
  vi.useRealTimers();
  expect(faults).toEqual([]);
});

function listen(station: number): () => void {
  const stop = pokes.follow(station, () => counts.set(station, (counts.get(station) ?? 0) + 1));
  // It asks as soon as it listens.
  pokes.told(station, last);
  return stop;
}

function grow(by = 1): void {
  last += by;
  pokes.news();
}

const total = () => counts.values().reduce((sum, count) => sum + count, 0);

it('tells a handful at once, and of what comes at one moment once', () => {
  for (let station = 1; station <= 5; station += 1) listen(station);
  vi.advanceTimersByTime(1_000);
  grow();
  grow();
  expect(total()).toBe(0);
  vi.advanceTimersByTime(10);
  expect([...counts]).toEqual([1, 2, 3, 4, 5].map(station => [station, 1]));
  vi.advanceTimersByTime(60_000);
  expect(total()).toBe(5);
});

it('tells nobody what they were told by an answer, nor what is no news', () => {
  for (let station = 1; station <= 3; station += 1) listen(station);
  vi.advanceTimersByTime(1_000);
  pokes.news();
  vi.advanceTimersByTime(1_000);
  expect(total()).toBe(0);
  grow();
  pokes.told(2, last);
  pokes.told(3, last - 1);
  vi.advanceTimersByTime(1_000);
  expect([...counts]).toEqual([
    [1, 1],
    [3, 1],
  ]);
});

it('tells many by turns, each of them of all that came meanwhile, and misses none', () => {
  for (let station = 1; station <= 400; station += 1) listen(station);
  vi.advanceTimersByTime(1_000);
  for (let write = 0; write < 50; write += 1) {
    grow();
    vi.advanceTimersByTime(10);
    expect(total()).toBeLessThanOrEqual(10 * (1 + write / 2));
  }
  vi.advanceTimersByTime(10_000);
  expect(counts.size).toBe(400);
  // Those who heard before the end hear of the rest, once.
  expect(Math.max(...counts.values())).toBe(2);
  const after = total();
  vi.advanceTimersByTime(60_000);
  expect(total()).toBe(after);
});

it('tells each of many about once a second, however much comes', () => {
  for (let station = 1; station <= 300; station += 1) listen(station);
  vi.advanceTimersByTime(1_000);
  for (let write = 0; write < 200; write += 1) {
    grow();
    vi.advanceTimersByTime(50);
  }
  expect(Math.max(...counts.values())).toBeLessThanOrEqual(10);
  expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(9);
});

it('what concerns one station is told to it at once, whatever it was told', () => {
  listen(1);
  listen(2);
  pokes.poke(2);
  pokes.poke(3);
  expect([...counts]).toEqual([[2, 1]]);
});

it('who listens no more is told nothing, and who listens twice is told by both', () => {
  const stops = [listen(1), listen(1), listen(2)];
  vi.advanceTimersByTime(1_000);
  stops[2]?.();
  grow();
  vi.advanceTimersByTime(1_000);
  expect([...counts]).toEqual([[1, 2]]);
  for (const stop of stops) stop();
  grow();
  vi.advanceTimersByTime(1_000);
  expect(total()).toBe(2);
});

it('a log that cannot be read is told as a fault', () => {
  pokes.close();
  const seen: unknown[] = [];
  const broken = new Error('damaged');
  let isBroken = false;
  const failing = new Pokes(
    () => {
      if (isBroken) throw broken;
      return 1;
    },
    error => seen.push(error),
  );
  failing.follow(1, () => {});
  isBroken = true;
  failing.news();
  vi.advanceTimersByTime(1_000);
  expect(seen).toEqual([broken]);
  failing.close();
});

it('tells everybody what concerns all, who knows the end of the log too', () => {
  for (const station of [1, 2, 3]) listen(station);
  vi.advanceTimersByTime(2_000);
  expect(total()).toBe(0);
  pokes.newsForAll();
  vi.advanceTimersByTime(2_000);
  expect(total()).toBe(3);
});
