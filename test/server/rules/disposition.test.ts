import { beforeEach, describe, expect, it } from 'vitest';
import { locksOf } from '../../../server/rules/lot-state.ts';
import type { Store } from '../../../server/store/store.ts';
import { create, update } from '../store/temporary-store.ts';
import { addPart, contextOf, lock, lotOf, openSite, type Received, receive } from './site.ts';

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
const quantity = () => lotOf(store, received.lot).quantity;

function locks(): string[] {
  const lot = store.records.get('inventory', received.lot);
  return lot ? locksOf(contextOf(store), lot).map(each => each.lock) : [];
}

function report(fields: Fields = {}): Promise<{ id: number; fields: Fields }> {
  const body = { ncr_number: 'NCR-1', source: 'internal', inventory_id: received.lot, ...fields };
  return create(store, 'ncr', body, why);
}

const dispose = (id: number, fields: Fields, options: { reason?: string } = why) =>
  update(store, 'ncr', id, fields, options);

const inspect = (passed: boolean | null) =>
  create(store, 'inspection', { inventory_id: received.lot, passed }, why);

const fieldsOf = (family: string, id: unknown) => store.records.get(family, Number(id))?.fields ?? {};

describe.each(['scrap', 'return'])('%s', kind => {
  it('takes the quantity out of the lot by an adjustment that it names', async () => {
    const { id } = await report();
    const disposed = await dispose(id, { disposition: kind, disposition_quantity: 4 });
    expect(quantity()).toBe(6);
    const adjustment = fieldsOf('adjustment', disposed.fields.disposition_adjustment_id);
    expect(adjustment).toMatchObject({ inventory_id: received.lot, quantity: -4 });
    expect(adjustment.reason).toBe(`NCR-1: ${kind}. decided by the board`);
  });

  it('is taken back by the opposite adjustment, and done anew with another quantity', async () => {
    const { id } = await report({ disposition: kind, disposition_quantity: 4 });
    expect(quantity()).toBe(6);
    const other = await dispose(id, { disposition_quantity: 1 });
    expect(quantity()).toBe(9);
    expect(store.records.total('adjustment')).toBe(3);
    expect(other.fields.disposition_adjustment_id).toBeDefined();
    const cleared = await dispose(id, { disposition: null });
    expect(quantity()).toBe(10);
    expect(cleared.fields).not.toHaveProperty('disposition_adjustment_id');
    expect(cleared.fields).not.toHaveProperty('disposition_quantity');
  });

  it('asks how much of the lot goes, and takes nothing where the lot never had it', async () => {
    const { id } = await report();
    await expect(dispose(id, { disposition: kind })).rejects.toMatchObject({
      errors: { disposition_quantity: [expect.stringContaining('how much')] },
    });
    await dispose(id, { disposition: kind, disposition_quantity: 0 });
    expect([quantity(), store.records.total('adjustment')]).toEqual([10, 0]);
  });

  it('takes no more than is there, and then changes nothing', async () => {
    const { id } = await report();
    await expect(dispose(id, { disposition: kind, disposition_quantity: 11 })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(fieldsOf('ncr', id)).not.toHaveProperty('disposition');
  });

  it('asks for the place where the lot stands in several', async () => {
    const [shelf, floor] = [
      (await create(store, 'location', { name: 'Shelf' })).id,
      (await create(store, 'location', { name: 'Floor' })).id,
    ];
    for (const [to, amount] of [
      [shelf, 6],
      [floor, 4],
    ] as const) {
      const from = to === floor ? { from_location_id: null } : {};
      await create(store, 'move', {
        inventory_id: received.lot,
        to_location_id: to,
        quantity: amount,
        ...from,
      });
    }
    const { id } = await report();
    const wanted = { disposition: kind, disposition_quantity: 2 };
    await expect(dispose(id, wanted)).rejects.toMatchObject({
      errors: { disposition_location_id: [expect.stringContaining(`${shelf} (6)`)] },
    });
    await dispose(id, { ...wanted, disposition_location_id: floor });
    await dispose(id, { disposition: null });
    expect(quantity()).toBe(10);
  });
});

describe('a disposition', () => {
  it('needs a reason, and so does taking it back', async () => {
    const { id } = await report();
    const refusal = { errors: { reason: [expect.stringContaining('needs a reason')] } };
    await expect(dispose(id, { disposition: 'use-as-is' }, {})).rejects.toMatchObject(refusal);
    await dispose(id, { disposition: 'use-as-is' });
    await expect(dispose(id, { disposition: null }, {})).rejects.toMatchObject(refusal);
    // What else changes needs none.
    await dispose(id, { description: 'Scratches' }, {});
  });

  it('without a lot is a record of what was decided', async () => {
    const { id } = await report({ inventory_id: null });
    for (const disposition of ['scrap', 'return', 'rework', 'use-as-is']) await dispose(id, { disposition });
    expect([store.records.total('adjustment'), store.records.total('inspection')]).toEqual([0, 0]);
  });
});

describe('use as is', () => {
  it("lifts a person's lock and settles the failure that the report names, until it is taken back", async () => {
    const failed = await inspect(false);
    await lock(store, received.lot, true);
    expect(locks().sort()).toEqual(['inspection_failed', 'person']);
    const { id } = await report({ inspection_id: failed.id });
    await dispose(id, { disposition: 'use-as-is' });
    expect(locks()).toEqual([]);
    expect(fieldsOf('inspection', failed.id)).toMatchObject({ passed: false, is_settled: true });
    await dispose(id, { disposition: null });
    expect(locks().sort()).toEqual(['inspection_failed', 'person']);
    expect(fieldsOf('inventory', received.lot).lock_reason).toContain('NCR-1');
  });

  it('follows the report when it names another failure, and settles none that it names no more', async () => {
    const [first, second] = [await inspect(false), await inspect(false)];
    const { id } = await report({ inspection_id: first.id, disposition: 'use-as-is' });
    await expect(dispose(id, { inspection_id: second.id }, {})).rejects.toMatchObject({
      errors: { reason: [expect.stringContaining('needs a reason')] },
    });
    await dispose(id, { inspection_id: second.id });
    expect(fieldsOf('inspection', first.id)).not.toHaveProperty('is_settled');
    expect(fieldsOf('inspection', second.id)).toMatchObject({ is_settled: true });
    await dispose(id, { inspection_id: null });
    await dispose(id, { disposition: null });
    expect(locks()).toEqual(['inspection_failed', 'inspection_failed']);
  });

  it('settles nothing of another lot: the report may not name it', async () => {
    const { lot } = await receive(store, { part_id: part, serial_number: 'M' });
    const failed = await create(store, 'inspection', {
      inventory_id: lot,
      entity_id: part,
      entity_type: 'part',
      passed: false,
    });
    const template = await create(store, 'specification', {
      name: 'Oil',
      characteristics: [{ name: 'pH', tolerance: '5-7' }],
    });
    const result = await create(store, 'lab-result', {
      specification_id: template.id,
      inventory_id: lot,
      lab_data: { pH: 9 },
    });
    const { id } = await report();
    for (const [field, other] of [
      ['inspection_id', failed.id],
      ['lab_result_id', result.id],
    ] as const) {
      const refusal = { code: 'validation_failed', errors: { [field]: [expect.stringContaining(`${lot}`)] } };
      await expect(report({ ncr_number: 'NCR-2', [field]: other })).rejects.toMatchObject(refusal);
      await expect(dispose(id, { [field]: other, disposition: 'use-as-is' })).rejects.toMatchObject(refusal);
    }
    await dispose(id, { inspection_id: failed.id, lab_result_id: result.id, inventory_id: lot });
    await expect(dispose(id, { inventory_id: received.lot })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });

  it('leaves alone what the report does not name: another failure, and an open inspection', async () => {
    await inspect(false);
    const open = await inspect(null);
    const { id } = await report({ inspection_id: open.id });
    await dispose(id, { disposition: 'use-as-is' });
    expect(locks().sort()).toEqual(['inspection_failed', 'inspection_open']);
  });

  it('settles a failing lab result, and another failure of it locks anew', async () => {
    const template = await create(store, 'specification', {
      name: 'Oil',
      characteristics: [
        { name: 'pH', tolerance: '5-7' },
        { name: 'Water', tolerance: '<= 1' },
      ],
    });
    const result = await create(store, 'lab-result', {
      specification_id: template.id,
      inventory_id: received.lot,
      lab_data: { pH: 9 },
    });
    expect(locks()).toEqual(['lab_failed']);
    await report({ lab_result_id: result.id, disposition: 'use-as-is' });
    expect(locks()).toEqual([]);
    await update(store, 'lab-result', result.id, { lab_data: { pH: 9, Water: 3 } });
    expect(locks()).toEqual(['lab_failed']);
  });
});

describe('rework', () => {
  it('keeps the lot locked until the new inspection passes', async () => {
    const failed = await inspect(false);
    const { id } = await report({ inspection_id: failed.id });
    const { fields } = await dispose(id, { disposition: 'rework' });
    expect(locks().sort()).toEqual(['inspection_failed', 'inspection_open']);
    const rework = Number(fields.rework_inspection_id);
    expect(fieldsOf('inspection', rework)).toMatchObject({
      inventory_id: received.lot,
      is_resubmitted: true,
    });
    await update(store, 'inspection', rework, { passed: false });
    expect(locks()).toEqual(['inspection_failed', 'inspection_failed']);
    await update(store, 'inspection', rework, { passed: true });
    expect(locks()).toEqual([]);
    await update(store, 'inspection', rework, { passed: null }, { reason: 'wrong gauge' });
    expect(locks().sort()).toEqual(['inspection_failed', 'inspection_open']);
  });

  it('that is taken back leaves no inspection that locks for ever', async () => {
    const failed = await inspect(false);
    const { id } = await report({ inspection_id: failed.id, disposition: 'rework' });
    await dispose(id, { disposition: 'scrap', disposition_quantity: 10 });
    expect(locks()).toEqual(['inspection_failed']);
    expect(quantity()).toBe(0);
  });
});
