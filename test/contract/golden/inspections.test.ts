import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectShape, type Fields, list } from '../../support/expect-shape.ts';
import { Station } from '../../support/station.ts';
import {
  childrenOf,
  expectCreated,
  expectEnvelope,
  expectInvalid,
  expectMeta,
  expectRecord,
  expectRefused,
  expectStatus,
  metaOf,
  recordOf,
  recordsOf,
} from './answers.ts';
import {
  because,
  type Characteristic,
  createEquipment,
  createSpecification,
  history,
  reviseSpecification,
} from './extension.ts';
import {
  addSample,
  createInspection,
  createPart,
  FOREIGN_ID,
  lotOf,
  receive,
  UNKNOWN_ID,
} from './records.ts';
import { inspection, inspectionPage, inspectionWithSamples } from './shapes.ts';

const HEIGHT = { name: 'Height', dimensions: '10', tolerance: '±0.5' };
const WIDTH = { name: 'Width', dimensions: '4', tolerance: '±1' };

const station = new Station({ isHere: true });
let part: number;
let template: number;

beforeAll(async () => {
  await station.start();
  part = await createPart(station);
  template = await createSpecification(station, { name: 'Jar', characteristics: [HEIGHT, WIDTH] });
});
afterAll(() => station.stop());

describe('the list of inspections (4.8)', () => {
  it('is an object without records', async () => {
    const answer = await station.get('/inspections');
    expectEnvelope(answer, ['meta']);
    expect(answer.body).toMatchObject({
      data: { items: [] },
      meta: { current_page: 1, from: 0, to: 0, total: 0, per_page: 50 },
    });
  });

  it('is the first record with items, the whole page', async () => {
    const created = [];
    for (const entity_id of [part, part, part]) created.push(await createInspection(station, { entity_id }));
    const answer = await station.get('/inspections', { per_page: 2 });
    expectStatus(answer, 200);
    expectEnvelope(answer, ['meta']);
    expectMeta(metaOf(answer), { current_page: 1, from: 1, to: 2, total: 3, per_page: 2 });
    const data = recordOf(answer);
    expectShape(data, inspectionPage);
    expect(childrenOf(data, 'items').map(({ id }) => Number(id))).toEqual(created.slice(0, 2));
    expect(data).toMatchObject(childrenOf(data, 'items')[0] ?? {});
  });

  it('is a plain array when asked for one', async () => {
    const answer = await station.get('/inspections', { as: 'array' });
    expectEnvelope(answer, ['meta']);
    expectShape(recordsOf(answer), list(inspection));
    expect(recordsOf(answer)).toHaveLength(3);
  });
});

describe('inspections (4.8)', () => {
  it.each([
    ['integers', (id: number) => id],
    ['text', (id: number) => String(id)],
  ])('are created with ids as %s, and return them as text, without samples', async (_, written) => {
    const body = { entity_type: 'part', sample_size: 3, is_create_batch_records: true };
    const answer = await station.post('/inspections', {
      ...body,
      entity_id: written(part),
      drawing_id: written(template),
    });
    expect(expectCreated(answer, inspection, '/inspections/{id}')).toMatchObject({
      ...body,
      entity_id: String(part),
      drawing_id: String(template),
      passed: null,
    });
  });

  it('have one sample unless said otherwise', async () => {
    const data = recordOf(await station.post('/inspections', { entity_id: part, entity_type: 'part' }));
    expect(data).toMatchObject({ sample_size: 1, drawing_id: null, passed: null });
  });

  it.each([true, false])('created with passed %j are final at once', async passed => {
    const id = await createInspection(station, { entity_id: part, passed });
    expect(expectRecord(await station.get(`/inspections/${id}`), inspection)).toMatchObject({ passed });
  });

  it('inspect equipment too', async () => {
    const entity_id = await createEquipment(station, 'Scale 1');
    const answer = await station.post('/inspections', { entity_id, entity_type: 'equipment' });
    expect(recordOf(answer)).toMatchObject({ entity_id: String(entity_id), entity_type: 'equipment' });
  });

  it.each([
    ['text', '700001'],
    ['an integer', 700_002],
  ])('honour a free id of the own block, given as %s', async (_, id) => {
    const answer = await station.post('/inspections', { id, entity_id: part, entity_type: 'part' });
    expect(expectCreated(answer, inspection, '/inspections/{id}')).toMatchObject({ id: String(id) });
  });

  it('refuse an id that is taken or of another block', async () => {
    const taken = await createInspection(station, { entity_id: part });
    for (const id of [String(taken), FOREIGN_ID]) {
      expectRefused(await station.post('/inspections', { id, entity_id: part, entity_type: 'part' }), 409);
    }
  });

  it.each([
    ['entity_id', UNKNOWN_ID],
    ['entity_type', 'machine'],
    ['drawing_id', UNKNOWN_ID],
    ['drawing_id', 'jar'],
    ['sample_size', 0],
    ['sample_size', 1.5],
    ['passed', 'maybe'],
    ['inventory_id', UNKNOWN_ID],
  ])('refuse %s %j', async (name, value) => {
    const body = { entity_id: part, entity_type: 'part', [name]: value };
    expectInvalid(await station.post('/inspections', body), name);
  });

  it('are finalized by passed, and reopened by null with a reason that history keeps', async () => {
    const id = await createInspection(station, { entity_id: part });
    const put = async (body: Fields) =>
      expectRecord(await station.put(`/inspections/${id}`, body), inspection);
    expect(await put({ passed: true })).toMatchObject({ id: String(id), passed: true });
    const reopened = await station.put(`/inspections/${id}`, because('wrong gauge', { passed: null }));
    expect(recordOf(reopened)).toMatchObject({ passed: null });
    expect(JSON.stringify((await history(station, 'inspection', id)).body)).toContain('wrong gauge');
    expect(await put({ passed: false })).toMatchObject({ passed: false });
  });
});

describe('samples (4.8)', () => {
  it('are added without a body; sample_size goes up', async () => {
    const id = await createInspection(station, { entity_id: part, drawing_id: template, sample_size: 2 });
    const answer = await station.post(`/inspections/${id}/samples`);
    const data = expectCreated(answer, inspectionWithSamples, '/inspections/{id}(/samples/\\d+)?');
    expect(data).toMatchObject({ id: String(id), sample_size: 3 });
    const samples = childrenOf(data, 'samples');
    expect(samples.map(({ sample_number }) => sample_number)).toEqual([1, 2, 3]);
    for (const sample of samples) expect(childrenOf(sample, 'results')).toHaveLength(2);
    expect(expectRecord(await station.get(`/inspections/${id}`), inspection)).toMatchObject({
      sample_size: 3,
    });
  });

  it('take serial, number and results with value and comment', async () => {
    const { id, sample } = await sampled([HEIGHT, WIDTH]);
    const [height, width] = childrenOf(sample, 'results');
    const answer = await station.put(`/inspections/${id}/samples/${sample.id}`, {
      sample_serial: 'S-1',
      sample_number: sample.sample_number,
      results: [
        { ...height, value: 10.2, comment: 'gauge 7' },
        { ...width, value: 5.5 },
      ],
    });
    const data = expectRecord(answer, inspectionWithSamples);
    expect(childrenOf(data, 'samples')[0]).toMatchObject({
      id: sample.id,
      sample_serial: 'S-1',
      results: [
        { id: height?.id, order: height?.order, passed: true, comment: 'gauge 7' },
        { id: width?.id, order: width?.order, passed: false },
      ],
    });
  });

  it('belong to their inspection alone', async () => {
    const { sample } = await sampled([HEIGHT]);
    const other = await createInspection(station, { entity_id: part });
    expectRefused(
      await station.put(`/inspections/${other}/samples/${sample.id}`, { sample_serial: 'S' }),
      404,
    );
  });

  it('refuse results that are no array', async () => {
    const { id, sample } = await sampled([HEIGHT]);
    const path = `/inspections/${id}/samples/${sample.id}`;
    expectInvalid(await station.put(path, { results: 'good' }), 'results');
  });

  it.each([
    { dimensions: '10', tolerance: '±0.5', inside: [9.5, 10, 10.5], outside: [9.49, 10.51] },
    { dimensions: '10', tolerance: '+0.2/-0.1', inside: [9.9, 10.2], outside: [9.89, 10.21] },
    { dimensions: '10', tolerance: 'min 9', inside: [9, 50], outside: [8.99] },
    { dimensions: '10', tolerance: 'max 12', inside: [12, 0], outside: [12.01] },
    { dimensions: '', tolerance: '5-7', inside: [5, 7], outside: [4.99, 7.01] },
    { dimensions: '', tolerance: '<= 3', inside: [3, -1], outside: [3.01] },
    { dimensions: '200', tolerance: '±5%', inside: [190, 210], outside: [189.9, 210.1] },
  ])('are judged by $dimensions $tolerance, limits included', async ({ inside, outside, ...limits }) => {
    const measure = await measuring({ name: 'Measure', ...limits });
    for (const value of inside) expect([value, await measure(value)]).toEqual([value, true]);
    for (const value of outside) expect([value, await measure(value)]).toEqual([value, false]);
  });

  it('never pass silently by a tolerance that does not parse', async () => {
    const measure = await measuring({ name: 'Look', dimensions: '', tolerance: 'as the master sample' });
    expect(await measure(5)).toBeNull();
  });
});

describe('inspecting (decisions, section 5)', () => {
  it('uses the template as it was when the inspection was created', async () => {
    const old = await createSpecification(station, { name: 'Lid', characteristics: [HEIGHT] });
    const before = await createInspection(station, { entity_id: part, drawing_id: old });
    const revised = await reviseSpecification(station, old, [{ ...HEIGHT, tolerance: '±5' }, WIDTH]);
    const after = await createInspection(station, { entity_id: part, drawing_id: revised });

    const samples = await addSample(station, before);
    for (const sample of samples) expect(childrenOf(sample, 'results')).toHaveLength(1);
    for (const sample of await addSample(station, after)) {
      expect(childrenOf(sample, 'results')).toHaveLength(2);
    }
    expect(await judged(before, samples[0] ?? {}, 13)).toBe(false);
  });

  it("takes the inspector's word against the measurements, and flags it", async () => {
    const { id, sample } = await sampled([HEIGHT]);
    expect(await judged(id, sample, 99)).toBe(false);
    const data = recordOf(await station.put(`/inspections/${id}`, { passed: true }));
    expect(data).toMatchObject({ passed: true, is_against_measurements: true });
  });

  it('passes a sample whose optional characteristic alone is out of limits', async () => {
    const { id, sample } = await sampled([HEIGHT, { ...WIDTH, is_optional: true }]);
    const [height, width] = childrenOf(sample, 'results');
    const path = `/inspections/${id}/samples/${sample.id}`;
    const enter = async (heightValue: number) => {
      const results = [
        { id: height?.id, order: height?.order, value: heightValue },
        { id: width?.id, order: width?.order, value: 99 },
      ];
      const samples = childrenOf(recordOf(await station.put(path, { results })), 'samples');
      return samples.find(other => other.id === sample.id);
    };
    expect(await enter(10)).toMatchObject({ passed: true, results: [{ passed: true }, { passed: false }] });
    expect(await enter(99)).toMatchObject({ passed: false, results: [{ passed: false }, { passed: false }] });
  });

  it('locks its lot until it has passed', async () => {
    const { inventory } = await receive(station, { part_id: part });
    const id = await createInspection(station, { entity_id: part, inventory_id: inventory });
    const isLocked = async () => (await lotOf(station, inventory)).is_locked;
    expect(await isLocked()).toBe(true);
    await station.put(`/inspections/${id}`, { passed: true });
    expect(await isLocked()).toBe(false);
    await station.put(`/inspections/${id}`, because('doubt', { passed: null }));
    expect(await isLocked()).toBe(true);
    await station.put(`/inspections/${id}`, { passed: false });
    expect(await isLocked()).toBe(true);
  });

  it('makes no stock, whatever is_create_batch_records says', async () => {
    const product = await createPart(station);
    await createInspection(station, { entity_id: product, is_create_batch_records: true, passed: true });
    expect(recordsOf(await station.get('/inventory', { part_id: product }))).toEqual([]);
  });
});

/** A new inspection of a template with these characteristics, and its first sample. */
async function sampled(characteristics: Characteristic[]): Promise<{ id: number; sample: Fields }> {
  const drawing = await createSpecification(station, { name: 'Measured', characteristics });
  const id = await createInspection(station, { entity_id: part, drawing_id: drawing });
  const [sample] = await addSample(station, id);
  if (sample === undefined) throw new Error('The inspection has no sample.');
  return { id, sample };
}

/** A function that enters a value for the only characteristic, and returns the verdict. */
async function measuring(characteristic: Characteristic): Promise<(value: number) => Promise<unknown>> {
  const { id, sample } = await sampled([characteristic]);
  return value => judged(id, sample, value);
}

/** The verdict on the first result of a sample, with this value. */
async function judged(id: number, sample: Fields, value: number): Promise<unknown> {
  const { passed: _, ...result } = childrenOf(sample, 'results')[0] ?? {};
  const answer = await station.put(`/inspections/${id}/samples/${sample.id}`, {
    results: [{ ...result, value }],
  });
  const samples = childrenOf(recordOf(answer), 'samples');
  const written = samples.find(other => other.id === sample.id) ?? {};
  return childrenOf(written, 'results')[0]?.passed;
}
