import { describe, expect, it } from 'vitest';
import { proposedReports } from '../../../server/rules/proposals.ts';
import type { Store } from '../../../server/store/store.ts';
import { TEXT_LIMIT } from '../../../shared/contract/limits.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { create, itemIds, update } from '../store/temporary-store.ts';
import { addPart, openNameless, openSite, receive } from './site.ts';

type Fields = Record<string, unknown>;

function proposed(store: Store, family: string, id: number): Fields[] {
  return proposedOf(store, store.records.get(family, id) as StoredRecord);
}

function proposedOf(store: Store, record: StoredRecord): Fields[] {
  return proposedReports({ records: store.records, sql: store.database.reader }, record);
}

function report(store: Store, number: string, fields: Fields = {}): Promise<StoredRecord> {
  return create(store, 'ncr', { ncr_number: number, source: 'internal', ...fields });
}

describe('a receipt proposes', () => {
  it('a report for each rejected line in their order, until it was raised', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { id: nameless } = await create(store, 'part', {});
    const { id } = await create(store, 'receiving-inspection', {
      po_number: 'PO-1',
      items: [
        { part_id, serial_number: 'B', quantity_rejected: 2, unit_of_measure: 'kg', order: 2 },
        { part_id, serial_number: 'A', quantity_accepted: 1, quantity_rejected: 0.5, order: 1 },
        { part_id, serial_number: 'C', quantity_accepted: 1, order: 3 },
        { part_id: nameless, quantity_rejected: 3, order: 4 },
      ],
    });
    const [first, second, third, ...none] = proposed(store, 'receiving-inspection', id);
    const lot = store.records.findBy('inventory', 'batch_number', 'A')[0]?.id;
    const ofAll = { source: 'supplier', part_id, receiving_inspection_id: id, inventory_id: null };
    expect(first).toEqual({
      ...ofAll,
      lot_number: 'A',
      quantity: 0.5,
      description: '0.5 of Jar rejected on receipt of PO-1.',
      inventory_id: lot,
    });
    expect(second).toEqual({
      ...ofAll,
      lot_number: 'B',
      quantity: 2,
      description: '2 kg of Jar rejected on receipt of PO-1.',
    });
    expect(third).toEqual({
      ...ofAll,
      part_id: nameless,
      lot_number: null,
      quantity: 3,
      description: '3 of the part rejected on receipt of PO-1.',
    });
    expect(none).toEqual([]);
    await report(store, 'N-1', { receiving_inspection_id: id, part_id, lot_number: 'B' });
    await report(store, 'N-2', { receiving_inspection_id: id, part_id: nameless });
    const left = proposed(store, 'receiving-inspection', id);
    expect(left.map(each => each.lot_number)).toEqual(['A']);
  });

  it('a report of each of two parts that came under one lot number', async () => {
    const store = await openSite();
    const parts = [await addPart(store), await addPart(store, { name: 'Lid' })];
    const items = parts.map(part_id => ({ part_id, serial_number: 'L', quantity_rejected: 1 }));
    const { id } = await create(store, 'receiving-inspection', { items });
    await report(store, 'N-1', { receiving_inspection_id: id, part_id: parts[0], lot_number: 'L' });
    expect(proposed(store, 'receiving-inspection', id)).toMatchObject([{ part_id: parts[1] }]);
  });

  it.each([
    ['both, of no report', [], [400, 100]],
    ['the other one, of a report of the first', [400], [100]],
    ['the other one, of a report of the second', [100], [400]],
    ['the other one, of a report of a quantity that was corrected since', [390], [100]],
    ['none, of a report of each', [100, 400], []],
    ['none, of a report of the whole lot', [null], []],
  ])('of two rejected lines of a lot %s', async (_name, reported, left) => {
    const store = await openSite();
    const part_id = await addPart(store);
    const items = [400, 100].map(quantity_rejected => ({ part_id, serial_number: 'L', quantity_rejected }));
    const { id } = await create(store, 'receiving-inspection', { items });
    for (const [index, quantity] of reported.entries())
      await report(store, `N-${index}`, { receiving_inspection_id: id, part_id, lot_number: 'L', quantity });
    expect(proposed(store, 'receiving-inspection', id).map(({ quantity }) => quantity)).toEqual(left);
  });

  it('says nothing of an order that it does not name', async () => {
    const store = await openSite();
    const items = [{ part_id: await addPart(store), quantity_rejected: 1 }];
    const { id } = await create(store, 'receiving-inspection', { items });
    const [only] = proposed(store, 'receiving-inspection', id);
    expect(only?.description).toBe('1 of Jar rejected on receipt.');
  });
});

describe('an inspection proposes', () => {
  async function inspected(store: Store, fields: Fields = {}): Promise<number> {
    const { id: drawing_id } = await create(store, 'specification', {
      name: 'Jar',
      characteristics: [{ name: 'Height', tolerance: '5-10' }],
    });
    const record = await create(store, 'inspection', { drawing_id, sample_size: 4, ...fields });
    const characteristic = itemIds(
      store.records.get('specification', drawing_id) as StoredRecord,
      'characteristics',
    )[0];
    const [first, second, third] = itemIds(record, 'samples');
    const measured = (sample: number | undefined, value: number) => ({
      id: sample,
      results: [{ id: characteristic, value }],
    });
    const samples = [measured(first, 4), measured(second, 7), measured(third, 20)];
    await update(store, 'inspection', record.id, { samples });
    return record.id;
  }

  it('a report of its failure, once it failed and until it was raised', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { lot } = await receive(store, { part_id });
    const id = await inspected(store, { inventory_id: lot });
    expect(proposed(store, 'inspection', id)).toEqual([]);
    await update(store, 'inspection', id, { passed: true });
    expect(proposed(store, 'inspection', id)).toEqual([]);
    await update(store, 'inspection', id, { passed: false });
    expect(proposed(store, 'inspection', id)).toEqual([
      {
        source: 'supplier',
        part_id,
        lot_number: 'L',
        quantity: 10,
        description: `Inspection ${id} (Jar) failed: 2 of 3 measured samples outside their limits; 4 were to be measured.`,
        inspection_id: id,
        inventory_id: lot,
      },
    ]);
    await report(store, 'N-1', { inspection_id: id });
    expect(proposed(store, 'inspection', id)).toEqual([]);
  });

  it('one of equipment names no part, and one without a template no template', async () => {
    const store = await openSite();
    const { id: equipment } = await create(store, 'equipment', { name: 'Gauge' });
    const fields = { entity_type: 'equipment', entity_id: equipment, passed: false };
    const { id } = await create(store, 'inspection', fields);
    const description = `Inspection ${id} failed.`;
    const links = { inspection_id: id, inventory_id: null, quantity: null };
    const expected = { source: 'internal', part_id: null, lot_number: null, description, ...links };
    expect(proposed(store, 'inspection', id)).toEqual([expected]);
    const { id: ofNothing } = await create(store, 'inspection', { passed: false });
    expect(proposed(store, 'inspection', ofNothing)).toMatchObject([{ part_id: null }]);
  });
});

describe('a lab result proposes', () => {
  async function tested(store: Store, fields: Fields): Promise<number> {
    const { id: specification_id } = await create(store, 'specification', {
      characteristics: [
        { name: 'lead', tolerance: 'max 0.1' },
        { name: 'alcohol', tolerance: 'min 5' },
      ],
    });
    return (await create(store, 'lab-result', { specification_id, ...fields })).id;
  }

  it('a report of what lies outside, until it was raised', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { lot } = await receive(store, { part_id });
    const { id: inspection_id } = await create(store, 'inspection', {});
    const fields = { testing_id: 'T-1', inventory_id: lot, inspection_id };
    const id = await tested(store, { ...fields, lab_data: { lead: '0.50', alcohol: '<4' } });
    expect(proposed(store, 'lab-result', id)).toEqual([
      {
        source: 'supplier',
        part_id,
        lot_number: 'L',
        quantity: 10,
        description: 'Lab result T-1: outside the limits: lead 0.5, alcohol <4.',
        lab_result_id: id,
        inspection_id,
        inventory_id: lot,
      },
    ]);
    await report(store, 'N-1', { lab_result_id: id });
    expect(proposed(store, 'lab-result', id)).toEqual([]);
  });

  it('one of a lot number names the part whose lots the number named', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    await receive(store, { part_id });
    const id = await tested(store, { batch_number: 'L', lab_data: { lead: 1 } });
    const links = { lab_result_id: id, inspection_id: null, inventory_id: null, quantity: null };
    const description = `Lab result ${id}: outside the limits: lead 1.`;
    const expected = { source: 'internal', part_id, lot_number: 'L', description, ...links };
    expect(proposed(store, 'lab-result', id)).toEqual([expected]);
    const unknown = await tested(store, { lab_data: { lead: 1 } });
    expect(proposed(store, 'lab-result', unknown)).toMatchObject([{ part_id: null, lot_number: null }]);
  });

  it('one of a failure whose value was not kept names it alone', async () => {
    const store = await openSite();
    const id = await tested(store, { lab_data: { lead: 1 } });
    const record = store.records.get('lab-result', id) as StoredRecord;
    const { lab_data: _, ...fields } = record.fields;
    const [only] = proposedOf(store, { ...record, fields });
    expect(only?.description).toBe(`Lab result ${id}: outside the limits: lead.`);
  });

  it('nothing while it lies within its limits', async () => {
    const store = await openSite();
    const id = await tested(store, { lab_data: { lead: 0.05 } });
    expect(proposed(store, 'lab-result', id)).toEqual([]);
  });
});

describe('a lot proposes', () => {
  it('a report of itself, unless one is open', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { lot } = await receive(store, { part_id });
    const expected = {
      source: 'internal',
      part_id,
      lot_number: 'L',
      quantity: 10,
      description: 'Jar, lot L.',
      inventory_id: lot,
    };
    expect(proposed(store, 'inventory', lot)).toEqual([expected]);
    const { id } = await report(store, 'N-1', { inventory_id: lot });
    expect(proposed(store, 'inventory', lot)).toEqual([]);
    await update(store, 'ncr', id, { status: 'closed' });
    expect(proposed(store, 'inventory', lot)).toEqual([expected]);
  });

  it('says why a person locked it, and nothing of what it does not have', async () => {
    const store = await openSite();
    const { id: part_id } = await create(store, 'part', {});
    const { lot } = await receive(store, { part_id, serial_number: null });
    const record = store.records.get('inventory', lot) as StoredRecord;
    const locked = (fields: Fields) =>
      proposedOf(store, { ...record, fields: { ...record.fields, ...fields } })[0];
    expect(locked({})).toEqual({
      source: 'internal',
      part_id,
      lot_number: null,
      quantity: 10,
      description: 'The part.',
      inventory_id: lot,
    });
    const why = { lock_reason: 'broken seal' };
    expect(locked({ is_locked_by_person: true, ...why })?.description).toBe('The part. Locked: broken seal');
    expect(locked({ is_locked_by_person: false, ...why })?.description).toBe('The part.');
    expect(locked({ is_locked_by_person: true })?.description).toBe('The part.');
    expect(locked({ part_id: undefined })?.part_id).toBeNull();
  });
});

describe('a complaint proposes', () => {
  const complain = async (store: Store, fields: Fields) =>
    (await create(store, 'complaint', { complaint_number: 'C-1', complaint_date: '2026-06-01', ...fields }))
      .id;

  it('a report with the lot that its number names, until it was raised', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { lot } = await receive(store, { part_id });
    const { id: error_code_id } = await create(store, 'error-code', { name: 'Rust' });
    const words = { complainant_full_name: 'Ann', comments: 'It is rusty' };
    const id = await complain(store, { batch_number: 'L', error_code_id, ...words });
    expect(proposed(store, 'complaint', id)).toEqual([
      {
        source: 'customer',
        part_id,
        lot_number: 'L',
        description: 'Complaint C-1: Ann: It is rusty',
        error_code_id,
        complaint_id: id,
        inventory_id: lot,
      },
    ]);
    await report(store, 'N-1', { complaint_id: id });
    expect(proposed(store, 'complaint', id)).toEqual([]);
  });

  it('one whose number names several lots names none, unless the part tells which', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    await receive(store, { part_id });
    const other = await addPart(store, { name: 'Lid' });
    const { lot } = await receive(store, { part_id: other });
    const id = await complain(store, { batch_number: 'L' });
    const links = { error_code_id: null, complaint_id: id, inventory_id: null };
    const expected = { source: 'customer', part_id: null, lot_number: 'L', description: 'Complaint C-1.' };
    expect(proposed(store, 'complaint', id)).toEqual([{ ...expected, ...links }]);
    const told = await complain(store, { complaint_number: 'C-2', batch_number: 'L', part_id: other });
    expect(proposed(store, 'complaint', told)).toMatchObject([{ part_id: other, inventory_id: lot }]);
  });

  it('one without a number names no lot', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    await receive(store, { part_id, serial_number: null });
    const id = await complain(store, { part_id, comments: 'Dull' });
    const [only] = proposed(store, 'complaint', id);
    expect(only).toMatchObject({ part_id, lot_number: null, inventory_id: null });
    expect(only?.description).toBe('Complaint C-1: Dull');
  });

  it.each([undefined, ''])(
    'one with the number %j is not of the stock that has none either',
    async number => {
      const store = await openSite();
      const part_id = await addPart(store);
      await openNameless(store, { part_id, opening_quantity: 1 });
      const id = await complain(store, { part_id, batch_number: number });
      expect(proposed(store, 'complaint', id)).toMatchObject([{ part_id, inventory_id: null }]);
    },
  );

  it('what is too long for a report is cut, and not within a character', async () => {
    const store = await openSite();
    const id = await complain(store, {});
    const record = store.records.get('complaint', id) as StoredRecord;
    const comments = `${'x'.repeat(TEXT_LIMIT - 'Complaint C-1: '.length - 1)}\u{1f600}${'x'.repeat(10)}`;
    const [only] = proposedOf(store, { ...record, fields: { ...record.fields, comments } });
    const text = String(only?.description);
    expect([text.length, text.at(-1)]).toEqual([TEXT_LIMIT, '\ufffd']);
  });
});

describe('a report proposes', () => {
  it('a corrective action request, until it was raised', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { receipt } = await receive(store, { part_id }, { po_number: 'PO-1' });
    const { id } = await report(store, 'N-1', {
      part_id,
      lot_number: 'L',
      description: 'Rusty',
      immediate_action: 'Sorted out',
      receiving_inspection_id: receipt,
    });
    expect(proposed(store, 'ncr', id)).toEqual([
      {
        source: 'internal',
        type: 'corrective',
        po_number: 'PO-1',
        description: { text: 'N-1: Rusty', part: 'Jar', lot_number: 'L', immediate_action: 'Sorted out' },
        ncr_id: id,
      },
    ]);
    await create(store, 'car', { car_number: 'CAR-1', ncr_id: id });
    expect(proposed(store, 'ncr', id)).toEqual([]);
  });

  it('says nothing of what it does not have', async () => {
    const store = await openSite();
    const { id } = await report(store, 'N-1');
    const description = { text: 'N-1', part: null, lot_number: null, immediate_action: null };
    expect(proposed(store, 'ncr', id)).toEqual([
      { source: 'internal', type: 'corrective', po_number: null, description, ncr_id: id },
    ]);
  });
});

it('nothing is proposed of a record of another family', async () => {
  const store = await openSite();
  expect(proposed(store, 'part', await addPart(store))).toEqual([]);
});
