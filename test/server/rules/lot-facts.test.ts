import { describe, expect, it } from 'vitest';
import { lotFactsOf, movesStock, quantitySource } from '../../../server/rules/lot-facts.ts';
import { byExpiry, densityOf, inUnit, isExpired, total } from '../../../server/rules/lot-state.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { takenOf } from '../../../shared/contract/shipped-line.ts';
import { type FamilyName, families, family as familyNamed } from '../../../shared/families/registry.ts';

/** What every fact has unless it says otherwise. */
const plain = { line: 0, lot: 5, batch: null, location: 0, quantity: 0n, lock: null };

const items = {
  8: { order: 2, inventory_id: 6, quantity_accepted: 1.5, location_id: 3 },
  7: { order: 1, inventory_id: 5, quantity_accepted: 2 },
  9: { order: 3, quantity_accepted: 4 },
};

describe('what a record says of lots', () => {
  it.each<[string, string, Record<string, unknown>, object[]]>([
    ['a lot as it is', 'inventory', {}, [{}]],
    [
      'a lot of opening stock',
      'inventory',
      { opening_quantity: 12.5, opening_location_id: 4 },
      [{ quantity: 12_500_000n, location: 4 }],
    ],
    ['a lot that a person locked', 'inventory', { is_locked_by_person: true }, [{}, { lock: 'person' }]],
    ['a lot that a person released', 'inventory', { is_locked_by_person: false }, [{}]],
    ['a receipt without lines', 'receiving-inspection', {}, []],
    [
      'a receipt, its lines in their order',
      'receiving-inspection',
      { items },
      [
        { line: 7, quantity: 2_000_000n },
        { line: 8, lot: 6, location: 3, quantity: 1_500_000n },
      ],
    ],
    [
      'a receipt in quarantine',
      'receiving-inspection',
      { items: { 7: { inventory_id: 5 } }, is_quarantined: true },
      [{ line: 7, lock: 'quarantine' }],
    ],
    [
      'a line that is not active',
      'receiving-inspection',
      { items: { 7: { inventory_id: 5, is_active_batch: false } }, is_quarantined: false },
      [{ line: 7, lock: 'inactive' }],
    ],
    [
      'a line that is active',
      'receiving-inspection',
      { items: { 7: { inventory_id: 5, is_active_batch: true } } },
      [{ line: 7 }],
    ],
    [
      'a closed shipment, its items in their order',
      'shipment',
      {
        items: {
          2: { order: 2, taken: [{ inventory_id: 6, location_id: null, quantity: 1 }] },
          3: {
            order: 1,
            taken: [
              { inventory_id: 5, location_id: 4, quantity: 2.5 },
              { inventory_id: 6, location_id: null, quantity: 0.5 },
            ],
          },
        },
      },
      [
        { line: 3, location: 4, quantity: -2_500_000n },
        { line: 3, lot: 6, quantity: -500_000n },
        { line: 2, lot: 6, quantity: -1_000_000n },
      ],
    ],
    ['an open shipment', 'shipment', { items: { 2: { quantity: 3 } } }, []],
    [
      'an adjustment',
      'adjustment',
      { inventory_id: 5, quantity: -3, location_id: 2 },
      [{ quantity: -3_000_000n, location: 2 }],
    ],
    [
      'a move',
      'move',
      { inventory_id: 5, quantity: 3, from_location_id: 1, to_location_id: 2 },
      [
        { quantity: -3_000_000n, location: 1 },
        { quantity: 3_000_000n, location: 2 },
      ],
    ],
    ['a move of nothing', 'move', { inventory_id: 5, to_location_id: 2 }, [{}, { location: 2 }]],
    ['an inspection of no lot', 'inspection', { passed: false }, []],
    ['an open inspection', 'inspection', { inventory_id: 5 }, [{ lock: 'inspection_open' }]],
    [
      'a failed inspection',
      'inspection',
      { inventory_id: 5, passed: false },
      [{ lock: 'inspection_failed' }],
    ],
    ['an inspection that passed', 'inspection', { inventory_id: 5, passed: true }, [{}]],
    ['a settled inspection', 'inspection', { inventory_id: 5, passed: false, is_settled: true }, [{}]],
    [
      'a failed lab result of a lot',
      'lab-result',
      { inventory_id: 5, batch_number: 'L', failed_measurements: ['pH'] },
      [{ lock: 'lab_failed' }],
    ],
    ['a good lab result of a lot', 'lab-result', { inventory_id: 5, failed_measurements: [] }, [{}]],
    [
      'a settled lab result',
      'lab-result',
      { inventory_id: 5, failed_measurements: ['pH'], is_settled: true },
      [{}],
    ],
    [
      'a failed lab result of a lot number',
      'lab-result',
      { batch_number: 'L', failed_measurements: ['pH'] },
      // In the form that numbers are compared in.
      [{ lot: null, batch: 'l', lock: 'lab_failed' }],
    ],
    ['a good lab result of a lot number', 'lab-result', { batch_number: 'L' }, []],
    [
      'a failed lab result of an empty lot number',
      'lab-result',
      { batch_number: '', failed_measurements: ['pH'] },
      [],
    ],
    ['a failed lab result of nothing', 'lab-result', { failed_measurements: ['pH'] }, []],
    [
      'a correction that waits for quality',
      'correction',
      { status: 'awaiting', lots: [5, 6], batch_number: 'L' },
      [{ lock: 'correction' }, { lot: 6, line: 1, lock: 'correction' }],
    ],
    [
      'a correction that waits, of a lot number alone',
      'correction',
      { status: 'awaiting', lots: [], batch_number: 'L' },
      [{ lot: null, batch: 'l', lock: 'correction' }],
    ],
    ['a correction that waits, of no lot', 'correction', { status: 'awaiting' }, []],
    ['a correction that counts', 'correction', { status: 'recorded', lots: [5], batch_number: 'L' }, []],
    [
      'a correction of a lot number that was accepted',
      'correction',
      { status: 'accepted', batch_number: 'L' },
      [],
    ],
    ['a record of another family', 'part', { quantity: 3 }, []],
  ])('%s', (_, family, fields, facts) => {
    expect(lotFactsOf({ family, id: 5, fields })).toEqual(facts.map(fact => ({ ...plain, ...fact })));
  });

  it('is nothing for what an open item has taken', () => {
    expect(takenOf(undefined)).toEqual([]);
  });
});

function lot(fields: Record<string, unknown>, id = 1): StoredRecord {
  const times = { created_at: '', updated_at: '' };
  const origin = { station: '', user: '', creator: '', writers: {}, folded: 0 };
  return {
    key: `inventory:${id}`,
    family: 'inventory',
    id,
    version: 1,
    state: '',
    fields,
    field_set: 1,
    ...times,
    ...origin,
  };
}

describe('expiry', () => {
  it.each([
    ['2026-06-14', true],
    ['2026-06-15', false],
    ['2026-06-16', false],
    [undefined, false],
  ])('%s is past on 2026-06-15: %s', (expiry_date, isPast) => {
    expect(isExpired(lot({ expiry_date }), '2026-06-15')).toBe(isPast);
  });

  it('orders lots, then their age does; those without one are last', () => {
    const lots = [
      lot({}, 4),
      lot({ expiry_date: '2027-01-01' }, 3),
      lot({ expiry_date: '2026-01-01' }, 5),
      lot({ expiry_date: '2027-01-01' }, 2),
      lot({}, 1),
      lot({ expiry_date: '9999-12-30' }, 9),
    ];
    expect(lots.sort(byExpiry).map(({ id }) => id)).toEqual([5, 2, 3, 9, 1, 4]);
  });
});

describe('units of lots', () => {
  const density = { density: 0.8, density_mass_unit: 'kg', density_volume_unit: 'l' };

  it.each<[string, Record<string, unknown>, object | null]>([
    ['said in full', density, { value: 0.8, mass: 'kg', volume: 'l' }],
    ['of nothing', { ...density, density: 0 }, null],
    ['without its mass', { ...density, density_mass_unit: null }, null],
    ['without its volume', { ...density, density_volume_unit: undefined }, null],
    ['that is no number', { ...density, density: '0.8' }, null],
  ])('a density %s', (_, fields, wanted) => {
    expect(densityOf(lot(fields))).toEqual(wanted);
  });

  it.each<[unknown, unknown, bigint | null]>([
    ['kg', 'g', 2_000_000_000n],
    ['kg', 'l', 2_500_000n],
    ['kg', 'm', null],
    ['kg', undefined, null],
    [null, 'kg', null],
    [null, undefined, 2_000_000n],
    ['bag', 'bag', 2_000_000n],
  ])('2 of %s in %s', (from, to, wanted) => {
    expect(inUnit(2_000_000n, from, to, lot(density))).toBe(wanted);
  });

  it('add up over places', () => {
    const at = (location: number, quantity: bigint) => ({ location, quantity });
    expect([total([]), total([at(1, 2n), at(2, 3n)])]).toEqual([0n, 5n]);
  });
});

describe('what quantities are worked out from', () => {
  const taken = [{ inventory_id: 6, location_id: 3, quantity: 2 }];
  const whole: Record<string, Record<string, unknown>> = {
    inventory: { opening_quantity: 12.5, opening_location_id: 4 },
    'receiving-inspection': { items },
    shipment: { items: { 2: { order: 2, taken } } },
    adjustment: { inventory_id: 5, quantity: -1.5, location_id: 3 },
    move: { inventory_id: 5, quantity: 1.5, from_location_id: 3, to_location_id: 4 },
  };
  const odd = [
    null,
    true,
    false,
    7,
    'text',
    [5],
    [{ inventory_id: 8, location_id: 1, quantity: 9 }],
    { 1: {} },
  ];

  function quantitiesOf(family: string, fields: Record<string, unknown>): string[] {
    const facts = lotFactsOf({ family, id: 5, fields }).filter(({ quantity }) => quantity !== 0n);
    return facts.map(({ lot, location, quantity }) => `${lot} ${location} ${quantity}`).sort();
  }

  it.each(Object.keys(families) as FamilyName[])('%s: of what is named, and of nothing else', name => {
    const family = familyNamed(name);
    const source = quantitySource(name);
    const fields = whole[name] ?? {};
    const before = quantitiesOf(name, fields);
    expect(movesStock(name)).toBe(source !== undefined);
    expect(before.length > 0).toBe(source !== undefined);
    const dependsOn = (changed: (value: unknown) => Record<string, unknown>) =>
      odd.some(value => String(quantitiesOf(name, changed(value))) !== String(before));

    const own = [...Object.keys(family.fields), ...Object.keys(family.collections)];
    const found = own.filter(
      field => field !== 'items' && dependsOn(value => ({ ...fields, [field]: value })),
    );
    expect(found.sort()).toEqual([...(source?.fields ?? [])].sort());

    const lines = Object.entries(fields.items ?? {});
    const ofItems = [...Object.keys(family.collections.items?.fields ?? {}), 'is_removed'].filter(field =>
      dependsOn(value => ({
        ...fields,
        items: Object.fromEntries(lines.map(([id, line]) => [id, { ...line, [field]: value }])),
      })),
    );
    expect(ofItems.sort()).toEqual([...(source?.items ?? [])].sort());
  });
});
