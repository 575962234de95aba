import { expect, it } from 'vitest';
import { inputOf } from '../../../../server/rules/input-of.ts';
import { readConflicts } from '../../../../server/sync/log/conflicts.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { create, update } from '../../store/temporary-store.ts';
import { areSame, fleet, shown } from './fleet.ts';

it('brings what each writes to all, with the same digests', async () => {
  const { central, stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  await create(central.store, 'company', { name: 'Ours' });
  await settle();
  const supplier = await create(a.store, 'supplier', { name: 'Acme' });
  await create(b.store, 'supplier', { name: 'Best' });
  await settle();
  expect(areSame(stores())).toBe(true);
  expect(Object.keys(shown(central.store))).toHaveLength(3);
  await update(a.store, 'supplier', supplier.id, { primary_name: 'Ann' });
  await update(b.store, 'supplier', supplier.id, { primary_email: 'a@example.com' });
  await settle();
  expect(areSame(stores())).toBe(true);
  expect(shown(central.store)[`supplier:${supplier.id}`]?.fields).toMatchObject({
    primary_name: 'Ann',
    primary_email: 'a@example.com',
  });
  expect(a.engine.digests()).toEqual(central.exchange.digests());
  expect(b.engine.digests()).toEqual(central.exchange.digests());
});

it('keeps both values of one field as a conflict, with the same winner everywhere, until a person decides', async () => {
  const { central, stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  const { id } = await create(central.store, 'supplier', { name: 'Acme' });
  await settle();
  await update(a.store, 'supplier', id, { name: 'Acme A' });
  await update(b.store, 'supplier', id, { name: 'Acme B' });
  await settle();
  expect(areSame(stores())).toBe(true);
  const open = stores().map(({ database }) =>
    readConflicts(database.reader, { isOpen: true, offset: 0, limit: 9 }),
  );
  expect(open[0]).toMatchObject({
    total: 1,
    conflicts: [
      {
        subject: `supplier:${id}`,
        path: 'name',
        siblings: [{ value: 'Acme B' }, { value: 'Acme A' }],
        closed: null,
      },
    ],
  });
  expect(open[1]).toEqual(open[0]);
  expect(open[2]).toEqual(open[0]);
  await a.store.gate.commit({
    actor: { rights: BY_SERVER, user: 'ann' },
    reason: 'The first was right.',
    work: work => work.resolve(families.supplier, id, 'name', inputOf({ name: 'Acme A' })),
    answer: () => undefined,
  });
  await settle();
  expect(areSame(stores())).toBe(true);
  expect(shown(central.store)[`supplier:${id}`]?.fields.name).toBe('Acme A');
  const closed = stores().map(({ database }) =>
    readConflicts(database.reader, { isOpen: false, offset: 0, limit: 9 }),
  );
  expect(closed[0]).toMatchObject({ total: 1, conflicts: [{ outcome: 'Acme A' }] });
  expect(closed[2]).toEqual(closed[0]);
  expect(b.engine.digests()).toEqual(central.exchange.digests());
});

it('keeps the first of two verdicts, and the other whole in the conflict', async () => {
  const { central, stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  const { id } = await create(central.store, 'shipment', {});
  await settle();
  await update(a.store, 'shipment', id, { actual_ship_date: '2026-06-14', po_number: 'first' });
  await update(b.store, 'shipment', id, { actual_ship_date: '2026-06-15', po_number: 'second' });
  expect(shown(b.store)[`shipment:${id}`]?.fields).toMatchObject({ actual_ship_date: '2026-06-15' });
  await settle();
  expect(areSame(stores())).toBe(true);
  expect(shown(central.store)[`shipment:${id}`]?.fields).toMatchObject({
    actual_ship_date: '2026-06-14',
    po_number: 'first',
  });
  const { conflicts } = readConflicts(b.store.database.reader, { isOpen: true, offset: 0, limit: 9 });
  expect(conflicts.map(({ path, siblings }) => [path, siblings.map(({ value }) => value)])).toEqual(
    expect.arrayContaining([
      ['actual_ship_date', ['2026-06-14', '2026-06-15']],
      ['po_number', ['first', 'second']],
    ]),
  );
});
