import { beforeEach, describe, expect, it } from 'vitest';
import { shownCost, worthOf } from '../../../server/rules/lot-cost.ts';
import { mapOf } from '../../../server/store/changes.ts';
import type { Store } from '../../../server/store/store.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import { recordsOf, stockOf } from '../store/audit.ts';
import { create, itemIds, update } from '../store/temporary-store.ts';
import { addPart, correct, lineOf, lotOf, openSite, type Received, receive, ship } from './site.ts';

type Fields = Record<string, unknown>;

let store: Store;
let part: number;
beforeEach(async () => {
  store = await openSite();
  part = await addPart(store);
});

const lotFields = (id: number): Fields => store.records.get('inventory', id)?.fields ?? {};
const versionOf = (id: number) => store.records.get('inventory', id)?.version;
const inspections = () => recordsOf(store).filter(({ family }) => family === 'inspection');

describe('a lot that a receipt opens', () => {
  it("has its part's company, else the first", async () => {
    const { id: company_id } = await create(store, 'company', { name: 'Other' });
    const theirs = await receive(store, { part_id: await addPart(store, { company_id }) });
    expect(lotFields(theirs.lot).company_id).toBe(company_id);
    const ours = await receive(store, { part_id: part });
    expect(lotFields(ours.lot)).toEqual({
      company_id: 1,
      is_legacy: false,
      part_id: part,
      batch_number: 'L',
      lot_unit: 'units',
    });
  });

  it('has its number without blanks, and none where there are only blanks', async () => {
    const first = await receive(store, { part_id: part, serial_number: '  L ' });
    expect(lotFields(first.lot).batch_number).toBe('L');
    expect((await receive(store, { part_id: part, serial_number: 'L' })).lot).toBe(first.lot);
    const blank = await receive(store, { part_id: part, serial_number: '   ' });
    expect(lotFields(blank.lot)).not.toHaveProperty('batch_number');
    expect((await receive(store, { part_id: part, serial_number: null })).lot).toBe(blank.lot);
    const other = await addPart(store, { name: 'Lid' });
    expect((await receive(store, { part_id: other, serial_number: null })).lot).not.toBe(blank.lot);
  });

  it('has the cost of its line, which a later line changes, and only then', async () => {
    const first = await receive(store, { part_id: part, cost: 2 });
    expect([lotFields(first.lot).cost, versionOf(first.lot)]).toEqual([2, 1]);
    await receive(store, { part_id: part });
    expect([lotFields(first.lot).cost, versionOf(first.lot)]).toEqual([2, 1]);
    const second = await receive(store, { part_id: part, cost: 3 });
    expect([lotFields(first.lot).cost, versionOf(first.lot)]).toEqual([3, 2]);
    await correct(store, first, { quantity_accepted: 11 });
    expect(lotFields(first.lot).cost).toBe(3);
    await correct(store, second, { cost: 0 });
    expect(lotFields(first.lot).cost).toBe(0);
    await correct(store, second, { cost: null });
    expect(lotFields(first.lot).cost).toBe(0);
  });

  it('takes the cost as of its own unit, whatever unit was corrected before', async () => {
    const kilos = await addPart(store, { unit_of_measure: 'kg' });
    const received = await receive(store, { part_id: kilos, unit_of_measure: 'grams', cost: 1 });
    await update(store, 'inventory', received.lot, { cost: 20 });
    expect(lotFields(received.lot)).toMatchObject({ cost: 20, cost_unit: 'kg' });
    await correct(store, received, { cost: 0.5 });
    expect(lotFields(received.lot)).toMatchObject({ cost: 0.5 });
    expect(lotFields(received.lot)).not.toHaveProperty('cost_unit');
  });
});

describe('a line that was received', () => {
  it('keeps its unit whatever the unit of its part becomes, until it names another part or unit', async () => {
    const received = await receive(store, { part_id: part });
    await update(store, 'part', part, { unit_of_measure: 'kg' });
    expect(await correct(store, received, { serial_number: 'M' })).toBe(received.lot);
    expect(lotFields(received.lot)).toMatchObject({ batch_number: 'M', lot_unit: 'units' });
    const other = await addPart(store, { name: 'Lid', unit_of_measure: 'l' });
    const ofOther = await correct(store, received, { part_id: other });
    expect(lotFields(ofOther)).toMatchObject({ part_id: other, lot_unit: 'l' });
    const small = await correct(store, received, { unit_of_measure: 'ml' });
    expect(lotFields(small)).toMatchObject({ lot_unit: 'ml' });
    const large = await correct(store, received, { unit_of_measure: null });
    expect(lotFields(large)).toMatchObject({ lot_unit: 'l' });
    expect([received.lot, ofOther, small, large].map(lot => lotOf(store, lot).quantity)).toEqual([
      0, 10, 0, 10,
    ]);
  });

  it('that feeds its lot together with another of its receipt leaves it when it is renamed', async () => {
    const line = { part_id: part, quantity_accepted: 1, serial_number: 'L' };
    const record = await create(store, 'receiving-inspection', { items: [line, line] });
    const [first = 0, second = 0] = itemIds(record, 'items');
    const lot = Number(lineOf(record, first).inventory_id);
    const received: Received = { receipt: record.id, item: second, lot };
    const other = await correct(store, received, { serial_number: 'M' });
    expect(other).not.toBe(lot);
    expect([lotOf(store, lot).quantity, lotOf(store, other).quantity]).toEqual([1, 1]);
  });

  it('leaves a lot that has opening stock, and renames one that was only shipped from', async () => {
    const { id } = await create(store, 'inventory', {
      part_id: part,
      serial_number: 'L',
      opening_quantity: 5,
    });
    const received = await receive(store, { part_id: part });
    expect(received.lot).toBe(id);
    expect(await correct(store, received, { serial_number: 'M' })).not.toBe(id);
    const own = await receive(store, { part_id: part, serial_number: 'N' });
    await ship(store, { part_id: part, quantity: 1, serial_number: 'N' });
    expect(await correct(store, own, { serial_number: 'O' })).toBe(own.lot);
    expect(lotFields(own.lot).batch_number).toBe('O');
  });

  it('may leave a lot whose inspection is only open', async () => {
    const received = await receive(store, { part_id: part });
    await receive(store, { part_id: part });
    await create(store, 'inspection', { inventory_id: received.lot });
    expect(await correct(store, received, { serial_number: 'M' })).not.toBe(received.lot);
  });

  it('has no lot while nothing is accepted', async () => {
    const record = await create(store, 'receiving-inspection', {
      items: [{ part_id: part, quantity_rejected: 2, serial_number: 'L' }],
    });
    const [item = 0] = itemIds(record, 'items');
    expect(lineOf(record, item).inventory_id).toBeUndefined();
    expect(recordsOf(store).some(({ family }) => family === 'inventory')).toBe(false);
  });

  it('and no lines leave a receipt without any', async () => {
    const { fields } = await create(store, 'receiving-inspection', { notes: 'n' });
    expect(fields).not.toHaveProperty('items');
  });
});

describe('a receipt of which all came together', () => {
  const datesOf = (record: StoredRecord) =>
    Object.values(mapOf(record.fields.items)).map(item => mapOf(item).received_date);

  it('dates its lines by its arrival, but for those that say so themselves', async () => {
    const own = '2026-06-01T08:00:00.000Z';
    const items = [{ part_id: part }, { part_id: part, received_date: own }];
    const arrival = { actual_arrival_date: '2026-06-10', items };
    const together = await create(store, 'receiving-inspection', { ...arrival, is_receive_all_items: true });
    expect(datesOf(together)).toEqual(['2026-06-10T00:00:00.000Z', own]);
    const apart = await create(store, 'receiving-inspection', { ...arrival, is_receive_all_items: false });
    expect(datesOf(apart)).toEqual([undefined, own]);
    const undated = await create(store, 'receiving-inspection', { items, is_receive_all_items: true });
    expect(datesOf(undated)).toEqual([undefined, own]);
  });
});

describe('the inspection that a line opens', () => {
  const addTemplate = async (name: string) =>
    (await create(store, 'specification', { name, characteristics: [{ name: 'Height' }] })).id;

  it('is of its part and lot, by its template', async () => {
    const drawing_id = await addTemplate('Jar');
    const { lot } = await receive(store, { part_id: part, drawing_id });
    expect(inspections().map(({ fields }) => fields)).toMatchObject([
      { entity_id: part, entity_type: 'part', drawing_id, inventory_id: lot },
    ]);
  });

  it('takes the corrected template, as long as nothing was measured and no verdict given', async () => {
    const [jar, lid, cap] = [await addTemplate('Jar'), await addTemplate('Lid'), await addTemplate('Cap')];
    const received = await receive(store, { part_id: part, drawing_id: jar });
    await correct(store, received, { drawing_id: lid });
    const [opened, ...none] = inspections();
    expect(none).toEqual([]);
    expect(opened?.fields).toMatchObject({ drawing_id: lid, template: { name: 'Lid' } });
    const [sample] = itemIds(opened as StoredRecord, 'samples');
    const ids = itemIds(store.records.get('specification', lid) as StoredRecord, 'characteristics');
    const samples = [{ id: sample, results: [{ id: ids[0], value: 5 }] }];
    await update(store, 'inspection', opened?.id ?? 0, { samples });
    await correct(store, received, { drawing_id: cap });
    expect(inspections().map(({ fields }) => fields.drawing_id)).toEqual([lid, cap]);
    await update(store, 'inspection', inspections()[1]?.id ?? 0, { passed: true });
    await correct(store, received, { drawing_id: jar });
    expect(inspections().map(({ fields }) => fields.drawing_id)).toEqual([lid, cap, jar]);
    await correct(store, received, { drawing_id: null });
    expect(inspections()).toHaveLength(3);
  });

  it('is another for another lot, also where the template is corrected with it', async () => {
    const [jar, lid] = [await addTemplate('Jar'), await addTemplate('Lid')];
    const received = await receive(store, { part_id: part, drawing_id: jar });
    await receive(store, { part_id: part });
    const other = await correct(store, received, { drawing_id: lid, serial_number: 'M' });
    expect(inspections().map(({ fields }) => [fields.inventory_id, fields.drawing_id])).toEqual([
      [received.lot, jar],
      [other, lid],
    ]);
  });
});

describe('opening stock', () => {
  it('is of its part, unless said', async () => {
    const { id: company_id } = await create(store, 'company', { name: 'Other' });
    const theirs = await addPart(store, { company_id, unit_of_measure: 'kg' });
    const { fields } = await create(store, 'inventory', { part_id: theirs, batch_number: 'T' });
    expect(fields).toMatchObject({ company_id, lot_unit: 'kg', is_legacy: true });
    const said = await create(store, 'inventory', {
      part_id: part,
      batch_number: 'S',
      lot_unit: 'EA',
      is_legacy: false,
    });
    expect(said.fields).toMatchObject({ company_id: 1, lot_unit: 'EA', is_legacy: false });
  });
});

describe('the cost of a lot', () => {
  const recordOf = (fields: Fields): StoredRecord => ({
    ...(store.records.get('part', part) as StoredRecord),
    fields,
  });
  const kilos = () => recordOf({ unit_of_measure: 'kg' });

  it.each<[string, Fields, bigint, number]>([
    ['of its own unit', { cost: 0.25, lot_unit: 'g' }, 500_000n, 250],
    ['of the unit of its part', { cost: 250, lot_unit: 'g', cost_unit: 'kg' }, 500_000n, 250],
    ['in a unit that does not convert', { cost: 3, lot_unit: 'EA' }, 6_000_000n, 3],
    ['in a unit that has become unknown', { cost: 3, lot_unit: 'g', cost_unit: 'EA' }, 6_000_000n, 3],
  ])('%s', (_, fields, worth, shown) => {
    expect(worthOf(2_000_000n, recordOf(fields), kilos())).toBe(worth);
    expect(shownCost(recordOf(fields), kilos())).toBe(shown);
  });

  it('that is not known is no worth', () => {
    expect(worthOf(2_000_000n, recordOf({ lot_unit: 'g' }), kilos())).toBe(0n);
  });

  it('is kept as it was where it is sent back as it is shown, unless what it means has changed', async () => {
    const part_id = await addPart(store, { unit_of_measure: 'kg' });
    const opening = { part_id, batch_number: 'L', lot_unit: 'g', opening_quantity: 600, cost: 0.02 };
    const { id } = await create(store, 'inventory', opening);
    expect(lotFields(id)).not.toHaveProperty('cost_unit');
    await update(store, 'inventory', id, { cost: 20, batch_number: 'A' });
    expect(lotFields(id).cost).toBe(0.02);
    // The cost is not named: nothing is read into it.
    await update(store, 'inventory', id, { batch_number: 'B' });
    expect(lotFields(id).cost).toBe(0.02);
    await update(store, 'inventory', id, { cost: 20, lot_unit: 'kg', opening_quantity: 0.6 });
    expect(lotFields(id)).toMatchObject({ cost: 20, lot_unit: 'kg' });
    expect(lotFields(id)).not.toHaveProperty('cost_unit');
    await update(store, 'inventory', id, { lot_unit: 'g', cost: 20, opening_quantity: 600 });
    expect(lotFields(id)).toMatchObject({ cost: 20, cost_unit: 'kg' });
    const other = await addPart(store, { unit_of_measure: 'g' });
    await update(store, 'inventory', id, { part_id: other, cost: 0.02 });
    expect(lotFields(id)).toMatchObject({ cost: 0.02 });
    expect(lotFields(id)).not.toHaveProperty('cost_unit');
    await update(store, 'inventory', id, { cost: null });
    expect(lotFields(id)).not.toHaveProperty('cost');
    expect(stockOf(store)).toEqual([`${id}@0 600000000`]);
  });

  it('that a rule writes is taken as it stands', async () => {
    const part_id = await addPart(store, { unit_of_measure: 'kg' });
    const { id } = await create(store, 'inventory', {
      part_id,
      batch_number: 'L',
      lot_unit: 'g',
      opening_quantity: 5,
      cost: 1,
    });
    await store.gate.commit({
      actor: { rights: BY_SERVER, user: 'tester' },
      reason: null,
      work: draft => draft.set(families.inventory, id, { ...draft.require('inventory', id).fields, cost: 7 }),
      answer: record => record,
    });
    expect(lotFields(id)).toMatchObject({ cost: 7 });
    expect(lotFields(id)).not.toHaveProperty('cost_unit');
  });
});
