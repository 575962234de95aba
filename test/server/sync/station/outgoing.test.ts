import { expect, it } from 'vitest';
import type { Commit } from '../../../../server/store/changes.ts';
import { outgoing } from '../../../../server/sync/station/outgoing.ts';

function commitOf(number: number, size = 100): Commit {
  return {
    chain: 'dock.1',
    number,
    commit_id: `c${number}`,
    at: '2026-06-15T12:00:00.000Z',
    clock_offset: null,
    user: 'ann',
    reason: 'x'.repeat(size),
    entries: [],
    previous_hash: '',
    hash: 'h',
  };
}

/** What a message of at most `size` characters has of these. */
function message(offers: readonly Commit[], own: readonly Commit[], size: number): number[] {
  const signed = offers.map((commit, index) => ({ place: index + 1, commit, countersignature: '' }));
  const read = outgoing(
    'dock',
    {
      cursor: () => ({ epoch: '', sequence: 0, hash: '', countersignature: '' }),
      recoveryCommits: { after: () => signed },
      ownAfter: () => [...own],
      snapshot: () => undefined,
      chainInDoubt: () => undefined,
      hashAt: () => undefined,
    },
    size,
  );
  const commits = [...read.offersAfter(0, 200).map(({ commit }) => commit), ...read.ownAfter({}, 200)];
  return commits.map(({ number }) => number);
}

it('a message has what fits into it, in order, and always one', () => {
  const size = JSON.stringify(commitOf(1)).length;
  const own = [1, 2, 3].map(number => commitOf(number));
  expect(message([], own, 10 * size)).toEqual([1, 2, 3]);
  expect(message([], own, 2 * size)).toEqual([1, 2]);
  expect(message([], own, 1)).toEqual([1]);
  expect(message([], [commitOf(1), commitOf(2, 5_000), commitOf(3)], 3 * size)).toEqual([1]);
});

it('own commits wait until every offer has gone', () => {
  const size = JSON.stringify(commitOf(1)).length;
  const offers = [1, 2].map(number => commitOf(number));
  expect(message(offers, [commitOf(3)], 2 * size)).toEqual([1, 2]);
  expect(message(offers, [commitOf(3)], 3 * size)).toEqual([1, 2, 3]);
  expect(message([commitOf(1), commitOf(2, 5_000)], [commitOf(3)], 3 * size)).toEqual([1]);
});
