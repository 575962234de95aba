import { expect, it } from 'vitest';
import { RecentEntries } from '../../../../server/sync/central/recent-entries.ts';
import type { SignedEntry } from '../../../../server/sync/protocol/packed-entries.ts';

function entryOf(sequence: number, changes = 1): SignedEntry {
  const change = { path: 'name', old: null, new: sequence, over: [] };
  const commit = {
    chain: 'dock.1',
    number: sequence,
    commit_id: `c${sequence}`,
    at: '2026-06-15T12:00:00.000Z',
    clock_offset: null,
    user: 'ann',
    reason: null,
    entries: [{ subject: 'part:1', changes: Array.from({ length: changes }, () => change) }],
    previous_hash: '',
    hash: 'h',
  };
  return { sequence, hash: 'h', commit, decisions: [], countersignature: '' };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const after = (recent: RecentEntries, sequence: number, limit = 100) =>
  recent.after(sequence, limit)?.map(entry => entry.sequence);

it('has what was written last, in order and without a gap', () => {
  const recent = new RecentEntries();
  expect(after(recent, 0)).toBeUndefined();
  recent.add(range(5, 9).map(sequence => entryOf(sequence)));
  expect(after(recent, 4)).toEqual([5, 6, 7, 8, 9]);
  expect(after(recent, 6, 2)).toEqual([7, 8]);
  expect(after(recent, 3)).toBeUndefined();
  // What is after the last may be in the log all the same.
  expect(after(recent, 9)).toBeUndefined();
  recent.add([entryOf(11)]);
  expect(after(recent, 9)).toBeUndefined();
  expect(after(recent, 10)).toEqual([11]);
});

it('keeps a bounded number of entries, and of changes in them', () => {
  const recent = new RecentEntries();
  for (const sequence of range(1, 12_000)) recent.add([entryOf(sequence)]);
  expect(after(recent, 11_000, 1)).toEqual([11_001]);
  expect(after(recent, 6_999)).toBeUndefined();
  recent.add([entryOf(12_001, 40_000), entryOf(12_002, 40_000)]);
  expect(after(recent, 11_999)).toBeUndefined();
  expect(after(recent, 12_001)).toEqual([12_002]);
  recent.add([entryOf(12_003, 60_000)]);
  expect(after(recent, 12_002)).toBeUndefined();
});
