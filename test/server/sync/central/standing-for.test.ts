import { expect, it } from 'vitest';
import type { Commit } from '../../../../server/store/changes.ts';
import { reissuedId } from '../../../../server/store/commit-id.ts';
import { standingFor } from '../../../../server/sync/central/standing-for.ts';

const FIRST = '01a222f4-cedf-7fdd-a792-b3c2d27d9181';
const AGAIN = reissuedId(FIRST);
const ONCE_MORE = reissuedId(AGAIN);

/** What stands of the first one, in a log that has these commits by their stations, of which some were given up. */
function standing(log: Record<string, string>, givenUp: readonly string[]): string | undefined {
  const commitOf = (id: string) =>
    log[id] === undefined ? undefined : ({ commit_id: id, chain: `${log[id]}.1` } as Commit);
  const takenOf = (id: string) => (givenUp.includes(id) ? undefined : commitOf(id));
  return standingFor(FIRST, commitOf, takenOf, 'central')?.commit_id;
}

it.each([
  ['itself', { [FIRST]: 'a' }, [], FIRST],
  ['nothing, where it was given up', { [FIRST]: 'a' }, [FIRST], undefined],
  ['what its station issued again', { [FIRST]: 'a', [AGAIN]: 'a' }, [FIRST], AGAIN],
  ['what central issued again', { [FIRST]: 'a', [AGAIN]: 'central' }, [FIRST], AGAIN],
  [
    'the last of several times',
    { [FIRST]: 'a', [AGAIN]: 'central', [ONCE_MORE]: 'central' },
    [FIRST, AGAIN],
    ONCE_MORE,
  ],
  ['nothing of what another station calls so', { [FIRST]: 'a', [AGAIN]: 'b' }, [FIRST], undefined],
  [
    'nothing of what another station calls so the second time',
    { [FIRST]: 'a', [AGAIN]: 'central', [ONCE_MORE]: 'a' },
    [FIRST, AGAIN],
    undefined,
  ],
  ['nothing of what the log does not have', { [AGAIN]: 'a' }, [], undefined],
])('for a commit stands %s', (_, log, givenUp, expected) => {
  expect(standing(log, givenUp)).toBe(expected);
});
