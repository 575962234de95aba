import { afterEach, expect, it, vi } from 'vitest';
import { newCommitId } from '../../../server/store/commit-id.ts';

afterEach(() => void vi.useRealTimers());

it('is a UUID of version 7, never the same', () => {
  const ids = Array.from({ length: 1_000 }, newCommitId);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(new Set(ids).size).toBe(1_000);
});

it.each(['1969-12-31', '1970-01-01', '2026-06-15', '9999-12-31'])('has its form at a clock of %s', date => {
  vi.useFakeTimers({ now: new Date(date) });
  expect(newCommitId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
});

it('sorts by the time at which it was made', () => {
  vi.useFakeTimers({ now: 1_781_000_000_000 });
  const ids = Array.from({ length: 20 }, () => {
    vi.advanceTimersByTime(1);
    return newCommitId();
  });
  expect(ids.toSorted()).toEqual(ids);
});
