import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../server/rules/answers.ts';
import { mapOf } from '../../../server/store/changes.ts';
import type { Store } from '../../../server/store/store.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import { audit } from '../store/audit.ts';
import { create, itemIds, update } from '../store/temporary-store.ts';
import { person } from './people.ts';
import { addPart, contextOf, openSite, receive } from './site.ts';

interface Sample {
  id: number;
  sample_number: number;
  sample_serial: string | null;
  passed: boolean | null;
  results: { id: number; order: number; value: number | null; passed: boolean | null }[];
}

function samplesOf(store: Store, inspection: StoredRecord): Sample[] {
  return answerOf(contextOf(store), inspection, { collections: ['samples'] }).samples as Sample[];
}

/** A template; each characteristic as [name, dimensions, tolerance, is_optional]. */
async function addTemplate(
  store: Store,
  ...characteristics: [string, string?, string?, boolean?][]
): Promise<{ id: number; ids: number[] }> {
  const record = await create(store, 'specification', {
    name: 'Jar',
    characteristics: characteristics.map(([name, dimensions, tolerance, is_optional]) => ({
      name,
      dimensions,
      tolerance,
      is_optional,
    })),
  });
  return { id: record.id, ids: itemIds(record, 'characteristics') };
}

/** Writes one sample's values or verdicts, by the ids of their characteristics. */
function measure(
  store: Store,
  inspection: StoredRecord,
  sample: number,
  values: Record<number, number | boolean>,
): Promise<StoredRecord> {
  const results = Object.entries(values).map(([id, value]) =>
    typeof value === 'number' ? { id, value } : { id, passed: value },
  );
  return update(store, 'inspection', inspection.id, { samples: [{ id: sample, results }] });
}

describe('an inspection (decisions, 5.7)', () => {
  it('keeps the template as it was when it was created', async () => {
    const store = await openSite();
    const { id: drawing_id, ids } = await addTemplate(store, ['Height', '10', '±1'], ['Colour']);
    const before = await create(store, 'inspection', { drawing_id, sample_size: 2 });
    await update(store, 'specification', drawing_id, {
      characteristics: [{ name: 'Height', dimensions: '20', tolerance: '±1' }, { name: 'Smell' }],
    });
    const [first = 0] = itemIds(before, 'samples');
    const after = await measure(store, before, first, { [ids[0] ?? 0]: 10.5 });
    expect(after.fields.template).toEqual(before.fields.template);
    expect(samplesOf(store, after).map(sample => sample.results.map(({ id }) => id))).toEqual([ids, ids]);
    expect(samplesOf(store, after)[0]?.results).toMatchObject([{ passed: true }, { passed: null }]);
    const later = samplesOf(store, await create(store, 'inspection', { drawing_id }));
    expect(later[0]?.results).toHaveLength(2);
    expect(later[0]?.results.map(({ id }) => id)).not.toEqual(ids);
  });

  it('can change its template until something is measured, and shows the new one only', async () => {
    const store = await openSite();
    const jar = await addTemplate(store, ['Height', '10', '±1']);
    const lid = await addTemplate(store, ['Width', '5', '±1'], ['Depth', '1', '±1']);
    const inspection = await create(store, 'inspection', { drawing_id: jar.id, sample_size: 2 });
    const changed = await update(store, 'inspection', inspection.id, { drawing_id: lid.id });
    expect(samplesOf(store, changed).map(({ results }) => results.map(({ id }) => id))).toEqual([
      lid.ids,
      lid.ids,
    ]);
    const [sample = 0] = itemIds(inspection, 'samples');
    await measure(store, inspection, sample, { [lid.ids[0] ?? 0]: 5 });
    await expect(update(store, 'inspection', inspection.id, { drawing_id: jar.id })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(update(store, 'inspection', inspection.id, { drawing_id: null })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(audit(store)).toEqual([]);
  });

  it('judges samples by limits, inclusive; by hand where none parse; the optional does not count', async () => {
    const store = await openSite();
    const template = await addTemplate(
      store,
      ['Height', '10', '+0.1/-0.2'],
      ['Colour', 'green', 'as agreed'],
      ['Weight', '5', '±1', true],
    );
    const [height = 0, colour = 0, weight = 0] = template.ids;
    const inspection = await create(store, 'inspection', { drawing_id: template.id });
    const [sample = 0] = itemIds(inspection, 'samples');
    const verdict = async (values: Record<number, number | boolean>) =>
      samplesOf(store, await measure(store, inspection, sample, values))[0]?.passed;
    expect(await verdict({ [height]: 9.8 })).toBeNull();
    expect(await verdict({ [colour]: true })).toBe(true);
    expect(await verdict({ [height]: 10.1, [weight]: 99 })).toBe(true);
    expect(await verdict({ [height]: 10.100001 })).toBe(false);
    expect(await verdict({ [height]: 9.799999 })).toBe(false);
    expect(await verdict({ [height]: 10, [colour]: false })).toBe(false);
    const claimed = { samples: [{ id: sample, results: [{ id: height, value: 20, passed: true }] }] };
    const after = await update(store, 'inspection', inspection.id, claimed);
    expect(samplesOf(store, after)[0]?.results[0]).toMatchObject({ value: 20, passed: false });
  });

  it("flags the inspector's word when it goes against the measurements, and only then", async () => {
    const store = await openSite();
    const template = await addTemplate(store, ['Height', '10', '±1']);
    const [height = 0] = template.ids;
    const inspection = await create(store, 'inspection', { drawing_id: template.id, sample_size: 2 });
    const [first = 0, second = 0] = itemIds(inspection, 'samples');
    const flagOf = async (passed: boolean | null) => {
      const record = await update(store, 'inspection', inspection.id, { passed }, { reason: 'again' });
      return answerOf(contextOf(store), record).is_against_measurements;
    };
    expect([await flagOf(false), await flagOf(true), await flagOf(null)]).toEqual([null, true, null]);
    await measure(store, inspection, first, { [height]: 10 });
    expect(await flagOf(true)).toBe(true);
    await measure(store, inspection, second, { [height]: 11 });
    expect([await flagOf(true), await flagOf(false)]).toEqual([null, true]);
    await measure(store, inspection, second, { [height]: 11.1 });
    expect([await flagOf(true), await flagOf(false)]).toEqual([true, null]);
  });

  it.each([
    ['without a template', []],
    ['whose characteristics are all optional', [['Colour', 'green', '', true]]],
  ] as [string, [string, string, string, boolean][]][])('%s has nothing to go against', async (_, rows) => {
    const store = await openSite();
    const drawing_id = rows.length > 0 ? (await addTemplate(store, ...rows)).id : undefined;
    for (const passed of [true, false]) {
      const { fields } = await create(store, 'inspection', { drawing_id, passed });
      expect(fields).not.toHaveProperty('is_against_measurements');
    }
  });

  it('is reopened with a reason only, which history keeps', async () => {
    const store = await openSite();
    const { id } = await create(store, 'inspection', { passed: true });
    await expect(update(store, 'inspection', id, { passed: null })).rejects.toMatchObject({
      errors: { reason: [expect.any(String)] },
    });
    const reopened = await update(store, 'inspection', id, { passed: null }, { reason: 'wrong gauge' });
    expect(reopened.fields.passed ?? null).toBeNull();
    await update(store, 'inspection', id, { passed: false });
    await update(store, 'inspection', id, { passed: true });
  });

  it('numbers samples in the order that they were given in, null being no number', async () => {
    const store = await openSite();
    const record = await create(store, 'inspection', {
      samples: [{ sample_serial: 'A', sample_number: null }, { sample_serial: 'B' }, { sample_serial: 'C' }],
    });
    const numbered = samplesOf(store, record).map(({ sample_number, sample_serial }) => [
      sample_number,
      sample_serial,
    ]);
    expect(numbered).toEqual([
      [1, 'A'],
      [2, 'B'],
      [3, 'C'],
    ]);
  });

  it('has as many samples as its size says, numbered on, and never fewer', async () => {
    const store = await openSite();
    const record = await create(store, 'inspection', { sample_size: 2 });
    const add = (fields: object) => update(store, 'inspection', record.id, { samples: [fields] });
    await add({ sample_serial: 'S-3' });
    const numbered = await add({ sample_number: 9 });
    expect(samplesOf(store, numbered).map(({ sample_number }) => sample_number)).toEqual([1, 2, 3, 9]);
    expect(numbered.fields.sample_size).toBe(4);
    const larger = await update(store, 'inspection', record.id, { sample_size: 5 });
    expect(samplesOf(store, larger).map(({ sample_number }) => sample_number)).toEqual([1, 2, 3, 9, 10]);
    await expect(update(store, 'inspection', record.id, { sample_size: 4 })).rejects.toMatchObject({
      errors: { sample_size: [expect.stringContaining('5')] },
    });
  });

  it('is of an existing part or piece of equipment; that of its lot when not said', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { id: inventory_id } = await create(store, 'inventory', {
      part_id,
      batch_number: 'O',
      opening_quantity: 1,
    });
    expect((await create(store, 'inspection', { inventory_id })).fields.entity_id).toBe(part_id);
    const unknown = { errors: { entity_id: [expect.any(String)] } };
    const equipment = { entity_type: 'equipment', entity_id: part_id };
    await expect(create(store, 'inspection', equipment)).rejects.toMatchObject(unknown);
    await create(store, 'equipment', { name: 'Gauge' });
    const { id } = await create(store, 'inspection', equipment);
    await addPart(store);
    await expect(update(store, 'inspection', id, { entity_id: part_id + 1 })).rejects.toMatchObject(unknown);
  });

  it('keeps results that the template does not know, judged by hand', async () => {
    const store = await openSite();
    const inspection = await create(store, 'inspection', {});
    const [sample = 0] = itemIds(inspection, 'samples');
    const results = [{ value: 7, passed: true, comment: 'looks fine' }];
    const record = await update(store, 'inspection', inspection.id, { samples: [{ id: sample, results }] });
    const kept = Object.values(mapOf(mapOf(mapOf(record.fields.samples)[sample]).results));
    expect(kept).toMatchObject([{ value: 7, passed: true, comment: 'looks fine' }]);
  });

  it('of equipment may be about a lot whose part has another id', async () => {
    const store = await openSite();
    await addPart(store);
    const part_id = await addPart(store, { name: 'Lid' });
    const { id: entity_id } = await create(store, 'equipment', { name: 'Gauge' });
    expect(entity_id).not.toBe(part_id);
    const { lot: inventory_id } = await receive(store, { part_id });
    const { fields } = await create(store, 'inspection', {
      entity_type: 'equipment',
      entity_id,
      inventory_id,
    });
    expect(fields).toMatchObject({ entity_id, inventory_id });
  });

  it('that failed is left out of sampling with a reason, once; an open one without', async () => {
    const store = await openSite();
    const ilse = person(store, 'ilse', 'inspector');
    const resubmit = async (passed: boolean | null) => {
      const { id } = await create(store, 'inspection', { passed });
      const body = { is_resubmitted: true };
      return [
        await ilse.refusal('inspection', id, body),
        await ilse.refusal('inspection', id, body, 'sorted'),
        await ilse.refusal('inspection', id, { ...body, sample_size: 2 }),
      ];
    };
    expect(await resubmit(null)).toEqual([{}, {}, {}]);
    expect(await resubmit(true)).toEqual([{}, {}, {}]);
    expect(await resubmit(false)).toEqual([{ reason: expect.any(String) }, {}, {}]);
  });

  it('put back with fewer samples than its size may be given the size that it has', async () => {
    const store = await openSite();
    const samples = { 1: { sample_number: 1 }, 2: { sample_number: 2 } };
    const { id } = await store.gate.commit({
      actor: { rights: BY_SERVER, user: 'tester' },
      reason: null,
      work: work => work.restore(families.inspection, 1, { samples, sample_size: 5 }),
      answer: record => record,
    });
    const sized = (sample_size: number) => update(store, 'inspection', id, { sample_size });
    expect((await sized(2)).fields.sample_size).toBe(2);
    await expect(sized(1)).rejects.toMatchObject({ errors: { sample_size: [expect.any(String)] } });
  });
});
