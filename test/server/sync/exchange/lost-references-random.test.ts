import { expect, it } from 'vitest';
import { mapOf } from '../../../../server/store/changes.ts';
import type { Store } from '../../../../server/store/store.ts';
import { create, update } from '../../store/temporary-store.ts';
import { areSame, employ, faultsOf, fleet, Peer, shown } from './fleet.ts';

/** By seeds, how often central is put back, and whether a station takes records in place of the log. */
const PLAYED: [seed: number, losses: number, takesRecords?: boolean][] = process.env.HOLDPOINT_SYNC_SEEDS
  ? Array.from({ length: Number(process.env.HOLDPOINT_SYNC_SEEDS) }, (_, seed) => [seed + 1, 2])
  : [
      [1, 1],
      [2, 2, true],
      [2, 1],
      [14, 2],
      [19, 2],
      [67, 2],
    ];

/** A number below `limit`, the same for the same seed. */
function random(seed: number): (limit: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return limit => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return (state >>> 8) % limit;
  };
}

const recordsOf = (store: Store, family: string) =>
  Object.values(shown(store)).filter(record => record.family === family);

/** What names a part whose name it does not say. */
function wrongIn(store: Store): string[] {
  const names = new Map(recordsOf(store, 'part').map(({ id, fields }) => [id, fields.name]));
  const lines = recordsOf(store, 'order').flatMap(({ fields }) =>
    Object.values(mapOf(fields.items)).map(mapOf),
  );
  const named = [
    ...lines.map(({ part_id, serial_number }) => [serial_number, names.get(Number(part_id))]),
    ...recordsOf(store, 'part').flatMap(({ fields: { name, identification } }) =>
      identification ? [[identification, name]] : [],
    ),
  ];
  return named.flatMap(([meant, is]) => (meant === is ? [] : `${meant} is of ${is}`));
}

it.each(PLAYED)(
  'what was written about a part is of that part after central lost it, whoever comes back first, seed %i, put back %i times',
  async (seed, losses, takesRecords) => {
    const next = random(seed);
    const isSigned = next(2) === 0 && !takesRecords;
    const limit = [1, 3, 500][next(3)] ?? 500;
    const made = await fleet(3, { isSigned, limit });
    const { central, stations } = made;
    if (takesRecords) stations[2] = await Peer.join(central.answer, 9, { limit, farBehind: 4 });
    if (!isSigned) await employ(central.store, 'tester');
    await made.settle();
    let image = await central.copy();
    let [parts, orders] = [0, 0];
    const make = async () => {
      parts += 1;
      await create(central.store, 'part', { name: `Part ${parts}` });
    };
    const write = async ({ store }: Peer) => {
      const all = recordsOf(store, 'part');
      const part = all[next(all.length)];
      if (!part) return;
      if (next(3) === 0) return update(store, 'part', part.id, { identification: part.fields.name });
      orders += 1;
      await create(store, 'order', {
        items: [{ part_id: part.id, quantity: 1, serial_number: part.fields.name }],
      });
    };
    const anyStation = () => stations[next(stations.length)] ?? stations[0];
    const work = async (turns: number) => {
      for (let turn = 0; turn < turns; turn += 1) {
        const peer = anyStation();
        if (!peer) throw new Error('There are stations.');
        const what = next(5);
        if (what === 0) await make();
        else if (what < 3) await write(peer);
        else await peer.settle();
      }
    };
    for (let loss = 0; loss < losses; loss += 1) {
      await work(12);
      await central.putBack(image);
      if (next(2) === 0) await make();
      await work(8);
      if (next(2) === 0) image = await central.copy();
    }
    for (let round = 0; round < 4; round += 1) await made.settle();
    expect(central.exchange.reader().heldCommits.all()).toEqual([]);
    expect(areSame(made.stores())).toBe(true);
    expect(wrongIn(central.store)).toEqual([]);
    expect(recordsOf(central.store, 'order')).toHaveLength(orders);
    for (const { engine } of stations) expect(engine.state()).toMatchObject({ unsent: 0, stuck: null });
    for (const store of made.stores()) expect(await faultsOf(store)).toEqual([]);
  },
);
