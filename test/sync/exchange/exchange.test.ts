import { expect, it } from 'vitest';
import { create, update } from '../../store/temporary-store.ts';
import { fleet, sameOf, shown } from './fleet.ts';

it('brings what each writes to all, with the same digests', async () => {
  const { central, exchange, stations, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  await create(central, 'company', { name: 'Ours' });
  await settle();
  const supplier = await create(a.store, 'supplier', { name: 'Acme' });
  await create(b.store, 'supplier', { name: 'Best' });
  await settle();
  expect(sameOf([central, a.store, b.store])).toBe(true);
  expect(Object.keys(shown(central))).toHaveLength(3);
  await update(a.store, 'supplier', supplier.id, { primary_name: 'Ann' });
  await update(b.store, 'supplier', supplier.id, { primary_email: 'a@example.com' });
  await settle();
  expect(sameOf([central, a.store, b.store])).toBe(true);
  expect(shown(central)[`supplier:${supplier.id}`]?.fields).toMatchObject({
    primary_name: 'Ann',
    primary_email: 'a@example.com',
  });
  expect(a.engine.digests()).toEqual(exchange.digests());
  expect(b.engine.digests()).toEqual(exchange.digests());
});
