import { expect, it } from 'vitest';
import type { Commit } from '../../../../server/store/changes.ts';
import { outgoing } from '../../../../server/sync/station/outgoing.ts';
import { commitOf } from './commit-of.ts';

/** What a message of at most `size` characters has of these, and whether there is more. */
function message(
  offers: readonly Commit[],
  own: readonly Commit[],
  size: number,
): { numbers: number[]; isCut: boolean } {
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
  return { numbers: commits.map(({ number }) => number), isCut: read.isCut() };
}

it('a message has what fits into it, in order, and always one', () => {
  const size = JSON.stringify(commitOf(1)).length;
  const own = [1, 2, 3].map(number => commitOf(number));
  expect(message([], own, 10 * size)).toEqual({ numbers: [1, 2, 3], isCut: false });
  expect(message([], own, 2 * size)).toEqual({ numbers: [1, 2], isCut: true });
  expect(message([], own, 1)).toEqual({ numbers: [1], isCut: true });
  // The store reads no further than a commit that alone is more than a message.
  expect(message([], own.slice(0, 1), 1)).toEqual({ numbers: [1], isCut: true });
  const large = [commitOf(1), commitOf(2, 5_000), commitOf(3)];
  expect(message([], large, 3 * size)).toEqual({ numbers: [1], isCut: true });
});

it('own commits wait until every offer has gone', () => {
  const size = JSON.stringify(commitOf(1)).length;
  const offers = [1, 2].map(number => commitOf(number));
  expect(message(offers, [commitOf(3)], 2 * size).numbers).toEqual([1, 2]);
  expect(message(offers, [commitOf(3)], 3 * size).numbers).toEqual([1, 2, 3]);
  expect(message([commitOf(1), commitOf(2, 5_000)], [commitOf(3)], 3 * size).numbers).toEqual([1]);
});
