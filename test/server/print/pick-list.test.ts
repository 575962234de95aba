import { afterAll, beforeAll, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import { pdfText } from './pdf-text.ts';

/** A pick list on paper, over the interface. */
const station = new Station({ isHere: true });
const made: Record<string, number> = {};

beforeAll(async () => {
  await station.start();
  const create = async (name: string, path: string, body: object) => {
    const answer = await station.post(path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    made[name] = (answer.body as { data: { id: number } }).data.id;
  };
  await create('gate', '/x/locations', { name: 'GATE', kind: 'shipping' });
  await create('far', '/x/locations', { name: 'B-02', walking_order: 20 });
  await create('near', '/x/locations', { name: 'A-01', walking_order: 10 });
  await create('bolt', '/parts', { name: 'Hex bolt M8', unit_of_measure: 'units' });
  const line = { part_id: made.bolt, quantity_accepted: 30 };
  await create('receipt', '/receiving-inspections', {
    items: [
      { ...line, serial_number: 'L1', expiry_date: '2031-01-31', location_id: made.far },
      { ...line, serial_number: 'L2', expiry_date: '2031-06-30', location_id: made.near },
    ],
  });
  await create('shipment', '/shipments', {
    shipment_number: 'S-7',
    items: [{ part_id: made.bolt, quantity: 70 }],
  });
});
afterAll(() => station.stop());

async function printed(language: string): Promise<string> {
  const response = await fetch(
    `${station.origin}/api/v2/x/paper/pick-list/${made.shipment}?language=${language}`,
    { headers: { Authorization: `Bearer ${station.token}` } },
  );
  expect(response.status).toBe(200);
  return pdfText(Buffer.from(await response.arrayBuffer())).join('\n');
}

it('names the places in the order of the way, the lots, and what there is not enough of', async () => {
  const text = await printed('en');
  expect(text).toMatch(/Pick list\s[\s\S]*S-7/);
  expect(text).toMatch(/A-01[\s\S]*L2[\s\S]*B-02[\s\S]*L1[\s\S]*Not enough that may ship[\s\S]*10 /);
  expect(text).toMatch(/To\s+GATE/);
});

it('speaks German', async () => {
  expect(await printed('de')).toMatch(/Entnahmeliste[\s\S]*Zu entnehmen[\s\S]*Erledigt[\s\S]*A-01/);
});

it('is of a shipment that has not gone', async () => {
  const gone = await station.post('/shipments', { items: [{ part_id: made.bolt, quantity: 1 }] });
  const { id } = (gone.body as { data: { id: number } }).data;
  const shipped = await station.put(`/shipments/${id}`, {
    actual_ship_date: new Date().toISOString().slice(0, 10),
  });
  expect(shipped.status, JSON.stringify(shipped.body)).toBe(200);
  const answer = await station.get(`/x/paper/pick-list/${id}`);
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([409, expect.stringContaining('has gone')]);
});
