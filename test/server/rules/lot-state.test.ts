import { describe, expect, it } from 'vitest';
import { lotsInStock, plannedBalances } from '../../../server/rules/lot-state.ts';
import type { Store } from '../../../server/store/store.ts';
import type { UnitOfWork } from '../../../server/store/unit-of-work.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import { families } from '../../../shared/families/registry.ts';
import { create } from '../store/temporary-store.ts';
import { locks } from './people.ts';
import { addPart, openSite, receive } from './site.ts';

/** A lab result of the lot number L that failed. */
async function failing(store: Store): Promise<number> {
  const characteristics = [{ name: 'Lead', dimensions: '1', tolerance: '±1' }];
  const specification_id = (await create(store, 'specification', { characteristics })).id;
  const lab_data = '{"Lead": "3"}';
  return (await create(store, 'lab-result', { batch_number: 'L', specification_id, lab_data })).id;
}

/** The same as an import put it back from years in which it did not say which part was measured. */
async function formerly(store: Store): Promise<void> {
  await store.gate.commit({
    actor: { rights: BY_SERVER, user: 'tester' },
    reason: null,
    work: work =>
      work.restore(families['lab-result'], work.nextId('lab-result'), {
        batch_number: 'L',
        failed_measurements: ['Lead'],
      }),
    answer: () => null,
  });
}

const lotOf = async (store: Store, part_id: number, line: object = {}) =>
  (await receive(store, { part_id, ...line })).lot;

describe.each([
  ['that names its part', failing],
  ['of years in which results named none', formerly],
])('a failed lab result of a lot number, %s', (_, fail) => {
  it('locks all lots of the part that had the number, and no others', async () => {
    const store = await openSite();
    const [jar, lid] = [await addPart(store), await addPart(store, { name: 'Lid' })];
    const lots = [await lotOf(store, jar), await lotOf(store, jar, { expiry_date: '2027-01-01' })];
    const other = await lotOf(store, jar, { serial_number: 'M' });
    await fail(store);
    lots.push(await lotOf(store, jar, { expiry_date: '2028-01-01' }));
    const later = await lotOf(store, lid);
    for (const lot of lots) expect(locks(store, lot)).toEqual(['lab_failed']);
    for (const lot of [other, later, await lotOf(store, jar, { serial_number: null })])
      expect(locks(store, lot)).toEqual([]);
  });

  it('locks those of the part that has it first, where none had it', async () => {
    const store = await openSite();
    const [jar, lid] = [await addPart(store), await addPart(store, { name: 'Lid' })];
    await fail(store);
    const [first, second] = [await lotOf(store, lid), await lotOf(store, jar)];
    expect([locks(store, first), locks(store, second)]).toEqual([['lab_failed'], []]);
  });

  it('locks none where the number named several parts', async () => {
    const store = await openSite();
    const [jar, lid] = [await addPart(store), await addPart(store, { name: 'Lid' })];
    const lots = [await lotOf(store, jar), await lotOf(store, lid)];
    await fail(store);
    for (const lot of lots) expect(locks(store, lot)).toEqual([]);
  });
});

it('a failed lab result keeps its part, whatever number that part has lots of now', async () => {
  const store = await openSite();
  const lot = await lotOf(store, await addPart(store));
  await failing(store);
  await renumber(store, lot, 'K');
  const other = await lotOf(store, await addPart(store, { name: 'Lid' }));
  expect([locks(store, lot), locks(store, other)]).toEqual([[], []]);
});

it('the lot that had a number first is the one that was made first, whatever its id', async () => {
  const store = await openSite();
  await formerly(store);
  const opened = async (part_id: number, id: number) => {
    const body = { part_id, batch_number: 'L', quantity: 1 };
    return (await create(store, 'inventory', body, { id })).id;
  };
  const first = await opened(await addPart(store), 500);
  const second = await opened(await addPart(store, { name: 'Lid' }), 400);
  expect([locks(store, first), locks(store, second)]).toEqual([['lab_failed'], []]);
});

function renumber(store: Store, lot: number, batch_number: string): Promise<unknown> {
  return store.gate.commit({
    actor: { rights: BY_SERVER, user: 'tester' },
    reason: null,
    work: work => renumbered(work, lot, batch_number),
    answer: () => null,
  });
}

function renumbered(work: UnitOfWork, lot: number, batch_number: string): void {
  work.set(families.inventory, lot, { ...work.require('inventory', lot).fields, batch_number });
}

describe('what a unit of work is about to write', () => {
  /** What is read while a second delivery to the same place, or number, is staged. */
  async function during<Result>(
    store: Store,
    line: object,
    read: (work: UnitOfWork) => Result,
  ): Promise<Result> {
    return store.gate.commit({
      actor: { rights: BY_SERVER, user: 'tester' },
      reason: null,
      work: work => {
        const items = { 900: { quantity_accepted: 3, ...line } };
        work.set(families['receiving-inspection'], 900, { items });
        return read(work);
      },
      answer: result => result,
    });
  }

  it('counts into the balances of its lot, place by place', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const place = (await create(store, 'location', { name: 'A' })).id;
    const lot = await lotOf(store, part_id, { location_id: place });
    const line = { part_id, serial_number: 'L' };
    const balances = await during(store, line, work => plannedBalances(work, lot));
    expect(balances).toEqual([
      { location: 0, quantity: 3_000_000n },
      { location: place, quantity: 10_000_000n },
    ]);
    // The line leaves it again.
    const left = await during(store, { ...line, serial_number: 'M' }, work => plannedBalances(work, lot));
    expect(left).toEqual([{ location: place, quantity: 10_000_000n }]);
  });

  it('adds lots to what is in stock of its part and number', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const first = await lotOf(store, part_id);
    const line = { part_id, serial_number: 'M' };
    let quantity_accepted = 3;
    // Each time another quantity, so that there is something to write.
    const read = (batch: string | null, part = part_id) => {
      quantity_accepted += 1;
      const again = { ...line, quantity_accepted };
      return during(store, again, work => lotsInStock(work, part, batch).map(({ id }) => id));
    };
    const all = await read(null);
    expect(all).toHaveLength(2);
    expect(all).toContain(first);
    expect(await read('L')).toEqual([first]);
    expect(await read('M')).toEqual(all.filter(id => id !== first));
    expect(await read(null, await addPart(store))).toEqual([]);
    const renamed = await during(store, line, work => {
      renumbered(work, first, 'K');
      return ['L', 'K'].map(batch => lotsInStock(work, part_id, batch).map(({ id }) => id));
    });
    expect(renamed).toEqual([[], [first]]);
  });
});
