import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/contract/errors.ts';
import { audit, stockOf } from '../store/audit.ts';
import { create, update } from '../store/temporary-store.ts';
import { person, program } from './people.ts';
import { addPart, close, correct, lock, lotOf, openSite, prepare, receive, ship, taken } from './site.ts';

async function refusalOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return error.message;
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('first expired, first out', () => {
  it('goes by expiry, then by age; lots without one are last', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const lots: number[] = [];
    for (const expiry_date of [null, '2027-01-31', '2026-12-31', '2027-01-31', null]) {
      const line = { part_id, serial_number: `L${lots.length}`, quantity_accepted: 2, expiry_date };
      lots.push((await receive(store, line)).lot);
    }
    const [old, a, first, b, never] = lots;
    expect(taken(await ship(store, { part_id, quantity: 7 }))).toEqual([
      [
        [first, 2],
        [a, 2],
        [b, 2],
        [old, 1],
      ],
    ]);
    expect(taken(await ship(store, { part_id, quantity: 3 }))).toEqual([
      [
        [old, 1],
        [never, 2],
      ],
    ]);
  });

  it('serves the items of a shipment in their order, from what the ones before leave', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { lot: early } = await receive(store, { part_id, serial_number: 'A', expiry_date: '2026-12-31' });
    const { lot: late } = await receive(store, { part_id, serial_number: 'B' });
    const shipment = await prepare(
      store,
      { part_id, quantity: 6, order: 2 },
      { part_id, quantity: 7, order: 1 },
    );
    expect(taken(await close(store, shipment))).toEqual([
      [
        [early, 3],
        [late, 3],
      ],
      [[early, 7]],
    ]);
    const message = await refusalOf(ship(store, { part_id, quantity: 4 }, { part_id, quantity: 3.000001 }));
    expect(message).toContain('0.000001');
  });

  it('takes from every place where a lot stands, and gives back there', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { lot } = await receive(store, { part_id });
    const { id: place } = await create(store, 'location', { name: 'Shelf' });
    await create(store, 'move', { inventory_id: lot, quantity: 4, to_location_id: place });
    const before = stockOf(store);
    const { id } = await ship(store, { part_id, quantity: 7 });
    expect(stockOf(store)).toEqual([`${lot}@${place} 3000000`]);
    await update(store, 'shipment', id, { actual_ship_date: null }, { reason: 'came back' });
    expect(stockOf(store)).toEqual(before);
  });
});

describe('units (decisions, 5.6)', () => {
  it('of one dimension are taken exactly, in the unit of each lot', async () => {
    const store = await openSite();
    const part_id = await addPart(store, { unit_of_measure: 'g' });
    const line = { part_id, quantity_accepted: 1.5 };
    const { lot: kilos } = await receive(store, { ...line, unit_of_measure: 'kg', serial_number: 'A' });
    const { lot: grams } = await receive(store, { ...line, unit_of_measure: 'grams', serial_number: 'B' });
    expect(taken(await ship(store, { part_id, quantity: 1501.25 }))).toEqual([
      [
        [kilos, 1.5],
        [grams, 1.25],
      ],
    ]);
    expect(lotOf(store, grams)).toMatchObject({ quantity: 0.25, unit_of_measure: 'g' });
  });

  it('of mass and volume by the density of the part', async () => {
    const store = await openSite();
    const density = { density: 0.8, density_mass_unit: 'kg', density_volume_unit: 'l' };
    const part_id = await addPart(store, { unit_of_measure: 'l', ...density });
    const { lot } = await receive(store, { part_id, quantity_accepted: 4, unit_of_measure: 'kg' });
    expect(lotOf(store, lot)).toMatchObject({ quantity: 5, unit_of_measure: 'l' });
    expect(taken(await ship(store, { part_id, quantity: 2 }))).toEqual([[[lot, 1.6]]]);
    await update(store, 'part', part_id, { density: null });
    expect(lotOf(store, lot)).toMatchObject({ quantity: 2.4, unit_of_measure: 'kg' });
    expect(await refusalOf(ship(store, { part_id, quantity: 1 }))).toMatch(/kg.*does not convert to l/);
  });

  it('that do not convert stay apart: shown in their own, neither summed nor shipped', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { lot: odd } = await receive(store, { part_id, unit_of_measure: 'lb', serial_number: 'A' });
    const { lot: even } = await receive(store, { part_id, unit_of_measure: 'EA', serial_number: 'B' });
    expect(lotOf(store, odd)).toMatchObject({ quantity: 10, unit_of_measure: 'lb' });
    expect(taken(await ship(store, { part_id, quantity: 9 }))).toEqual([[[even, 9]]]);
    expect(await refusalOf(ship(store, { part_id, quantity: 2 }))).toMatch(
      /short of 1 units.*lot A.*lb.*units/,
    );
  });

  it('of a part without one are those of the lot that is there', async () => {
    const store = await openSite();
    const { id: part_id } = await create(store, 'part', { name: 'Rope' });
    const first = await receive(store, { part_id, unit_of_measure: 'EA', quantity_accepted: 1 });
    const { lot } = await receive(store, { part_id, unit_of_measure: 'm', quantity_accepted: 5 });
    expect(taken(await ship(store, { part_id, quantity: 1 }))).toEqual([[[first.lot, 1]]]);
    expect(taken(await ship(store, { part_id, quantity: 3 }))).toEqual([[[lot, 3]]]);
  });

  it('never make a quantity too large to be kept', async () => {
    const store = await openSite();
    const part_id = await addPart(store, { unit_of_measure: 'kg' });
    for (const _ of [1, 2]) {
      await receive(store, { part_id, quantity_accepted: 1_000_000_000, unit_of_measure: 'grams' });
    }
    expect(await refusalOf(ship(store, { part_id, quantity: 2_000_000 }))).toMatch(/1000000000.*at once/);
    await ship(store, { part_id, quantity: 1_000_000 }, { part_id, quantity: 1_000_000 });
    expect(stockOf(store)).toEqual([]);
  });
});

describe('what locks a lot, and what releases it (decisions, 5.3)', () => {
  const part = { name: 'Jar', unit_of_measure: 'units' };

  it('quarantine of any of its receipts, and a line that is not active', async () => {
    const store = await openSite();
    const part_id = await addPart(store, part);
    const first = await receive(store, { part_id, is_active_batch: false }, { is_quarantined: true });
    const second = await receive(store, { part_id });
    expect(second.lot).toBe(first.lot);
    const shipment = await prepare(store, { part_id, quantity: 1 });
    expect(await refusalOf(close(store, shipment))).toContain('its receipt is quarantined');
    await update(store, 'receiving-inspection', first.receipt, { is_quarantined: false });
    expect(await refusalOf(close(store, shipment))).toContain('not an active batch');
    await correct(store, first, { is_active_batch: true });
    expect(lotOf(store, first.lot)).toMatchObject({ is_locked: false });
    await close(store, shipment);
  });

  it('a person', async () => {
    const store = await openSite();
    const part_id = await addPart(store, part);
    const { lot } = await receive(store, { part_id });
    await lock(store, lot, true);
    expect(lotOf(store, lot)).toMatchObject({ is_locked: true, quantity: 10 });
    expect(await refusalOf(ship(store, { part_id, quantity: 1 }))).toContain('a person locked it');
    await lock(store, lot, false);
    await ship(store, { part_id, quantity: 1 });
  });

  it('an inspection that is open or failed, until it passes, and again when it is reopened', async () => {
    const store = await openSite();
    const part_id = await addPart(store, part);
    const { lot } = await receive(store, { part_id });
    const { id } = await create(store, 'inspection', { inventory_id: lot });
    const shipment = await prepare(store, { part_id, quantity: 1 });
    expect(await refusalOf(close(store, shipment))).toContain('not finished');
    await update(store, 'inspection', id, { passed: false });
    expect(await refusalOf(close(store, shipment))).toContain('failed');
    await update(store, 'inspection', id, { passed: true });
    expect(lotOf(store, lot)).toMatchObject({ is_locked: false });
    await update(store, 'inspection', id, { passed: null }, { reason: 'wrong gauge' });
    expect(await refusalOf(close(store, shipment))).toContain('not finished');
    const other = await receive(store, { part_id, serial_number: 'M' });
    await update(store, 'inspection', id, { inventory_id: other.lot }, { reason: 'wrong lot' });
    expect(taken(await close(store, shipment))).toEqual([[[lot, 1]]]);
  });

  it('skips locked and expired lots for others that can ship, and says why when there are none', async () => {
    const store = await openSite();
    const part_id = await addPart(store, part);
    const line = { part_id, quantity_accepted: 5 };
    await receive(store, { ...line, serial_number: 'EXPIRED', expiry_date: '2026-06-14' });
    const held = await receive(store, { ...line, serial_number: 'HELD', expiry_date: '2026-06-20' });
    const good = await receive(store, { ...line, serial_number: 'GOOD', expiry_date: '2026-06-30' });
    await lock(store, held.lot, true);
    expect(taken(await ship(store, { part_id, quantity: 4 }))).toEqual([[[good.lot, 4]]]);
    const before = stockOf(store);
    const message = await refusalOf(ship(store, { part_id, quantity: 2 }));
    expect(message).toMatch(/Item \d+ \(Jar\) is short of 1 units/);
    expect(message).toMatch(/lot EXPIRED expired on 2026-06-14.*lot HELD is locked/);
    expect(stockOf(store)).toEqual(before);
  });
});

describe('the day of shipping (decisions, 5.4)', () => {
  it('that is earlier lets out nothing that is expired today, but for the records of years past', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const line = { part_id, expiry_date: '2026-06-14', received_date: '2026-06-01T08:00:00Z' };
    await receive(store, line);
    const shipment = await prepare(store, { part_id, quantity: 1 });
    const day = { actual_ship_date: '2026-06-10' };
    for (const writer of [person(store, 'ada', 'administrator'), program(store, 'inspector')])
      expect((await writer.refusal('shipment', shipment, day)).conflict).toContain('expired on 2026-06-14');
    const past = await program(store, 'administrator').update('shipment', shipment, day);
    expect(taken(past)).toHaveLength(1);
  });

  it.each([
    ['the line came', { received_date: '2026-06-12T08:00:00Z' }, {}, '2026-06-12'],
    ['the delivery came', {}, { actual_arrival_date: '2026-06-13' }, '2026-06-13'],
    ['the line was written', {}, {}, '2026-06-15'],
  ])('is not before %s', async (_, line, receipt, came) => {
    const store = await openSite();
    const part_id = await addPart(store);
    await receive(store, { part_id, ...line }, receipt);
    const shipment = await prepare(store, { part_id, quantity: 1 });
    const refusal = await refusalOf(close(store, shipment, '2026-06-11'));
    expect(refusal).toContain(`was received on ${came}, after 2026-06-11`);
    expect(taken(await close(store, shipment, came))).toHaveLength(1);
  });

  it('takes the lots of a part that had come by then', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    await receive(store, { part_id, serial_number: 'A', expiry_date: '2026-12-01' });
    const early = { actual_arrival_date: '2026-06-01' };
    const { lot } = await receive(store, { part_id, serial_number: 'B', expiry_date: '2026-12-31' }, early);
    const shipment = await prepare(store, { part_id, quantity: 1 });
    expect(taken(await close(store, shipment, '2026-06-02'))).toEqual([[[lot, 1]]]);
  });
});

describe('expiry (decisions, 5.4)', () => {
  it('day is the last usable day, as of the ship date', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    await receive(store, { part_id, expiry_date: '2026-06-20' });
    const shipment = await prepare(store, { part_id, quantity: 1 });
    expect(await refusalOf(close(store, shipment, '2026-06-21'))).toContain('expired on 2026-06-20');
    await close(store, shipment, '2026-06-20');
  });

  it('is judged when asked, by the calendar at the site', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { lot } = await receive(store, { part_id, expiry_date: '2026-07-16' });
    const soon = (now: string) => lotOf(store, lot, now).is_expiry_soon;
    expect([soon('2026-06-15T23:59:59.999Z'), soon('2026-06-16T00:00:00.000Z')]).toEqual(['0', '1']);
    await create(store, 'setting', { time_zone: 'Pacific/Auckland' }, { id: 1 });
    expect([soon('2026-06-15T11:59:59.999Z'), soon('2026-06-15T12:00:00.000Z')]).toEqual(['0', '1']);
    await update(store, 'setting', 1, { time_zone: 'America/Los_Angeles', expiry_soon_days: 5 });
    expect([soon('2026-07-11T06:59:59.999Z'), soon('2026-07-11T07:00:00.000Z')]).toEqual(['0', '1']);
    expect(lotOf(store, lot)).toMatchObject({ nearest_expiry_date: '2026-07-16' });
  });
});

describe('a closed shipment (decisions, 5.5)', () => {
  it('keeps what it took, whatever changes afterwards', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { lot, ...received } = await receive(store, { part_id });
    const { id } = await ship(store, { part_id, quantity: 4 });
    const before = taken(await update(store, 'shipment', id, { notes: 'n' }));
    await correct(store, { lot, ...received }, { serial_number: 'M', quantity_accepted: 20 });
    await update(store, 'receiving-inspection', received.receipt, { is_quarantined: true });
    const after = await update(store, 'shipment', id, { actual_ship_date: '2026-06-16' });
    expect(taken(after)).toEqual(before);
    expect(Object.values(after.fields.items ?? {})).toMatchObject([
      { shipped_date: '2026-06-16T00:00:00.000Z' },
    ]);
    expect(lotOf(store, lot)).toMatchObject({ quantity: 16 });
  });

  it.each([undefined, '', '   '])('is not reopened with the reason %j', async reason => {
    const store = await openSite();
    const part_id = await addPart(store);
    await receive(store, { part_id });
    const { id } = await ship(store, { part_id, quantity: 4 });
    const attempt = update(
      store,
      'shipment',
      id,
      { actual_ship_date: null },
      reason === undefined ? {} : { reason },
    );
    await expect(attempt).rejects.toMatchObject({ errors: { reason: [expect.any(String)] } });
    expect(store.records.get('shipment', id)?.version).toBe(2);
  });

  it('can be corrected and closed again after it was reopened, and history shows all', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { lot } = await receive(store, { part_id });
    const { id, fields } = await ship(store, { part_id, quantity: 4 });
    const [item] = Object.keys(fields.items ?? {});
    await expect(
      update(store, 'shipment', id, { items: [{ id: item, serial_number: 'M' }] }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await expect(update(store, 'shipment', id, { items: [{ part_id, quantity: 0 }] })).rejects.toMatchObject({
      code: 'conflict',
    });
    const corrected = { actual_ship_date: null, items: [{ id: item, quantity: 5 }] };
    await update(store, 'shipment', id, corrected, { reason: 'five, not four' });
    expect(taken(await close(store, id))).toEqual([[[lot, 5]]]);
    expect(lotOf(store, lot)).toMatchObject({ quantity: 5 });
    expect(audit(store)).toEqual([]);
  });

  it('takes exactly what a lot number names, of its part only', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const other = await addPart(store, { name: 'Lid' });
    await receive(store, { part_id: other, serial_number: 'M' });
    await receive(store, { part_id, serial_number: 'L' });
    const message = await refusalOf(ship(store, { part_id, quantity: 1, serial_number: 'M' }));
    expect(message).toContain('lot M');
    expect(taken(await ship(store, { part_id, quantity: 1, serial_number: '' }))).toHaveLength(1);
  });
});
