import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectShape, type Fields, list } from '../../support/expect-shape.ts';
import { type Answer, Station } from '../../support/station.ts';
import {
  expectEnvelope,
  expectInvalid,
  expectRecord,
  expectRefused,
  expectStatus,
  metaOf,
  recordsOf,
} from './answers.ts';
import { adjustLot, createLocation, lockLot, moveLot } from './extension.ts';
import { createPart, createReceipt, day, lotOf, type Received, receiveInto, UNKNOWN_ID } from './records.ts';
import { inventory, inventoryRow, inventoryWithLocations } from './shapes.ts';

const station = new Station({ isHere: true });
let acid: number;
let jar: number;
let shelf: number;
let soon: Received;
let later: Received;
let jars: Received;

beforeAll(async () => {
  await station.start();
  acid = await createPart(station, {
    name: 'Citric acid',
    identification: 'CA-1',
    unit_of_measure: 'kg',
    is_finished_product: false,
    reorder_point: '12.5',
  });
  jar = await createPart(station, { name: 'Jar 100%', identification: 'J-1' });
  shelf = await createLocation(station, 'Shelf A');
  const receipt = await createReceipt(station);
  const line = { part_id: acid, unit_of_measure: 'kg', quantity_accepted: 2.5, cost: 1.2 };
  soon = await receiveInto(station, receipt, {
    ...line,
    serial_number: 'LOT-A',
    expiry_date: day(10),
    location_id: shelf,
  });
  later = await receiveInto(station, receipt, { ...line, serial_number: 'LOT-B', expiry_date: day(60) });
  jars = await receiveInto(station, await createReceipt(station), { part_id: jar, serial_number: 'LOT-C' });
});
afterAll(() => station.stop());

describe('the inventory list (4.4)', () => {
  it('has links, per_page as text and last_page', async () => {
    const meta = { current_page: 2, from: 3, to: 3, total: 3, per_page: '2', last_page: 2 };
    expectInventoryPage(await station.get('/inventory', { page: 2, per_page: 2 }), meta);
  });

  it('has one record for each lot, named by part and lot', async () => {
    const meta = { current_page: 1, from: 1, to: 3, total: 3, per_page: '50', last_page: 1 };
    const [first, second, third] = expectInventoryPage(await station.get('/inventory'), meta);
    expect(first).toMatchObject({
      id: soon.inventory,
      part_id: acid,
      name: 'Citric acid',
      identification: 'CA-1',
      quantity: 2.5,
      unit_of_measure: 'kg',
      cost: 1.2,
      value_on_hand: 3,
      is_finished_product: false,
      reorder_point: '12.5',
      is_expiry_soon: '1',
    });
    expect(first?.inventory_name).toContain('Citric acid');
    expect(first?.inventory_name).toContain('LOT-A');
    expect(second).toMatchObject({ id: later.inventory, is_expiry_soon: '0' });
    expect(third).toMatchObject({
      id: jars.inventory,
      part_id: jar,
      quantity: 10,
      cost: null,
      value_on_hand: null,
      is_finished_product: true,
      reorder_point: null,
      is_expiry_soon: '0',
    });
  });

  it.each([
    ['CITRIC', ['A', 'B']],
    ['ric ac', ['A', 'B']],
    ['ac', ['A', 'B']],
    ['it', []],
    ['100%', ['C']],
    ['0_%', []],
    ['nothing of this name', []],
    ['null', ['A', 'B', 'C']],
    ['', ['A', 'B', 'C']],
  ])('keyword %j finds the lots %j', async (keyword, lots) => {
    expect(await found({ keyword })).toEqual(lots);
  });

  it('part_id finds the lots of a part, whatever the keyword', async () => {
    expect(await found({ part_id: acid })).toEqual(['A', 'B']);
    expect(await found({ part_id: jar, keyword: 'citric' })).toEqual(['C']);
    expect(await found({ part_id: UNKNOWN_ID })).toEqual([]);
  });

  it('refuses a part_id that is no integer', async () => {
    expectInvalid(await station.get('/inventory', { part_id: 'jar' }), 'part_id');
  });

  it('is empty past its end', async () => {
    const meta = { current_page: 9, from: 0, to: 0, total: 3, per_page: '50', last_page: 1, is_beyond: true };
    expect(expectInventoryPage(await station.get('/inventory', { page: 9 }), meta)).toEqual([]);
  });
});

describe('inventory records (4.4)', () => {
  it('are read with lot, value, place, expiry and part', async () => {
    const data = expectRecord(await station.get(`/inventory/${soon.inventory}`), inventory);
    expect(data).toMatchObject({
      id: soon.inventory,
      part_id: acid,
      batch_number: 'LOT-A',
      quantity: 2.5,
      is_locked: false,
      is_legacy: false,
      location: 'Shelf A',
      value_on_hand: 3,
      location_list: 'Shelf A',
      cost: 1.2,
      location_id: String(shelf),
      legacy_record_id: null,
      related_batch_numbers: ['LOT-B'],
      nearest_expiry_date: day(10),
      part: { id: acid, name: 'Citric acid' },
    });
  });

  it('without cost, place and expiry have null there', async () => {
    expect(expectRecord(await station.get(`/inventory/${jars.inventory}`), inventory)).toMatchObject({
      cost: null,
      value_on_hand: null,
      location: null,
      location_id: null,
      nearest_expiry_date: null,
      related_batch_numbers: [],
    });
  });

  it('are read with locations', async () => {
    const answer = await station.get(`/inventory/${soon.inventory}/locations`);
    expect(expectRecord(answer, inventoryWithLocations)).toMatchObject({
      ...(await lotOf(station, soon.inventory)),
      locations: [{ id: shelf, name: 'Shelf A', is_active: 1 }],
    });
    const none = await station.get(`/inventory/${jars.inventory}/locations`);
    expect(expectRecord(none, inventoryWithLocations)).toMatchObject({ locations: [] });
  });

  it('that were moved in part are in two locations', async () => {
    const rack = await createLocation(station, 'Rack B');
    expect((await moveLot(station, soon.inventory, rack, 1)).status).toBeLessThan(300);
    const answer = await station.get(`/inventory/${soon.inventory}/locations`);
    const data = expectRecord(answer, inventoryWithLocations);
    expect(String(data.location_list).split(/,\s*/).sort()).toEqual(['Rack B', 'Shelf A']);
    expect(data).toMatchObject({ quantity: 2.5 });
    expect(data.locations).toHaveLength(2);
  });

  it.each(['PUT', 'PATCH', 'POST'])('take no %s: stock is derived, never typed', async method => {
    const answer = await station.call(method, `/inventory/${jars.inventory}`, { body: { quantity: 99 } });
    expectRefused(answer, 405);
    expect(answer.headers.get('allow')).toContain('GET');
  });

  it('are corrected by an adjustment, with a reason', async () => {
    expectStatus(await adjustLot(station, later.inventory, -0.3, 'spilled'), 201);
    expect(await lotOf(station, later.inventory)).toMatchObject({ quantity: 2.2, value_on_hand: 2.64 });
    expectInvalid(await adjustLot(station, later.inventory, -0.3), 'reason');
    expect(await lotOf(station, later.inventory)).toMatchObject({ quantity: 2.2 });
  });

  it('are locked and released by a person', async () => {
    expect((await lockLot(station, jars.inventory, true)).status).toBeLessThan(300);
    expect(await lotOf(station, jars.inventory)).toMatchObject({ is_locked: true, quantity: 10 });
    expect((await lockLot(station, jars.inventory, false)).status).toBeLessThan(300);
    expect(await lotOf(station, jars.inventory)).toMatchObject({ is_locked: false });
  });
});

/** The only list with `links`, and whose meta has text and `last_page`. */
function expectInventoryPage(answer: Answer, meta: Fields): Fields[] {
  expectStatus(answer, 200);
  expectEnvelope(answer, ['links', 'meta']);
  expect(answer.body).toHaveProperty('links', {});
  expect(metaOf(answer)).toEqual(meta);
  const records = recordsOf(answer);
  expectShape(records, list(inventoryRow));
  return records;
}

async function found(query: Record<string, string | number>): Promise<string[]> {
  const names = new Map<unknown, string>([
    [soon.inventory, 'A'],
    [later.inventory, 'B'],
    [jars.inventory, 'C'],
  ]);
  return recordsOf(await station.get('/inventory', query)).map(({ id }) => names.get(id) ?? 'other');
}
