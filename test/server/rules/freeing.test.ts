import { describe, expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { create, itemIds } from '../store/temporary-store.ts';
import { correctionsOf, locks, person, program } from './people.ts';
import { addPart, lock, openSite, receive, ship } from './site.ts';

const WHY = 'gauge was wrong';

async function template(store: Store, tolerance = '±1', isOptional = false): Promise<number> {
  const characteristics = [{ name: 'Height', dimensions: '10', tolerance, is_optional: isOptional }];
  return (await create(store, 'specification', { name: 'Jar', is_approved: true, characteristics })).id;
}

/** A received lot with an inspection by the template; its ids. */
async function underInspection(store: Store, fields: Record<string, unknown> = {}) {
  const part_id = await addPart(store);
  const { lot: inventory_id, ...received } = await receive(store, { part_id });
  const drawing_id = await template(store);
  const record = await create(store, 'inspection', { inventory_id, drawing_id, ...fields });
  return { ...received, part_id, lot: inventory_id, inspection: record.id };
}

async function measured(store: Store, inspection: number, value: number, reason?: string): Promise<void> {
  const record = store.records.get('inspection', inspection);
  const [sample = 0] = record ? itemIds(record, 'samples') : [];
  const result = Object.keys(Object(Object(Object(record?.fields.samples)[sample]).results))[0];
  const body = { samples: [{ id: sample, results: [{ id: Number(result), value }] }] };
  await person(store, 'ilse', 'inspector').update('inspection', inspection, body, reason);
}

describe('what failed', () => {
  it('does not pass by way of being reopened', async () => {
    const store = await openSite();
    const { lot, inspection } = await underInspection(store);
    await measured(store, inspection, 20);
    const ilse = person(store, 'ilse', 'inspector');
    await ilse.update('inspection', inspection, { passed: false });
    await measured(store, inspection, 10, WHY);
    expect(await ilse.refusal('inspection', inspection, { passed: null }, WHY)).toHaveProperty('forbidden');
    expect(locks(store, lot)).toEqual(['inspection_failed']);
    await person(store, 'quinn', 'quality').update('inspection', inspection, { passed: null }, WHY);
    await ilse.update('inspection', inspection, { passed: true });
    expect(locks(store, lot)).toEqual([]);
  });

  it('is not left by a template that asks for nothing', async () => {
    const store = await openSite();
    const ilse = person(store, 'ilse', 'inspector');
    for (const drawing_id of [null, await template(store, '±1', true)]) {
      const { lot, inspection } = await underInspection(store);
      await ilse.update('inspection', inspection, { drawing_id }, WHY);
      await ilse.update('inspection', inspection, { passed: true });
      expect(locks(store, lot)).toEqual(['correction']);
    }
    const { lot, inspection } = await underInspection(store);
    const quinn = person(store, 'quinn', 'quality');
    await quinn.update('inspection', inspection, { drawing_id: null }, WHY);
    await ilse.update('inspection', inspection, { passed: true });
    expect(locks(store, lot)).toEqual([]);
  });

  it('by a template that a receipt line exchanged waits for quality', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const strict = await template(store);
    const lenient = await template(store, '±1', true);
    const { receipt, item, lot } = await receive(store, { part_id, drawing_id: strict });
    const olga = person(store, 'olga', 'operator');
    await olga.update('receiving-inspection', receipt, { items: [{ id: item, drawing_id: lenient }] });
    expect(locks(store, lot).sort()).toEqual(['correction', 'inspection_open']);
    expect(correctionsOf(store, `receiving-inspection:${receipt}`)).toMatchObject([
      { path: `items.${item}.drawing_id`, old_value: strict, new_value: lenient, status: 'awaiting' },
    ]);
  });

  it('by a value that a program replaced waits for quality; a person gives a reason', async () => {
    const store = await openSite();
    const { lot, inspection } = await underInspection(store);
    await measured(store, inspection, 20);
    const record = store.records.get('inspection', inspection);
    const [sample = 0] = record ? itemIds(record, 'samples') : [];
    const result = Number(Object.keys(Object(Object(Object(record?.fields.samples)[sample]).results))[0]);
    const body = { samples: [{ id: sample, results: [{ id: result, value: 10 }] }] };
    await program(store, 'inspector').update('inspection', inspection, body);
    await program(store, 'inspector').update('inspection', inspection, { passed: true });
    expect(locks(store, lot)).toEqual(['correction']);
  });

  it('is not left out of sampling without a reason', async () => {
    const store = await openSite();
    const { inspection } = await underInspection(store, { passed: false });
    const ilse = person(store, 'ilse', 'inspector');
    const body = { is_resubmitted: true };
    expect(await ilse.refusal('inspection', inspection, body)).toHaveProperty('reason');
    expect(await ilse.refusal('inspection', inspection, body, WHY)).toEqual({});
  });
});

describe('a failed lab result', () => {
  async function failing(store: Store) {
    const part_id = await addPart(store);
    const { lot, ...received } = await receive(store, { part_id });
    const other = (await receive(store, { part_id, serial_number: 'M' })).lot;
    const specification_id = await template(store);
    const lab = await create(store, 'lab-result', {
      batch_number: 'L',
      specification_id,
      lab_data: '{"Height":"20"}',
    });
    expect(locks(store, lot)).toEqual(['lab_failed']);
    return { ...received, part_id, lot, other, lab: lab.id };
  }

  it('does not leave its lot by naming another lot record', async () => {
    const store = await openSite();
    const { lot, other, lab } = await failing(store);
    await person(store, 'ilse', 'inspector').update('lab-result', lab, { inventory_id: other }, WHY);
    expect(locks(store, lot)).toEqual(['correction']);
    expect(locks(store, other).sort()).toEqual(['correction', 'lab_failed']);
  });

  it('is not left behind by a lot under another number', async () => {
    const store = await openSite();
    const { lot, receipt, item } = await failing(store);
    const olga = person(store, 'olga', 'operator');
    const body = { items: [{ id: item, serial_number: 'N' }] };
    expect(await olga.refusal('receiving-inspection', receipt, body, WHY)).toHaveProperty('conflict');
    expect(locks(store, lot)).toEqual(['lab_failed']);
  });
});

describe('a receipt line', () => {
  it.each([
    ['a person locked', 'person'],
    ['an inspection is open of', 'inspection_open'],
  ])('that leaves a lot that %s takes its goods out only once quality accepts it', async (_, kind) => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { lot, receipt, item } = await receive(store, { part_id });
    await receive(store, { part_id, quantity_accepted: 1 });
    if (kind === 'person') await lock(store, lot, true);
    else await create(store, 'inspection', { inventory_id: lot, drawing_id: await template(store) });
    const olga = person(store, 'olga', 'operator');
    const body = { items: [{ id: item, serial_number: 'N' }] };
    const record = await olga.update('receiving-inspection', receipt, body, WHY);
    const moved = Number(Object(Object(record.fields.items)[item]).inventory_id);
    expect(moved).not.toBe(lot);
    expect(locks(store, moved)).toEqual(['correction']);
    expect(locks(store, lot).sort()).toEqual(['correction', kind].sort());
    await olga.update('receiving-inspection', receipt, { items: [{ id: item, serial_number: 'L' }] }, WHY);
    expect(locks(store, lot)).toEqual([kind]);
  });

  it('that leaves a lot in quarantine by another delivery, or takes its own inspection along, frees none', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const olga = person(store, 'olga', 'operator');
    const leave = async (line: Record<string, unknown>, other: Record<string, unknown>) => {
      const { lot, receipt, item } = await receive(store, { part_id, ...line });
      await receive(store, { part_id, ...line, drawing_id: null, quantity_accepted: 1 }, other);
      const body = { items: [{ id: item, serial_number: 'N' }] };
      const record = await olga.update('receiving-inspection', receipt, body, WHY);
      return [lot, Number(Object(Object(record.fields.items)[item]).inventory_id)].map(id =>
        locks(store, id),
      );
    };
    expect(await leave({}, { is_quarantined: true })).toEqual([['quarantine'], []]);
    const drawing_id = await template(store);
    expect(await leave({ serial_number: 'M', drawing_id }, {})).toEqual([
      ['inspection_open'],
      ['inspection_open'],
    ]);
  });

  it('that leaves a lot which waits for quality waits itself, and renaming its own keeps it waiting', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { lot, receipt, item } = await receive(store, { part_id, quantity_rejected: 5 });
    const other = await receive(store, { part_id, quantity_accepted: 1, quantity_rejected: 5 });
    const robot = program(store, 'inspector');
    const fewer = (id: number) => ({ items: [{ id, quantity_rejected: 4 }] });
    await robot.update('receiving-inspection', other.receipt, fewer(other.item));
    expect(locks(store, lot)).toEqual(['correction']);
    const olga = person(store, 'olga', 'operator');
    const named = async (serial_number: string) => {
      const body = { items: [{ id: item, serial_number }] };
      const record = await olga.update('receiving-inspection', receipt, body, WHY);
      return locks(store, Number(Object(Object(record.fields.items)[item]).inventory_id));
    };
    expect(await named('N')).toEqual(['correction']);
    expect(await named('O')).toEqual(['correction']);
  });

  it('that leaves such a lot by the word of quality is free', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { lot, receipt, item } = await receive(store, { part_id });
    await receive(store, { part_id, quantity_accepted: 1 });
    await lock(store, lot, true);
    const quinn = person(store, 'quinn', 'quality');
    const body = { items: [{ id: item, serial_number: 'N' }] };
    const record = await quinn.update('receiving-inspection', receipt, body, WHY);
    expect(locks(store, Number(Object(Object(record.fields.items)[item]).inventory_id))).toEqual([]);
  });

  const counted = (quantity_accepted: number, quantity_rejected = 0) => ({
    quantity_accepted,
    quantity_rejected,
  });

  it.each([
    ['in quarantine', { is_quarantined: true }, {}],
    ['no active batch', {}, { is_active_batch: false }],
  ])('of goods that are %s counts them away only once quality accepts it', async (_, receipt, line) => {
    const store = await openSite();
    const {
      receipt: id,
      item,
      lot,
    } = await receive(store, { part_id: await addPart(store), ...line }, receipt);
    const [hold] = locks(store, lot);
    const olga = person(store, 'olga', 'operator');
    const body = (amounts: object) => ({ items: [{ id: item, ...amounts }] });
    // What is found bad stays counted.
    await olga.update('receiving-inspection', id, body(counted(6, 4)), WHY);
    expect(locks(store, lot)).toEqual([hold]);
    await olga.update('receiving-inspection', id, body(counted(1, 4)), WHY);
    expect(locks(store, lot).sort()).toEqual(['correction', hold].sort());
    const free = { is_quarantined: false, ...body({ is_active_batch: true }) };
    const quinn = person(store, 'quinn', 'quality');
    await quinn.update('receiving-inspection', id, free, WHY);
    expect(locks(store, lot)).toEqual(['correction']);
    await olga.update('receiving-inspection', id, body(counted(6, 4)), WHY);
    expect(locks(store, lot)).toEqual([]);
  });

  it.each([
    ['a person locked it', 'person'],
    ['its inspection failed', 'inspection_failed'],
  ])('of a lot that is suspect (%s) counts goods away by the word of quality', async (_, hold) => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { receipt, item, lot } = await receive(store, { part_id });
    if (hold === 'person') await lock(store, lot, true);
    else await create(store, 'inspection', { inventory_id: lot, passed: false });
    const less = (amount: number) => ({ items: [{ id: item, quantity_accepted: amount }] });
    await person(store, 'quinn', 'quality').update('receiving-inspection', receipt, less(9), WHY);
    expect(locks(store, lot)).toEqual([hold]);
    await program(store, 'administrator').update('receiving-inspection', receipt, less(8), WHY);
    expect(locks(store, lot).sort()).toEqual(['correction', hold].sort());
  });

  it('of a free lot, or one that is only not inspected yet, is corrected with a reason', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const drawing_id = await template(store);
    for (const line of [{ part_id }, { part_id, drawing_id, serial_number: 'M' }]) {
      const { receipt, item, lot } = await receive(store, line);
      const before = locks(store, lot);
      const less = { items: [{ id: item, quantity_accepted: 1 }] };
      await person(store, 'olga', 'operator').update('receiving-inspection', receipt, less, WHY);
      expect(locks(store, lot)).toEqual(before);
    }
  });

  it.each([
    ['unit', { unit_of_measure: 'lb' }],
    ['part', { part_id: 2 }],
  ])('whose %s a program replaces without a reason waits for quality', async (_, change) => {
    const store = await openSite();
    await addPart(store);
    await addPart(store);
    const part_id = await addPart(store, { unit_of_measure: 'kg', unit_type: 'Mass' });
    const { receipt, item } = await receive(store, { part_id, unit_of_measure: 'kg' });
    const robot = program(store, 'inspector');
    const record = await robot.update('receiving-inspection', receipt, { items: [{ id: item, ...change }] });
    expect(locks(store, Number(Object(Object(record.fields.items)[item]).inventory_id))).toEqual([
      'correction',
    ]);
  });
});

it('a line that names its unit only later waits for quality where that is another amount', async () => {
  const store = await openSite();
  const part_id = await addPart(store, { unit_of_measure: 'kg', unit_type: 'Mass' });
  const olga = person(store, 'olga', 'operator');
  const { receipt, item, lot } = await receive(store, { part_id });
  await olga.update('receiving-inspection', receipt, { items: [{ id: item, unit_of_measure: 'kg' }] });
  expect(locks(store, lot)).toEqual([]);
  const other = await receive(store, { part_id, serial_number: 'M' });
  await olga.update('receiving-inspection', other.receipt, {
    items: [{ id: other.item, unit_of_measure: 'lb' }],
  });
  expect(locks(store, other.lot)).toEqual(['correction']);
  expect(correctionsOf(store, `receiving-inspection:${other.receipt}`)).toMatchObject([
    { path: `items.${other.item}.unit_of_measure`, new_value: 'lb', status: 'awaiting' },
  ]);
});

it('goods of a lot that waits for quality are counted away only once that is accepted', async () => {
  const store = await openSite();
  const part_id = await addPart(store);
  const { receipt, item } = await receive(store, { part_id });
  const other = await receive(store, { part_id, quantity_accepted: 1, quantity_rejected: 5 });
  const olga = person(store, 'olga', 'operator');
  const accept = (quantity_accepted: number) =>
    olga.update('receiving-inspection', receipt, { items: [{ id: item, quantity_accepted }] }, WHY);
  await accept(9);
  const robot = program(store, 'inspector');
  const fewer = { items: [{ id: other.item, quantity_rejected: 4 }] };
  await robot.update('receiving-inspection', other.receipt, fewer);
  await accept(8);
  const found = correctionsOf(store, `receiving-inspection:${receipt}`);
  expect(found.map(({ path, new_value, status }) => [path, new_value, status])).toEqual([
    [`items.${item}.quantity_accepted`, 9, 'recorded'],
    [`items.${item}.quantity_accepted`, 8, 'awaiting'],
  ]);
});

describe('a disposition', () => {
  it('is not turned to another failure by a program, whose reason is nobody of quality', async () => {
    const store = await openSite();
    const { lot, inspection } = await underInspection(store, { passed: false });
    const second = await create(store, 'inspection', { inventory_id: lot, passed: false });
    const quinn = person(store, 'quinn', 'quality');
    const report = await quinn.create(
      'ncr',
      {
        ncr_number: 'N-1',
        source: 'internal',
        inventory_id: lot,
        inspection_id: inspection,
        disposition: 'use-as-is',
      },
      WHY,
    );
    expect(locks(store, lot)).toEqual(['inspection_failed']);
    const robot = program(store, 'inspector');
    const body = { inspection_id: second.id };
    expect(await robot.refusal('ncr', report.id, body, WHY)).toHaveProperty('forbidden');
    expect(locks(store, lot)).toEqual(['inspection_failed']);
    await quinn.update('ncr', report.id, body, WHY);
  });
});

describe('a ship date', () => {
  it('is not moved to before the goods came', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    await receive(store, { part_id }, { actual_arrival_date: '2026-06-14' });
    const shipment = await ship(store, { part_id, quantity: 1 });
    const olga = person(store, 'olga', 'operator');
    const early = { actual_ship_date: '2026-06-13' };
    expect(await olga.refusal('shipment', shipment.id, early, WHY)).toHaveProperty('conflict');
    expect(await olga.refusal('shipment', shipment.id, { actual_ship_date: '2026-06-14' }, WHY)).toEqual({});
  });
});

it('a lot number of two parts locks both where a lab result fails that knew of neither', async () => {
  const store = await openSite();
  const specification_id = await template(store);
  await create(store, 'lab-result', { batch_number: 'L', specification_id, lab_data: '{"Height":"20"}' });
  const { lot } = await receive(store, { part_id: await addPart(store) });
  expect(locks(store, lot)).toEqual(['lab_failed']);
  await receive(store, { part_id: await addPart(store) });
  expect(locks(store, lot)).toEqual(['lab_failed']);
});
