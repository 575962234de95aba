import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import { expectCreated, expectInvalid, expectPage, expectRecord, idOf, metaOf, recordOf } from './answers.ts';
import { day, unique } from './records.ts';
import { car } from './shapes.ts';

const station = new Station({ isHere: true });
/** Objects within each other. */
const nested = (depth: number): unknown => (depth === 0 ? 'here' : { in: nested(depth - 1) });
beforeAll(() => station.start());
afterAll(() => station.stop());

describe('corrective action requests (4.9)', () => {
  it('are created from a number: the caller opens it today', async () => {
    const car_number = unique('CAR');
    const data = expectCreated(await station.post('/cars', { car_number }), car, '/cars/{id}');
    expect(data).toMatchObject({
      car_number,
      initiator_name: expect.stringMatching(/\S/),
      date_opened: day(),
      date_closed: null,
      po_number: null,
      source: null,
      description: {},
      type: null,
    });
  });

  it('take the other fields too', async () => {
    const body = {
      car_number: unique('CAR'),
      initiator_name: 'Ida',
      date_opened: '2026-01-02',
      date_closed: '2026-02-03',
      po_number: 'PO-1',
      source: 'audit',
      description: { problem: 'wrong label', steps: ['stop', 'relabel'] },
      type: 'internal',
    };
    expect(expectCreated(await station.post('/cars', body), car, '/cars/{id}')).toMatchObject(body);
  });

  it('are read and updated', async () => {
    const id = idOf(await station.post('/cars', { car_number: unique('CAR'), source: 'audit' }));
    const read = expectRecord(await station.get(`/cars/${id}`), car);
    const car_number = unique('CAR');
    const updated = expectRecord(await station.put(`/cars/${id}`, { car_number }), car);
    expect(updated).toEqual({ ...read, car_number, updated_at: updated.updated_at });
  });

  it('refuse a number that is taken on this station', async () => {
    const car_number = unique('CAR');
    await station.post('/cars', { car_number });
    expectInvalid(await station.post('/cars', { car_number }), 'car_number');
  });

  it.each([
    ['car_number', { a: 1 }],
    ['date_opened', '2026-13-01'],
    ['description', 'a text'],
    ['description', nested(21)],
  ])('refuse %s %j', async (name, value) => {
    expectInvalid(await station.post('/cars', { car_number: unique('CAR'), [name]: value }), name);
  });

  it('are listed', async () => {
    const newest = recordOf(await station.post('/cars', { car_number: unique('CAR') }));
    const total = Number(metaOf(await station.get('/cars')).total);
    const page = await station.get('/cars', { page: total, per_page: 1 });
    expect(
      expectPage(page, car, { current_page: total, from: total, to: total, total, per_page: 1 }),
    ).toEqual([newest]);
  });
});
