/** A store with a company in it, and the short ways to what the rules are about. */

import { type AnswerContext, answerOf } from '../../../server/rules/answers.ts';
import { mapOf } from '../../../server/store/changes.ts';
import type { Store } from '../../../server/store/store.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { inventoryDetailFields, inventoryListFields } from '../../../shared/families/inventory.ts';
import { families } from '../../../shared/families/registry.ts';
import { create, itemIds, START, temporaryStore, update } from '../store/temporary-store.ts';

type Fields = Record<string, unknown>;

export async function openSite(): Promise<Store> {
  const store = await temporaryStore();
  await create(store, 'company', { name: 'Ours' });
  return store;
}

export async function addPart(store: Store, fields: Fields = {}): Promise<number> {
  return (await create(store, 'part', { name: 'Jar', unit_of_measure: 'units', ...fields })).id;
}

/** Opening stock without a number, as versions made it that asked for none. */
export async function openNameless(store: Store, fields: Fields): Promise<StoredRecord> {
  const stored = { company_id: 1, lot_unit: 'units', is_legacy: true, opening_date: START.slice(0, 10) };
  return store.gate.commit({
    actor: { rights: BY_SERVER, user: 'before' },
    reason: null,
    work: work => work.insert(families.inventory, { ...stored, ...fields }),
    answer: record => record,
  });
}

export interface Received {
  receipt: number;
  item: number;
  lot: number;
}

/** A receipt of one line; 10 of a lot called L unless said otherwise. */
export async function receive(store: Store, line: Fields, receipt: Fields = {}): Promise<Received> {
  const record = await create(store, 'receiving-inspection', {
    ...receipt,
    items: [{ quantity_accepted: 10, serial_number: 'L', ...line }],
  });
  const [item = 0] = itemIds(record, 'items');
  return { receipt: record.id, item, lot: Number(lineOf(record, item).inventory_id) };
}

/** Corrects a receipt's line; returns the lot that the line then feeds. */
export async function correct(store: Store, received: Received, fields: Fields): Promise<number> {
  const items = [{ id: received.item, ...fields }];
  const record = await update(store, 'receiving-inspection', received.receipt, { items });
  return Number(lineOf(record, received.item).inventory_id);
}

/** An open shipment of these items. */
export async function prepare(store: Store, ...items: Fields[]): Promise<number> {
  return (await create(store, 'shipment', { items })).id;
}

export function close(store: Store, shipment: number, day = START.slice(0, 10)): Promise<StoredRecord> {
  return update(store, 'shipment', shipment, { actual_ship_date: day });
}

/** A shipment of these items, closed today. */
export async function ship(store: Store, ...items: Fields[]): Promise<StoredRecord> {
  return close(store, await prepare(store, ...items));
}

/** What each item of a shipment took: lot and quantity in the lot's unit. */
export function taken(shipment: StoredRecord): [lot: number, quantity: number][][] {
  return Object.values(mapOf(shipment.fields.items)).map(item => {
    const parts = mapOf(item).taken;
    return Array.isArray(parts) ? parts.map(part => [part.inventory_id, part.quantity]) : [];
  });
}

export function lineOf(record: StoredRecord, item: number): Fields {
  return mapOf(mapOf(record.fields.items)[item]);
}

/** A lot as the interface answers it, all of its fields. */
export function lotOf(store: Store, lot: number, now = START): Fields {
  const record = store.records.get('inventory', lot);
  if (!record) throw new Error(`There is no lot ${lot}.`);
  const fields = [...new Set([...inventoryListFields, ...inventoryDetailFields])];
  return answerOf(contextOf(store, now), record, { fields });
}

export function contextOf(store: Store, now = START): AnswerContext {
  return { records: store.records, sql: store.database.reader, now };
}

/** An adjustment of another station, as a merge brings it: no rule was asked, so that less than nothing may be left. */
export function takenElsewhere(store: Store, adjustment: Fields): Promise<StoredRecord> {
  return store.gate.commit({
    actor: { rights: BY_SERVER, user: 'tester' },
    reason: null,
    work: work =>
      work.restore(families.adjustment, work.nextId('adjustment'), { reason: 'used', ...adjustment }),
    answer: record => record,
  });
}

/** A person locks or releases a lot. */
export function lock(store: Store, lot: number, is_locked_by_person: boolean): Promise<StoredRecord> {
  return store.gate.commit({
    actor: { rights: BY_SERVER, user: 'tester' },
    reason: 'suspect seal',
    work: work => {
      const { fields } = work.require('inventory', lot);
      return work.set(families.inventory, lot, { ...fields, is_locked_by_person });
    },
    answer: record => record,
  });
}
