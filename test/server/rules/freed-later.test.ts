import { describe, expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { create, itemIds } from '../store/temporary-store.ts';
import { correctionsOf, locks, person, program } from './people.ts';
import { addPart, lineOf, openSite, receive } from './site.ts';

/** What is not freed in one step is not freed in two either. */

const WHY = 'gauge was wrong';

async function template(store: Store): Promise<number> {
  const characteristics = [{ name: 'Height', dimensions: '10', tolerance: '±1' }];
  return (await create(store, 'specification', { name: 'Jar', is_approved: true, characteristics })).id;
}

/** A lot with an inspection of so many samples by the template. */
async function underInspection(store: Store, sample_size = 1) {
  const { lot, ...received } = await receive(store, { part_id: await addPart(store) });
  const drawing_id = await template(store);
  const { id } = await create(store, 'inspection', { inventory_id: lot, drawing_id, sample_size });
  return { ...received, lot, inspection: id };
}

/** Measures one sample, the first unless said. */
async function measured(store: Store, inspection: number, value: number, { at = 0, by = 'ilse' } = {}) {
  const record = store.records.get('inspection', inspection);
  const sample = (record ? itemIds(record, 'samples') : [])[at] ?? 0;
  const [result] = Object.keys(Object(Object(Object(record?.fields.samples)[sample]).results));
  const body = { samples: [{ id: sample, results: [{ id: Number(result), value }] }] };
  const author = by === 'robot' ? program(store, 'inspector') : person(store, by, 'inspector');
  await author.update('inspection', inspection, body, by === 'robot' ? undefined : WHY);
}

describe('what waits for quality locks the lots that its record comes to speak of', () => {
  it.each([
    ['rejected goods are not rejected any more', { quantity_rejected: 10 }, { quantity_rejected: 0 }],
    [
      'goods of another day have a later expiry',
      { expiry_date: '2026-07-01' },
      { expiry_date: '2027-07-01' },
    ],
  ])('where %s, then accepted', async (_, line, change) => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { receipt, item } = await receive(store, { part_id, quantity_accepted: 0, ...line });
    const olga = person(store, 'olga', 'operator');
    const put = (fields: object) =>
      olga.update('receiving-inspection', receipt, { items: [{ id: item, ...fields }] }, WHY);
    await put(change);
    const lot = Number(lineOf(await put({ quantity_accepted: 10 }), item).inventory_id);
    expect(locks(store, lot)).toEqual(['correction']);
  });

  it('where a lab result was replaced before it is given to a lot', async () => {
    const store = await openSite();
    const { lot } = await receive(store, { part_id: await addPart(store) });
    const robot = program(store, 'inspector');
    const body = { specification_id: await template(store), lab_data: { Height: '20' } };
    const { id } = await robot.create('lab-result', body);
    await robot.update('lab-result', id, { lab_data: { Height: '10' } });
    await robot.update('lab-result', id, { inventory_id: lot });
    expect(locks(store, lot)).toEqual(['correction']);
  });

  it('where a measurement was replaced before the inspection is given to a lot', async () => {
    const store = await openSite();
    const { lot } = await receive(store, { part_id: await addPart(store) });
    const { id } = await create(store, 'inspection', { entity_id: 1, drawing_id: await template(store) });
    await measured(store, id, 20, { by: 'robot' });
    await measured(store, id, 10, { by: 'robot' });
    await program(store, 'inspector').update('inspection', id, { inventory_id: lot, passed: true });
    expect(locks(store, lot)).toEqual(['correction']);
  });
});

describe('a verdict that stands before what speaks against it', () => {
  it('frees no lot once a sample is added, or a value becomes a failing one', async () => {
    const store = await openSite();
    for (const change of ['a sample', 'a value']) {
      const { lot, inspection } = await underInspection(store);
      await measured(store, inspection, 10);
      const ilse = person(store, 'ilse', 'inspector');
      await ilse.update('inspection', inspection, { passed: true });
      expect(locks(store, lot)).toEqual([]);
      if (change === 'a value') await measured(store, inspection, 20);
      else await ilse.update('inspection', inspection, { sample_size: 2 });
      expect(locks(store, lot)).toEqual(['correction']);
    }
  });

  it('frees its lot still where only a word about it changes', async () => {
    const store = await openSite();
    const { lot, inspection } = await underInspection(store);
    await measured(store, inspection, 10);
    const ilse = person(store, 'ilse', 'inspector');
    await ilse.update('inspection', inspection, { passed: true });
    await ilse.update('inspection', inspection, { inspection_date: '2026-06-01' });
    expect(locks(store, lot)).toEqual([]);
    expect(correctionsOf(store, `inspection:${inspection}`)).toEqual([]);
  });

  it('and was accepted waits again for a sample that fails, but not for one that passes', async () => {
    const store = await openSite();
    const { lot, inspection } = await underInspection(store, 3);
    const quinn = person(store, 'quinn', 'quality');
    await quinn.update('inspection', inspection, { passed: true }, 'urgent');
    expect(locks(store, lot)).toEqual([]);
    await measured(store, inspection, 10);
    expect(locks(store, lot)).toEqual([]);
    await measured(store, inspection, 20, { at: 1 });
    expect(locks(store, lot)).toEqual(['correction']);
    expect(correctionsOf(store, `inspection:${inspection}`)).toContainEqual(
      expect.objectContaining({ path: 'passed', status: 'awaiting', author: 'ilse' }),
    );
  });
});

describe('goods counted away', () => {
  const less = (id: number) => ({ items: [{ id, quantity_accepted: 1 }] });

  it('of an expired lot wait for quality: they could be received anew with a later expiry', async () => {
    const store = await openSite();
    const olga = person(store, 'olga', 'operator');
    const part_id = await addPart(store);
    for (const [expiry_date, expected] of [
      ['2026-06-14', ['correction']],
      ['2026-06-15', []],
    ] as const) {
      const { receipt, item, lot } = await receive(store, { part_id, expiry_date });
      await olga.update('receiving-inspection', receipt, less(item), WHY);
      expect(locks(store, lot)).toEqual(expected);
    }
  });

  it('of which an open inspection found a sample outside the limits wait for quality', async () => {
    const store = await openSite();
    const olga = person(store, 'olga', 'operator');
    for (const [value, expected] of [
      [20, ['correction', 'inspection_open']],
      [10, ['inspection_open']],
    ] as const) {
      const { receipt, item, lot, inspection } = await underInspection(store);
      await measured(store, inspection, value);
      await olga.update('receiving-inspection', receipt, less(item), WHY);
      expect(locks(store, lot).sort()).toEqual(expected);
    }
  });
});

describe('a lot whose number failed in the laboratory', () => {
  it.each([
    ['number', { batch_number: 'M' }],
    ['part', { part_id: 2 }],
  ])('keeps its %s, where it is opening stock as well', async (_, change) => {
    const store = await openSite();
    const part_id = await addPart(store);
    await addPart(store);
    const quinn = person(store, 'quinn', 'quality');
    const lot = await quinn.create('inventory', { part_id, batch_number: 'L', opening_quantity: 5 });
    const body = { batch_number: 'L', specification_id: await template(store), lab_data: { Height: '20' } };
    const { id } = await create(store, 'lab-result', body);
    expect(await quinn.refusal('inventory', lot.id, change, WHY)).toEqual({
      conflict: 'lot L keeps its number and part: a lab result of it failed. Settle that first.',
    });
    expect(await quinn.refusal('inventory', lot.id, { cost: 2, batch_number: 'L' }, WHY)).toEqual({});
    expect(locks(store, lot.id)).toEqual(['lab_failed']);
    await quinn.update('lab-result', id, { lab_data: { Height: '10' } }, WHY);
    expect(await quinn.refusal('inventory', lot.id, change, WHY)).toEqual({});
  });

  it('is that lot also where the result or the stock was written with blanks around the number', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const quinn = person(store, 'quinn', 'quality');
    const opened = await quinn.create('inventory', { part_id, batch_number: ' L', opening_quantity: 5 });
    const body = { batch_number: 'L ', specification_id: await template(store), lab_data: { Height: '20' } };
    await create(store, 'lab-result', body);
    expect(locks(store, opened.id)).toEqual(['lab_failed']);
  });
});

describe('a lab result that a disposition settled', () => {
  async function settled(store: Store) {
    const { lot } = await receive(store, { part_id: await addPart(store) });
    const specification_id = await template(store);
    const { id: lab } = await create(store, 'lab-result', {
      inventory_id: lot,
      specification_id,
      lab_data: { Height: '20' },
    });
    const report = { ncr_number: 'N-1', source: 'internal', inventory_id: lot, lab_result_id: lab };
    const quinn = person(store, 'quinn', 'quality');
    await quinn.create('ncr', { ...report, disposition: 'use-as-is' }, WHY);
    expect(locks(store, lot)).toEqual([]);
    return { lot, lab };
  }

  it('is made a passing one by quality only', async () => {
    const store = await openSite();
    const { lot, lab } = await settled(store);
    await person(store, 'ilse', 'inspector').update('lab-result', lab, { lab_data: { Height: '10' } }, WHY);
    expect(locks(store, lot)).toEqual(['correction']);
  });

  it('locks anew where what failed is another value, but not where something else was measured', async () => {
    const store = await openSite();
    const { lot, lab } = await settled(store);
    const ilse = person(store, 'ilse', 'inspector');
    await ilse.update('lab-result', lab, { lab_data: { Height: '20', Width: '3' } }, WHY);
    expect(locks(store, lot)).toEqual([]);
    await ilse.update('lab-result', lab, { lab_data: { Height: '90', Width: '3' } }, WHY);
    expect(locks(store, lot)).toEqual(['lab_failed']);
  });
});

it('a report of one lot settles no lab result of another number, nor of another part', async () => {
  const store = await openSite();
  const specification_id = await template(store);
  const part_id = await addPart(store);
  const { lot } = await receive(store, { part_id });
  const other = await receive(store, { part_id, serial_number: 'M' });
  const failing = { specification_id, lab_data: { Height: '20' } };
  const foreign = await create(store, 'lab-result', { ...failing, batch_number: 'M' });
  const own = await create(store, 'lab-result', { ...failing, batch_number: 'L' });
  const quinn = person(store, 'quinn', 'quality');
  const report = { ncr_number: 'N-1', source: 'internal', inventory_id: lot };
  const { id } = await quinn.create('ncr', report);
  const settling = (lab_result_id: number) => ({ lab_result_id, disposition: 'use-as-is' });
  expect(await quinn.refusal('ncr', id, settling(foreign.id), WHY)).toHaveProperty('lab_result_id');
  expect(locks(store, other.lot)).toEqual(['lab_failed']);
  expect(await quinn.refusal('ncr', id, settling(own.id), WHY)).toEqual({});
  expect(locks(store, lot)).toEqual([]);
  const lid = await addPart(store, { name: 'Lid' });
  const lids = (await receive(store, { part_id: lid, serial_number: 'M' })).lot;
  const second = await quinn.create('ncr', { ...report, ncr_number: 'N-2', inventory_id: lids });
  expect(await quinn.refusal('ncr', second.id, settling(foreign.id), WHY)).toHaveProperty('lab_result_id');
  expect(locks(store, other.lot)).toEqual(['lab_failed']);
});

it('blanks that nobody sees are no reason', async () => {
  const store = await openSite();
  const { receipt } = await receive(store, { part_id: await addPart(store) }, { is_closed: true });
  const olga = person(store, 'olga', 'operator');
  for (const reason of [' ', '\u200b', '\u2060\u00ad'])
    expect(await olga.refusal('receiving-inspection', receipt, { is_closed: false }, reason)).toHaveProperty(
      'reason',
    );
});

it.each([
  ['had nothing to measure frees its lot by the word of quality', false, ['correction']],
  ['was measured by an approved template frees its lot by the word of an inspector', true, []],
])('a rework that %s', async (_, isMeasured, expected) => {
  const store = await openSite();
  const { lot } = await receive(store, { part_id: await addPart(store) });
  const quinn = person(store, 'quinn', 'quality');
  await quinn.update('inventory', lot, { is_locked_by_person: true }, WHY);
  const report = { ncr_number: 'N-1', source: 'internal', inventory_id: lot };
  const { id } = await quinn.create('ncr', report);
  await quinn.update('ncr', id, { disposition: 'rework' }, WHY);
  const rework = Number(store.records.get('ncr', id)?.fields.rework_inspection_id);
  if (isMeasured) {
    await quinn.update('inspection', rework, { drawing_id: await template(store) }, WHY);
    await measured(store, rework, 10);
  }
  await person(store, 'ilse', 'inspector').update('inspection', rework, { passed: true });
  expect(locks(store, lot)).toEqual(expected);
});
