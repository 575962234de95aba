import { describe, expect, it } from 'vitest';
import { differsFromTaken, lotNumberOf, shippedLineOf } from '../../../shared/contract/shipped-line.ts';

const took = (quantity: number, serial_number: string | null = 'L') => ({
  inventory_id: 5,
  location_id: null,
  quantity: quantity * 1000,
  line: { part_id: 3, serial_number, quantity },
});
const formerly = { inventory_id: 5, location_id: null, quantity: 2 };
const item = { part_id: 3, serial_number: 'L', quantity: 0.3, taken: [took(0.1), took(0.2)] };

it('the line that a closing took goods for is the sum of its shares, exactly', () => {
  expect(shippedLineOf(item)).toEqual({ part_id: 3, serial_number: 'L', quantity: 0.3 });
  expect(shippedLineOf({ quantity: 3, taken: [] })).toBeNull();
  expect(shippedLineOf({ quantity: 3 })).toBeNull();
  expect(shippedLineOf({ quantity: 3, taken: [formerly] })).toBeUndefined();
});

describe('an item of a closed shipment differs from what was taken', () => {
  it.each([
    ['by its quantity', { ...item, quantity: 0.4 }],
    ['by asking for nothing', { ...item, quantity: 0 }],
    ['by its part', { ...item, part_id: 4 }],
    ['by its lot', { ...item, serial_number: 'M' }],
    ['by asking for any lot', { ...item, serial_number: null }],
    ['by naming a lot', { ...item, taken: [took(0.3, null)] }],
    ['where nothing was taken', { ...item, taken: [] }],
    ['where nothing was ever taken', { part_id: 3, quantity: 7 }],
  ])('%s', (_, stored) => expect(differsFromTaken(stored)).toBe(true));

  it.each([
    ['it asks for the same', item],
    ['it asks for any lot in another way', { ...item, serial_number: '', taken: [took(0.3, null)] }],
    ['it asks for nothing and nothing was taken', { part_id: 3, quantity: 0, taken: [] }],
    ['version 0.1.0 took for it, which kept no line', { ...item, quantity: 9, taken: [formerly] }],
    ['anything else of it changed', { ...item, order: 4, drawing_id: 8 }],
  ])('but not where %s', (_, stored) => expect(differsFromTaken(stored)).toBe(false));
});

it('no lot number is any lot', () => {
  expect(['L', '', null, undefined, 5].map(lotNumberOf)).toEqual(['L', null, null, null, null]);
});
