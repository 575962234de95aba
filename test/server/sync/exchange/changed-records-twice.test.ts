import { expect, it } from 'vitest';
import { newChain } from '../../../../server/store/history.ts';
import type { Store } from '../../../../server/store/store.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { create, update } from '../../store/temporary-store.ts';
import { areSame, type Fleet, faultsOf, fleet, type Peer, shown } from './fleet.ts';

/** An id that was given twice, and people who went on to change the record which has another id since. */

/** Each supplier with who is its first and its second contact. */
function suppliers(store: Store): unknown[] {
  return Object.values(shown(store))
    .filter(({ family }) => family === 'supplier')
    .map(({ fields }) => [fields.name, fields.primary_name ?? null, fields.secondary_name ?? null])
    .sort();
}

async function expectSuppliers(made: Fleet, expected: readonly unknown[][]): Promise<void> {
  for (let round = 0; round < 4; round += 1) await made.settle();
  for (const store of made.stores()) expect(suppliers(store)).toEqual(expected);
  expect(areSame(made.stores())).toBe(true);
  for (const { engine } of made.stations) expect(engine.state()).toMatchObject({ unsent: 0, stuck: null });
  expect(made.central.exchange.reader().heldCommits.all()).toEqual([]);
  for (const store of made.stores()) expect(await faultsOf(store)).toEqual([]);
}

/** As a machine does that was put back, and that an administrator has chosen. */
async function beginAgain(peer: Peer): Promise<void> {
  const { store } = peer;
  await new StationStore(store, syncRules, store.database).beginAgain(newChain(store.station));
  await peer.copy();
}

it('a change over a change goes along, where central was put back and gave the id again', async () => {
  const made = await fleet(2);
  const { central } = made;
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  await made.settle();
  const image = await central.copy();
  const { id } = await create(central.store, 'supplier', { name: 'lost' });
  await made.settle();
  await update(a.store, 'supplier', id, { primary_name: 'by a' });
  await made.settle();
  await update(b.store, 'supplier', id, { primary_name: 'by b, over a' });
  await central.putBack(image);
  expect((await create(central.store, 'supplier', { name: 'since' })).id).toBe(id);
  await a.settle();
  await a.settle();
  await expectSuppliers(made, [
    ['lost', 'by b, over a', null],
    ['since', null, null],
  ]);
});

it('a change goes along that was made before the station had heard of the other id', async () => {
  const made = await fleet(2);
  const [a] = made.stations;
  if (!a) throw new Error();
  await made.settle();
  const before = await a.copy();
  const { id } = await create(a.store, 'supplier', { name: 'mine' });
  const disk = await a.copy();
  // Another machine with the disk of before gives the same id, and is heard first.
  await a.putBack(before);
  await beginAgain(a);
  expect((await create(a.store, 'supplier', { name: 'of the other' })).id).toBe(id);
  await made.settle();
  // The machine goes on, and its supplier gets another id; then that is forgotten here as well.
  await a.putBack(disk);
  await beginAgain(a);
  await made.settle();
  await a.putBack(disk);
  await beginAgain(a);
  await update(a.store, 'supplier', id, { secondary_name: 'since' });
  await expectSuppliers(made, [
    ['mine', null, 'since'],
    ['of the other', null, null],
  ]);
});

it('two changes of one field go along, where the station was away while the id was given again', async () => {
  const made = await fleet(2);
  const { central } = made;
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  await made.settle();
  const image = await central.copy();
  const { id } = await create(central.store, 'supplier', { name: 'lost' });
  await made.settle();
  await update(a.store, 'supplier', id, { primary_name: 'first' });
  await update(a.store, 'supplier', id, { primary_name: 'then' });
  await central.putBack(image);
  expect((await create(central.store, 'supplier', { name: 'since' })).id).toBe(id);
  // It gives back what central lost, which has another id from then on.
  await b.settle();
  await expectSuppliers(made, [
    ['lost', 'then', null],
    ['since', null, null],
  ]);
});

it('a change is of the record that was shown, where the machine begins again twice before it has read the log', async () => {
  const made = await fleet(2, { limit: 1 });
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  await made.settle();
  const before = await a.copy();
  const { id } = await create(a.store, 'supplier', { name: 'of the other' });
  await made.settle();
  for (const name of ['second', 'third', 'fourth'])
    await create(b.store, 'part', { name, unit_of_measure: 'kg' });
  await b.settle();
  await a.putBack(before);
  expect((await create(a.store, 'supplier', { name: 'mine' })).id).toBe(id);
  await beginAgain(a);
  const nameThere = () => a.store.records.get('supplier', id)?.fields.name;
  while (nameThere() === 'mine') expect(await a.engine.step()).toBe(true);
  expect(new StationStore(a.store, syncRules, a.store.database).isIssuingAgain()).toBe(true);
  await update(a.store, 'supplier', id, { secondary_name: 'as shown' });
  await update(a.store, 'supplier', id, { secondary_name: 'as shown then' });
  await beginAgain(a);
  await expectSuppliers(made, [
    ['mine', null, null],
    ['of the other', null, 'as shown then'],
  ]);
});
