import { expect, it } from 'vitest';
import { createdIds } from '../../../../server/sync/log/created-ids.ts';

const change = (path: string, value: unknown, over: string[] = []) => ({ path, old: null, new: value, over });

it('are those of a new record and of all items in it, in their order', () => {
  const changes = [
    change('notes', 'n'),
    change('items.7', { quantity: 1 }),
    change('items.9', { quantity: 2 }),
  ];
  expect(createdIds({ subject: 'order:5', changes })).toEqual([
    { counter: 'order', id: 5 },
    { counter: 'item:order-item', id: 7 },
    { counter: 'item:order-item', id: 9 },
  ]);
});

it('are those of items that a change adds, and of none that it only changes', () => {
  const changes = [change('items.7.quantity', 3, ['c']), change('items.8', { quantity: 1 }, ['c'])];
  expect(createdIds({ subject: 'order:5', changes })).toEqual([{ counter: 'item:order-item', id: 8 }]);
});

it('leave out what a client names by the id of something else', () => {
  const samples = { 3: { results: { 11: { value: '1' } } } };
  expect(createdIds({ subject: 'inspection:5', changes: [change('samples', samples, ['c'])] })).toEqual([
    { counter: 'item:sample', id: 3 },
  ]);
});

it.each([
  ['of a family that this version does not know', 'odd:5', 'items.7'],
  ['of what every object has', 'order:5', 'constructor.7'],
  ['of a held commit', 'hold:5', 'released'],
])('are none %s', (_, subject, path) => {
  expect(createdIds({ subject, changes: [change(path, {}, ['c'])] })).toEqual([]);
});
