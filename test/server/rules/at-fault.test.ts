import { beforeEach, expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import type { Family } from '../../../shared/contract/define-family.ts';
import type { FieldErrors } from '../../../shared/contract/errors.ts';
import { readInput } from '../../../shared/contract/parse-input.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import { type FamilyName, families } from '../../../shared/families/registry.ts';
import { create } from '../store/temporary-store.ts';
import { refusalOf } from './refusal.ts';
import { addPart, openSite, receive } from './site.ts';

type Fields = Record<string, unknown>;

const UNKNOWN = 999_999;

let store: Store;
let part: number;
let lot: number;
beforeEach(async () => {
  store = await openSite();
  part = await addPart(store, { unit_type: 'Mass', unit_of_measure: 'kg' });
  lot = (await receive(store, { part_id: part })).lot;
});

/** What a request is told is wrong: of what could not be read beside what the rules find. */
async function blamed(name: FamilyName, body: Fields, id?: number): Promise<string[]> {
  const family: Family = families[name];
  const faults: FieldErrors = {};
  const mode = id === undefined ? 'create' : 'patch';
  const input = readInput(family, body, { mode }, faults);
  const refusal = await refusalOf(
    store.gate.commit({
      actor: { rights: BY_SERVER, user: 'tester' },
      reason: null,
      faults,
      work: work => (id === undefined ? work.create(family, input) : work.update(family, id, input)),
      answer: record => record,
    }),
  );
  return Object.keys(refusal).sort();
}

it.each<[string, FamilyName, (lot: number) => Fields, string[]]>([
  [
    'a shipment of unknown goods',
    'shipment',
    () => ({ actual_ship_date: '2026-06-15', items: [{ part_id: UNKNOWN, quantity: 1 }, { part_id: 'x' }] }),
    ['items.0.part_id', 'items.1.part_id', 'items.1.quantity'],
  ],
  ['a template that is not there', 'inspection', () => ({ drawing_id: UNKNOWN }), ['drawing_id']],
  [
    'an unknown kind of thing, which could be of any id',
    'inspection',
    () => ({ entity_type: 'boat', entity_id: UNKNOWN }),
    ['entity_type'],
  ],
  [
    'far too many samples, by a template that cannot be read',
    'inspection',
    () => ({ drawing_id: 'x', sample_size: -1 }),
    ['drawing_id', 'sample_size'],
  ],
  [
    'a count that cannot be read',
    'adjustment',
    lot => ({ inventory_id: lot, quantity: 'x', reason: 'r' }),
    ['quantity'],
  ],
  [
    'a count of nothing without a reason',
    'adjustment',
    lot => ({ inventory_id: lot, quantity: 0, reason: ' ' }),
    ['quantity', 'reason'],
  ],
  [
    'a move of what cannot be read to nowhere',
    'move',
    lot => ({ inventory_id: lot, quantity: 'x', to_location_id: UNKNOWN }),
    ['quantity', 'to_location_id'],
  ],
  [
    'opening stock of an unknown part',
    'inventory',
    () => ({ part_id: UNKNOWN, opening_quantity: 'x', cost: 'y' }),
    ['batch_number', 'cost', 'opening_quantity', 'part_id'],
  ],
  ['a parent that is not there', 'part', () => ({ parent_part_id: UNKNOWN }), ['parent_part_id']],
  [
    'a unit of a type that cannot be read',
    'part',
    () => ({ unit_type: 'Beauty', unit_of_measure: 'kg' }),
    ['unit_type'],
  ],
])('%s is told field by field, and nothing that only seems to follow', async (_, name, body, fields) => {
  const { id: place } = await create(store, 'location', { name: 'Shelf' });
  await create(store, 'move', { inventory_id: lot, quantity: 4, to_location_id: place });
  expect(await blamed(name, body(lot))).toEqual(fields);
});

it('what a change leaves as it was is not held against what could not be read', async () => {
  const other = await addPart(store, { name: 'Lid' });
  const { id } = await create(store, 'inspection', { inventory_id: lot });
  expect(await blamed('inspection', { inventory_id: 'x', entity_id: other }, id)).toEqual(['inventory_id']);
  expect(await blamed('inspection', { entity_type: 'boat', entity_id: UNKNOWN }, id)).toEqual([
    'entity_type',
  ]);
  expect(await blamed('part', { unit_type: 'Beauty', unit_of_measure: 'm' }, part)).toEqual(['unit_type']);
  expect(await blamed('part', { unit_of_measure: 'x', unit_type: 'Length' }, part)).toEqual([
    'unit_of_measure',
  ]);
  const { id: opened } = await create(store, 'inventory', {
    part_id: part,
    batch_number: 'O',
    opening_quantity: 1,
  });
  expect(await blamed('inventory', { lot_unit: 'stone', part_id: other, cost: 1 }, opened)).toEqual([
    'lot_unit',
  ]);
});
