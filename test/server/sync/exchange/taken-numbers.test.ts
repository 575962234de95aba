import { describe, expect, it } from 'vitest';
import { inputOf } from '../../../../server/rules/input-of.ts';
import type { Store } from '../../../../server/store/store.ts';
import type { UnitOfWork } from '../../../../server/store/unit-of-work.ts';
import type { Family } from '../../../../shared/contract/define-family.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { type FamilyName, families, familyOf } from '../../../../shared/families/registry.ts';
import { create, update } from '../../store/temporary-store.ts';
import { areSame, employ, fleet } from './fleet.ts';

/** What a record needs beside its number. */
const RECORDS = {
  ncr: { source: 'internal' },
  car: {},
  complaint: { complaint_date: '2026-06-01' },
  order: { items: [] },
  shipment: {},
  'purchase-order': {},
} satisfies Partial<Record<FamilyName, object>>;

type Numbered = keyof typeof RECORDS;

const numbered = Object.keys(RECORDS) as Numbered[];

function fieldOf(name: Numbered): string {
  return familyOf(name)?.unique[0] ?? '';
}

function write(store: Store, work: (work: UnitOfWork) => unknown): Promise<void> {
  const actor = { rights: BY_SERVER, user: 'tester' };
  return store.gate.commit({ actor, reason: 'Counted.', work, answer: () => undefined });
}

const ways: [string, (store: Store, name: Numbered, family: Family, number: object) => Promise<unknown>][] = [
  ['a creation', (store, name, _, number) => create(store, name, { ...RECORDS[name], ...number })],
  [
    'a change',
    async (store, name, _, number) => {
      const own = `Other than ${JSON.stringify(number)}`;
      const { id } = await create(store, name, { ...RECORDS[name], [fieldOf(name)]: own });
      return update(store, name, id, number);
    },
  ],
  [
    'one of several',
    (store, name, family, number) =>
      write(store, work => {
        work.create(family, inputOf({ ...RECORDS[name], [fieldOf(name)]: 'Another one' }));
        work.create(family, inputOf({ ...RECORDS[name], ...number }));
      }),
  ],
  [
    'what is put back from an export',
    (store, _, family, number) =>
      write(store, work => work.restore(family, work.nextId(family.name), { ...number })),
  ],
];

it('is asked of every family with such a number but users, whom only central writes, certificates, numbered by the server, and counts (tasks.test.ts)', () => {
  const known = Object.values(families).flatMap(family => (family.unique.length > 0 ? family.name : []));
  expect(known.sort()).toEqual([...numbered, 'certificate', 'stock-count', 'user'].sort());
});

describe.each(numbered)('the number of a %s that came from another station', name => {
  it.each(ways)('is given to no second one by %s', async (_, way) => {
    const { central, stations, settle } = await fleet(2);
    const [a, b] = stations;
    if (!a || !b) throw new Error();
    await employ(central.store, 'tester');
    await settle();
    const number = { [fieldOf(name)]: 'N-1' };
    await create(a.store, name, { ...RECORDS[name], ...number });
    await settle();
    const family = familyOf(name);
    if (!family) throw new Error();
    for (const { store } of [b, central]) {
      // As it is, and as somebody else may write it.
      for (const written of ['N-1', ' n-1 ']) {
        await expect(way(store, name, family, { [fieldOf(name)]: written })).rejects.toMatchObject({
          code: 'validation_failed',
          message: expect.stringMatching(/"\s*n-1\s*" is taken by the record/i),
        });
      }
    }
  });
});

const given = numbered.filter(name => familyOf(name)?.numbered);

it('is given by the server to all but purchase orders, which are numbered by who orders', () => {
  expect(given).toEqual(numbered.filter(name => name !== 'purchase-order'));
});

it.each(given)('the number that the server gives a %s is given by no other machine', async name => {
  const { central, stations, stores, settle } = await fleet(2);
  await employ(central.store, 'tester');
  await settle();
  const made = await Promise.all(
    [central, ...stations].map(({ store }) => create(store, name, RECORDS[name])),
  );
  await settle();
  expect(new Set(made.map(({ fields }) => fields[fieldOf(name)])).size).toBe(3);
  expect(areSame(stores())).toBe(true);
});

it('two that were given apart can both be changed, and one gets another number', async () => {
  const { stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  const made = [a, b].map(({ store }) => create(store, 'ncr', { ncr_number: 'N-1', source: 'internal' }));
  const [one, two] = await Promise.all(made);
  await settle();
  await update(b.store, 'ncr', one?.id ?? 0, { description: 'Seen', ncr_number: 'N-1' });
  await update(a.store, 'ncr', two?.id ?? 0, { ncr_number: 'N-2' });
  await settle();
  expect(areSame(stores())).toBe(true);
});
