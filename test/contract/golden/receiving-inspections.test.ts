import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import {
  childrenOf,
  expectCreated,
  expectInvalid,
  expectPage,
  expectRecord,
  expectRefused,
  idOf,
  metaOf,
  recordOf,
} from './answers.ts';
import { createLocation, wholeItems, wholeRecord } from './extension.ts';
import {
  addReceiptItem,
  createPart,
  createReceipt,
  day,
  lotOf,
  receive,
  receiveInto,
  UNKNOWN_ID,
  unique,
} from './records.ts';
import { receivingInspection, receivingInspectionItem } from './shapes.ts';

const UNITS =
  '% amin asec c cm CBD% cfu/g Deg EA F ft gal gal/min grams g/cm3 g/ml hr ht Hv Hz in in/sec kg kgf km l lb lot m m3 min ml mm MPa mg/g mg/kg N.m Oz psi ppm ppb Ra rad rc RPM Sec THC% \u00b5g/kg \u00b5g/g Volts';

const station = new Station({ isHere: true });
let supplier: number;
let part: number;

beforeAll(async () => {
  await station.start();
  supplier = idOf(await station.post('/suppliers', { name: 'Glassworks' }));
  part = await createPart(station);
});
afterAll(() => station.stop());

describe('receiving inspections (4.14)', () => {
  const line = { quantity_accepted: 8, quantity_rejected: 2, unit_of_measure: 'EA', expiry_date: day(400) };
  const header = () => ({
    supplier_id: supplier,
    serial_number: 'RI-1',
    po_number: 'PO-1',
    requested_shipment_arrival_date: '2026-01-02',
    actual_arrival_date: '2026-01-03',
    total_order_quantity: 30.5,
    notes: 'two pallets',
  });

  it('are created with items; booleans are returned as 0 and 1', async () => {
    const items = [
      { ...line, part_id: part, serial_number: unique('LOT') },
      { part_id: part, serial_number: unique('LOT'), quantity_accepted: 1.5, unit_of_measure: 'EA' },
    ];
    const body = { ...header(), is_closed: false, is_quarantined: true, is_receive_all_items: true, items };
    const answer = await station.post('/receiving-inspections', body);
    const data = expectCreated(answer, receivingInspection, '/receiving-inspections/{id}');
    expect(data).toMatchObject({
      ...header(),
      is_closed: 0,
      is_quarantined: 1,
      items: [items[0], { ...items[1], quantity_rejected: 0, expiry_date: null }],
    });
    const [first, second] = childrenOf(data, 'items');
    expect(Number(second?.order)).toBe(Number(first?.order) + 1);
    expect(await wholeRecord(station, 'receiving-inspection', idOf(answer))).toHaveProperty(
      'is_receive_all_items',
    );
  });

  it('are created without items; absent values are null, the array empty', async () => {
    const answer = await station.post('/receiving-inspections', { supplier_id: supplier });
    expect(expectCreated(answer, receivingInspection, '/receiving-inspections/{id}')).toMatchObject({
      serial_number: null,
      actual_arrival_date: null,
      total_order_quantity: null,
      is_closed: 0,
      is_quarantined: 0,
      items: [],
    });
  });

  it.each([
    [true, 1],
    ['1', 1],
    [1, 1],
    [false, 0],
    ['0', 0],
    [0, 0],
  ])('read the boolean %j as %j', async (written, read) => {
    const body = { is_closed: written, is_quarantined: written };
    expect(recordOf(await station.post('/receiving-inspections', body))).toMatchObject({
      is_closed: read,
      is_quarantined: read,
    });
  });

  it.each(['2026-01-03', '2026-01-03T12:00:00.000Z', '2026-01-03 12:00:00'])(
    'take %s for arrival dates, and return dates',
    async moment => {
      const body = { requested_shipment_arrival_date: moment, actual_arrival_date: moment };
      expect(recordOf(await station.post('/receiving-inspections', body))).toMatchObject({
        requested_shipment_arrival_date: '2026-01-03',
        actual_arrival_date: '2026-01-03',
      });
    },
  );

  it.each([
    ['supplier_id', UNKNOWN_ID],
    ['actual_arrival_date', '2026-02-30'],
    ['is_closed', 'perhaps'],
    ['total_order_quantity', 'many'],
    ['items', 'none'],
  ])('refuse %s %j', async (name, value) => {
    expectInvalid(await station.post('/receiving-inspections', { [name]: value }), name);
  });

  it('refuse bad items by their place, and create nothing', async () => {
    const { total } = metaOf(await station.get('/receiving-inspections'));
    const post = (...items: unknown[]) => station.post('/receiving-inspections', { ...header(), items });
    const good = { ...line, part_id: part, serial_number: 'L' };
    const badUnit = { ...good, unit_of_measure: 'g' };
    const badQuantity = { ...good, quantity_accepted: 'some' };
    expectInvalid(
      await post(good, badUnit, badQuantity),
      'items.1.unit_of_measure',
      'items.2.quantity_accepted',
    );
    expectInvalid(await post(good, { ...good, part_id: UNKNOWN_ID }), 'items.1.part_id');
    expect(metaOf(await station.get('/receiving-inspections')).total).toBe(total);
  });

  it('are updated: items with id change, without id are added, omitted ones stay', async () => {
    const id = await createReceipt(station, header());
    const first = await receiveInto(station, id, { part_id: part });
    const second = await receiveInto(station, id, { part_id: part });
    const body = {
      id,
      notes: 'three pallets',
      items: [
        { id: second.item, quantity_accepted: 11 },
        { ...line, part_id: part, serial_number: unique('LOT') },
      ],
    };
    const data = expectRecord(await station.put(`/receiving-inspections/${id}`, body), receivingInspection);
    expect(data).toMatchObject({
      ...header(),
      notes: 'three pallets',
      items: [
        { id: first.item, quantity_accepted: 10 },
        { id: second.item, quantity_accepted: 11 },
        { quantity_accepted: 8 },
      ],
    });
    expect(expectRecord(await station.get(`/receiving-inspections/${id}`), receivingInspection)).toEqual(
      data,
    );
  });

  it('refuse an id in the body that is not the one in the path', async () => {
    const [id, other] = [await createReceipt(station), await createReceipt(station)];
    expectInvalid(await station.put(`/receiving-inspections/${id}`, { id: other, notes: 'x' }), 'id');
    expect(recordOf(await station.get(`/receiving-inspections/${id}`))).toMatchObject({ notes: null });
  });

  it('are listed with items', async () => {
    const { receipt } = await receive(station, { part_id: part });
    const total = Number(metaOf(await station.get('/receiving-inspections')).total);
    const page = await station.get('/receiving-inspections', { page: total, per_page: 1 });
    const meta = { current_page: total, from: total, to: total, total, per_page: 1 };
    expect(expectPage(page, receivingInspection, meta)).toMatchObject([
      { id: receipt, items: [{ quantity_accepted: 10 }] },
    ]);
  });
});

describe('receiving inspection items (4.14)', () => {
  it('are added with write-only extras, which are kept but not returned', async () => {
    const receipt = await createReceipt(station);
    const location = await createLocation(station, 'Cold room');
    const body = {
      part_id: part,
      quantity_accepted: 4.25,
      quantity_rejected: 1,
      unit_of_measure: 'EA',
      serial_number: unique('LOT'),
      expiry_date: day(90),
    };
    const extras = { is_active_batch: true, cost: 2.5, received_date: '2026-01-03T10:00:00.000Z' };
    const answer = await addReceiptItem(station, receipt, { ...body, ...extras, location_id: location });
    const data = expectCreated(
      answer,
      receivingInspectionItem,
      `/receiving-inspections/${receipt}/items/{id}`,
    );
    expect(data).toMatchObject({ ...body, inventory_id: expect.any(Number) });
    const whole = await wholeRecord(station, 'receiving-inspection', receipt);
    expect(wholeItems(whole)).toMatchObject([{ cost: 2.5, is_active_batch: true }]);
    expect(await lotOf(station, Number(data.inventory_id))).toMatchObject({ location_id: String(location) });
  });

  it('are updated; the item is in meta and in data', async () => {
    const { receipt, item } = await receive(station, { part_id: part, quantity_rejected: 3 });
    const answer = await station.put(`/receiving-inspections/${receipt}/items/${item}`, {
      receiving_inspection_id: receipt,
      quantity_accepted: 12,
      expiry_date: day(30),
    });
    expect(expectRecord(answer, receivingInspectionItem, 'record')).toMatchObject({
      id: item,
      quantity_accepted: 12,
      quantity_rejected: 3,
      expiry_date: day(30),
    });
  });

  it('refuse a receiving_inspection_id that is not the one in the path', async () => {
    const { receipt, item } = await receive(station, { part_id: part });
    const other = await createReceipt(station);
    const body = { receiving_inspection_id: other };
    expectInvalid(
      await addReceiptItem(station, receipt, { ...body, part_id: part }),
      'receiving_inspection_id',
    );
    expectInvalid(
      await station.put(`/receiving-inspections/${receipt}/items/${item}`, body),
      'receiving_inspection_id',
    );
  });

  it('belong to their receipt alone', async () => {
    const { item } = await receive(station, { part_id: part });
    const other = await createReceipt(station);
    expectRefused(
      await station.put(`/receiving-inspections/${other}/items/${item}`, { quantity_accepted: 1 }),
      404,
    );
  });

  it.each(UNITS.split(' '))('take the unit %s', async unit => {
    const receipt = await createReceipt(station);
    const other = await createPart(station);
    const data = recordOf(await addReceiptItem(station, receipt, { part_id: other, unit_of_measure: unit }));
    expect(data).toMatchObject({ unit_of_measure: unit });
  });

  it('read the Greek mu as the micro sign', async () => {
    const { receipt } = await receive(station, { part_id: part, unit_of_measure: '\u03bcg/g' });
    expect(recordOf(await station.get(`/receiving-inspections/${receipt}`))).toMatchObject({
      items: [{ unit_of_measure: '\u00b5g/g' }],
    });
  });

  it.each([
    ['unit_of_measure', 'g'],
    ['unit_of_measure', 'ea'],
    ['part_id', UNKNOWN_ID],
    ['drawing_id', UNKNOWN_ID],
    ['location_id', UNKNOWN_ID],
    ['quantity_accepted', -1],
    ['quantity_accepted', 0.1234567],
    ['quantity_rejected', 'some'],
    ['expiry_date', '2026-02-30'],
    ['received_date', 'yesterday'],
    ['is_active_batch', 'perhaps'],
  ])('refuse %s %j', async (name, value) => {
    const receipt = await createReceipt(station);
    expectInvalid(await addReceiptItem(station, receipt, { part_id: part, [name]: value }), name);
    expect(recordOf(await station.get(`/receiving-inspections/${receipt}`))).toMatchObject({ items: [] });
  });

  it('name the allowed units to who gives another', async () => {
    const receipt = await createReceipt(station);
    const answer = await addReceiptItem(station, receipt, { part_id: part, unit_of_measure: 'g' });
    expect(expectInvalid(answer, 'unit_of_measure')).toContain('grams');
  });
});
