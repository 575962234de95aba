import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import { expectRefused, recordOf } from './answers.ts';
import { createSpecification } from './extension.ts';
import {
  createPart,
  createReceipt,
  day,
  inspectionsOfLot,
  lotOf,
  lotsOfPart,
  receive,
  receiveInto,
  ship,
} from './records.ts';

const station = new Station({ isHere: true });
let part: number;

beforeAll(async () => {
  await station.start();
  part = await createPart(station);
});
afterAll(() => station.stop());

describe('receiving (decisions, section 5.1 to 5.6)', () => {
  it('puts what is accepted into a lot; what is rejected is never available', async () => {
    const product = await createPart(station);
    const { inventory } = await receive(station, {
      part_id: product,
      quantity_accepted: 8,
      quantity_rejected: 2,
    });
    expect(await lotOf(station, inventory)).toMatchObject({
      part_id: product,
      quantity: 8,
      is_locked: false,
    });
  });

  it('makes one lot of the same part, lot number, expiry and unit, and adds up exactly', async () => {
    const lot = { part_id: await createPart(station), serial_number: 'L', expiry_date: day(90) };
    const first = await receive(station, { ...lot, quantity_accepted: 0.1 });
    const second = await receive(station, { ...lot, quantity_accepted: 0.2 });
    expect(second.inventory).toBe(first.inventory);
    expect(await lotOf(station, first.inventory)).toMatchObject({ quantity: 0.3 });
  });

  it('makes another lot of another expiry', async () => {
    const lot = { part_id: await createPart(station), serial_number: 'L' };
    const first = await receive(station, { ...lot, expiry_date: day(90) });
    const second = await receive(station, { ...lot, expiry_date: day(91) });
    expect(second.inventory).not.toBe(first.inventory);
    expect(await lotsOfPart(station, lot.part_id)).toHaveLength(2);
  });

  it('follows a corrected receipt', async () => {
    const { receipt, item, inventory } = await receive(station, { part_id: part });
    await station.put(`/receiving-inspections/${receipt}/items/${item}`, { quantity_accepted: 7 });
    expect(await lotOf(station, inventory)).toMatchObject({ quantity: 7 });
  });

  it('refuses to go below what has shipped, and changes nothing', async () => {
    const product = await createPart(station);
    const { receipt, item, inventory } = await receive(station, { part_id: product });
    await ship(station, { part_id: product, quantity: 6 });
    const path = `/receiving-inspections/${receipt}`;
    const before = recordOf(await station.get(path));
    expectRefused(await station.put(`${path}/items/${item}`, { quantity_accepted: 5 }), 409);
    expectRefused(await station.put(path, { items: [{ id: item, quantity_accepted: 5 }] }), 409);
    expect(recordOf(await station.get(path))).toEqual(before);
    expect(await lotOf(station, inventory)).toMatchObject({ quantity: 4 });
    expect((await station.put(`${path}/items/${item}`, { quantity_accepted: 6 })).status).toBe(200);
    expect(await lotOf(station, inventory)).toMatchObject({ quantity: 0 });
  });

  it('in quarantine locks its lots until it is released with a reason', async () => {
    const { receipt, inventory } = await receive(station, { part_id: part }, { is_quarantined: true });
    expect(await lotOf(station, inventory)).toMatchObject({ is_locked: true, quantity: 10 });
    await station.put(`/receiving-inspections/${receipt}`, { is_quarantined: false, reason: 'Cleared.' });
    expect(await lotOf(station, inventory)).toMatchObject({ is_locked: false });
    await station.put(`/receiving-inspections/${receipt}`, { is_quarantined: true });
    expect(await lotOf(station, inventory)).toMatchObject({ is_locked: true });
  });

  it('keeps a lot locked that is not an active batch', async () => {
    const { receipt, item, inventory } = await receive(station, { part_id: part, is_active_batch: false });
    expect(await lotOf(station, inventory)).toMatchObject({ is_locked: true });
    const path = `/receiving-inspections/${receipt}/items/${item}`;
    await station.put(path, { is_active_batch: true, reason: 'Certificate came.' });
    expect(await lotOf(station, inventory)).toMatchObject({ is_locked: false });
  });

  it('frees no lot where nobody says why: the change is taken and waits for quality', async () => {
    const { receipt, inventory } = await receive(station, { part_id: part }, { is_quarantined: true });
    const answer = await station.put(`/receiving-inspections/${receipt}`, { is_quarantined: false });
    expect(recordOf(answer)).toMatchObject({ is_quarantined: 0 });
    expect(await lotOf(station, inventory)).toMatchObject({ is_locked: true });
    const facts = recordOf(await station.get(`/x/inventory/${inventory}/facts`));
    expect(facts.locks).toMatchObject([{ reason: 'a correction waits for quality' }]);
  });

  it('opens an inspection for a drawing, which locks that lot and no other of the receipt', async () => {
    const drawing = await createSpecification(station, { name: 'Jar', characteristics: [] });
    const receipt = await createReceipt(station);
    const inspected = await receiveInto(station, receipt, { part_id: part, drawing_id: drawing });
    const other = await receiveInto(station, receipt, { part_id: part });
    const [inspection] = await inspectionsOfLot(station, inspected.inventory);
    expect(inspection).toMatchObject({ drawing_id: String(drawing), entity_id: String(part), passed: null });
    expect(await lotOf(station, inspected.inventory)).toMatchObject({ is_locked: true });

    await station.put(`/inspections/${inspection?.id}`, { passed: false });
    expect(await lotOf(station, inspected.inventory)).toMatchObject({ is_locked: true });
    expect(await lotOf(station, other.inventory)).toMatchObject({ is_locked: false });
  });

  it('accepts more than was ordered, flagged; is_closed forbids nothing', async () => {
    const receipt = await createReceipt(station, { total_order_quantity: 5, is_closed: true });
    const { inventory } = await receiveInto(station, receipt, { part_id: part });
    expect(await lotOf(station, inventory)).toMatchObject({ quantity: 10 });
    expect(recordOf(await station.get(`/receiving-inspections/${receipt}`))).toMatchObject({
      is_over_received: true,
    });
  });

  it.each([
    ['kilograms into grams', { unit_of_measure: 'g' }, 2, 'kg', 2000, 'g'],
    ['the other name of a unit', { unit_of_measure: 'oz' }, 3, 'Oz', 3, 'oz'],
    [
      'mass into volume by density',
      { unit_of_measure: 'l', density: 0.9, density_mass_unit: 'kg', density_volume_unit: 'l' },
      9,
      'kg',
      10,
      'l',
    ],
    ['not what has no conversion', { unit_of_measure: 'kg' }, 5, 'EA', 5, 'EA'],
  ])('converts %s', async (_, fields, received, unit, quantity, unitOfLot) => {
    const product = await createPart(station, fields);
    await receive(station, { part_id: product, quantity_accepted: received, unit_of_measure: unit });
    expect(await lotsOfPart(station, product)).toMatchObject([{ quantity, unit_of_measure: unitOfLot }]);
  });
});
