import { describe, expect, it } from 'vitest';
import {
  changesOf,
  errorsInForm,
  isEmpty,
  isRequired,
  unitOf,
  withChanges,
  withoutEmpty,
} from '../../../renderer/record/form-values.ts';
import { families } from '../../../shared/families/registry.ts';

const { order, part, specification, supplier, complaint } = families;

describe('the body of a create', () => {
  it('has what has a value: no and zero are values', () => {
    const typed = {
      name: 'Bolt',
      notes: '',
      company_id: null,
      barcodes: [],
      reorder_point: 0,
      is_activity: false,
    };
    expect(withoutEmpty(typed)).toEqual({ name: 'Bolt', reorder_point: 0, is_activity: false });
  });

  it.each([
    [undefined, true],
    [null, true],
    ['', true],
    [[], true],
    [' ', false],
    [0, false],
    [false, false],
    [[''], false],
    [{}, false],
  ])('%j is empty: %s', (value, empty) => {
    expect(isEmpty(value)).toBe(empty);
  });
});

describe('the body of a change', () => {
  it.each([
    ['what was left as it was is not sent', { name: 'A' }, { name: 'A' }, {}],
    ['what is absent and none are the same', {}, { name: null, notes: undefined }, {}],
    ['what was changed is', { name: 'A', notes: 'x' }, { name: 'B', notes: 'x' }, { name: 'B' }],
    ['an emptied text clears', { name: 'A' }, { name: '' }, { name: null }],
    ['an emptied number clears', { reorder_point: 3 }, { reorder_point: null }, { reorder_point: null }],
    ['zero does not', { reorder_point: 3 }, { reorder_point: 0 }, { reorder_point: 0 }],
    ['a list is sent whole', { barcodes: ['1'] }, { barcodes: ['1', '2'] }, { barcodes: ['1', '2'] }],
    ['an emptied list is one', { barcodes: ['1'] }, { barcodes: [] }, { barcodes: [] }],
  ])('%s', (_name, before, after, changes) => {
    expect(changesOf(part, before, after)).toEqual(changes);
  });

  const items = [
    { id: 1, part_id: 7, quantity: 10, serial_number: 'A' },
    { id: 2, part_id: 8, quantity: 5 },
  ];

  it('of items has those that changed, each with what changed of it', () => {
    const after = [{ ...items[0], quantity: 12 }, items[1], { part_id: 9, quantity: 1, serial_number: '' }];
    expect(changesOf(order, { items }, { items: after })).toEqual({
      items: [
        { id: 1, quantity: 12 },
        { part_id: 9, quantity: 1 },
      ],
    });
    expect(changesOf(order, { items }, { items })).toEqual({});
  });

  it('clears an emptied text of an item', () => {
    const [first, second] = items;
    const after = [{ ...first, serial_number: '' }, second];
    expect(changesOf(order, { items }, { items: after })).toEqual({
      items: [{ id: 1, serial_number: null }],
    });
  });

  it('of a list that is always the whole list has every item that stays, and clears what was emptied', () => {
    const before = [
      { id: 1, name: 'Length', tolerance: '±1', operation: null },
      { id: 2, name: 'Width', tolerance: '±1' },
      { id: 3, name: 'Height', tolerance: '±1' },
    ];
    const after = [
      { id: 1, name: 'Length', tolerance: '', operation: null },
      { id: 3, name: 'Height', tolerance: '±1' },
      { name: 'Depth', tolerance: '' },
    ];
    expect(changesOf(specification, { characteristics: before }, { characteristics: after })).toEqual({
      characteristics: [
        { id: 1, name: 'Length', tolerance: null },
        { id: 3, name: 'Height', tolerance: '±1' },
        { name: 'Depth' },
      ],
    });
  });
});

describe('a draft', () => {
  it('put back over its record is what was typed', () => {
    const before = {
      po_number: 'PO-1',
      notes: 'x',
      items: [
        { id: 1, quantity: 10 },
        { id: 2, quantity: 5 },
      ],
    };
    const after = {
      po_number: 'PO-2',
      notes: null,
      items: [{ id: 1, quantity: 12 }, { id: 2, quantity: 5 }, { quantity: 3 }],
    };
    expect(withChanges(order, before, changesOf(order, before, after))).toEqual(after);
  });

  it('of items goes over a record that has others by now', () => {
    const now = { items: [{ id: 1, quantity: 10, part_id: 8 }, { id: 3 }] };
    expect(withChanges(order, now, { items: [{ id: 1, quantity: 12 }, { quantity: 3 }] })).toEqual({
      items: [{ id: 1, quantity: 12, part_id: 8 }, { id: 3 }, { quantity: 3 }],
    });
  });

  it('of a whole list is that list', () => {
    const now = { characteristics: [{ id: 1, name: 'Length' }] };
    const typed = { characteristics: [{ name: 'Depth' }] };
    expect(withChanges(specification, now, typed)).toEqual(typed);
  });
});

describe('faults of items', () => {
  it('stand at the items that were sent, whatever their place in the body', () => {
    const before = {
      items: [
        { id: 1, quantity: 1 },
        { id: 2, quantity: 1 },
        { id: 3, quantity: 1 },
      ],
    };
    const after = {
      items: [{ id: 1, quantity: 1 }, { id: 2, quantity: 1 }, { id: 3, quantity: -1 }, {}, { quantity: -2 }],
    };
    const errors = {
      'items.0.quantity': ['too small'],
      'items.2.quantity': ['too small'],
      'items.7.quantity': ['nowhere'],
      po_number: ['taken'],
    };
    expect(errorsInForm(order, after, changesOf(order, before, after), errors)).toEqual({
      'items.2.quantity': ['too small'],
      'items.4.quantity': ['too small'],
      'items.7.quantity': ['nowhere'],
      po_number: ['taken'],
    });
  });
});

describe('the unit beside a number', () => {
  it.each([
    ['density', { density_mass_unit: 'kg', density_volume_unit: 'l' }, 'kg/l'],
    ['density', { density_mass_unit: 'kg', unit_of_measure: 'kg' }, undefined],
    ['reorder_point', { unit_of_measure: 'kg' }, 'kg'],
    ['quantity_accepted', { unit_of_measure: 'EA' }, 'EA'],
    ['disposition_quantity', { lot_unit: 'EA' }, 'EA'],
    ['cost', { unit_of_measure: 'EA' }, undefined],
    ['quantity', {}, undefined],
    ['quantity', { unit_of_measure: null }, undefined],
  ])('of %s with %j is %s', (name, values, unit) => {
    expect(unitOf(name, values)).toBe(unit);
  });
});

it('marks what a create must give', () => {
  expect(isRequired(complaint.fields.complaint_date)).toBe(true);
  expect(isRequired(supplier.fields.notes)).toBe(false);
});
