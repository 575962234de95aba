import { inputOf } from '../../../../server/rules/input-of.ts';
import { ImportKeys } from '../../../../server/store/import-keys.ts';
import type { Store } from '../../../../server/store/store.ts';
import type { Family } from '../../../../shared/contract/define-family.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../../shared/contract/present.ts';
import { families, familyOf } from '../../../../shared/families/registry.ts';
import { addPart, receive, ship } from '../../../server/rules/site.ts';
import { recordsOf } from '../../../server/store/audit.ts';
import { create, itemIds, temporaryStore, update } from '../../../server/store/temporary-store.ts';

/** An installation that stands alone, as its setup leaves it. */
export async function freshInstallation(folder?: string): Promise<Store> {
  const store = await temporaryStore(folder === undefined ? {} : { folder });
  await store.gate.commit({
    actor: { rights: BY_SERVER, user: 'setup' },
    reason: null,
    work: work => work.create(families.company, inputOf({ name: 'My company' })),
    answer: () => undefined,
  });
  return store;
}

/** Something of everything that has ids in it: references, items, what a closing took, templates, users, signatures. */
export async function fill(store: Store) {
  const part_id = await addPart(store);
  const { id: place } = await create(store, 'location', { name: 'Shelf' });
  const { id: specification } = await create(store, 'specification', {
    name: 'Neck',
    characteristics: [
      { name: 'Bore', dimensions: '12', tolerance: '±0.1' },
      { name: 'Height', dimensions: '5', tolerance: '±0.5' },
    ],
  });
  const received = await receive(store, { part_id, drawing_id: specification, serial_number: 'A' });
  await create(store, 'move', { inventory_id: received.lot, quantity: 4, to_location_id: place });
  const inspection = await create(store, 'inspection', {
    drawing_id: specification,
    inventory_id: received.lot,
    sample_size: 2,
  });
  const [sample = 0] = itemIds(inspection, 'samples');
  const [bore = 0] = Object.keys(Object(inspection.fields.template).characteristics).map(Number);
  await update(store, 'inspection', inspection.id, {
    samples: [{ id: sample, results: [{ id: bore, value: 12 }] }],
  });
  const free = await receive(store, { part_id, serial_number: 'B' });
  const shipment = await ship(store, { part_id, quantity: 3, serial_number: 'B' });
  await create(store, 'lab-result', { batch_number: 'A', lab_data: { '5': 5, id: 7 } });
  await create(store, 'adjustment', { inventory_id: free.lot, quantity: 1, reason: 'counted' });
  const order = await create(store, 'order', { items: [{ part_id, quantity: 2, serial_number: 'A' }] });
  const [item = 0] = itemIds(order, 'items');
  await update(
    store,
    'order',
    order.id,
    { items: [{ id: item, quantity: 3 }] },
    { reason: 'more', user: 'anna' },
  );
  await create(store, 'setting', { time_zone: 'Europe/Berlin', is_esignature_required: true }, { id: 1 });
  const { id: user } = await create(store, 'user', { name: 'Anna', login: 'anna' });
  const ncr = await create(store, 'ncr', { ncr_number: 'N-1', source: 'internal', part_id });
  await store.gate.commit({
    actor: { rights: { kind: 'person', roles: ['quality'] }, user: 'anna', userId: user },
    reason: 'signed',
    signing: { signer: { id: user, name: 'Anna' }, reason: null },
    work: work => work.update(families.ncr, ncr.id, inputOf({ status: 'closed' })),
    answer: () => undefined,
  });
  await store.gate.applyRemote(() => {
    new ImportKeys(store.database).remember('erp', 'part', '["7"]', part_id);
    const body = { data: { id: order.id, customer_id: null, items: [{ id: item, part_id }] } };
    const headers = { Location: `/api/v2/orders/${order.id}` };
    const answer = { request_hash: 'h', status: 201, headers, body: JSON.stringify(body) };
    store.answers.keep(1, 'key', answer);
    return { result: undefined };
  });
  return {
    part: part_id,
    lot: free.lot,
    inspected: received.lot,
    inspection: inspection.id,
    sample,
    bore,
    shipment: shipment.id,
    order: order.id,
    item,
    user,
    ncr: ncr.id,
    place,
  };
}

/** References to records that are not there, of all fields that name records. */
export function danglingIn(store: Store): string[] {
  return recordsOf(store).flatMap(record => {
    const family: Family | undefined = familyOf(record.family);
    return Object.entries(family?.fields ?? {}).flatMap(([name, { reference }]) => {
      const id = record.fields[name];
      if (reference === undefined || typeof id !== 'number') return [];
      const target = reference === 'entity' ? 'part' : reference;
      return store.records.get(target, id) ? [] : [`${record.key}.${name} ${id}`];
    });
  });
}

/** What people see of a record, without its ids: the same before and after a move. */
export function withoutIds(records: readonly StoredRecord[], offset: number): string[] {
  const texts = records.map(({ family, id, version, fields, user, created_at, updated_at }) => {
    const all = JSON.stringify({ family, id, version, user, created_at, updated_at, fields });
    return offset === 0
      ? all
      : all.replaceAll(/(?<=[":,[])\d{7,}(?=[",:}\]])/g, text => String(Number(text) - offset));
  });
  return texts.sort();
}
