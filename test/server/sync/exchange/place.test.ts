import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../server/store/store.ts';
import { withPlace } from '../../../../server/sync/log/place-of-record.ts';
import { create, update } from '../../store/temporary-store.ts';
import { areSame, type Fleet, faultsOf, fleet, Peer } from './fleet.ts';

let made: Fleet & { a: Peer; b: Peer };
beforeEach(async () => {
  const whole = await fleet(2);
  const [a, b] = whole.stations;
  if (!a || !b) throw new Error();
  await create(whole.central.store, 'supplier', { name: 'Acme' });
  await whole.settle();
  made = { ...whole, a, b };
});

async function expectSound(...further: Peer[]): Promise<void> {
  const { central, stations, stores } = made;
  expect(areSame([...stores(), ...further.map(({ store }) => store)])).toBe(true);
  for (const { engine, store } of [...stations, ...further]) {
    expect(engine.digests()).toEqual(central.exchange.digests());
    expect(engine.state()).toMatchObject({ unsent: 0, stuck: null });
    expect(await faultsOf(store)).toEqual([]);
  }
  expect(await faultsOf(central.store)).toEqual([]);
}

const supplier = (store: Store, id: number) => store.records.get('supplier', id);

it("a station's own new record is not written again, and has its place in the log all the same", async () => {
  const { central, a, b, settle } = made;
  const { id } = await create(a.store, 'supplier', { name: 'New' });
  const written = supplier(a.store, id);
  await settle();
  const now = supplier(a.store, id);
  expect(now).toEqual(written);
  if (!now) throw new Error();
  const { folded } = withPlace(a.store.database.reader, now);
  expect(folded).toBe(central.exchange.reader().place().sequence);
  for (const { store } of [central, b]) expect(supplier(store, id)?.folded).toBe(folded);
  await expectSound();
});

describe('a record that has its place by its creator', () => {
  it.each<[string, (id: number) => Promise<unknown>]>([
    ['its station', id => update(made.a.store, 'supplier', id, { notes: 'a' })],
    ['another station', id => update(made.b.store, 'supplier', id, { notes: 'b' })],
    [
      'two stations at once',
      async id => {
        await update(made.a.store, 'supplier', id, { notes: 'a' });
        await update(made.b.store, 'supplier', id, { notes: 'b' });
      },
    ],
    [
      'its station twice, with an answer in between',
      async id => {
        await update(made.a.store, 'supplier', id, { notes: 'a' });
        await made.a.settle();
        await update(made.a.store, 'supplier', id, { notes: 'again' });
      },
    ],
  ])('is the same everywhere after %s has changed it', async (_, change) => {
    const { id } = await create(made.a.store, 'supplier', { name: 'New' });
    await made.settle();
    await change(id);
    for (const store of made.stores()) expect(await faultsOf(store)).toEqual([]);
    await made.settle();
    await expectSound();
    expect(supplier(made.a.store, id)?.folded).toBeGreaterThan(0);
  });

  it('is sent again when central is restored to before it', async () => {
    const { central, a, settle } = made;
    const copy = await central.copy();
    const { id } = await create(a.store, 'supplier', { name: 'New' });
    const other = await create(a.store, 'supplier', { name: 'Another' });
    await settle();
    await update(a.store, 'supplier', other.id, { notes: 'undecided' });
    await central.putBack(copy);
    await a.settle();
    await settle();
    await settle();
    await expectSound();
    expect(supplier(central.store, id)?.fields.name).toBe('New');
  });

  it('comes with the records when its station is far behind', async () => {
    const { central, settle } = made;
    const far = await Peer.join(request => central.answer(request), 7, { farBehind: 5 });
    await far.settle();
    const { id } = await create(far.store, 'supplier', { name: 'New' });
    await far.settle();
    expect(supplier(far.store, id)?.folded).toBe(0);
    for (let turn = 0; turn < 20; turn += 1) await create(central.store, 'supplier', { name: `S ${turn}` });
    await far.settle();
    await settle();
    await expectSound(far);
  });

  it.each([
    ['before', true],
    ['after', false],
  ])('is right where the log begins with records, and central goes back to %s that', async (_, isBefore) => {
    const { central, settle } = made;
    for (let turn = 0; turn < 20; turn += 1) await create(central.store, 'supplier', { name: `S ${turn}` });
    await settle();
    const early = await central.copy();
    await create(made.b.store, 'supplier', { name: 'Between' });
    await settle();
    const far = await Peer.join(request => central.answer(request), 7, { farBehind: 5 });
    await far.settle();
    expect(far.engine.reader.logStart()).toBeGreaterThan(0);
    const late = await central.copy();
    const { id } = await create(far.store, 'supplier', { name: 'New' });
    const changed = await create(far.store, 'supplier', { name: 'Changed' });
    await far.settle();
    expect(supplier(far.store, id)?.folded).toBe(0);
    await update(far.store, 'supplier', changed.id, { notes: 'undecided' });
    await central.putBack(isBefore ? early : late);
    await create(made.a.store, 'supplier', { name: 'Meanwhile' });
    await made.a.settle();
    for (let round = 0; round < 3; round += 1) {
      await far.settle();
      await settle();
    }
    await far.settle();
    await expectSound(far);
    expect(supplier(central.store, id)?.fields.name).toBe('New');
  });
});
