import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { readHistoryOf } from '../../../../server/store/history.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { create } from '../../store/temporary-store.ts';
import { areSame, type Fleet, faultsOf, fleet, type Peer, shown } from './fleet.ts';

async function expectSound({ central, stations, stores }: Fleet): Promise<void> {
  expect(areSame(stores())).toBe(true);
  for (const { engine } of stations) {
    expect(engine.digests()).toEqual(central.exchange.digests());
    expect(engine.state()).toMatchObject({ unsent: 0, stuck: null });
    expect(engine.reader.held.all()).toEqual([]);
  }
  for (const store of stores()) expect(await faultsOf(store)).toEqual([]);
}

/** The image of a machine put back, with the mark of the ids that it gave, and work that gives them again. */
async function putBackAndWrite(
  made: Fleet,
): Promise<{ a: Peer; taken: number; order: number; receipt: number }> {
  const [a] = made.stations;
  if (!a) throw new Error();
  const copy = await a.copy();
  const { id: taken } = await create(a.store, 'part', { name: 'First', unit_of_measure: 'units' });
  await made.settle();
  await a.putBack(copy);
  const second = await create(a.store, 'part', { name: 'Second', unit_of_measure: 'units' });
  expect(second.id).toBe(taken);
  const { id: order } = await create(a.store, 'order', {
    items: [{ part_id: taken, quantity: 3, serial_number: 'S' }],
  });
  const { id: receipt } = await create(a.store, 'receiving-inspection', {
    items: [{ part_id: taken, serial_number: 'L', quantity_accepted: 4 }],
  });
  return { a, taken, order, receipt };
}

it.each([
  ['', false],
  [', as its author signed it', true],
])(
  'what is created under an id that another has is issued again, with all that refers to it%s',
  async (_, isSigned) => {
    const made = await fleet(2, { isSigned });
    await create(made.central.store, 'company', { name: 'Ours' });
    await made.settle();
    const { a, taken, order, receipt } = await putBackAndWrite(made);
    await made.settle();
    await made.settle();
    await expectSound(made);
    const records = shown(made.central.store);
    const parts = Object.values(records).filter(({ family }) => family === 'part');
    expect(parts.map(({ fields }) => fields.name).sort()).toEqual(['First', 'Second']);
    const second = parts.find(({ fields }) => fields.name === 'Second');
    expect(records[`part:${taken}`]?.fields.name).toBe('First');
    expect(second?.id).not.toBe(taken);
    for (const key of [`order:${order}`, `receiving-inspection:${receipt}`]) {
      const items = Object.values((records[key]?.fields.items ?? {}) as Record<string, { part_id: number }>);
      expect(items.map(item => item.part_id)).toEqual([second?.id]);
    }
    const lots = Object.values(records).filter(({ family }) => family === 'inventory');
    expect(lots.map(({ fields }) => fields.part_id)).toEqual([second?.id]);

    // Both are in history: what was abandoned, and what stands. Nothing of it had to be held.
    const { reader } = a.store.database;
    const record = a.store.records.getByKey(`part:${second?.id}`);
    if (!record) throw new Error();
    const number = a.store.records.subjectNumber('part', record.id);
    expect(readHistoryOf(reader, record, number, 0, 10).total).toBe(1);
    const held = reader.all<{ entries: string }>("SELECT entries FROM history WHERE entries LIKE '%hold:%'");
    expect(held).toEqual([]);
    const former = reader.all("SELECT 1 FROM history WHERE entries LIKE '%Second%'");
    expect(former.length).toBeGreaterThanOrEqual(2);
  },
);

it('two creations of one record by an altered station are issued again once, and the second waits for a person', async () => {
  const made = await fleet(1);
  const { central, stations } = made;
  const [a] = stations;
  if (!a) throw new Error();
  await create(central.store, 'supplier', { name: 'Theirs' });
  await made.settle();
  const station = new StationStore(a.store, syncRules, a.store.database);
  await station.writeOwn(() =>
    Array.from({ length: 40 }, (_, index) => ({
      commit_id: randomUUID(),
      at: '2026-06-15T12:00:00.000Z',
      clock_offset: null,
      user: 'eve',
      reason: null,
      entries: [
        { subject: 'supplier:1', changes: [{ path: `later${index}`, old: null, new: 'x', over: [] }] },
      ],
    })),
  );
  await made.settle();
  // The 40, and these again: not each of them as often as there are others.
  expect(central.exchange.reader().place().sequence).toBeLessThan(100);
  const reasons = central.exchange
    .reader()
    .heldCommits.all()
    .map(({ reason }) => reason);
  expect(reasons).toEqual(['id_taken', ...Array.from({ length: 38 }, () => 'follows')]);
  for (const store of made.stores()) expect(await faultsOf(store)).toEqual([]);
});
