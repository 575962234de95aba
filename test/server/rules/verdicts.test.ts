import { beforeEach, describe, expect, it } from 'vitest';
import { mapOf } from '../../../server/store/changes.ts';
import type { Store } from '../../../server/store/store.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { failedMeasurements } from '../../../shared/families/measured.ts';
import { families } from '../../../shared/families/registry.ts';
import { create, itemIds, update } from '../store/temporary-store.ts';
import { refusalOf } from './refusal.ts';
import { addPart, openSite, receive } from './site.ts';

type Fields = Record<string, unknown>;
const why = { reason: 'wrong gauge' };

let store: Store;
beforeEach(async () => {
  store = await openSite();
});

const fieldsOf = (family: string, id: number): Fields => store.records.get(family, id)?.fields ?? {};

/** A failure that a disposition settled. */
function settle(family: 'inspection' | 'lab-result', id: number): Promise<StoredRecord> {
  return store.gate.commit({
    actor: { rights: BY_SERVER, user: 'tester' },
    reason: null,
    work: draft => draft.set(families[family], id, { ...draft.require(family, id).fields, is_settled: true }),
    answer: record => record,
  });
}

/** A template of these characteristics, with their ids. */
async function template(...characteristics: object[]): Promise<{ id: number; ids: number[] }> {
  const body = { name: 'Jar', identification: 'J-1', characteristics };
  const record = await create(store, 'specification', body);
  return { id: record.id, ids: itemIds(record, 'characteristics') };
}

describe("an inspection's verdict", () => {
  it('has its moment, which another verdict moves and none takes away', async () => {
    const { id, fields } = await create(store, 'inspection', {});
    expect(fields).not.toHaveProperty('finalised_at');
    const failed = await update(store, 'inspection', id, { passed: false });
    expect(failed.fields.finalised_at).toBe(failed.updated_at);
    const noted = await update(store, 'inspection', id, { passed: false, sample_size: 2 });
    expect(noted.fields.finalised_at).toBe(failed.updated_at);
    const passed = await update(store, 'inspection', id, { passed: true });
    expect(passed.fields.finalised_at).toBe(passed.updated_at);
    const open = await update(store, 'inspection', id, { passed: null }, why);
    expect(open.fields).not.toHaveProperty('finalised_at');
  });

  it('that is another is not settled any more', async () => {
    const { id } = await create(store, 'inspection', { passed: false });
    await settle('inspection', id);
    const noted = await update(store, 'inspection', id, { sample_size: 2 });
    expect(noted.fields.is_settled).toBe(true);
    const open = await update(store, 'inspection', id, { passed: null }, why);
    expect(open.fields).not.toHaveProperty('is_settled');
  });

  it('against the measurements is flagged, where every sample has to pass', async () => {
    const { id: drawing_id, ids } = await template({ name: 'Height', tolerance: '5-10' });
    const { id, ...record } = await create(store, 'inspection', { drawing_id, sample_size: 2, passed: true });
    expect(record.fields.is_against_measurements).toBe(true);
    const samples = itemIds({ id, ...record }, 'samples').map(sample => ({
      id: sample,
      results: [{ id: ids[0], value: 7 }],
    }));
    const half = await update(store, 'inspection', id, { samples: samples.slice(0, 1) });
    expect(half.fields.is_against_measurements).toBe(true);
    const whole = await update(store, 'inspection', id, { samples });
    expect(whole.fields).not.toHaveProperty('is_against_measurements');
    const failed = await update(store, 'inspection', id, { passed: false });
    expect(failed.fields.is_against_measurements).toBe(true);
    const open = await update(store, 'inspection', id, { passed: null }, why);
    expect(open.fields).not.toHaveProperty('is_against_measurements');
  });
});

describe("an inspection's samples", () => {
  it('are built from the template, which is copied whole', async () => {
    const { id: drawing_id, ids } = await template({ name: 'Width', order: 2 }, { name: 'Height', order: 1 });
    const { fields } = await create(store, 'inspection', { drawing_id });
    const [width = 0, height = 0] = ids;
    const copied = mapOf(fields.template);
    expect(Object.keys(copied).sort()).toEqual([
      'characteristics',
      'identification',
      'is_draft',
      'name',
      'revision',
    ]);
    expect(copied).toMatchObject({ name: 'Jar', identification: 'J-1', revision: 1 });
    expect(mapOf(copied.characteristics)).toMatchObject({
      [width]: { name: 'Width', order: 2 },
      [height]: { name: 'Height', order: 1 },
    });
    const [sample] = Object.values(mapOf(fields.samples)).map(mapOf);
    expect(sample?.sample_number).toBe(1);
    expect(mapOf(sample?.results)).toMatchObject({ [width]: { order: 2 }, [height]: { order: 1 } });
  });

  it('lose what a former template asked for, and get it back with it', async () => {
    const jar = await template({ name: 'Height' });
    const lid = await template({ name: 'Width' });
    const record = await create(store, 'inspection', { drawing_id: jar.id });
    const resultsOf = (of: StoredRecord) => {
      const [sample] = Object.values(mapOf(of.fields.samples)).map(mapOf);
      return Object.entries(mapOf(sample?.results)).map(([id, result]) => [
        Number(id),
        mapOf(result).is_removed ?? false,
      ]);
    };
    const [height, width] = [jar.ids[0], lid.ids[0]];
    const change = (drawing_id: number | null) => update(store, 'inspection', record.id, { drawing_id });
    expect(resultsOf(await change(lid.id))).toEqual([
      [height, true],
      [width, false],
    ]);
    const without = await change(null);
    expect(without.fields).not.toHaveProperty('template');
    expect(resultsOf(without)).toEqual([
      [height, true],
      [width, true],
    ]);
    expect(resultsOf(await change(jar.id))).toEqual([
      [height, false],
      [width, true],
    ]);
  });

  it('are as many as can be kept, and no more', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({ name: `C${index}` }));
    const { id: drawing_id } = await template(...many);
    expect(await refusalOf(create(store, 'inspection', { drawing_id, sample_size: 1000 }))).toEqual({});
  });

  it('may be given in any number beyond the size, which follows', async () => {
    const { id, fields } = await create(store, 'inspection', { sample_size: 1, samples: [{}, {}, {}] });
    expect(fields.sample_size).toBe(3);
    expect(await refusalOf(update(store, 'inspection', id, { sample_size: 3 }))).toEqual({});
    expect(await refusalOf(update(store, 'inspection', id, { sample_size: 2 }))).toHaveProperty(
      'sample_size',
    );
  });

  it('of a result that the template forgot keep it', async () => {
    const { id: drawing_id, ids } = await template({ name: 'Height', tolerance: '5-10' });
    const record = await create(store, 'inspection', {});
    const [sample] = itemIds(record, 'samples');
    await update(store, 'inspection', record.id, { samples: [{ id: sample, results: [{ order: 1 }] }] });
    const after = await update(store, 'inspection', record.id, { drawing_id });
    const [only] = Object.values(mapOf(after.fields.samples)).map(mapOf);
    expect(Object.keys(mapOf(only?.results))).toHaveLength(2);
    const [own] = Object.keys(mapOf(only?.results)).filter(id => Number(id) !== ids[0]);
    const again = { samples: [{ id: sample, results: [{ id: own, comment: 'kept' }] }] };
    expect(await refusalOf(update(store, 'inspection', record.id, again))).toEqual({});
  });

  it.each([
    [20, '\\.'],
    [21, ', …\\.'],
  ])('of %i characteristics name twenty where one is unknown', async (length, rest) => {
    const many = Array.from({ length }, (_, index) => ({ name: `C${index}` }));
    const { id: drawing_id, ids } = await template(...many);
    const record = await create(store, 'inspection', { drawing_id });
    const [sample] = itemIds(record, 'samples');
    const samples = [{ id: sample, results: [{ value: 3 }] }];
    const refusal = await refusalOf(update(store, 'inspection', record.id, { samples }));
    expect(Object.keys(refusal)).toEqual(['samples.0.results.0.id']);
    expect(refusal['samples.0.results.0.id']).toMatch(new RegExp(`${ids[19]} \\(C19\\)${rest}$`));
  });
});

describe('what was measured of a sample', () => {
  it.each([
    ['a value', { value: 5 }],
    ['a value of nothing', { value: 0 }],
    ['a verdict', { passed: true }],
    ['a verdict against it', { passed: false }],
    ['a comment', { comment: 'hard to see' }],
  ])('is %s', async (_, result) => {
    const jar = await template({ name: 'Height' });
    const lid = await template({ name: 'Width' });
    const record = await create(store, 'inspection', { drawing_id: jar.id });
    const [sample] = itemIds(record, 'samples');
    const samples = [{ id: sample, results: [{ id: jar.ids[0], ...result }] }];
    await update(store, 'inspection', record.id, { samples });
    const other = update(store, 'inspection', record.id, { drawing_id: lid.id });
    expect(await refusalOf(other)).toHaveProperty('conflict');
  });
});

describe("a lab result's verdict", () => {
  const measured = {
    characteristics: [
      { name: 'pH', tolerance: '3-4' },
      { name: 'lead', tolerance: 'max 1' },
    ],
  };

  async function failing(fields: object = {}): Promise<StoredRecord> {
    const { id: specification_id } = await create(store, 'specification', measured);
    return create(store, 'lab-result', { specification_id, lab_data: { lead: 2, pH: 9 }, ...fields });
  }

  it('names what failed in the order of the data, until it passes', async () => {
    const { id, fields } = await failing();
    expect(fields.failed_measurements).toEqual(['lead', 'pH']);
    await settle('lab-result', id);
    const noted = await update(store, 'lab-result', id, { notes: 'n' });
    expect(noted.fields).toMatchObject({ is_settled: true, failed_measurements: ['lead', 'pH'] });
    const less = await update(store, 'lab-result', id, { lab_data: { lead: 2 } });
    expect(less.fields.failed_measurements).toEqual(['lead']);
    expect(less.fields).not.toHaveProperty('is_settled');
    const good = await update(store, 'lab-result', id, { lab_data: { lead: 1 } });
    expect(good.fields).not.toHaveProperty('failed_measurements');
    const untold = await update(store, 'lab-result', id, { lab_data: { lead: 2 }, specification_id: null });
    expect(untold.fields).not.toHaveProperty('failed_measurements');
    expect(failedMeasurements(undefined, '{"lead": 2}')).toEqual([]);
  });

  it('remembers the part whose lots its number named first', async () => {
    const part_id = await addPart(store);
    const other = await addPart(store, { name: 'Lid' });
    const before = await failing({ batch_number: 'L' });
    expect(before.fields).not.toHaveProperty('batch_part_id');
    await receive(store, { part_id });
    const noted = await update(store, 'lab-result', before.id, { notes: 'n' });
    expect(noted.fields.batch_part_id).toBe(part_id);
    await receive(store, { part_id: other });
    const kept = await update(store, 'lab-result', before.id, { notes: 'm' });
    expect(kept.fields.batch_part_id).toBe(part_id);
    const ofBoth = await failing({ batch_number: 'L' });
    expect(ofBoth.fields).not.toHaveProperty('batch_part_id');
    await receive(store, { part_id: other, serial_number: 'M' });
    const renamed = await update(store, 'lab-result', before.id, { batch_number: 'M' });
    expect(renamed.fields.batch_part_id).toBe(other);
    const unnamed = await update(store, 'lab-result', before.id, { batch_number: null });
    expect(unnamed.fields).not.toHaveProperty('batch_part_id');
    const empty = await update(store, 'lab-result', before.id, { batch_number: '' });
    expect(fieldsOf('lab-result', empty.id)).not.toHaveProperty('batch_part_id');
  });
});
