import { expect, it } from 'vitest';
import { unknownIn } from '../../../server/store/unknown-in.ts';

const change = { old: null, over: [] };
const about = {
  chain: 's.1',
  number: 1,
  commit_id: 'c',
  at: '',
  clock_offset: null,
  user: 'ann',
  reason: null,
};

it('names what a later version says of a record, and nothing of other records', () => {
  const commit = {
    ...{ ...about, previous_hash: '', hash: '' },
    station: 'of nobody',
    entries: [
      {
        subject: 'order:7',
        why: 1,
        changes: [
          { ...change, path: 'po_number', new: 'P', family: 'x' },
          { ...change, path: 'rating', new: 5 },
          { ...change, path: 'items.3', new: { quantity: 1, tint: 'red', is_removed: true } },
          { ...change, path: 'items.3.quantity', new: 2 },
          { ...change, path: 'certificates.5.kind', new: 'ISO' },
        ],
      },
      { subject: 'order:8', other: 1, changes: [{ ...change, path: 'elsewhere', new: 1 }] },
    ],
  };
  expect(unknownIn(commit, 'order:7')).toEqual([
    'station',
    'why',
    'family',
    'rating',
    'items.3.tint',
    'certificates.5.kind',
  ]);
  expect(unknownIn({ ...about, previous_hash: '', hash: '', entries: [] }, 'order:7')).toEqual([]);
});
