import { describe, expect, it } from 'vitest';
import type { Commit, Entry } from '../../../../server/store/changes.ts';
import { followsByRule } from '../../../../server/sync/central/follows-by-rule.ts';
import type { RecordReader } from '../../../../server/sync/protocol/siblings.ts';

const receipt: Entry = { subject: 'receiving-inspection:5', changes: [] };

/** Of a correction of that receipt which waits for quality and locks the lots 1 and 2. */
const known: Record<string, unknown> = {
  subject: receipt.subject,
  path: 'items.3.quantity_rejected',
  lots: [1, 2],
};

const reading: RecordReader = {
  creator: () => undefined,
  siblings: () => undefined,
  value: (_, path) => known[path],
  isWithdrawn: () => false,
};

function follows(changes: { path: string; new: unknown }[], beside: Entry[] = [receipt]): boolean {
  const entry = {
    subject: 'correction:7',
    changes: changes.map(one => ({ old: null, over: ['b'], ...one })),
  };
  const commit: Commit = {
    chain: 'a:1',
    number: 1,
    commit_id: 'c',
    at: '2026-06-15T12:00:00.000Z',
    clock_offset: null,
    user: 'olga',
    reason: 'counted again',
    entries: [...beside, entry],
    previous_hash: '',
    hash: '',
  };
  return followsByRule(entry, commit, reading);
}

describe('a correction that waits', () => {
  it('locks further lots beside a change of the record that it is of', () => {
    expect(follows([{ path: 'lots', new: [1, 2, 9] }])).toBe(true);
    expect(follows([{ path: 'lots', new: [1, 2, 9] }], [])).toBe(false);
  });

  it.each([
    ['loses a lot', [{ path: 'lots', new: [1, 9] }]],
    ['loses all', [{ path: 'lots', new: null }]],
    [
      'is accepted by the way',
      [
        { path: 'lots', new: [1, 2, 9] },
        { path: 'status', new: 'accepted' },
      ],
    ],
  ])('does not follow where it %s', (_, changes) => {
    expect(follows(changes)).toBe(false);
  });
});
