import { describe, expect, it } from 'vitest';
import { bodyAt, valueAt } from '../../../../renderer/screens/sync/conflict-body.ts';
import { families } from '../../../../shared/families/registry.ts';

const { inspection, order, specification } = families;

describe('the body that gives a path its value', () => {
  it.each([
    ['po_number', 'PO-2', { po_number: 'PO-2' }],
    ['notes', null, { notes: null }],
    ['items.7.quantity', 12, { items: [{ id: 7, quantity: 12 }] }],
    ['lines.7.quantity', 12, {}],
  ])('%s', (path, value, body) => {
    const fields = { items: { 7: { quantity: 10 }, 8: { quantity: 1 } } };
    expect(bodyAt(order, path, value, fields)).toEqual(body);
  });

  it('goes through items of items', () => {
    const fields = { samples: { 3: { results: { 9: { value: 1 } } } } };
    expect(bodyAt(inspection, 'samples.3.results.9.value', 2, fields)).toEqual({
      samples: [{ id: 3, results: [{ id: 9, value: 2 }] }],
    });
  });

  it('names the items that stay of a list that is always written whole', () => {
    const fields = {
      characteristics: {
        1: { name: 'Length' },
        2: { name: 'Width' },
        3: { name: 'Depth', is_removed: true },
      },
    };
    expect(bodyAt(specification, 'characteristics.2.tolerance', '±1', fields)).toEqual({
      characteristics: [{ id: 1 }, { id: 2, tolerance: '±1' }],
    });
  });
});

it.each([
  ['po_number', 'PO-1'],
  ['items.7.quantity', 10],
  ['items.7', { quantity: 10 }],
  ['items.9.quantity', null],
  ['notes', null],
  ['po_number.length', null],
])('the value at %s is %j', (path, value) => {
  expect(valueAt({ po_number: 'PO-1', items: { 7: { quantity: 10 } } }, path)).toEqual(value);
});
