import { expect, it } from 'vitest';
import { StagedWrites } from '../../../server/store/staged-writes.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';

function write(family: string, id: number, fields: StoredRecord['fields']): { after: StoredRecord } {
  return { after: { key: `${family}:${id}`, family, id, fields } as StoredRecord };
}

type Writes = StagedWrites<{ after: StoredRecord }>;

const idsBy = (writes: Writes, value: string | number) =>
  writes.findBy('inventory', 'batch_number', value).map(({ id }) => id);

it('are found by a field as they are to stand, whenever that was asked for', () => {
  const writes: Writes = new StagedWrites();
  expect(idsBy(writes, 'L')).toEqual([]);
  writes.set('inventory:1', write('inventory', 1, { batch_number: 'L' }));
  expect(idsBy(writes, 'L')).toEqual([1]);
  writes.set('inventory:2', write('inventory', 2, { batch_number: 'L' }));
  writes.set('part:3', write('part', 3, { batch_number: 'L' }));
  writes.set('inventory:4', write('inventory', 4, { batch_number: '7' }));
  expect(idsBy(writes, 'L')).toEqual([1, 2]);
  expect([idsBy(writes, 7), idsBy(writes, '7')]).toEqual([[], [4]]);
  writes.set('inventory:1', write('inventory', 1, { batch_number: 'M' }));
  expect([idsBy(writes, 'L'), idsBy(writes, 'M')]).toEqual([[2], [1]]);
  writes.delete('inventory:2');
  writes.delete('inventory:9');
  expect(idsBy(writes, 'L')).toEqual([]);
  expect([...writes.values()].map(({ after }) => after.key)).toEqual([
    'inventory:1',
    'part:3',
    'inventory:4',
  ]);
});
