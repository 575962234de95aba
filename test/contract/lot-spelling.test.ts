import { afterAll, beforeAll, expect, it } from 'vitest';
import { importFiles } from '../server/transfer/importing.ts';
import { Station } from '../support/station.ts';
import { idOf, recordOf } from './golden/answers.ts';
import { createPart, createReceipt, lotOf, receive, receiveInto } from './golden/records.ts';

/** A lot number is the same one in any case, whichever door a write comes by: interface decisions, 5.15. */
const station = new Station({ isHere: true });
let part: number;
let lot: number;
beforeAll(async () => {
  await station.start();
  part = await createPart(station, { identification: 'J-1', unit_of_measure: 'kg' });
  lot = (await receive(station, { ...line, part_id: part, serial_number: 'LO-1' })).inventory;
});
afterAll(() => station.stop());

const line = {
  serial_number: 'lo-1',
  quantity_accepted: 1,
  unit_of_measure: 'kg',
  expiry_date: '2099-12-31',
};
const inStock = async () => (await lotOf(station, lot)).quantity;

it('a line of a receipt adds to it', async () => {
  const receipt = await createReceipt(station);
  expect(await receiveInto(station, receipt, { part_id: part, ...line })).toMatchObject({ inventory: lot });
  expect(await inStock()).toBe(2);
});

it.each(['all', 'each'])('so does a row of many, written %s', async mode => {
  const before = Number(await inStock());
  const rows = [{ actual_arrival_date: '2026-06-01', items: [{ part_id: part, ...line }] }];
  const answer = await station.post('/x/bulk/receiving-inspection', { mode, rows });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(await inStock()).toBe(before + 1);
});

it('so does a row of an import', async () => {
  const before = Number(await inStock());
  const found = { part_id: { column: 'part', find: 'identification' } };
  const fields = { ...found, serial_number: 'lot', quantity_accepted: 'quantity', expiry_date: 'day' };
  const lines = { file: 'lines.csv', belongs_to: 'receipt', key: 'no', fields };
  const step = {
    file: 'receipts.csv',
    family: 'receiving-inspection',
    key: 'no',
    fields: { po_number: 'po' },
  };
  const mapping = { source: 'old', steps: [{ ...step, items: { items: lines } }] };
  const files = {
    'receipts.csv': 'no,po\n1,PO-1\n',
    'lines.csv': 'receipt,no,part,lot,quantity,day\n1,1,J-1,Lo-1,1,2099-12-31\n',
  };
  expect(await importFiles(station, mapping, files)).toMatchObject({ created: 1, bad_rows: [] });
  expect(await inStock()).toBe(before + 1);
});

it('it is opened no second time, and shows its letters as they were typed first', async () => {
  const answer = await station.post('/x/inventory', {
    part_id: part,
    batch_number: 'lo-1',
    opening_quantity: 5,
    expiry_date: '2099-12-31',
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(409);
  expect(recordOf(await station.get(`/inventory/${lot}`))).toMatchObject({ batch_number: 'LO-1' });
});

it('a shipment that names it takes from it', async () => {
  const before = Number(await inStock());
  const shipment = idOf(await station.post('/shipments', {}));
  const item = { shipment_id: shipment, part_id: part, serial_number: 'lo-1', quantity: 1 };
  const added = await station.post(`/shipments/${shipment}/items`, item);
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  const closed = await station.put(`/shipments/${shipment}`, { actual_ship_date: '2026-06-01' });
  expect(closed.status, JSON.stringify(closed.body)).toBe(200);
  expect(await inStock()).toBe(before - 1);
});

it('a row of an import that matches a lot by its number changes it', async () => {
  const fields = { batch_number: 'lot', notes: 'notes' };
  const step = { file: 'a.csv', family: 'lab-result', match: 'batch_number', fields };
  const mapping = { source: 'lab', steps: [step] };
  const first = await importFiles(station, mapping, { 'a.csv': 'lot,notes\nLO-1,first\n' });
  expect(first).toMatchObject({ created: 1, bad_rows: [] });
  const again = await importFiles(station, mapping, { 'a.csv': 'lot,notes\nlo-1,second\n' });
  expect(again).toMatchObject({ created: 0, updated: 1, bad_rows: [] });
});
