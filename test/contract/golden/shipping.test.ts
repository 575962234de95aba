import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fields } from '../../support/expect-shape.ts';
import { Station } from '../../support/station.ts';
import { childrenOf, expectRecord, expectRefused, expectStatus, recordOf } from './answers.ts';
import { because, lockLot } from './extension.ts';
import { closeShipment, createPart, day, lotOf, prepareShipment, receive, ship, unique } from './records.ts';
import { shipment, shipmentSummary } from './shapes.ts';

const station = new Station({ isHere: true });
beforeAll(() => station.start());
afterAll(() => station.stop());

describe('closing a shipment (decisions, section 5.5)', () => {
  const quantityOf = async (inventory: number) => (await lotOf(station, inventory)).quantity;

  it('takes the stock, and stamps the items', async () => {
    const product = await createPart(station);
    const { inventory } = await receive(station, { part_id: product, expiry_date: day(90) });
    const { shipment: id } = await prepareShipment(station, { part_id: product, quantity: 4 });
    const answer = await closeShipment(station, id);
    expect(expectRecord(answer, shipmentSummary, 'id')).toMatchObject({ actual_ship_date: day() });
    expect(await quantityOf(inventory)).toBe(6);
    const [item] = childrenOf(expectRecord(await station.get(`/shipments/${id}`), shipment, 'id'), 'items');
    expect(item).toMatchObject({ quantity: 4, is_inventory_calculated: 1 });
    expect(item?.shipped_date).toMatch(new RegExp(`^${day()}T`));
    expect(item?.nearest_expiry_date).toMatch(new RegExp(`^${day(90)}T`));
  });

  it('takes what expires first, within the part', async () => {
    const product = await createPart(station);
    const late = await receive(station, { part_id: product, quantity_accepted: 5, expiry_date: day(90) });
    const early = await receive(station, { part_id: product, quantity_accepted: 5, expiry_date: day(30) });
    const never = await receive(station, { part_id: product, quantity_accepted: 5 });
    await ship(station, { part_id: product, quantity: 6 });
    expect(await quantityOf(early.inventory)).toBe(0);
    expect(await quantityOf(late.inventory)).toBe(4);
    expect(await quantityOf(never.inventory)).toBe(5);
  });

  it("takes what expires first, within the item's lot number", async () => {
    const product = await createPart(station);
    const line = { part_id: product, quantity_accepted: 5 };
    const other = await receive(station, { ...line, serial_number: 'OTHER', expiry_date: day(10) });
    const late = await receive(station, { ...line, serial_number: 'MINE', expiry_date: day(90) });
    const early = await receive(station, { ...line, serial_number: 'MINE', expiry_date: day(30) });
    await ship(station, { part_id: product, quantity: 7, serial_number: 'MINE' });
    expect(await quantityOf(other.inventory)).toBe(5);
    expect(await quantityOf(early.inventory)).toBe(0);
    expect(await quantityOf(late.inventory)).toBe(3);
  });

  it('adds decimals up exactly', async () => {
    const product = await createPart(station);
    const { inventory } = await receive(station, { part_id: product, quantity_accepted: 0.3 });
    const line = { part_id: product, quantity: 0.1 };
    await ship(station, line, line);
    expect(await quantityOf(inventory)).toBe(0.1);
    await ship(station, line);
    expect(await quantityOf(inventory)).toBe(0);
  });

  it('uses a lot on its last day', async () => {
    const product = await createPart(station);
    const { inventory } = await receive(station, { part_id: product, expiry_date: day() });
    await ship(station, { part_id: product, quantity: 10 });
    expect(await quantityOf(inventory)).toBe(0);
  });

  const quarantined = { is_quarantined: true };
  const refusals: { why: string; line: Fields; receipt?: Fields; isLocked?: boolean }[] = [
    { why: 'short', line: { quantity_accepted: 2 } },
    { why: 'rejected', line: { quantity_accepted: 2, quantity_rejected: 8 } },
    { why: 'expired', line: { expiry_date: day(-1) } },
    { why: 'in quarantine', line: {}, receipt: quarantined },
    { why: 'not active', line: { is_active_batch: false } },
    { why: 'locked by a person', line: {}, isLocked: true },
  ];

  it.each(refusals)('refuses stock that is $why, names the item, and changes nothing', async refusal => {
    const [good, bad] = [await createPart(station), await createPart(station)];
    const lot = unique('BAD-LOT');
    const enough = await receive(station, { part_id: good });
    const { inventory } = await receive(
      station,
      { part_id: bad, serial_number: lot, ...refusal.line },
      refusal.receipt,
    );
    if (refusal.isLocked) expect((await lockLot(station, inventory, true)).status).toBeLessThan(300);
    const { shipment: id, items } = await prepareShipment(
      station,
      { part_id: good, quantity: 1 },
      { part_id: bad, quantity: 3, serial_number: lot },
    );
    const read = async () =>
      Promise.all(
        [`/shipments/${id}`, `/inventory/${enough.inventory}`, `/inventory/${inventory}`].map(async path =>
          recordOf(await station.get(path)),
        ),
      );
    const before = await read();
    const message = expectRefused(await closeShipment(station, id), 409);
    expect(message).toMatch(new RegExp(`${lot}|\\b${items[1]}\\b`));
    expect(await read()).toEqual(before);
    expect(before).toMatchObject([{ actual_ship_date: null }, { quantity: 10 }, {}]);
  });

  it('fixes its items', async () => {
    const product = await createPart(station);
    await receive(station, { part_id: product });
    const { shipment: id, items } = await ship(station, { part_id: product, quantity: 4 });
    expectRefused(await station.post(`/shipments/${id}/items`, { part_id: product, quantity: 1 }), 409);
    expectRefused(await station.put(`/shipments/${id}/items/${items[0]}`, { quantity: 1 }), 409);
  });

  it('is reversed by clearing the date, into the lots that it took from', async () => {
    const product = await createPart(station);
    const taken = await receive(station, { part_id: product, expiry_date: day(90) });
    const { shipment: id, items } = await ship(station, { part_id: product, quantity: 4 });
    const newer = await receive(station, { part_id: product, expiry_date: day(30) });
    expect(await quantityOf(taken.inventory)).toBe(6);

    const body = because('the van broke down', { actual_ship_date: null });
    expectStatus(await station.put(`/shipments/${id}`, body), 200);
    expect(await quantityOf(taken.inventory)).toBe(10);
    expect(await quantityOf(newer.inventory)).toBe(10);
    expect(recordOf(await station.get(`/shipments/${id}`))).toMatchObject({
      actual_ship_date: null,
      items: [{ id: items[0], is_inventory_calculated: 0, shipped_date: null }],
    });
    expectStatus(await station.put(`/shipments/${id}/items/${items[0]}`, { quantity: 5 }), 200);
  });

  it('stores what it took: a later receipt changes nothing', async () => {
    const product = await createPart(station);
    const first = await receive(station, { part_id: product, expiry_date: day(90) });
    const { shipment: id } = await ship(station, { part_id: product, quantity: 4 });
    const before = recordOf(await station.get(`/shipments/${id}`));
    const second = await receive(station, { part_id: product, expiry_date: day(30) });
    expect(await quantityOf(first.inventory)).toBe(6);
    expect(await quantityOf(second.inventory)).toBe(10);
    expect(recordOf(await station.get(`/shipments/${id}`))).toEqual(before);
  });
});
