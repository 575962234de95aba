import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createReadAgain } from '../../../renderer/api/read-again.ts';

/** A query on screen whose answers come when they are told to. */
function shown(queries: QueryClient, name: string) {
  const asked: ((answer: string) => void)[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: [name],
    queryFn: () => new Promise<string>(resolve => asked.push(resolve)),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const end = observer.subscribe(() => {});
  return {
    asked,
    end,
    data: () => observer.getCurrentResult().data,
    /** Answers what was asked last, and lets what follows from it happen. */
    async answer(text: string) {
      asked.at(-1)?.(text);
      await settled();
    },
  };
}

async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(10);
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('reads what is on screen, and nothing else', async () => {
  const queries = new QueryClient();
  const [parts, gone] = [shown(queries, 'parts'), shown(queries, 'gone')];
  await parts.answer('1');
  await gone.answer('1');
  gone.end();
  createReadAgain(queries)();
  await settled();
  expect([parts.asked.length, gone.asked.length]).toEqual([2, 1]);
  await parts.answer('2');
  expect(parts.data()).toBe('2');
  expect(parts.asked).toHaveLength(2);
  parts.end();
});

it('does not give up what is being read: it is seen, and read once more after it', async () => {
  const queries = new QueryClient();
  const parts = shown(queries, 'parts');
  await parts.answer('0');
  const readAgain = createReadAgain(queries);
  for (let round = 1; round <= 3; round += 1) {
    const before = parts.asked.length;
    // Many changes while one slow answer is on its way.
    for (let change = 0; change < 5; change += 1) {
      readAgain();
      await settled();
    }
    expect(parts.asked).toHaveLength(before + 1);
    await parts.answer(`${round}`);
    expect(parts.data()).toBe(`${round}`);
    expect(parts.asked).toHaveLength(before + 2);
    await parts.answer(`${round}, and what changed meanwhile`);
    expect(parts.data()).toBe(`${round}, and what changed meanwhile`);
    // Nothing has changed since.
    expect(parts.asked).toHaveLength(before + 2);
  }
  parts.end();
});

it('shows answers while more and more changes', async () => {
  const queries = new QueryClient();
  const parts = shown(queries, 'parts');
  const readAgain = createReadAgain(queries);
  for (let round = 1; round <= 4; round += 1) {
    readAgain();
    await settled();
    readAgain();
    await parts.answer(String(round));
    expect(parts.data()).toBe(String(round));
  }
  parts.end();
});

it('what was left while it was being read is read again once it is shown, since its answer may be of before', async () => {
  const queries = new QueryClient();
  const lot = shown(queries, 'lot');
  await lot.answer('free');
  const readAgain = createReadAgain(queries);
  readAgain();
  await settled();
  expect(lot.asked).toHaveLength(2);
  // The page is left, and what it shows changes, before the answer comes.
  lot.end();
  readAgain();
  await settled();
  await lot.answer('locked, as it was');
  const again = shown(queries, 'lot');
  await settled();
  expect(again.asked).toHaveLength(1);
  await again.answer('free again');
  expect(again.data()).toBe('free again');
  again.end();
});
