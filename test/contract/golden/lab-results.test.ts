import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import { expectCreated, expectInvalid, expectRecord, expectRefused, idOf, recordOf } from './answers.ts';
import { createSpecification } from './extension.ts';
import { createInspection, createPart, FOREIGN_ID, lotOf, receive, UNKNOWN_ID, unique } from './records.ts';
import { labResult } from './shapes.ts';

const station = new Station({ isHere: true });
let part: number;
let template: number;

beforeAll(async () => {
  await station.start();
  part = await createPart(station);
  template = await createSpecification(station, {
    name: 'Wine',
    characteristics: [{ name: 'pH', tolerance: '3-4' }],
  });
});
afterAll(() => station.stop());

const analysis = () => ({
  specification_id: template,
  testing_id: 'T-9',
  testing_date: '2026-02-03',
  inspector_name: 'Lee',
  batch_number: unique('WINE'),
  package_id: 'PK-1',
  product_name: 'White wine',
});

describe('lab results (4.12)', () => {
  it('are created with every field; lab_data text becomes an object of numbers', async () => {
    const body = analysis();
    const lab_data = '{"pH": "3.51", "alcohol": "9.40", "density": "0.9978"}';
    const answer = await station.post('/lab-results', { ...body, lab_data });
    const data = expectCreated(answer, labResult, '/lab-results/{id}');
    expect(data).toMatchObject({ ...body, inspection: null });
    expect(data.lab_data).toEqual({ pH: 3.51, alcohol: 9.4, density: 0.9978 });
    expect(Object.keys(data.lab_data as object)).toEqual(['pH', 'alcohol', 'density']);
  });

  it('are created from an empty body; absent values are null', async () => {
    expect(
      expectCreated(await station.post('/lab-results', {}), labResult, '/lab-results/{id}'),
    ).toMatchObject({ specification_id: null, testing_id: null, testing_date: null, inspection: null });
  });

  it.each([
    ['text', '{"z": "1", "a": 2}'],
    ['an object', { z: '1', a: 2 }],
  ])('take lab_data as %s, and keep the order of its keys', async (_, lab_data) => {
    const data = recordOf(await station.post('/lab-results', { lab_data }));
    expect(JSON.stringify(data.lab_data)).toBe('{"z":1,"a":2}');
  });

  it.each(['<0.05', '>100', 'ND'])('keep %s apart from the numbers', async value => {
    const lab_data = JSON.stringify({ pH: '3.2', lead: value });
    const data = expectCreated(
      await station.post('/lab-results', { lab_data }),
      labResult,
      '/lab-results/{id}',
    );
    expect(data.lab_data).toMatchObject({ pH: 3.2 });
    expect((data.lab_data as { lead?: unknown }).lead ?? null).toBeNull();
    expect(data.lab_data_qualified).toEqual({ lead: value });
  });

  it.each([
    ['a value that is no number', '{"pH": "sour"}'],
    ['cut-off JSON', '{"pH": '],
    ['an array', '[1, 2]'],
    ['a number', '5'],
  ])('refuse %s in lab_data', async (_, lab_data) => {
    const answer = await station.post('/lab-results', { lab_data });
    expectRefused(answer, 422);
    expect(answer.body).toMatchObject({ code: 'validation_failed' });
    expect(JSON.stringify(answer.body)).toContain('"lab_data');
  });

  it('honour a free id of the own block', async () => {
    const answer = await station.post('/lab-results', { id: 700_001, testing_id: 'own' });
    expect(expectCreated(answer, labResult, '/lab-results/{id}')).toMatchObject({ id: 700_001 });
  });

  it('refuse an id that is taken or of another block', async () => {
    const taken = idOf(await station.post('/lab-results', { testing_id: 'first' }));
    expectRefused(await station.post('/lab-results', { id: taken, testing_id: 'second' }), 409);
    expect(recordOf(await station.get(`/lab-results/${taken}`))).toMatchObject({ testing_id: 'first' });
    expectRefused(await station.post('/lab-results', { id: FOREIGN_ID }), 409);
  });

  it.each([
    ['specification_id', UNKNOWN_ID],
    ['inspection_id', UNKNOWN_ID],
    ['inventory_id', UNKNOWN_ID],
    ['testing_date', '03/02/2026'],
  ])('refuse %s %j', async (name, value) => {
    expectInvalid(await station.post('/lab-results', { [name]: value }), name);
  });

  it('are read and updated', async () => {
    const id = idOf(await station.post('/lab-results', { ...analysis(), lab_data: '{"pH": "3.2"}' }));
    const read = expectRecord(await station.get(`/lab-results/${id}`), labResult);
    const change = { testing_id: 'T-10', testing_date: '2026-02-04', product_name: null };
    const updated = expectRecord(
      await station.put(`/lab-results/${id}`, { ...change, lab_data: '{"pH": "3.3"}' }),
      labResult,
    );
    expect(updated).toEqual({ ...read, ...change, lab_data: { pH: 3.3 }, updated_at: updated.updated_at });
  });

  it('carry the inspection that inspection_id names', async () => {
    const inspection = await createInspection(station, { entity_id: part });
    const id = idOf(await station.post('/lab-results', { inspection_id: inspection }));
    expect(expectRecord(await station.get(`/lab-results/${id}`), labResult)).toMatchObject({
      inspection: { id: String(inspection), entity_id: String(part), passed: null },
    });
  });
});

describe('a failing lab result (decisions, section 5.3)', () => {
  it('locks the lot that inventory_id names; a corrected value waits for quality', async () => {
    const { inventory } = await receive(station, { part_id: part });
    const failing = { specification_id: template, inventory_id: inventory, lab_data: '{"pH": "4.1"}' };
    const id = idOf(await station.post('/lab-results', failing));
    expect(await lotOf(station, inventory)).toMatchObject({ is_locked: true, quantity: 10 });
    await station.put(`/lab-results/${id}`, { lab_data: '{"pH": "4.0"}', reason: 'Misread.' });
    expect(await lotOf(station, inventory)).toMatchObject({ is_locked: true, quantity: 10 });
    const { data } = (await station.get(`/x/corrections?subject=lab-result:${id}`)).body as { data: unknown };
    expect(data).toMatchObject([
      { path: 'lab_data', reason: 'Misread.', status: 'awaiting', lots: [inventory], author_id: null },
    ]);
  });

  it('locks the lots that batch_number names', async () => {
    const batch = unique('BATCH');
    const { inventory } = await receive(station, { part_id: part, serial_number: batch });
    await station.post('/lab-results', {
      specification_id: template,
      batch_number: batch,
      lab_data: '{"pH": "2.9"}',
    });
    expect(await lotOf(station, inventory)).toMatchObject({ is_locked: true });
  });

  it('locks nothing when batch_number names the lots of two parts', async () => {
    const batch = unique('BATCH');
    const { inventory } = await receive(station, { part_id: part, serial_number: batch });
    await receive(station, { part_id: await createPart(station), serial_number: batch });
    await station.post('/lab-results', {
      specification_id: template,
      batch_number: batch,
      lab_data: '{"pH": "2.9"}',
    });
    expect(await lotOf(station, inventory)).toMatchObject({ is_locked: false });
  });

  it.each([
    ['within the limits', '{"pH": "3.0"}'],
    ['without the measurement', '{"alcohol": "12"}'],
  ])('is not one %s', async (_, lab_data) => {
    const { inventory } = await receive(station, { part_id: part });
    await station.post('/lab-results', { specification_id: template, inventory_id: inventory, lab_data });
    expect(await lotOf(station, inventory)).toMatchObject({ is_locked: false });
  });
});
