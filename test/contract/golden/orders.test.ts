import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fields } from '../../support/expect-shape.ts';
import { Station } from '../../support/station.ts';
import {
  childrenOf,
  expectCreated,
  expectInvalid,
  expectPage,
  expectRecord,
  expectRefused,
  expectStatus,
  idOf,
  metaOf,
  recordOf,
} from './answers.ts';
import { createCustomer, createSpecification, wholeItems, wholeRecord } from './extension.ts';
import { createPart, UNKNOWN_ID } from './records.ts';
import { order } from './shapes.ts';

const CUSTOMER = {
  name: 'Corner shop',
  primary_name: 'Cy',
  primary_email: 'cy@shop.example',
  street: '1 High Street',
  city: 'Leeds',
  country: 'UK',
  postal_code: 'LS1',
  custom_field_1: 'net 30',
};

const station = new Station({ isHere: true });
let customer: number;
let otherCustomer: number;
let part: number;
let template: number;

beforeAll(async () => {
  await station.start();
  customer = await createCustomer(station, CUSTOMER);
  otherCustomer = await createCustomer(station, { name: 'Market hall' });
  part = await createPart(station);
  template = await createSpecification(station, { name: 'Jar', characteristics: [] });
});
afterAll(() => station.stop());

async function createOrder(fields: Fields = {}): Promise<number> {
  return idOf(await station.post('/orders', { contact_id: customer, ...fields }));
}

describe('orders (4.6)', () => {
  it('are created with the documented body, and carry customer and items', async () => {
    const answer = await station.post('/orders', {
      po_number: 'PO-77',
      contact_id: customer,
      order_date: '2026-03-01',
      serial_number: 'LOT-1',
      order_number: 1001,
      is_closed: false,
    });
    expect(expectCreated(answer, order, '/orders/{id}')).toMatchObject({
      po_number: 'PO-77',
      customer_id: customer,
      order_date: '2026-03-01',
      serial_number: 'LOT-1',
      order_number: '1001',
      is_closed: false,
      start_date: null,
      notes: null,
      customer: { id: customer, ...CUSTOMER, primary_phone: null },
      items: [],
    });
  });

  it.each([
    ['a number', 2002, '2002'],
    ['digits', '3003', '3003'],
    ['other text', 'A-7/b', 'A-7/b'],
  ])('take %s for order_number and return text', async (_, written, read) => {
    expect(recordOf(await station.post('/orders', { order_number: written }))).toMatchObject({
      order_number: read,
    });
  });

  it('are numbered when the number is absent', async () => {
    const first = recordOf(await station.post('/orders', { contact_id: customer }));
    const second = recordOf(await station.post('/orders', { contact_id: customer }));
    expect(first.order_number).toMatch(/\S/);
    expect(second.order_number).not.toBe(first.order_number);
  });

  it('take a date-time for order_date', async () => {
    const body = { order_date: '2026-03-01T12:00:00.000Z' };
    expect(recordOf(await station.post('/orders', body))).toMatchObject({ order_date: '2026-03-01' });
  });

  it('take the dates that are documented in responses only', async () => {
    const dates = {
      start_date: '2026-01-02',
      due_date: '2026-01-03',
      requested_ship_date: '2026-01-04',
      actual_ship_date: '2026-01-05',
      notes: 'fragile',
    };
    expect(expectCreated(await station.post('/orders', dates), order, '/orders/{id}')).toMatchObject(dates);
  });

  it('take contact_id or customer_id; contact_id wins', async () => {
    expect(recordOf(await station.post('/orders', { customer_id: customer }))).toMatchObject({
      customer_id: customer,
    });
    const both = { contact_id: otherCustomer, customer_id: customer };
    expect(recordOf(await station.post('/orders', both))).toMatchObject({
      customer_id: otherCustomer,
      customer: { name: 'Market hall' },
    });
  });

  it.each([
    ['contact_id', UNKNOWN_ID],
    ['customer_id', UNKNOWN_ID],
    ['order_date', '2026-02-30'],
    ['order_date', 'soon'],
    ['is_closed', 'maybe'],
  ])('refuse %s %j', async (name, value) => {
    expectInvalid(await station.post('/orders', { [name]: value }), name);
  });

  it('are read and updated', async () => {
    const id = await createOrder({ po_number: 'PO-1', order_number: 'N-1' });
    const read = expectRecord(await station.get(`/orders/${id}`), order);
    const body = { po_number: 'PO-2', contact_id: otherCustomer, order_date: '2026-04-01', is_closed: true };
    expect(expectRecord(await station.put(`/orders/${id}`, body), order)).toMatchObject({
      id,
      po_number: 'PO-2',
      customer_id: otherCustomer,
      order_date: '2026-04-01',
      order_number: read.order_number,
      is_closed: true,
    });
  });

  it('that are closed still take items: is_closed is a mark', async () => {
    const id = await createOrder({ is_closed: true });
    const item = { order_id: id, part_id: part, quantity: 1, serial_number: 'L' };
    expectStatus(await station.post(`/orders/${id}/items`, item), 201);
  });

  it('are listed with customer and items', async () => {
    const id = await createOrder();
    await station.post(`/orders/${id}/items`, {
      order_id: id,
      part_id: part,
      quantity: 1,
      serial_number: 'L',
    });
    const total = Number(metaOf(await station.get('/orders')).total);
    const last = await station.get('/orders', { page: total, per_page: 1 });
    const [record] = expectPage(last, order, { from: total, to: total, total, per_page: 1 });
    expect(record).toMatchObject({ id, customer: CUSTOMER, items: [{ part_id: part, quantity: 1 }] });
  });
});

describe('order items (4.6)', () => {
  const line = (id: number) => ({ order_id: id, part_id: part, quantity: 2.5, serial_number: 'LOT-9' });

  it('are added with drawing_id, which is read as specification_id; the order answers', async () => {
    const id = await createOrder();
    const body = { ...line(id), drawing_id: template, is_low_inventory: true, is_low_materials: false };
    const data = expectCreated(
      await station.post(`/orders/${id}/items`, body),
      order,
      '/orders/{id}(/items/\\d+)?',
    );
    expect(data).toMatchObject({
      id,
      items: [{ part_id: part, quantity: 2.5, serial_number: 'LOT-9', specification_id: template }],
    });
    expect(recordOf(await station.get(`/orders/${id}`))).toEqual(data);
    expect(wholeItems(await wholeRecord(station, 'order', id))).toMatchObject([{ is_low_inventory: true }]);
  });

  it('keep the order in which they were added', async () => {
    const id = await createOrder();
    for (const serial_number of ['B', 'A', 'C'])
      await station.post(`/orders/${id}/items`, { ...line(id), serial_number });
    const items = childrenOf(recordOf(await station.get(`/orders/${id}`)), 'items');
    expect(items.map(item => item.serial_number)).toEqual(['B', 'A', 'C']);
  });

  it.each(['order_id', 'part_id', 'quantity', 'serial_number'])('require %s', async name => {
    const id = await createOrder();
    expectInvalid(await station.post(`/orders/${id}/items`, { ...line(id), [name]: undefined }), name);
    expect(recordOf(await station.get(`/orders/${id}`))).toMatchObject({ items: [] });
  });

  it.each([
    ['order_id', UNKNOWN_ID],
    ['part_id', UNKNOWN_ID],
    ['drawing_id', UNKNOWN_ID],
    ['quantity', 'some'],
    ['quantity', 0.1234567],
    ['is_low_inventory', 'maybe'],
  ])('refuse %s %j', async (name, value) => {
    const id = await createOrder();
    expectInvalid(await station.post(`/orders/${id}/items`, { ...line(id), [name]: value }), name);
  });

  it('are modified; every field is optional then', async () => {
    const id = await createOrder();
    const added = recordOf(await station.post(`/orders/${id}/items`, { ...line(id), drawing_id: template }));
    const item = childrenOf(added, 'items')[0]?.id;
    const data = expectRecord(await station.put(`/orders/${id}/items/${item}`, { quantity: 4 }), order);
    expect(data).toMatchObject({
      id,
      items: [{ id: item, part_id: part, quantity: 4, serial_number: 'LOT-9', specification_id: template }],
    });
  });

  it('refuse an order_id that is not the one in the path', async () => {
    const [id, other] = [await createOrder(), await createOrder()];
    const added = recordOf(await station.post(`/orders/${id}/items`, line(id)));
    const item = childrenOf(added, 'items')[0]?.id;
    expectInvalid(await station.post(`/orders/${id}/items`, line(other)), 'order_id');
    expectInvalid(await station.put(`/orders/${id}/items/${item}`, { order_id: other }), 'order_id');
  });

  it('belong to their order alone', async () => {
    const [id, other] = [await createOrder(), await createOrder()];
    const added = recordOf(await station.post(`/orders/${id}/items`, line(id)));
    const item = childrenOf(added, 'items')[0]?.id;
    expectRefused(await station.put(`/orders/${other}/items/${item}`, { quantity: 1 }), 404);
  });
});
