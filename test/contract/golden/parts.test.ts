import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import {
  blamedFields,
  expectCreated,
  expectInvalid,
  expectPage,
  expectRecord,
  expectRefused,
  idOf,
  metaOf,
  recordOf,
  recordsOf,
} from './answers.ts';
import { createPartType } from './extension.ts';
import { createPart, UNKNOWN_ID, unique } from './records.ts';
import { part } from './shapes.ts';

const station = new Station({ isHere: true });
let supplier: number;
let parent: number;
let company: number;

beforeAll(async () => {
  await station.start();
  supplier = idOf(await station.post('/suppliers', { name: 'Glassworks' }));
  parent = await createPart(station);
  company = Number(recordsOf(await station.get('/companies'))[0]?.id);
});
afterAll(() => station.stop());

describe('parts (4.7)', () => {
  it('are created with every field', async () => {
    const body = {
      name: 'Cider vinegar',
      identification: 'CV-1',
      company_id: company,
      is_activity: false,
      is_finished_product: false,
      supplier_id: supplier,
      parent_part_id: parent,
      batch_ids: ['B-1', 'anything'],
      unit_type: 'Volume',
      unit_of_measure: 'l',
      density: 1.01,
      density_mass_unit: 'kg',
      density_volume_unit: 'l',
    };
    expect(expectCreated(await station.post('/parts', body), part, '/parts/{id}')).toMatchObject(body);
  });

  it('are created from an empty body, with defaults', async () => {
    expect(expectCreated(await station.post('/parts', {}), part, '/parts/{id}')).toMatchObject({
      name: null,
      identification: null,
      company_id: company,
      is_activity: false,
      is_finished_product: true,
      supplier_id: null,
      parent_part_id: null,
      batch_ids: [],
      unit_type: null,
      density: null,
    });
  });

  it('take the additive fields', async () => {
    const type = await createPartType(station, 'Raw material');
    const body = { name: 'Salt', part_type_id: type, reorder_point: '12.5', barcodes: ['4006381333931'] };
    expect(recordOf(await station.post('/parts', body))).toMatchObject({
      part_type_id: type,
      barcodes: ['4006381333931'],
    });
  });

  it.each([
    [true, true],
    [false, false],
    [1, true],
    [0, false],
    ['1', true],
    ['0', false],
  ])('read the boolean %j as %j', async (written, read) => {
    const data = recordOf(
      await station.post('/parts', { is_activity: written, is_finished_product: written }),
    );
    expect(data).toMatchObject({ is_activity: read, is_finished_product: read });
  });

  it.each([
    ['is_activity', 'perhaps'],
    ['is_finished_product', 2],
    ['supplier_id', UNKNOWN_ID],
    ['parent_part_id', UNKNOWN_ID],
    ['company_id', UNKNOWN_ID],
    ['unit_type', 'volume'],
    ['unit_of_measure', 'grams'],
    ['unit_of_measure', 'KG'],
    ['density_mass_unit', 'ml'],
    ['density_volume_unit', 'kg'],
    ['density', 'heavy'],
    ['batch_ids', 'B-1'],
  ])('refuse %s %j', async (name, value) => {
    expectInvalid(await station.post('/parts', { name: 'x', [name]: value }), name);
  });

  it('name the allowed units to who gives another', async () => {
    const message = expectInvalid(
      await station.post('/parts', { unit_of_measure: 'grams' }),
      'unit_of_measure',
    );
    for (const unit of ['gal', 'kg', 'units']) expect(message).toContain(unit);
  });

  it.each('gal cup tsp l ml g kg lb t oz st m ft in yd cm mm units'.split(' '))(
    'take the unit %s',
    async unit => {
      const data = recordOf(await station.post('/parts', { unit_of_measure: unit }));
      expect(data).toMatchObject({ unit_of_measure: unit });
    },
  );

  it.each([
    ['Mass', 'l'],
    ['Volume', 'kg'],
    ['Length', 'g'],
  ])('refuse %s in %s', async (unitType, unit) => {
    const answer = await station.post('/parts', { unit_type: unitType, unit_of_measure: unit });
    expectRefused(answer, 422);
    expect(['unit_type', 'unit_of_measure']).toEqual(expect.arrayContaining(blamedFields(answer)));
  });

  it('are read and updated', async () => {
    const id = await createPart(station, { supplier_id: supplier });
    const read = expectRecord(await station.get(`/parts/${id}`), part);
    const body = { name: 'Renamed', identification: 'R-1' };
    const updated = expectRecord(await station.put(`/parts/${id}`, body), part);
    expect(updated).toEqual({ ...read, ...body, updated_at: updated.updated_at });
    expect(recordOf(await station.get(`/parts/${id}`))).toEqual(updated);
  });

  it('take every writable field on update', async () => {
    const id = await createPart(station, { supplier_id: supplier });
    const body = { is_finished_product: false, supplier_id: null, batch_ids: ['B-9'] };
    expect(recordOf(await station.put(`/parts/${id}`, body))).toMatchObject(body);
  });

  it('are listed', async () => {
    const total = Number(metaOf(await station.get('/parts')).total);
    const page = await station.get('/parts', { per_page: 1, page: 2 });
    expectPage(page, part, { current_page: 2, from: 2, to: 2, total, per_page: 1 });
  });
});

describe('bulk create of parts (4.7)', () => {
  it('creates all, answers one page, names no Location', async () => {
    const parts = [unique('BULK'), unique('BULK')].map(name => ({ name, identification: name }));
    const answer = await station.post('/parts/bulk', parts);
    expect(answer.headers.get('location')).toBeNull();
    expect(expectPage(answer, part, { current_page: 1, from: 1, to: 2, total: 2 }, 201)).toMatchObject(
      parts.map(entry => ({ ...entry, is_finished_product: true, is_activity: false })),
    );
  });

  it('requires name and identification, and creates all or none', async () => {
    const { total } = metaOf(await station.get('/parts'));
    expectInvalid(
      await station.post('/parts/bulk', [
        { identification: 'no name' },
        { name: 'good', identification: 'good' },
        { name: 'no identification' },
      ]),
      '0.name',
      '2.identification',
    );
    expect(metaOf(await station.get('/parts')).total).toBe(total);
  });

  it('refuses an object, and more than 1,000', async () => {
    expect([400, 422]).toContain((await station.post('/parts/bulk', { name: 'x' })).status);
    const many = Array.from({ length: 1_001 }, () => ({ name: 'x', identification: 'x' }));
    expect([413, 422]).toContain((await station.post('/parts/bulk', many)).status);
  });
});

describe('bulk write of parts (4.7)', () => {
  it('updates all, and ignores the timestamps that are sent', async () => {
    const known = [await createPart(station), await createPart(station)];
    const before = recordOf(await station.get(`/parts/${known[0]}`));
    const answer = await station.put(
      '/parts/bulk',
      known.map(id => ({
        id,
        name: `New ${id}`,
        identification: `N-${id}`,
        created_at: '2001-01-01 00:00:00',
        updated_at: '2001-01-01 00:00:00',
      })),
    );
    const [first, second] = expectPage(answer, part, { current_page: 1, from: 1, to: 2, total: 2 });
    expect(first).toMatchObject({ id: known[0], name: `New ${known[0]}`, created_at: before.created_at });
    expect(first?.updated_at).not.toBe('2001-01-01 00:00:00');
    expect(second).toMatchObject({ id: known[1], identification: `N-${known[1]}` });
  });

  it('writes all or none, blaming the entry', async () => {
    const id = await createPart(station, { name: 'Untouched' });
    const other = await createPart(station, { name: 'Another' });
    const change = { id, name: 'Touched', identification: 'T' };
    const unknown = { id: UNKNOWN_ID, name: 'x', identification: 'x' };
    expectInvalid(await station.put('/parts/bulk', [change, unknown]), '1.id');
    expectInvalid(await station.put('/parts/bulk', [change, { id: other, identification: 'x' }]), '1.name');
    expectInvalid(
      await station.put('/parts/bulk', [{ ...change, unit_of_measure: 'grams' }]),
      '0.unit_of_measure',
    );
    expect(recordOf(await station.get(`/parts/${id}`))).toMatchObject({ name: 'Untouched' });
  });
});
