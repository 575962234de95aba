import { describe, expect, it } from 'vitest';
import { mapOf } from '../../../server/store/changes.ts';
import type { Store } from '../../../server/store/store.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import { audit, commitsOf } from './audit.ts';
import { create, itemIds, temporaryStore, update } from './temporary-store.ts';

const { supplier } = families;

/** Of each commit after the first `skip`, what it changed: path and new value. */
function changesOf(store: Store, skip: number): Record<string, unknown>[] {
  return commitsOf(store)
    .slice(skip)
    .map(({ entries }) =>
      Object.fromEntries(entries.flatMap(({ changes }) => changes.map(change => [change.path, change.new]))),
    );
}

describe('an update', () => {
  it('that changes nothing writes no history and keeps the version', async () => {
    const store = await temporaryStore();
    const { id: part_id } = await create(store, 'part', {});
    const before = await create(store, 'order', {
      po_number: 'A',
      is_closed: true,
      items: [{ part_id, quantity: 1.5, serial_number: 'L' }],
    });
    const [item] = itemIds(before, 'items');
    for (const body of [
      {},
      { po_number: 'A' },
      { is_closed: '1', notes: null },
      { items: [] },
      { items: [{ id: item }] },
      { items: [{ id: String(item), quantity: '1.50', serial_number: 'L' }] },
    ]) {
      expect(await update(store, 'order', before.id, body)).toEqual(store.records.getByKey(before.key));
    }
    expect(store.records.getByKey(before.key)).toMatchObject({ version: 1, state: before.state });
    expect(commitsOf(store)).toHaveLength(2);
  });

  it('with null clears, and with a missing field leaves', async () => {
    const store = await temporaryStore();
    const { id } = await create(store, 'supplier', { name: 'A', notes: 'n', primary_name: 'P' });
    const record = await update(store, 'supplier', id, { notes: null });
    expect(record.fields).toEqual({ name: 'A', primary_name: 'P' });
    expect(changesOf(store, 1)).toEqual([{ notes: null }]);
  });

  it('with null as the position of a new item places it as one without', async () => {
    const store = await temporaryStore();
    const record = await create(store, 'specification', {
      characteristics: [{ name: 'A', order: null }, { name: 'B' }, { name: 'C', order: null }],
    });
    const items = mapOf(record.fields.characteristics);
    expect(itemIds(record, 'characteristics').map(id => mapOf(items[id]).order)).toEqual([1, 2, 3]);
  });

  it('of an item names its path, and an added one is one change', async () => {
    const store = await temporaryStore();
    const { id: part_id } = await create(store, 'part', {});
    const items = [
      { part_id, quantity: 1 },
      { part_id, quantity: 2 },
    ];
    const before = await create(store, 'order', { items });
    const [first = 0, second = 0] = itemIds(before, 'items');
    const after = await update(store, 'order', before.id, {
      items: [
        { id: second, quantity: 5, serial_number: 'L' },
        { part_id, quantity: 3 },
      ],
    });
    const [, , third = 0] = itemIds(after, 'items');
    expect(changesOf(store, 2)).toEqual([
      {
        [`items.${second}.quantity`]: 5,
        [`items.${second}.serial_number`]: 'L',
        [`items.${third}`]: {
          part_id,
          quantity: 3,
          order: 3,
          is_low_inventory: false,
          is_low_materials: false,
        },
      },
    ]);
    const times = (record: StoredRecord, id: number) => {
      const { created_at, updated_at } = mapOf(mapOf(record.fields.items)[id]);
      return { created_at, updated_at };
    };
    expect(times(after, first)).toEqual(times(before, first));
    expect(times(after, second)).toEqual({ created_at: before.created_at, updated_at: after.updated_at });
    expect(times(after, third)).toEqual({ created_at: after.updated_at, updated_at: after.updated_at });
  });

  it("of a sample's results names the path of each value", async () => {
    const store = await temporaryStore();
    const template = await create(store, 'specification', {
      characteristics: [{ name: 'Height', dimensions: '10', tolerance: '±1' }, { name: 'Colour' }],
    });
    const [height = 0, colour = 0] = itemIds(template, 'characteristics');
    const before = await create(store, 'inspection', { drawing_id: template.id });
    const [sample = 0] = itemIds(before, 'samples');
    const result = (id: number, fields: object) => ({
      samples: [{ id: sample, results: [{ id, ...fields }] }],
    });
    await update(store, 'inspection', before.id, result(height, { value: 10.5 }));
    await update(store, 'inspection', before.id, result(colour, { passed: false, comment: 'grey' }));
    await update(store, 'inspection', before.id, result(height, { value: 12 }));
    const base = `samples.${sample}.results`;
    expect(changesOf(store, 2)).toEqual([
      { [`${base}.${height}.value`]: 10.5, [`${base}.${height}.passed`]: true },
      { [`${base}.${colour}.passed`]: false, [`${base}.${colour}.comment`]: 'grey' },
      { [`${base}.${height}.value`]: 12, [`${base}.${height}.passed`]: false },
    ]);
    expect(audit(store)).toEqual([]);
  });

  it('twice in one commit is one version, and taken back in it none', async () => {
    const store = await temporaryStore();
    const { id } = await create(store, 'supplier', { name: 'A' });
    const twice = (...names: string[]) =>
      store.gate.commit({
        actor: { rights: BY_SERVER, user: 'tester' },
        reason: null,
        work: work => {
          for (const name of names) work.set(supplier, id, { ...work.require('supplier', id).fields, name });
        },
        answer: () => store.pending.get('supplier', id),
      });
    expect(await twice('B', 'C')).toMatchObject({ version: 2, fields: { name: 'C' } });
    expect(await twice('D', 'C')).toMatchObject({ version: 2, fields: { name: 'C' } });
    expect(changesOf(store, 1)).toEqual([{ name: 'C' }]);
    expect(audit(store)).toEqual([]);
  });

  it('of items that are not there is refused on their path', async () => {
    const store = await temporaryStore();
    const { id: part_id } = await create(store, 'part', {});
    const items = [{ part_id, quantity: 1 }];
    const { id } = await create(store, 'order', { items });
    await expect(update(store, 'order', id, { items: [...items, { id: 77 }] })).rejects.toMatchObject({
      errors: { 'items.1.id': [expect.any(String)] },
    });
    expect(commitsOf(store)).toHaveLength(2);
  });
});

describe('a whole list', () => {
  it('marks what it leaves out as removed, and takes it back by its name', async () => {
    const store = await temporaryStore();
    const before = await create(store, 'specification', { characteristics: [{ name: 'A' }, { name: 'B' }] });
    const [a = 0, b = 0] = itemIds(before, 'characteristics');
    await update(store, 'specification', before.id, { characteristics: [{ name: 'B', dimensions: '5' }] });
    await update(store, 'specification', before.id, { characteristics: [{ name: 'B' }, { name: 'A' }] });
    expect(changesOf(store, 1)).toEqual([
      { [`characteristics.${a}.is_removed`]: true, [`characteristics.${b}.dimensions`]: '5' },
      { [`characteristics.${a}.is_removed`]: null },
    ]);
    expect(audit(store)).toEqual([]);
  });
});
