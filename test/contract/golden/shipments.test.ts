import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectShape, list } from '../../support/expect-shape.ts';
import { Station } from '../../support/station.ts';
import {
  expectCreated,
  expectEnvelope,
  expectInvalid,
  expectRecord,
  expectRefused,
  expectStatus,
  idOf,
  recordOf,
  recordsOf,
} from './answers.ts';
import { createCustomer, createSpecification, wholeRecord } from './extension.ts';
import { createPart, prepareShipment, UNKNOWN_ID } from './records.ts';
import { shipment, shipmentItem, shipmentSummary } from './shapes.ts';

const station = new Station({ isHere: true });
let part: number;
let customer: number;
let order: number;

beforeAll(async () => {
  await station.start();
  part = await createPart(station);
  customer = await createCustomer(station, { name: 'Corner shop' });
  order = idOf(await station.post('/orders', { contact_id: customer }));
});
afterAll(() => station.stop());

describe('shipments (4.10)', () => {
  it('are created and numbered; the summary answers, write-only fields are kept', async () => {
    const body = { requested_ship_date: '2026-03-04', po_number: 'PO-5' };
    const writeOnly = { contact_id: customer, order_id: order, is_ship_all_items: true };
    const answer = await station.post('/shipments', { ...body, ...writeOnly });
    const data = expectCreated(answer, shipmentSummary, '/shipments/{id}', 'id');
    expect(data).toMatchObject({ ...body, actual_ship_date: null, id: expect.any(Number) });
    expect(data.shipment_number).toMatch(/\S/);
    expect(await wholeRecord(station, 'shipment', idOf(answer))).toMatchObject({ order_id: order });
    const next = recordOf(await station.post('/shipments', body));
    expect(next.shipment_number).not.toBe(data.shipment_number);
  });

  it('are read with items, which order_id does not make', async () => {
    const id = idOf(await station.post('/shipments', { order_id: order }));
    expect(expectRecord(await station.get(`/shipments/${id}`), shipment, 'id')).toMatchObject({
      id,
      requested_ship_date: null,
      po_number: null,
      items: [],
    });
  });

  it('are updated; the summary answers', async () => {
    const id = idOf(await station.post('/shipments', { requested_ship_date: '2026-03-04' }));
    const body = { requested_ship_date: '2026-03-05', po_number: 'PO-6' };
    const writeOnly = { contact_id: customer, order_id: order, notes: 'ring twice', is_ship_all_items: 0 };
    const answer = await station.put(`/shipments/${id}`, { ...body, ...writeOnly });
    expect(expectRecord(answer, shipmentSummary, 'id')).toMatchObject({ ...body, actual_ship_date: null });
    expect(await wholeRecord(station, 'shipment', id)).toMatchObject({ notes: 'ring twice' });
  });

  it.each([
    ['contact_id', UNKNOWN_ID],
    ['order_id', UNKNOWN_ID],
    ['requested_ship_date', '2026-02-30'],
    ['is_ship_all_items', 'perhaps'],
  ])('refuse %s %j', async (name, value) => {
    expectInvalid(await station.post('/shipments', { [name]: value }), name);
  });
});

describe('the list of shipments by date (4.10)', () => {
  const names = new Map<unknown, string>();

  beforeAll(async () => {
    for (const [name, requested, actual] of [
      ['january', '2019-01-15', undefined],
      ['february', '2019-02-15', undefined],
      ['shipped in march', '2019-01-20', '2019-03-20'],
    ]) {
      const id = idOf(await station.post('/shipments', { requested_ship_date: requested }));
      if (actual !== undefined) await station.put(`/shipments/${id}`, { actual_ship_date: actual });
      names.set(id, String(name));
    }
  });

  it('has no meta', async () => {
    const answer = await station.get('/shipments', { dateRange: false, fromDate: '', toDate: '' });
    expectStatus(answer, 200);
    expectEnvelope(answer);
    expectShape(recordsOf(answer), list(shipmentSummary));
  });

  it.each([
    ['true', '2019-01-01', '2019-01-31', ['january']],
    ['true', '2019-01-15', '2019-02-15', ['january', 'february']],
    ['1', '2019-03-01', '2019-03-31', ['shipped in march']],
    ['true', '', '2019-02-15', ['january', 'february']],
    ['true', '2019-02-16', '', ['shipped in march']],
    ['true', '', '', ['january', 'february', 'shipped in march']],
    ['false', '2019-01-01', '2019-01-31', ['january', 'february', 'shipped in march']],
    ['true', '2018-01-01', '2018-12-31', []],
  ])('dateRange=%s from %j to %j finds %j', async (dateRange, fromDate, toDate, expected) => {
    const answer = await station.get('/shipments', { dateRange, fromDate, toDate });
    const ids = recordsOf(answer).map(({ id }) => id);
    expect(ids.filter(id => names.has(id)).map(id => names.get(id))).toEqual(expected);
  });

  it.each(['dateRange', 'fromDate', 'toDate'])('requires %s', async name => {
    const { [name]: _, ...query }: Record<string, string> = { dateRange: 'true', fromDate: '', toDate: '' };
    expectInvalid(await station.get('/shipments', query), name);
  });

  it.each([
    ['dateRange', 'perhaps'],
    ['fromDate', '2019-02-30'],
    ['toDate', 'today'],
  ])('refuses %s %j', async (name, value) => {
    const query = { dateRange: 'true', fromDate: '', toDate: '', [name]: value };
    expectInvalid(await station.get('/shipments', query), name);
  });
});

describe('shipment items (4.10)', () => {
  it('are added, counted up, and answer in the write shape', async () => {
    const drawing = await createSpecification(station, { name: 'Jar', characteristics: [] });
    const id = idOf(await station.post('/shipments', {}));
    const body = { part_id: part, quantity: 3, serial_number: 'LOT-1', drawing_id: drawing };
    const path = `/shipments/${id}/items`;
    const first = expectCreated(await station.post(path, body), shipmentItem, `${path}/{id}`, 'id');
    expect(first).toMatchObject({ ...body, shipment_id: id });
    const second = recordOf(await station.post(path, { part_id: part, quantity: 0.25 }));
    expect(second).toMatchObject({ quantity: 0.25, serial_number: null, drawing_id: null });
    expect(Number(second.order)).toBe(Number(first.order) + 1);

    expect(expectRecord(await station.get(`/shipments/${id}`), shipment, 'id')).toMatchObject({
      items: [
        { id: first.id, shipment_id: id, part_id: part, serial_number: 'LOT-1', quantity: 3 },
        { id: second.id, quantity: 0.25, is_inventory_calculated: 0, shipped_date: null },
      ],
    });
  });

  it('are updated', async () => {
    const { shipment: id, items } = await prepareShipment(station, { part_id: part, quantity: 3 });
    const path = `/shipments/${id}/items/${items[0]}`;
    const answer = await station.put(path, { quantity: 4, serial_number: 'LOT-2', shipment_id: id });
    expect(expectRecord(answer, shipmentItem, 'id')).toMatchObject({
      id: items[0],
      shipment_id: id,
      part_id: part,
      quantity: 4,
      serial_number: 'LOT-2',
    });
  });

  it.each([
    ['part_id', UNKNOWN_ID],
    ['drawing_id', UNKNOWN_ID],
    ['shipment_id', UNKNOWN_ID],
    ['quantity', 'some'],
    ['quantity', -1],
    ['quantity', 0.1234567],
  ])('refuse %s %j', async (name, value) => {
    const { shipment: id, items } = await prepareShipment(station, { part_id: part, quantity: 3 });
    const body = { part_id: part, quantity: 1, [name]: value };
    expectInvalid(await station.post(`/shipments/${id}/items`, body), name);
    expectInvalid(await station.put(`/shipments/${id}/items/${items[0]}`, { [name]: value }), name);
  });

  it('belong to their shipment alone', async () => {
    const { items } = await prepareShipment(station, { part_id: part, quantity: 3 });
    const other = idOf(await station.post('/shipments', {}));
    expectRefused(await station.put(`/shipments/${other}/items/${items[0]}`, { quantity: 1 }), 404);
  });
});
