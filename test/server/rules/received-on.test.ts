import { beforeEach, describe, expect, it } from 'vitest';
import { receivedOn } from '../../../server/rules/received-on.ts';
import type { Store } from '../../../server/store/store.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import { create, itemIds, temporaryStore, update } from '../store/temporary-store.ts';
import { addPart, lineOf, openSite, receive } from './site.ts';

type Fields = Record<string, unknown>;

let store: Store;
let part_id: number;
beforeEach(async () => {
  store = await openSite();
  part_id = await addPart(store);
});

const written = '2026-06-15';

/** The first day of the lot, as a write that follows sees it. */
const dayOf = (lot: number) =>
  store.gate.commit({
    actor: { user: 'tester', rights: BY_SERVER },
    reason: null,
    work: work => receivedOn(work, work.require('inventory', lot)),
    answer: day => day,
  });

describe('a lot was there from', () => {
  it.each<[string, Fields, Fields, string]>([
    ['the day of its line', { received_date: '2026-06-12T08:00:00Z' }, {}, '2026-06-12'],
    [
      'the day of its line rather than that of the delivery',
      { received_date: '2026-06-12T08:00:00Z' },
      { actual_arrival_date: '2026-06-10' },
      '2026-06-12',
    ],
    ['the day of the delivery', {}, { actual_arrival_date: '2026-06-13' }, '2026-06-13'],
    ['the day on which its line was written', {}, {}, written],
  ])('%s', async (_, line, receipt, day) => {
    expect(await dayOf((await receive(store, { part_id, ...line }, receipt)).lot)).toBe(day);
  });

  it('the first of several deliveries, of its own lines only', async () => {
    const { lot } = await receive(store, { part_id }, { actual_arrival_date: '2026-06-14' });
    await receive(store, { part_id }, { actual_arrival_date: '2026-06-11' });
    await receive(store, { part_id }, { actual_arrival_date: '2026-06-13' });
    expect(await dayOf(lot)).toBe('2026-06-11');
    const items = [
      { part_id, serial_number: 'M', quantity_accepted: 1, received_date: '2026-06-02T08:00:00Z' },
      { part_id, serial_number: 'L', quantity_accepted: 1, received_date: '2026-06-12T08:00:00Z' },
    ];
    await create(store, 'receiving-inspection', { items });
    expect(await dayOf(lot)).toBe('2026-06-11');
  });

  it('its opening day, where something stood there then', async () => {
    const opened = async (serial_number: string, fields: object) =>
      (await create(store, 'inventory', { part_id, serial_number, ...fields })).id;
    const day = { opening_date: '2026-06-01' };
    expect(await dayOf(await opened('A', { ...day, opening_quantity: 1 }))).toBe('2026-06-01');
    expect(await dayOf(await opened('B', { ...day, opening_quantity: 0 }))).toBe(written);
    expect(await dayOf(await opened('C', day))).toBe(written);
    expect(await dayOf(await opened('D', { opening_quantity: 1 }))).toBe(written);
    const { lot } = await receive(store, { part_id, serial_number: 'A' });
    expect(await dayOf(lot)).toBe('2026-06-01');
  });

  it('the day on which its opening balance was written, though more was received since', async () => {
    const { id } = await create(store, 'inventory', { part_id, batch_number: 'L', opening_quantity: 1 });
    const { lot } = await receive(store, { part_id }, { actual_arrival_date: '2026-06-20' });
    expect(lot).toBe(id);
    expect(await dayOf(lot)).toBe(written);
  });

  it('the day on which its line was written, neither its lot nor the rest of the receipt', async () => {
    let now = Date.parse('2026-06-01T12:00:00Z');
    store = await temporaryStore({ clock: () => new Date(now) });
    await create(store, 'company', { name: 'Ours' });
    part_id = await addPart(store);
    const { id: opened } = await create(store, 'inventory', { part_id, batch_number: 'L' });
    now = Date.parse('2026-06-02T12:00:00Z');
    const { id } = await create(store, 'receiving-inspection', {});
    now = Date.parse('2026-06-03T12:00:00Z');
    const items = [{ part_id, serial_number: 'L', quantity_accepted: 1 }];
    const record = await update(store, 'receiving-inspection', id, { items });
    expect(lineOf(record, itemIds(record, 'items')[0] ?? 0).inventory_id).toBe(opened);
    now = Date.parse('2026-06-04T12:00:00Z');
    expect(await dayOf(opened)).toBe('2026-06-03');
  });

  it('a day of the site, not of UTC', async () => {
    const { lot } = await receive(store, { part_id, received_date: '2026-06-12T20:00:00Z' });
    const opened = await create(store, 'inventory', { part_id, serial_number: 'O' });
    await create(store, 'setting', { time_zone: 'Pacific/Auckland' }, { id: 1 });
    expect(await dayOf(lot)).toBe('2026-06-13');
    expect(await dayOf(opened.id)).toBe('2026-06-16');
  });
});
