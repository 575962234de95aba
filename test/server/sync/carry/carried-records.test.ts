import { expect, it } from 'vitest';
import type { Store } from '../../../../server/store/store.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { create, update } from '../../store/temporary-store.ts';
import { areSame, faultsOf } from '../exchange/fleet.ts';
import { type CarryingFleet, type CarryingPeer, carryingFleet } from './carried-fleet.ts';

/** Records in place of the log, by files. */

/** More than one page of records has. */
const MANY = 1_200;

async function createMany(store: Store, name: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await create(store, 'supplier', { name: `${name} ${n}` });
}

async function one(farBehind?: number): Promise<CarryingFleet & { dock: CarryingPeer }> {
  const made = await carryingFleet(1, farBehind);
  const [dock] = made.peers;
  if (!dock) throw new Error();
  return { ...made, dock };
}

const entriesOf = ({ store }: CarryingPeer) =>
  store.database.reader.get<{ n: number }>('SELECT count(*) AS n FROM log')?.n;

async function expectInStep({
  central,
  dock,
  stores,
}: CarryingFleet & { dock: CarryingPeer }): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await central.in(await dock.out());
    await dock.in(await central.out(dock));
  }
  expect(areSame(stores())).toBe(true);
  expect(dock.peer.engine.digests()).toEqual(central.sync.exchange.digests());
  expect(dock.peer.engine.state()).toMatchObject({ unsent: 0, stuck: null });
  for (const store of stores()) expect(await faultsOf(store)).toEqual([]);
}

it('a new station joins by the records in a file, which may be read in twice, and again months later', async () => {
  const made = await one(10);
  const { central, dock } = made;
  await createMany(central.store, 'Early', MANY);
  const own = await create(dock.store, 'supplier', { name: 'Of the dock' });
  await central.in(await dock.out());
  const first = await central.out(dock);
  // What changes after the file was written comes with the next one.
  await update(central.store, 'supplier', [...central.store.records.all('supplier')][0]?.id ?? 0, {
    notes: 'since',
  });
  await dock.in(first);
  await dock.in(first);
  expect(dock.store.records.get('supplier', own.id)?.fields.name).toBe('Of the dock');
  expect([...dock.store.records.all('supplier')]).toHaveLength(MANY + 1);
  // The log before them was not read.
  expect(entriesOf(dock)).toBe(0);
  await expectInStep(made);
  await dock.in(first);
  await expectInStep(made);
});

it('a station that began to take records over the line ends that by a file', async () => {
  const made = await one();
  const { central, dock } = made;
  await createMany(central.store, 'Early', 30);
  await central.in(await dock.out());
  const log = await central.out(dock);
  await new StationStore(dock.store, syncRules, dock.store.database).beginSnapshot();
  // One that was written before central knew of it has the log alone.
  await expect(dock.in(log)).rejects.toMatchObject({ code: 'conflict' });
  await central.in(await dock.out());
  await dock.in(await central.out(dock));
  await expectInStep(made);
  await dock.in(log);
  await create(dock.store, 'supplier', { name: 'Since' });
  await expectInStep(made);
});

it('a file of records that was read in halfway is read in from its beginning', async () => {
  const made = await one(10);
  const { central, dock } = made;
  await createMany(central.store, 'Early', MANY);
  await central.in(await dock.out());
  const file = await central.out(dock);
  const leave = new AbortController();
  const { carry } = dock;
  async function* bytes() {
    yield file;
  }
  const onMessage = (done: number) => done === 2 && leave.abort(new Error('Cancelled.'));
  await expect(carry.take(bytes, { signal: leave.signal, onMessage })).rejects.toThrow('Cancelled.');
  expect([...dock.store.records.all('supplier')].length).toBeLessThan(MANY);
  await update(central.store, 'supplier', 1, { notes: 'meanwhile' });
  await dock.in(await central.out(dock));
  expect([...dock.store.records.all('supplier')]).toHaveLength(MANY);
  await expectInStep(made);
});
