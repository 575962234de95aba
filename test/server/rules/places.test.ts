import { describe, expect, it } from 'vitest';
import { createPutaway } from '../../../server/rules/putaway.ts';
import type { Store } from '../../../server/store/store.ts';
import { stockOf } from '../store/audit.ts';
import { create, createAll, update } from '../store/temporary-store.ts';
import { addPart, close, lock, openSite, prepare, receive, taken } from './site.ts';

const SSCC = '340123450000000000';
const OTHER_SSCC = '106141412345678908';
type Fields = Record<string, unknown>;

async function place(store: Store, name: string, fields: Fields = {}): Promise<number> {
  return (await create(store, 'location', { name, ...fields })).id;
}
const move = (store: Store, inventory_id: number, to_location_id: number, fields: Fields = {}) =>
  create(store, 'move', { inventory_id, to_location_id, ...fields });
const proposals = async (store: Store, ...lots: number[]) => {
  const goods = lots.flatMap(lot => store.records.get('inventory', lot) ?? []);
  const reads = { records: store.records, sql: store.database.reader };
  return (await createPutaway(reads)(goods)).map(({ location, why }) => `${location} ${why}`);
};

describe('a place', () => {
  it('that is given up takes nothing, nor does one of another class what needs its own', async () => {
    const store = await openSite();
    const part = await addPart(store, { storage_class: 'cool' });
    const { lot } = await receive(store, { part_id: part });
    const refused = async (to: number, fields: Fields = {}) =>
      expect(move(store, lot, to, fields)).rejects.toMatchObject({
        errors: { to_location_id: [expect.any(String)] },
      });
    await refused(await place(store, 'Gone', { is_active: false, storage_class: 'cool' }));
    await refused(await place(store, 'Warm'));
    await refused(await place(store, 'Frozen', { storage_class: 'frozen' }));
    const warm = await place(store, 'Warm place', { kind: 'quarantine' });
    await refused(warm);
    await refused(await place(store, SSCC, { kind: 'unit', within_id: warm }));
    // Where goods come and go they stand for as long as that takes.
    await move(store, lot, await place(store, 'Dock', { kind: 'receiving' }));
    await move(store, lot, await place(store, 'Cold', { storage_class: 'cool' }));
  });

  it('holds handling units, which are called by their SSCC and take along what is on them', async () => {
    const store = await openSite();
    const [dock, shelf] = [await place(store, 'Dock', { kind: 'receiving' }), await place(store, 'Shelf')];
    const unit = await place(store, SSCC, { kind: 'unit', within_id: dock });
    const at = (name: string, fields: Fields) => place(store, name, { kind: 'unit', ...fields });
    await expect(at('Pallet 1', {})).rejects.toMatchObject({ errors: { name: [expect.any(String)] } });
    await expect(at('340123450000000001', {})).rejects.toMatchObject({
      errors: { name: [expect.any(String)] },
    });
    await expect(at(SSCC, {})).rejects.toMatchObject({ code: 'conflict' });
    await expect(at(OTHER_SSCC, { within_id: unit })).rejects.toMatchObject({
      errors: { within_id: [expect.any(String)] },
    });
    await expect(place(store, 'Shelf in a shelf', { within_id: shelf })).rejects.toMatchObject({
      errors: { within_id: [expect.any(String)] },
    });
    const { lot } = await receive(store, { part_id: await addPart(store, { storage_class: 'cool' }) });
    await move(store, lot, unit);
    await expect(update(store, 'location', unit, { within_id: shelf })).rejects.toMatchObject({
      errors: { within_id: [expect.any(String)] },
    });
    await update(store, 'location', unit, {
      within_id: await place(store, 'Cold', { storage_class: 'cool' }),
    });
    expect(stockOf(store)).toEqual([`${lot}@${unit} 10000000`]);
    // The number is free again once the pallet is gone.
    await update(store, 'location', unit, { is_active: false });
    await at(SSCC, {});
  });
});

describe('putaway', () => {
  it('proposes where the same part lies, else its usual place, else an empty one of the right kind, by the way', async () => {
    const store = await openSite();
    const dock = await place(store, 'Dock', { kind: 'receiving' });
    const far = await place(store, 'A-1', { walking_order: 30 });
    await place(store, 'B-10');
    const near = await place(store, 'B-9', { walking_order: 10 });
    await place(store, 'Cold', { storage_class: 'cool', walking_order: 1 });
    await place(store, 'Gone', { is_active: false, walking_order: 2 });
    const usual = await place(store, 'Usual', { walking_order: 99 });
    const part = await addPart(store, { usual_location_id: usual });
    const { lot } = await receive(store, { part_id: part, location_id: dock });
    expect(await proposals(store, lot)).toEqual(['Usual usual', 'B-9 empty', 'A-1 empty', 'B-10 empty']);
    const { lot: other } = await receive(store, { part_id: await addPart(store), serial_number: 'X' });
    await move(store, other, near);
    expect(await proposals(store, lot)).toEqual(['Usual usual', 'A-1 empty', 'B-10 empty']);
    const { lot: same } = await receive(store, { part_id: part, serial_number: 'S' });
    const unit = await place(store, SSCC, { kind: 'unit', within_id: far });
    await move(store, same, unit);
    expect(await proposals(store, lot)).toEqual(['A-1 same_part', 'Usual usual', 'B-10 empty']);
    const cold = await addPart(store, { storage_class: 'cool' });
    const { lot: chilled } = await receive(store, { part_id: cold, serial_number: 'C' });
    expect(await proposals(store, chilled)).toEqual(['Cold empty']);
  });

  it('proposes for goods that go together what suits all of them', async () => {
    const store = await openSite();
    for (const name of ['Cage', 'Cold', 'Shelf A', 'Shelf B'])
      await place(store, name, {
        ...(name === 'Cold' && { storage_class: 'cool' }),
        ...(name === 'Cage' && { kind: 'quarantine' }),
      });
    const usual = await place(store, 'Usual');
    const of = async (serial_number: string, part: Fields, fields: Fields = {}) =>
      (await receive(store, { part_id: await addPart(store, part), serial_number }, fields)).lot;
    const [dry, other] = [await of('D', {}), await of('O', { usual_location_id: usual })];
    expect(await proposals(store, dry, other)).toEqual(['Usual usual', 'Shelf A empty', 'Shelf B empty']);
    const locked = await of('Q', {}, { is_quarantined: true });
    expect(await proposals(store, dry, locked)).toEqual(['Cage empty']);
    const chilled = await of('C', { storage_class: 'cool' });
    expect(await proposals(store, chilled)).toEqual(['Cold empty']);
    expect(await proposals(store, chilled, dry)).toEqual([]);
  });

  it('reads places that are full by their index alone, and only as many lots as it needs', async () => {
    const store = await openSite();
    const part = await addPart(store);
    const names = Array.from({ length: 120 }, (_, index) => `Bay ${index + 1}`);
    await createAll(
      store,
      'location',
      names.map(name => ({ name })),
    );
    const [first = 0] = store.records.idsBy('location', 'name', 'Bay 1', 1);
    const other = await addPart(store);
    const lots = names.slice(0, 115).map((name, index) => ({
      part_id: other,
      batch_number: name,
      opening_quantity: 1,
      opening_location_id: first + index,
    }));
    await createAll(store, 'inventory', lots);
    const { lot } = await receive(store, { part_id: part });
    const read: number[] = [];
    const get = store.records.get.bind(store.records);
    store.records.get = (family, id) => {
      if (family === 'location') read.push(id);
      return get(family, id);
    };
    const record = store.records.get('inventory', lot);
    if (!record) throw new Error('There is no lot.');
    const proposalsFor = createPutaway({ records: store.records, sql: store.database.reader });
    const bays = [116, 117, 118, 119, 120].map(number => `Bay ${number}`);
    expect((await proposalsFor([record])).map(({ location }) => location)).toEqual(bays);
    expect((await proposalsFor([record], 1)).map(({ location }) => location)).toEqual(bays.slice(0, 1));
    expect(new Set(read).size).toBe(bays.length + 2);
  });

  it('keeps what is locked apart, where there is a place for it', async () => {
    const store = await openSite();
    await place(store, 'Shelf');
    const { lot } = await receive(store, { part_id: await addPart(store) }, { is_quarantined: true });
    expect(await proposals(store, lot)).toEqual(['Shelf empty']);
    await place(store, 'Cage', { kind: 'quarantine' });
    expect(await proposals(store, lot)).toEqual(['Cage empty']);
  });

  it('takes what is locked anywhere else for a reason only, on a pallet too', async () => {
    const store = await openSite();
    const [dock, shelf] = [await place(store, 'Dock', { kind: 'receiving' }), await place(store, 'Shelf')];
    const unit = await place(store, SSCC, { kind: 'unit', within_id: dock });
    const part_id = await addPart(store);
    const { lot } = await receive(store, { part_id, location_id: dock }, { is_quarantined: true });
    // Where nothing is for it, it stands anywhere.
    await move(store, lot, unit, { quantity: 5 });
    const cage = await place(store, 'Cage', { kind: 'quarantine' });
    const asked = { errors: { reason: [expect.stringMatching(/quarantined\. Put it apart \(Cage\)/)] } };
    const fields = { from_location_id: dock, quantity: 1 };
    await expect(move(store, lot, shelf, fields)).rejects.toMatchObject(asked);
    await expect(move(store, lot, shelf, { ...fields, reason: ' ' })).rejects.toMatchObject(asked);
    await expect(move(store, lot, unit, fields)).rejects.toMatchObject(asked);
    await expect(update(store, 'location', unit, { within_id: shelf })).rejects.toMatchObject(asked);
    await move(store, lot, shelf, { ...fields, reason: 'The cage is full' });
    await update(store, 'location', unit, { within_id: shelf }, { reason: 'The cage is full' });
    await update(store, 'location', unit, { within_id: cage });
    await move(store, lot, unit, fields);
    await expect(move(store, lot, shelf, { from_location_id: unit })).rejects.toMatchObject(asked);
    expect(stockOf(store)).toEqual([
      `${lot}@${dock} 3000000`,
      `${lot}@${shelf} 1000000`,
      `${lot}@${unit} 6000000`,
    ]);
  });

  it('is not corrected away from what is locked either, in a receipt or an opening balance', async () => {
    const store = await openSite();
    const [cage, shelf] = [await place(store, 'Cage', { kind: 'quarantine' }), await place(store, 'Shelf')];
    const part_id = await addPart(store);
    const received = await receive(store, { part_id, location_id: cage }, { is_quarantined: true });
    const opening = { part_id, batch_number: 'O', opening_quantity: 5, opening_location_id: cage };
    const { id } = await create(store, 'inventory', opening);
    await lock(store, id, true);
    const asked = { errors: { reason: [expect.stringContaining('Put it apart (Cage)')] } };
    const carry = (location_id: number | null, reason?: string) =>
      update(
        store,
        'receiving-inspection',
        received.receipt,
        { items: [{ id: received.item, location_id }] },
        reason === undefined ? {} : { reason },
      );
    const open = (opening_location_id: number, reason?: string) =>
      update(store, 'inventory', id, { opening_location_id }, reason === undefined ? {} : { reason });
    await expect(carry(shelf)).rejects.toMatchObject(asked);
    await expect(open(shelf)).rejects.toMatchObject(asked);
    await carry(null);
    await expect(carry(shelf)).rejects.toMatchObject(asked);
    await carry(shelf, 'It never stood in the cage');
    await open(shelf, 'It never stood in the cage');
    expect(stockOf(store)).toEqual([`${received.lot}@${shelf} 10000000`, `${id}@${shelf} 5000000`]);
  });
});

describe('a pick', () => {
  async function picking() {
    const store = await openSite();
    const part = await addPart(store);
    const shelf = await place(store, 'Shelf');
    const gate = await place(store, 'Gate', { kind: 'shipping' });
    const lotOf = async (serial_number: string, expiry_date: string | null) =>
      (await receive(store, { part_id: part, serial_number, expiry_date, location_id: shelf })).lot;
    const [early, late] = [await lotOf('EARLY', '2027-06-01'), await lotOf('LATE', '2027-09-01')];
    return { store, part, shelf, gate, early, late };
  }

  it('carries what the shipment asks for to where it waits, no more and nothing else', async () => {
    const { store, part, shelf, gate, early, late } = await picking();
    const shipment_id = await prepare(
      store,
      { part_id: part, quantity: 4 },
      { part_id: part, serial_number: 'LATE', quantity: 3 },
    );
    const pick = (lot: number, quantity: number, to = gate) =>
      move(store, lot, to, { shipment_id, from_location_id: shelf, quantity });
    await expect(pick(early, 1, shelf)).rejects.toMatchObject({
      errors: { to_location_id: [expect.any(String)] },
    });
    const { lot: foreign } = await receive(store, { part_id: await addPart(store), serial_number: 'F' });
    await expect(pick(foreign, 1)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('lot F'),
    });
    await pick(late, 5);
    await expect(pick(late, 3)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('needs 2 more'),
    });
    await expect(pick(early, 3)).rejects.toMatchObject({ code: 'conflict' });
    await pick(early, 2);
    await expect(pick(late, 1)).rejects.toMatchObject({ code: 'conflict' });
    // Back again, no more than was picked.
    const back = (quantity: number) =>
      move(store, late, shelf, { from_location_id: gate, shipment_id, quantity });
    await expect(back(6)).rejects.toMatchObject({ code: 'conflict' });
    await back(1);
    await pick(late, 1);
    await close(store, shipment_id);
    expect(stockOf(store)).toEqual([
      `${early}@${shelf} 8000000`,
      `${late}@${shelf} 5000000`,
      `${foreign}@0 10000000`,
    ]);
    await expect(pick(early, 1)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('has gone'),
    });
  });

  it('takes nothing that may not ship', async () => {
    const { store, part, gate } = await picking();
    const shipment_id = await prepare(store, { part_id: part, quantity: 4 });
    const { lot } = await receive(store, { part_id: part, serial_number: 'Q' }, { is_quarantined: true });
    await expect(move(store, lot, gate, { shipment_id, quantity: 1 })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('quarantined'),
    });
  });

  it('is what its shipment takes first, whatever expires earlier, and what others do not take', async () => {
    const { store, part, gate, early, late } = await picking();
    const picked = await prepare(store, { part_id: part, quantity: 8 });
    await move(store, late, gate, { shipment_id: picked, quantity: 6 });
    const greedy = await prepare(store, { part_id: part, quantity: 15 });
    await expect(close(store, greedy)).rejects.toMatchObject({
      message: expect.stringContaining('short of 1'),
    });
    expect(taken(await close(store, picked))).toEqual([
      [
        [late, 6],
        [early, 2],
      ],
    ]);
    // Taken back it waits for the shipment again.
    await update(store, 'shipment', picked, { actual_ship_date: null }, { reason: 'The lorry is full' });
    await expect(close(store, greedy)).rejects.toMatchObject({ code: 'conflict' });
    const lesser = await prepare(store, { part_id: part, quantity: 12 });
    expect(taken(await close(store, lesser))).toEqual([
      [
        [early, 10],
        [late, 2],
      ],
    ]);
  });
});
