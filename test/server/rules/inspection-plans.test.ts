import { describe, expect, it } from 'vitest';
import { locksOf } from '../../../server/rules/lot-state.ts';
import { historyOf } from '../../../server/rules/sampling-history.ts';
import { mapOf } from '../../../server/store/changes.ts';
import type { Store } from '../../../server/store/store.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { audit, recordsOf } from '../store/audit.ts';
import { create, itemIds, update } from '../store/temporary-store.ts';
import { addPart, correct, lineOf, openSite, receive } from './site.ts';

type Fields = Record<string, unknown>;

interface Planned {
  store: Store;
  part_id: number;
  template: number;
  characteristic: number;
  plan: StoredRecord;
}

/** A part whose goods are inspected by a plan: its height is 10 ± 1. */
async function planned(plan: Fields = {}, part: Fields = {}): Promise<Planned> {
  const store = await openSite();
  const part_id = await addPart(store, part);
  const record = await create(store, 'specification', {
    name: 'Jar',
    is_approved: true,
    characteristics: [{ name: 'Height', dimensions: '10', tolerance: '±1' }],
  });
  const [characteristic = 0] = itemIds(record, 'characteristics');
  const made = await create(store, 'inspection-plan', {
    name: 'Jars',
    part_id,
    specification_id: record.id,
    ...plan,
  });
  return { store, part_id, template: record.id, characteristic, plan: made };
}

function inspectionsOf(store: Store, lot: number): StoredRecord[] {
  return recordsOf(store).filter(
    ({ family, fields }) => family === 'inspection' && fields.inventory_id === lot,
  );
}

function locks(store: Store, lot: number): string[] {
  const record = store.records.get('inventory', lot);
  if (!record) throw new Error(`There is no lot ${lot}.`);
  const reads = { records: store.records, sql: store.database.reader };
  return [...new Set(locksOf(reads, record).map(({ lock }) => lock))];
}

function samplesOf({ fields }: StoredRecord): string[] {
  return Object.keys(mapOf(fields.samples));
}

/** Measures as many samples as there are values, the first ones first. */
async function measure({ store, characteristic }: Planned, inspection: StoredRecord, values: number[]) {
  const ids = samplesOf(inspection).slice(0, values.length);
  const samples = ids.map((id, place) => ({ id, results: [{ id: characteristic, value: values[place] }] }));
  await update(store, 'inspection', inspection.id, { samples });
}

const good = (count: number) => Array.from({ length: count }, () => 10);
const bad = (count: number) => Array.from({ length: count }, () => 20);

describe('an inspection plan', () => {
  it.each([{}, { part_id: null, supplier_id: null }])('says what goods it is for: %j', async scope => {
    const store = await openSite();
    await expect(create(store, 'inspection-plan', { name: 'All', ...scope })).rejects.toMatchObject({
      errors: { part_id: [expect.stringContaining('Give a part_id, a part_type_id, a supplier_id')] },
    });
  });

  it('with a fixed number says which', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    await expect(
      create(store, 'inspection-plan', { name: 'Five', part_id, sampling: 'fixed' }),
    ).rejects.toMatchObject({ errors: { sample_count: [expect.stringContaining('such as 5')] } });
  });
});

describe('goods that come', () => {
  it('have as many samples opened as the plan says, and are locked until these are judged', async () => {
    const { store, part_id, plan } = await planned({ sampling_level: 'III', sampling_aql: '2.5' });
    const received = await receive(store, { part_id, quantity_accepted: 100 });
    const [inspection, ...more] = inspectionsOf(store, received.lot);
    expect(more).toEqual([]);
    expect(inspection?.fields.sampling).toEqual({
      plan_id: plan.id,
      lot_size: 100,
      level: 'III',
      aql: 2.5,
      severity: 'normal',
      n: 32,
      ac: 2,
      re: 3,
    });
    expect([inspection?.fields.sample_size, inspection && samplesOf(inspection).length]).toEqual([32, 32]);
    expect(locks(store, received.lot)).toEqual(['inspection_open']);
    await audit(store);
  });

  it('are accepted with as many bad ones as the plan allows, and not with one more', async () => {
    for (const [failing, passes] of [
      [1, true],
      [2, false],
    ] as const) {
      const site = await planned({ sampling_aql: '2.5' });
      const { store, part_id } = site;
      const { lot } = await receive(store, { part_id, quantity_accepted: 100 });
      const [inspection] = inspectionsOf(store, lot);
      if (!inspection) throw new Error('No inspection was opened.');
      await measure(site, inspection, [...bad(failing), ...good(20 - failing)]);
      await update(store, 'inspection', inspection.id, { passed: true });
      const { fields } = store.records.get('inspection', inspection.id) ?? inspection;
      expect(fields.is_against_measurements === true).toBe(!passes);
      if (passes) expect(locks(store, lot)).toEqual([]);
    }
  });

  it('are not free by a verdict on fewer samples than the plan asks for', async () => {
    const site = await planned({ sampling_aql: '2.5' });
    const { store, part_id } = site;
    const { lot } = await receive(store, { part_id, quantity_accepted: 100 });
    const [inspection] = inspectionsOf(store, lot);
    if (!inspection) throw new Error('No inspection was opened.');
    await measure(site, inspection, good(1));
    await update(store, 'inspection', inspection.id, { passed: true });
    expect(store.records.get('inspection', inspection.id)?.fields.is_against_measurements).toBe(true);
    // The ledger behind the switching rules says what was measured, and not what the plan asks for.
    const reads = { records: store.records, sql: store.database.reader };
    expect(historyOf(reads, part_id, null).entries).toMatchObject([{ measured: 1, sampled: { n: 20 } }]);
    await update(store, 'inspection', inspection.id, { sample_size: 1 });
    expect(store.records.get('inspection', inspection.id)?.fields.sample_size).toBe(20);
  });

  it("get the part's level and AQL where the plan names none", async () => {
    const { store, part_id } = await planned({}, { sampling_level: 'I', sampling_aql: '4' });
    const { lot } = await receive(store, { part_id, quantity_accepted: 1_000 });
    expect(inspectionsOf(store, lot)[0]?.fields.sampling).toMatchObject({ level: 'I', aql: 4, n: 32, ac: 3 });
  });

  it('get a fixed number of samples, none of which may fail, or all there are', async () => {
    const { store, part_id } = await planned({ sampling: 'fixed', sample_count: 5 });
    const { lot } = await receive(store, { part_id, quantity_accepted: 1_000 });
    expect(inspectionsOf(store, lot)[0]?.fields.sampling).toMatchObject({ n: 5, ac: 0, level: null });
    const few = await receive(store, { part_id, quantity_accepted: 2.5, serial_number: 'M' });
    expect(inspectionsOf(store, few.lot)[0]?.fields.sampling).toMatchObject({ n: 3, lot_size: 3 });
  });

  it('are inspected by the plan that says most about them', async () => {
    const store = await openSite();
    const type = (await create(store, 'part-type', { name: 'Glass' })).id;
    const part_id = await addPart(store, { part_type_id: type });
    const other = await addPart(store, { part_type_id: type });
    const [near, far] = [
      await create(store, 'supplier', { name: 'Near' }),
      await create(store, 'supplier', { name: 'Far' }),
    ];
    const scopes: Record<string, Fields> = {
      supplier: { supplier_id: near.id },
      type: { part_type_id: type },
      typeAndSupplier: { part_type_id: type, supplier_id: near.id },
      part: { part_id },
      partAndSupplier: { part_id, supplier_id: near.id },
      ended: { part_id, supplier_id: near.id, is_active: false },
    };
    const ids = new Map<number, string>();
    for (const [name, scope] of Object.entries(scopes))
      ids.set((await create(store, 'inspection-plan', { name, ...scope })).id, name);
    const applied = async (part: number, supplier: number | null) => {
      const { receipt, item } = await receive(store, { part_id: part }, { supplier_id: supplier });
      const record = store.records.get('receiving-inspection', receipt);
      return record && ids.get(Number(lineOf(record, item).plan_id));
    };
    expect(await applied(part_id, near.id)).toBe('partAndSupplier');
    expect(await applied(part_id, far.id)).toBe('part');
    expect(await applied(other, near.id)).toBe('typeAndSupplier');
    expect(await applied(other, null)).toBe('type');
    expect(await applied(await addPart(store), near.id)).toBe('supplier');
    expect(await applied(await addPart(store), null)).toBeUndefined();
  });

  it('that grow are inspected by more samples, also where some are measured, and never by fewer', async () => {
    const site = await planned();
    const { store, part_id } = site;
    const received = await receive(store, { part_id, quantity_accepted: 80 });
    const { lot } = received;
    const sizes = () =>
      inspectionsOf(store, lot).map(each => [each.fields.sample_size, mapOf(each.fields.sampling).n]);
    expect(sizes()).toEqual([[13, 13]]);
    const [inspection] = inspectionsOf(store, lot);
    if (!inspection) throw new Error('No inspection was opened.');
    await measure(site, inspection, good(2));
    await correct(store, received, { quantity_accepted: 400 });
    expect(sizes()).toEqual([[50, 50]]);
    await update(store, 'receiving-inspection', received.receipt, {
      items: [{ id: received.item, quantity_accepted: 20, reason: 'miscounted' }],
    });
    expect(sizes()).toEqual([[50, 50]]);
    await audit(store);
  });

  it('in two lines of one lot are one lot to inspect', async () => {
    const { store, part_id } = await planned();
    const record = await create(store, 'receiving-inspection', {
      items: [
        { part_id, quantity_accepted: 200, serial_number: 'L' },
        { part_id, quantity_accepted: 200, serial_number: 'L' },
      ],
    });
    const [item = 0] = itemIds(record, 'items');
    const lot = Number(lineOf(record, item).inventory_id);
    expect(inspectionsOf(store, lot).map(({ fields }) => fields.sampling)).toMatchObject([
      { lot_size: 400, n: 50 },
    ]);
  });

  it('that join a lot that has passed are inspected again', async () => {
    const site = await planned({ sampling: 'fixed', sample_count: 2 });
    const { store, part_id } = site;
    const { lot } = await receive(store, { part_id });
    const [first] = inspectionsOf(store, lot);
    if (!first) throw new Error('No inspection was opened.');
    await measure(site, first, good(2));
    await update(store, 'inspection', first.id, { passed: true });
    expect(locks(store, lot)).toEqual([]);
    expect((await receive(store, { part_id })).lot).toBe(lot);
    expect(inspectionsOf(store, lot)).toHaveLength(2);
    expect(locks(store, lot)).toEqual(['inspection_open']);
  });

  it("have one inspection where the line names the plan's template too, and another for another template", async () => {
    const { store, part_id, template } = await planned({ sampling: 'fixed', sample_count: 2 });
    const { lot } = await receive(store, { part_id, drawing_id: template });
    expect(inspectionsOf(store, lot).map(({ fields }) => mapOf(fields.sampling).n)).toEqual([2]);
    const other = await create(store, 'specification', { name: 'Looks' });
    const second = await receive(store, { part_id, drawing_id: other.id, serial_number: 'M' });
    const [byLine, byPlan] = inspectionsOf(store, second.lot);
    expect([byLine?.fields.drawing_id, byPlan?.fields.drawing_id]).toEqual([other.id, template]);
    // What is corrected in the line is no way to another template for the plan's.
    await correct(store, second, { drawing_id: template });
    expect(
      inspectionsOf(store, second.lot).filter(({ fields }) => fields.sampling !== undefined),
    ).toHaveLength(1);
  });

  it('that came before the plan are not touched by it', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const received = await receive(store, { part_id });
    const specification = await create(store, 'specification', { name: 'Jar' });
    await create(store, 'inspection-plan', { name: 'Late', part_id, specification_id: specification.id });
    await update(store, 'receiving-inspection', received.receipt, { notes: 'dry' });
    await correct(store, received, { quantity_accepted: 12 });
    expect(inspectionsOf(store, received.lot)).toEqual([]);
  });

  it('of another supplier than was said are judged by its plan', async () => {
    const { store, part_id, template } = await planned({ is_active: false });
    const { id } = await create(store, 'supplier', { name: 'Near' });
    await create(store, 'inspection-plan', { name: 'Near', supplier_id: id, specification_id: template });
    const { receipt, lot } = await receive(store, { part_id });
    expect(inspectionsOf(store, lot)).toEqual([]);
    await update(store, 'receiving-inspection', receipt, { supplier_id: id });
    expect(inspectionsOf(store, lot)).toHaveLength(1);
  });

  it('are locked until quality frees them, or the certificate is named', async () => {
    const { store, part_id } = await planned({
      specification_id: null,
      is_quarantined_first: true,
      is_certificate_required: true,
    });
    const received = await receive(store, { part_id });
    expect(locks(store, received.lot)).toEqual(['inactive']);
    await correct(store, received, { is_active_batch: true });
    expect(locks(store, received.lot)).toEqual(['certificate']);
    await correct(store, received, { certificate_number: '  ' });
    expect(locks(store, received.lot)).toEqual(['certificate']);
    await correct(store, received, { certificate_number: 'COA-1' });
    expect(locks(store, received.lot)).toEqual([]);
    await correct(store, received, { certificate_number: null });
    expect(locks(store, received.lot)).toEqual(['certificate']);
    await audit(store);
  });

  it('are left out of the inspection as often as the plan says, and never after a lot that did not pass', async () => {
    const site = await planned({ sampling: 'fixed', sample_count: 1, inspect_every: 3 });
    const { store, part_id } = site;
    const next = async (number: string, passed?: boolean) => {
      const { lot, receipt, item } = await receive(store, { part_id, serial_number: number });
      const [inspection] = inspectionsOf(store, lot);
      const record = store.records.get('receiving-inspection', receipt);
      const isSkipped = record && lineOf(record, item).is_inspection_skipped === true;
      expect(isSkipped).toBe(inspection === undefined);
      if (inspection && passed !== undefined) {
        await measure(site, inspection, passed ? good(1) : bad(1));
        await update(store, 'inspection', inspection.id, { passed });
      }
      return inspection !== undefined;
    };
    expect(await next('1', true)).toBe(true);
    expect([await next('2'), await next('3')]).toEqual([false, false]);
    expect(await next('4', false)).toBe(true);
    expect(await next('5')).toBe(true);
    // Not judged yet: nothing says that it was accepted.
    expect(await next('6', true)).toBe(true);
    expect(await next('7')).toBe(false);
  });
});
