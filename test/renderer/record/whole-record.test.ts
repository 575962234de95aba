import { describe, expect, it } from 'vitest';
import {
  editableValues,
  itemsIn,
  type WholeRecord,
  wholeEtag,
} from '../../../renderer/record/whole-record.ts';
import { itemsOf } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';

const { order } = families;

const record = (fields: Record<string, unknown>): WholeRecord => ({
  family: 'order',
  id: 4,
  version: 7,
  state: '0123456789abcdef0123456789abcdef',
  fields,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  station: 'a',
  user: 'b',
});

it('is written over its version and the head of its state', () => {
  expect(wholeEtag(record({}))).toBe('"7-0123456789abcdef"');
});

describe('the items of a record', () => {
  const stored = {
    12: { quantity: 3, order: 2 },
    11: { quantity: 2, order: 2 },
    15: { quantity: 6 },
    10: { quantity: 1, order: 1 },
    14: { quantity: 5, order: 3, is_removed: true },
  };

  it('stand in their order, then by id, those without a place last, without those that were removed', () => {
    expect(itemsIn(order.collections.items, stored).map(({ id }) => id)).toEqual([10, 11, 12, 15]);
  });

  it('stand as the interface answers them', () => {
    const items = order.collections.items;
    if (!items) throw new Error('An order has items.');
    expect(itemsIn(items, stored).map(({ id }) => id)).toEqual(itemsOf(items, stored).map(({ id }) => id));
  });

  it('are the same objects for the same stored ones', () => {
    const [first] = itemsIn(order.collections.items, stored);
    expect(itemsIn(order.collections.items, { ...stored })[0]).toBe(first);
    expect(itemsIn(order.collections.items, { 10: { ...stored[10] } })[0]).not.toBe(first);
  });

  it.each([undefined, null, 'text'])('of %j are none', nothing => {
    expect(itemsIn(order.collections.items, nothing)).toEqual([]);
  });
});

it('is edited by its fields and its items as lists, without what the family does not know', () => {
  const fields = { po_number: 'PO-1', notes: null, unknown: 1, items: { 10: { quantity: 1, order: 1 } } };
  expect(editableValues(order, record(fields))).toEqual({
    po_number: 'PO-1',
    notes: null,
    items: [{ id: 10, quantity: 1, order: 1 }],
  });
  expect(editableValues(order, record({}))).toEqual({ items: [] });
});
