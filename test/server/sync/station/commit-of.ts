import type { Commit } from '../../../../server/store/changes.ts';

/** A commit of about so many characters more than one has at least. */
export function commitOf(number: number, size = 100): Commit {
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
