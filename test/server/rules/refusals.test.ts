import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import type { FamilyName } from '../../../shared/families/registry.ts';
import { create, itemIds, update } from '../store/temporary-store.ts';
import { refusalOf } from './refusal.ts';
import { addPart, close, correct, lineOf, lock, openSite, prepare, receive, ship } from './site.ts';

const takingBack = {
  reason: 'Taking this back needs a reason. Give it as "reason"; it is kept in history.',
};
const anyReason = { reason: 'why' };

let store: Store;
let part: number;
beforeEach(async () => {
  store = await openSite();
  part = await addPart(store);
});

const refusedNew = (family: FamilyName, body: object, options: object = {}) =>
  refusalOf(create(store, family, body, options));
const refused = (family: FamilyName, id: number, body: object, options: object = {}) =>
  refusalOf(update(store, family, id, body, options));
const addPlace = async (name: string) => (await create(store, 'location', { name })).id;

describe('a correction of the count is refused', () => {
  it('without a reason, of nothing, and of more than is there', async () => {
    const { lot } = await receive(store, { part_id: part });
    const adjust = (fields: object) =>
      refusedNew('adjustment', { inventory_id: lot, quantity: 1, reason: 'r', ...fields });
    expect(await adjust({ reason: ' ' })).toEqual({
      reason: 'A correction needs a reason. Say why the count differs.',
    });
    expect(await adjust({ quantity: 0 })).toEqual({
      quantity: '0 corrects nothing. Give what to add, or take away with a minus.',
    });
    expect(await adjust({ quantity: -10.5 })).toEqual({
      conflict: 'Only 10 of lot L is there, not 10.5. Give at most that quantity.',
    });
    const dock = await addPlace('Dock');
    expect(await adjust({ quantity: -1, location_id: dock })).toEqual({
      conflict: `Only 0 of lot L is there at location ${dock}, not 1. Give at most that quantity.`,
    });
    expect(await adjust({ quantity: -10 })).toEqual({});
  });

  it('where it does not say which of several places is meant', async () => {
    const { lot } = await receive(store, { part_id: part });
    const [dock, shelf] = [await addPlace('Dock'), await addPlace('Shelf')];
    const move = { inventory_id: lot, quantity: 4 };
    await create(store, 'move', { ...move, to_location_id: dock });
    const adjust = (fields: object = {}) =>
      refusedNew('adjustment', { inventory_id: lot, quantity: -1, reason: 'r', ...fields });
    const places = `The lot stands in several places. Give one of null (no named place), ${dock}.`;
    expect(await adjust()).toEqual({ location_id: places });
    expect(await adjust({ location_id: null })).toEqual({});
    await create(store, 'move', { ...move, from_location_id: dock, to_location_id: shelf });
    await create(store, 'move', { ...move, quantity: 5, from_location_id: null, to_location_id: dock });
    // With nothing left in no named place, null means as little as leaving it out.
    expect(await adjust({ location_id: null })).toEqual({
      location_id: `The lot stands in several places. Give one of ${dock}, ${shelf}.`,
    });
  });
});

describe('a move is refused', () => {
  it('to where the lot stands, of nothing, and of more than is there', async () => {
    const { lot } = await receive(store, { part_id: part, serial_number: null });
    const [dock, shelf] = [await addPlace('Dock'), await addPlace('Shelf')];
    const move = (fields: object) =>
      refusedNew('move', { inventory_id: lot, to_location_id: dock, ...fields });
    expect(await move({ quantity: 0 })).toEqual({
      quantity: '0 moves nothing. Give a quantity, or another place to move from.',
    });
    expect(await move({ quantity: 11 })).toEqual({
      conflict: `Only 10 of lot record ${lot} is there, not 11. Give at most that quantity.`,
    });
    expect(await move({})).toEqual({});
    expect(await move({})).toEqual({
      to_location_id: 'The lot stands there already. Give another location.',
    });
    // Nothing stands on the shelf.
    expect(await move({ from_location_id: shelf })).toEqual({
      quantity: '0 moves nothing. Give a quantity, or another place to move from.',
    });
    const { id } = await create(store, 'move', { inventory_id: lot, to_location_id: shelf, quantity: 1 });
    expect(store.records.get('move', id)?.fields.from_location_id).toBe(dock);
  });

  it('of all, where that is more than a quantity can be', async () => {
    const { lot } = await receive(store, { part_id: part, quantity_accepted: 1_000_000_000 });
    const dock = await addPlace('Dock');
    const move = (fields: object = {}) =>
      refusedNew('move', { inventory_id: lot, to_location_id: dock, ...fields });
    await receive(store, { part_id: part, quantity_accepted: 0.5 });
    expect(await move()).toEqual({ quantity: 'More than 1000000000 stands there. Say how much goes.' });
    expect(await move({ quantity: 0.5 })).toEqual({});
    expect(await move({ from_location_id: null })).toEqual({});
  });
});

describe('opening stock is refused', () => {
  it('twice, as one lot', async () => {
    const lot = { part_id: part, serial_number: 'L', expiry_date: '2027-01-31', lot_unit: 'units' };
    const { id } = await create(store, 'inventory', lot);
    expect(await refusedNew('inventory', lot)).toEqual({
      conflict: `This lot is the lot record ${id} already. Change that one, or adjust its quantity.`,
    });
    const other = await addPart(store, { name: 'Lid' });
    for (const fields of [
      { part_id: other },
      { serial_number: 'M' },
      { expiry_date: '2027-02-01' },
      { lot_unit: 'EA' },
    ]) {
      expect(await refusedNew('inventory', { ...lot, ...fields })).toEqual({});
    }
  });

  it('of a number of which that part has a locked lot: new stock of it would go past the lock', async () => {
    const lot = { part_id: part, serial_number: 'L', opening_quantity: 9 };
    const { id } = await create(store, 'inventory', lot);
    await lock(store, id, true);
    await create(store, 'adjustment', { inventory_id: id, quantity: -9, reason: 'Counted.' });
    const locked = {
      conflict: `lot L of this part is locked (lot record ${id}): a person locked it. Settle that first; what is left of the lot is adjusted there.`,
    };
    for (const fields of [
      { expiry_date: '2099-01-01' },
      { lot_unit: 'EA' },
      { serial_number: ' L ', lot_unit: 'EA' },
    ])
      expect(await refusedNew('inventory', { ...lot, ...fields })).toEqual(locked);
    const other = await addPart(store, { name: 'Lid' });
    const foreign = await create(store, 'inventory', { ...lot, part_id: other });
    const elsewhere = await create(store, 'inventory', { ...lot, serial_number: 'M', lot_unit: 'EA' });
    for (const [lotId, fields] of [
      [foreign.id, { part_id: part, lot_unit: 'EA' }],
      [elsewhere.id, { serial_number: 'L' }],
    ] as const)
      expect(await refused('inventory', lotId, fields, anyReason)).toEqual(locked);
    expect(await refused('inventory', elsewhere.id, { cost: 5 })).toEqual({});
    await lock(store, id, false);
    expect(await refusedNew('inventory', { ...lot, expiry_date: '2099-01-01' })).toEqual({});
  });

  it('in what is no unit', async () => {
    const { lot_unit } = await refusedNew('inventory', { part_id: part, lot_unit: 'stone' });
    expect(lot_unit).toMatch(
      /^"stone" is not a unit\. Allowed: gal, cup, tsp, l, .*, units, %, amin, .*Volts\.$/,
    );
    expect(lot_unit?.match(/\bkg\b/g)).toHaveLength(3);
    const { fields } = await create(store, 'inventory', {
      part_id: part,
      batch_number: 'M',
      lot_unit: '\u03bcg/kg',
    });
    expect(fields.lot_unit).toBe('\u00b5g/kg');
  });

  it('below what was used of it, and once used without a reason', async () => {
    const { id } = await create(store, 'inventory', {
      part_id: part,
      serial_number: 'L',
      opening_quantity: 9,
    });
    const open = (opening_quantity: number | null, options: object = {}) =>
      refused('inventory', id, { opening_quantity }, options);
    expect(await open(10)).toEqual({});
    await ship(store, { part_id: part, quantity: 6 });
    expect(await open(5, anyReason)).toEqual({
      conflict: '1 more of lot L than the opening balance leaves was shipped or used.',
    });
    expect(await open(null, anyReason)).toEqual({
      conflict: '6 more of lot L than the opening balance leaves was shipped or used.',
    });
    expect(await open(8)).toEqual(takingBack);
    expect(await open(10)).toEqual({});
    expect(await open(8, anyReason)).toEqual({});
  });

  it('as another part or unit once anything counts on it, and as another lot once it was received', async () => {
    const other = await addPart(store, { name: 'Lid' });
    const { id } = await create(store, 'inventory', {
      part_id: part,
      serial_number: 'L',
      opening_quantity: 9,
    });
    await ship(store, { part_id: part, quantity: 1 });
    const stays =
      'stay once a lot was shipped, moved, corrected or inspected. Adjust it to nothing and open another lot.';
    expect(await refused('inventory', id, { part_id: other, lot_unit: 'kg' })).toEqual({
      conflict: `part_id, lot_unit ${stays}`,
    });
    expect(await refused('inventory', id, { part_id: other })).toEqual({ conflict: `part_id ${stays}` });
    expect(await refused('inventory', id, { serial_number: 'M', expiry_date: '2027-01-31' })).toEqual({});
    await receive(store, { part_id: part, serial_number: 'M', expiry_date: '2027-01-31' });
    const follows = 'of a received lot follow from its receipt. Correct the receipt line instead.';
    const all = { part_id: other, lot_unit: 'kg', batch_number: 'N', expiry_date: null };
    expect(await refused('inventory', id, all)).toEqual({
      conflict: `part_id, lot_unit, batch_number, expiry_date ${follows}`,
    });
    expect(await refused('inventory', id, { cost: 5, serial_number: 'M' })).toEqual({});
  });
});

describe('a receipt is refused', () => {
  it('where it takes back more than is left', async () => {
    const received = await receive(store, { part_id: part });
    await ship(store, { part_id: part, quantity: 4 });
    expect(await refusalOf(correct(store, received, { quantity_accepted: 3.5 }))).toEqual({
      conflict:
        'This takes back 0.5 more of lot L than is left there; it was shipped, moved or used. ' +
        'Receive at least that much, or take that back first.',
    });
  });

  it('where its line would leave a lot that was found bad', async () => {
    const received = await receive(store, { part_id: part });
    await receive(store, { part_id: part });
    const { id } = await create(store, 'inspection', { inventory_id: received.lot, passed: false });
    const leave = () => refusalOf(correct(store, received, { serial_number: 'M' }));
    expect(await leave()).toEqual({
      conflict: 'The line cannot leave lot L: an inspection of it failed. Settle that first.',
    });
    await update(store, 'inspection', id, { passed: true });
    const { id: specification_id } = await create(store, 'specification', {
      characteristics: [{ name: 'pH', tolerance: '3-4' }],
    });
    const failing = { specification_id, inventory_id: received.lot, lab_data: { pH: 9 } };
    await create(store, 'lab-result', failing);
    expect(await leave()).toEqual({
      conflict: 'The line cannot leave lot L: a lab result of it failed. Settle that first.',
    });
  });

  it('where it opens more than 100 inspections', async () => {
    const { id: drawing_id } = await create(store, 'specification', { name: 'Jar' });
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        part_id: part,
        serial_number: `L${index}`,
        quantity_accepted: 1,
        drawing_id,
      }));
    expect(await refusedNew('receiving-inspection', { items: lines(101) })).toEqual({
      items: 'These lines open 101 inspections. The most at once is 100.',
    });
    expect(await refusedNew('receiving-inspection', { items: lines(100) })).toEqual({});
  });
});

describe('a shipment is refused', () => {
  it('where too little is there, with what is not usable and why', async () => {
    await receive(store, { part_id: part, serial_number: 'OLD', expiry_date: '2026-06-14' });
    const { lot } = await receive(store, { part_id: part, serial_number: 'HELD' });
    await receive(store, { part_id: part, serial_number: 'POUNDS', unit_of_measure: 'lb' });
    const { lot: unnumbered } = await receive(store, { part_id: part, serial_number: null });
    await lock(store, lot, true);
    await lock(store, unnumbered, true);
    const item = { part_id: part, quantity: 1.5 };
    const shipment = await prepare(store, item);
    const [id] = itemIds(store.records.get('shipment', shipment) ?? Object(), 'items');
    expect(await refusalOf(close(store, shipment))).toEqual({
      conflict:
        `Item ${id} (Jar) is short of 1.5 units. Not usable: lot OLD expired on 2026-06-14; ` +
        'lot HELD is locked: a person locked it; ' +
        'lot POUNDS is kept in lb, which does not convert to units; ' +
        `lot ${unnumbered} is locked: a person locked it. ` +
        'Lower the quantity, or receive or release stock first.',
    });
    const now = { actual_ship_date: '2026-06-15', items: [item, { ...item, serial_number: 'X' }] };
    expect(await refusedNew('shipment', { ...now, items: [{ ...item, serial_number: 'X' }] })).toEqual({
      conflict:
        'items.0 (Jar, lot X) is short of 1.5 units. Lower the quantity, or receive or release stock first.',
    });
  });

  it('of a part without name and unit in so many words', async () => {
    const { id: part_id } = await create(store, 'part', {});
    const now = { actual_ship_date: '2026-06-15', items: [{ part_id, quantity: 1 }] };
    expect(await refusedNew('shipment', now)).toEqual({
      conflict: `items.0 (part ${part_id}) is short of 1. Lower the quantity, or receive or release stock first.`,
    });
    await receive(store, { part_id });
    await receive(store, { part_id, unit_of_measure: 'kg', serial_number: 'K' });
    const more = { ...now, items: [{ part_id, quantity: 11 }] };
    expect(await refusedNew('shipment', more)).toEqual({
      conflict:
        `items.0 (part ${part_id}) is short of 1. Not usable: lot K is kept in kg, which does not convert to no unit. ` +
        'Lower the quantity, or receive or release stock first.',
    });
    await update(store, 'part', part_id, { unit_of_measure: 'kg' });
    const { conflict } = await refusedNew('shipment', more);
    expect(conflict).toContain('lot L is kept in no unit, which does not convert to kg.');
  });

  it('of more at once than a quantity can be', async () => {
    const kilos = await addPart(store, { unit_of_measure: 'kg' });
    for (const _ of [1, 2]) {
      await receive(store, { part_id: kilos, quantity_accepted: 1_000_000_000, unit_of_measure: 'grams' });
    }
    const now = { actual_ship_date: '2026-06-15', items: [{ part_id: kilos, quantity: 1_000_000.001 }] };
    expect(await refusedNew('shipment', now)).toEqual({
      conflict:
        'items.0 (Jar) takes more than 1000000000 grams of lot L at once. Split it into several items.',
    });
  });

  it('to change while it is closed, and to a day on which a lot has expired', async () => {
    await receive(store, { part_id: part, expiry_date: '2026-06-20' });
    const { id, fields } = await ship(store, { part_id: part, quantity: 1 });
    const [item] = itemIds({ fields } as never, 'items');
    const closed = {
      conflict:
        'The shipment is closed, so its items cannot change. Clear actual_ship_date first, with a reason.',
    };
    expect(await refused('shipment', id, { items: [{ id: item, quantity: 2 }] })).toEqual(closed);
    expect(await refused('shipment', id, { items: [{ part_id: part, quantity: 0 }] })).toEqual(closed);
    expect(await refused('shipment', id, { actual_ship_date: '2026-06-21' })).toEqual({
      conflict: 'lot L expired on 2026-06-20. Give an earlier date, or clear it first.',
    });
    expect(await refused('shipment', id, { actual_ship_date: '2026-06-20' })).toEqual({});
    expect(await refused('shipment', id, { actual_ship_date: null })).toEqual(takingBack);
    const reopened = await update(store, 'shipment', id, { actual_ship_date: null }, anyReason);
    const open = lineOf(reopened, item ?? 0);
    expect(open).toMatchObject({ quantity: 1, is_inventory_calculated: false });
    expect([open.taken, open.shipped_date]).toEqual([undefined, undefined]);
  });
});

describe('an inspection is refused', () => {
  it('of what is not there, and of another part than its lot', async () => {
    const { lot } = await receive(store, { part_id: part });
    const other = await addPart(store, { name: 'Lid' });
    expect(await refusedNew('inspection', { inventory_id: lot, entity_id: other })).toEqual({
      entity_id: `The lot ${lot} is of part ${part}, not ${other}. Give the same part.`,
    });
    const { id } = await create(store, 'inspection', { entity_id: other });
    expect(await refused('inspection', id, { inventory_id: lot })).toEqual({
      entity_id: `The lot ${lot} is of part ${part}, not ${other}. Give the same part.`,
    });
    const { id: gauge } = await create(store, 'equipment', { name: 'Gauge' });
    const ofGauge = { entity_type: 'equipment', entity_id: gauge, inventory_id: lot };
    expect(await refusedNew('inspection', ofGauge)).toEqual({});
    for (const [entity_type, missing] of [
      ['part', 9999],
      ['equipment', 9998],
    ] as const) {
      const { entity_id } = await refusedNew('inspection', { entity_type, entity_id: missing });
      expect(entity_id).toBe(
        `There is no ${entity_type} with the id ${missing}. Give the id of an existing one.`,
      );
    }
  });

  it('without a reason to reopen it or to give it another lot', async () => {
    const [{ lot }, other] = [
      await receive(store, { part_id: part }),
      await receive(store, { part_id: part, serial_number: 'M' }),
    ];
    const { id } = await create(store, 'inspection', { inventory_id: lot, passed: true });
    expect(await refused('inspection', id, { passed: null })).toEqual(takingBack);
    expect(await refused('inspection', id, { inventory_id: other.lot })).toEqual(takingBack);
    expect(await refused('inspection', id, { inventory_id: null })).toEqual(takingBack);
    expect(await refused('inspection', id, { passed: false, inventory_id: lot })).toEqual({});
    const { id: lotless } = await create(store, 'inspection', { entity_id: part });
    expect(await refused('inspection', lotless, { inventory_id: lot })).toEqual({});
  });

  it('another template once measured, fewer samples, and far too many', async () => {
    const characteristics = [{ name: 'Height', tolerance: '5-10' }];
    const { id: drawing_id } = await create(store, 'specification', { characteristics });
    const { id: other } = await create(store, 'specification', { characteristics });
    const record = await create(store, 'inspection', { drawing_id, sample_size: 2 });
    const characteristic = itemIds(
      store.records.get('specification', drawing_id) ?? Object(),
      'characteristics',
    )[0];
    const [sample] = itemIds(record, 'samples');
    expect(await refused('inspection', record.id, { sample_size: 1 })).toEqual({
      sample_size: 'There are 2 samples already. Samples are never removed.',
    });
    const measured = { samples: [{ id: sample, results: [{ id: characteristic, comment: 'hard to see' }] }] };
    await update(store, 'inspection', record.id, measured);
    expect(await refused('inspection', record.id, { drawing_id: other })).toEqual({
      conflict:
        'Samples are measured by the template already. Create another inspection for another template.',
    });
    const many = Array.from({ length: 21 }, (_, index) => ({ name: `C${index}` }));
    const { id: large } = await create(store, 'specification', { characteristics: many });
    expect(await refusedNew('inspection', { drawing_id: large, sample_size: 953 })).toEqual({
      sample_size: '953 samples of 21 characteristics are too many. The most here is 952.',
    });
  });

  it('a result of a characteristic that its template does not have', async () => {
    const characteristics = [{ name: 'Height' }, { name: 'Width' }];
    const { id: drawing_id } = await create(store, 'specification', { characteristics });
    const record = await create(store, 'inspection', { drawing_id });
    const [height, width] = itemIds(
      store.records.get('specification', drawing_id) ?? Object(),
      'characteristics',
    );
    const [sample] = itemIds(record, 'samples');
    const samples = [{ id: sample, results: [{ value: 3 }] }];
    const refusal = await refused('inspection', record.id, { samples });
    expect(Object.values(refusal)).toEqual([
      `Name the characteristic by its id: ${height} (Height), ${width} (Width).`,
    ]);
  });
});

describe('a disposition is refused', () => {
  const whole = { ncr_number: 'N-1', source: 'internal' };

  it('without a reason, and without how much goes and from where', async () => {
    const { lot } = await receive(store, { part_id: part });
    const { id } = await create(store, 'ncr', { ...whole, inventory_id: lot });
    const dispose = (body: object, options: object = anyReason) => refused('ncr', id, body, options);
    const needed =
      'A disposition needs a reason, and so does a change of it. Give it as "reason"; it is kept in history.';
    const amount = (disposition: string) =>
      `Say how much of the lot goes (${disposition}), in its unit; 0 where it never came into stock.`;
    const both = { reason: needed, disposition_quantity: amount('scrap') };
    expect(await dispose({ disposition: 'scrap' }, {})).toEqual(both);
    expect(await dispose({ disposition: 'scrap' }, { reason: '  ' })).toEqual(both);
    for (const disposition of ['scrap', 'return']) {
      expect(await dispose({ disposition })).toEqual({ disposition_quantity: amount(disposition) });
    }
    const [dock, shelf] = [await addPlace('Dock'), await addPlace('Shelf')];
    await create(store, 'move', { inventory_id: lot, quantity: 4, to_location_id: dock });
    await create(store, 'move', {
      inventory_id: lot,
      quantity: 6,
      from_location_id: null,
      to_location_id: shelf,
    });
    expect(await dispose({ disposition: 'scrap', disposition_quantity: 2 })).toEqual({
      disposition_location_id: `The lot stands in several places. Give one of ${dock} (4), ${shelf} (6).`,
    });
  });

  it('of an inspection or lab result of another lot', async () => {
    const { lot } = await receive(store, { part_id: part });
    const other = await receive(store, { part_id: part, serial_number: 'M' });
    const { id: inspection_id } = await create(store, 'inspection', { inventory_id: other.lot });
    const { id: lab_result_id } = await create(store, 'lab-result', { inventory_id: other.lot });
    for (const [name, id] of Object.entries({ inspection_id, lab_result_id })) {
      expect(await refusedNew('ncr', { ...whole, inventory_id: lot, [name]: id })).toEqual({
        [name]: `${id} is of the lot ${other.lot}, the report of the lot ${lot}. Give one of the same lot, or leave it out.`,
      });
    }
    const { id: lotless } = await create(store, 'lab-result', { batch_number: 'L' });
    expect(await refusedNew('ncr', { ...whole, inventory_id: lot, lab_result_id: lotless })).toEqual({});
  });
});

describe('a lab result is refused', () => {
  it('another lot without a reason', async () => {
    const { lot } = await receive(store, { part_id: part });
    const other = await receive(store, { part_id: part, serial_number: 'M' });
    const { id } = await create(store, 'lab-result', { inventory_id: lot });
    expect(await refused('lab-result', id, { inventory_id: other.lot })).toEqual(takingBack);
    expect(await refused('lab-result', id, { inventory_id: lot, notes: 'n' })).toEqual({});
    const { id: lotless } = await create(store, 'lab-result', { batch_number: 'L' });
    expect(await refused('lab-result', lotless, { inventory_id: lot })).toEqual({});
  });
});

describe('a part is refused', () => {
  it('a unit that is none of its type, and itself among its parents', async () => {
    expect(await refusedNew('part', { unit_type: 'Mass', unit_of_measure: 'l' })).toEqual({
      unit_of_measure: '"l" is no unit of Mass. Change unit_of_measure or unit_type.',
    });
    const child = await addPart(store, { parent_part_id: part });
    const own = {
      parent_part_id: 'A part cannot be its own parent, nor that of its parents. Give another part.',
    };
    expect(await refused('part', part, { parent_part_id: child })).toEqual(own);
    expect(await refused('part', part, { parent_part_id: part })).toEqual(own);
    expect(await refused('part', child, { parent_part_id: null })).toEqual({});
    expect(await refused('part', part, { parent_part_id: child })).toEqual({});
  });
});

describe('settings are refused', () => {
  it.each([
    [
      { time_zone: 'Mars' },
      { time_zone: '"Mars" is not a time zone. Give an IANA name such as Europe/Berlin.' },
    ],
    [{ time_zone: null }, {}],
  ])('%j', async (body, refusal) => {
    expect(await refusalOf(create(store, 'setting', body, { id: 1 }))).toEqual(refusal);
  });
});
