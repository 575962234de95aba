import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { create, update } from '../store/temporary-store.ts';
import { locks, person, program } from './people.ts';
import { addPart, lock, openSite, type Received, receive } from './site.ts';

type Fields = Record<string, unknown>;

let store: Store;
let part: number;
let received: Received;

beforeEach(async () => {
  store = await openSite();
  part = await addPart(store);
  received = await receive(store, { part_id: part });
});

const why = { reason: 'decided by the board' };
const fieldsOf = (family: string, id: unknown): Fields => store.records.get(family, Number(id))?.fields ?? {};

async function report(fields: Fields = {}): Promise<number> {
  const body = { ncr_number: 'NCR-1', source: 'internal', inventory_id: received.lot, ...fields };
  return (await create(store, 'ncr', body, why)).id;
}

const dispose = async (id: number, fields: Fields, options: { reason?: string } = why): Promise<Fields> =>
  (await update(store, 'ncr', id, fields, options)).fields;

const inspect = async (fields: Fields) =>
  (await create(store, 'inspection', { inventory_id: received.lot, ...fields }, why)).id;

describe('what is taken out', () => {
  it('comes from the place that is named, and goes back there, in words that say why', async () => {
    const shelf = (await create(store, 'location', { name: 'Shelf' })).id;
    await create(store, 'move', { inventory_id: received.lot, to_location_id: shelf, quantity: 6 });
    const id = await report();
    const wanted = { disposition: 'scrap', disposition_quantity: 2.5, disposition_location_id: shelf };
    const { disposition_adjustment_id: taken } = await dispose(id, wanted);
    expect(fieldsOf('adjustment', taken)).toMatchObject({
      inventory_id: received.lot,
      quantity: -2.5,
      location_id: shelf,
      reason: 'NCR-1: scrap. decided by the board',
    });
    const after = await dispose(id, { disposition: null });
    expect(fieldsOf('adjustment', after.disposition_reversal_id)).toMatchObject({
      inventory_id: received.lot,
      quantity: 2.5,
      location_id: shelf,
      reason: 'NCR-1: scrap taken back. decided by the board',
    });
    expect(after).not.toHaveProperty('disposition_location_id');
  });

  it('comes from where no place is named, though some of the lot stands at one', async () => {
    const shelf = (await create(store, 'location', { name: 'Shelf' })).id;
    await create(store, 'move', { inventory_id: received.lot, to_location_id: shelf, quantity: 6 });
    const { disposition_adjustment_id: taken } = await dispose(await report(), {
      disposition: 'return',
      disposition_quantity: 4,
    });
    expect(fieldsOf('adjustment', taken)).not.toHaveProperty('location_id');
  });

  it('comes from the one place where all of it stands, named or not', async () => {
    const shelf = (await create(store, 'location', { name: 'Shelf' })).id;
    await create(store, 'move', { inventory_id: received.lot, to_location_id: shelf });
    const id = await report({ disposition: 'scrap', disposition_quantity: 4 });
    const { disposition_adjustment_id: taken } = fieldsOf('ncr', id);
    expect(fieldsOf('adjustment', taken)).toMatchObject({ quantity: -4, location_id: shelf });
  });

  it('stays out while what else the report names changes, which needs no reason', async () => {
    const id = await report({ disposition: 'scrap', disposition_quantity: 1 });
    const { disposition_adjustment_id: taken } = fieldsOf('ncr', id);
    const after = await dispose(id, { inspection_id: await inspect({ passed: false }) }, {});
    expect(after.disposition_adjustment_id).toBe(taken);
  });

  it('is nothing before somebody disposes: an amount alone is not kept', async () => {
    const shelf = (await create(store, 'location', { name: 'Shelf' })).id;
    const after = await dispose(
      await report(),
      { disposition_quantity: 2, disposition_location_id: shelf },
      {},
    );
    expect(after).not.toHaveProperty('disposition_quantity');
    expect(after).not.toHaveProperty('disposition_location_id');
  });
});

describe("a person's lock", () => {
  it('that use as is lifted is put back when it is taken back, and says so', async () => {
    await lock(store, received.lot, true);
    const id = await report({ disposition: 'use-as-is' });
    expect(fieldsOf('inventory', received.lot)).not.toHaveProperty('lock_reason');
    expect(fieldsOf('ncr', id).is_lock_lifted).toBe(true);
    const after = await dispose(id, { disposition: null });
    expect(after).not.toHaveProperty('is_lock_lifted');
    expect(fieldsOf('inventory', received.lot)).toMatchObject({
      is_locked_by_person: true,
      lock_reason: 'NCR-1: use-as-is taken back.',
    });
  });

  it('that was not there is not put there', async () => {
    const id = await report({ disposition: 'use-as-is' });
    expect(fieldsOf('ncr', id)).not.toHaveProperty('is_lock_lifted');
    await dispose(id, { disposition: null });
    expect(locks(store, received.lot)).toEqual([]);
  });

  it('is lifted once a rework has passed, and put back when that is taken back', async () => {
    await lock(store, received.lot, true);
    const id = await report({ disposition: 'rework' });
    const rework = Number(fieldsOf('ncr', id).rework_inspection_id);
    expect(locks(store, received.lot).sort()).toEqual(['inspection_open', 'person']);
    await update(store, 'inspection', rework, { passed: false });
    expect(locks(store, received.lot).sort()).toEqual(['inspection_failed', 'person']);
    await update(store, 'inspection', rework, { passed: true }, why);
    expect(locks(store, received.lot)).toEqual([]);
    // What else is noted of it changes nothing.
    await lock(store, received.lot, true);
    await update(store, 'inspection', rework, { sample_size: 2 });
    expect(locks(store, received.lot)).toEqual(['person']);
    await lock(store, received.lot, false);
    await update(store, 'inspection', rework, { passed: false }, why);
    expect(locks(store, received.lot).sort()).toEqual(['inspection_failed', 'person']);
  });

  it('of no report with another disposition is touched by the verdict of its former rework', async () => {
    const id = await report({ disposition: 'rework' });
    const rework = Number(fieldsOf('ncr', id).rework_inspection_id);
    await dispose(id, { disposition: 'scrap', disposition_quantity: 1 });
    expect(fieldsOf('inspection', rework)).toMatchObject({ is_settled: true });
    await lock(store, received.lot, true);
    await update(store, 'inspection', rework, { passed: true });
    expect(locks(store, received.lot)).toEqual(['person']);
  });
});

describe('the inspection that a rework asks for', () => {
  const reworkOf = async (id: number) => {
    const { rework_inspection_id: rework } = await dispose(id, { disposition: 'rework' });
    return fieldsOf('inspection', rework);
  };
  const template = async () =>
    (await create(store, 'specification', { characteristics: [{ name: 'Height' }] })).id;

  it('is as the one that failed, by its template and with its samples', async () => {
    const [drawing_id, other] = [await template(), await template()];
    const failed = await inspect({ drawing_id, sample_size: 3, passed: false });
    await inspect({ drawing_id: other, sample_size: 2, passed: false });
    expect(await reworkOf(await report({ inspection_id: failed }))).toMatchObject({
      entity_id: part,
      entity_type: 'part',
      inventory_id: received.lot,
      is_resubmitted: true,
      drawing_id,
      sample_size: 3,
    });
  });

  it("is as the lot's last one where the report names none", async () => {
    const drawing_id = await template();
    await inspect({ passed: false });
    await inspect({ passed: false, sample_size: 4 });
    await inspect({ drawing_id, sample_size: 2, passed: false });
    expect(await reworkOf(await report())).toMatchObject({ drawing_id, sample_size: 2 });
  });

  it('is a plain one where the lot was never inspected', async () => {
    const rework = await reworkOf(await report());
    expect(rework).toMatchObject({ entity_id: part, sample_size: 1 });
    expect(rework).not.toHaveProperty('drawing_id');
  });

  it('is settled when nobody will do it any more, but keeps a verdict that was given', async () => {
    const id = await report({ disposition: 'rework' });
    const open = fieldsOf('ncr', id).rework_inspection_id;
    expect(await dispose(id, { disposition: null })).not.toHaveProperty('rework_inspection_id');
    expect(fieldsOf('inspection', open)).toMatchObject({ is_settled: true });
    const { rework_inspection_id: second } = await dispose(id, { disposition: 'rework' });
    expect(second).not.toBe(open);
    await update(store, 'inspection', Number(second), { passed: false });
    await dispose(id, { disposition: null });
    expect(fieldsOf('inspection', second)).not.toHaveProperty('is_settled');
    expect(locks(store, received.lot)).toEqual(['inspection_failed']);
  });
});

describe('what use as is settles', () => {
  it('is unsettled with it, the lab result as well', async () => {
    const characteristics = [{ name: 'pH', tolerance: '5-7' }];
    const specification_id = (await create(store, 'specification', { characteristics })).id;
    const inventory_id = received.lot;
    const lab = await create(store, 'lab-result', { specification_id, inventory_id, lab_data: { pH: 9 } });
    const failed = await inspect({ passed: false });
    const id = await report({ lab_result_id: lab.id, inspection_id: failed, disposition: 'use-as-is' });
    expect(locks(store, received.lot)).toEqual([]);
    await dispose(id, { disposition: null });
    expect(locks(store, received.lot).sort()).toEqual(['inspection_failed', 'lab_failed']);
  });

  it('stays settled when another report takes out less, or its inspection went to another lot', async () => {
    const failed = await inspect({ passed: false });
    await report({ inspection_id: failed, disposition: 'use-as-is' });
    const other = { ncr_number: 'NCR-2', inspection_id: failed };
    const id = await report({ ...other, disposition: 'scrap', disposition_quantity: 1 });
    await dispose(id, { disposition: null });
    expect(fieldsOf('inspection', failed)).toMatchObject({ is_settled: true });
    const { lot } = await receive(store, { part_id: part, serial_number: 'M' });
    await update(store, 'inspection', failed, { inventory_id: lot }, why);
    // What else becomes of the report has nothing to do with it.
    expect(await dispose(id, { description: 'Scratches' }, {})).toMatchObject({ inspection_id: failed });
  });

  it('is no inspection that passed', async () => {
    const passed = await inspect({ passed: true });
    await report({ inspection_id: passed, disposition: 'use-as-is' });
    expect(fieldsOf('inspection', passed)).not.toHaveProperty('is_settled');
  });
});

describe('who disposes', () => {
  const refusal = {
    forbidden: 'A disposition, and what it is about, needs the role quality. Ask somebody who has it.',
  };

  it('is of quality, and so is who turns it to another lot', async () => {
    const quinn = person(store, 'quinn', 'quality');
    const id = await report();
    await quinn.update('ncr', id, { disposition: 'use-as-is' }, why.reason);
    const other = await receive(store, { part_id: part, serial_number: 'M' });
    for (const role of ['viewer', 'inspector'] as const) {
      const robot = program(store, role);
      const found = await robot.refusal('ncr', id, { inventory_id: other.lot }, why.reason);
      if (role === 'inspector') expect(found).toEqual(refusal);
      else expect(found).toHaveProperty('forbidden');
    }
    expect(await quinn.refusal('ncr', id, { inventory_id: other.lot }, why.reason)).toEqual({});
  });
});
