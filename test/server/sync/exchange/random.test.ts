import { expect, it } from 'vitest';
import { lastSequence, readCommitsAfter, STANDING } from '../../../../server/store/history.ts';
import type { Store } from '../../../../server/store/store.ts';
import { readConflicts } from '../../../../server/sync/log/conflicts.ts';
import { HeldOff } from '../../../../server/sync/station/held-off.ts';
import { type FamilyName, families } from '../../../../shared/families/registry.ts';
import { create, itemIds, START, update } from '../../store/temporary-store.ts';
import { areSame, type Central, type Fleet, faultsOf, fleet, type Peer } from './fleet.ts';
import { idsTwice } from './ids-twice.ts';

const SEEDS = Number(process.env.HOLDPOINT_SYNC_SEEDS ?? 4);
/** Writes of a run. */
const TURNS = process.env.HOLDPOINT_SYNC === 'full' ? { apart: 120, cloned: 60 } : { apart: 70, cloned: 45 };

/** With half of the seeds people with keys write everything. */
const isSignedIn = (seed: number) => seed % 4 > 1;

/** A number below `limit`, the same for the same seed. */
function random(seed: number): (limit: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return limit => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return state % limit;
  };
}

it.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
  'converges whatever is written where and whenever it is exchanged, seed %i',
  async seed => {
    const next = random(seed);
    const { central, stations, stores, settle } = await fleet(3, {
      // With every other seed a station that is a little behind takes records in place of the log.
      ...(seed % 2 === 0 && { farBehind: 4 }),
      isSigned: isSignedIn(seed),
      // Of short messages there is always one more to send before the last is answered.
      ...(seed % 4 < 2 && { limit: 2 }),
    });
    await create(central.store, 'company', { name: 'Ours' });
    await create(central.store, 'part', { name: 'Jar', unit_of_measure: 'units' });
    await settle();
    for (let turn = 0; turn < TURNS.apart; turn += 1) {
      const store = stores()[next(4)];
      if (store) await write(store, next, `${seed}-${turn}`);
      const peer = stations[next(stations.length)];
      if (peer && next(3) === 0) {
        if (next(2) === 0) peer.engine.notify();
        await peer.engine.step();
      }
    }
    // In the middle of it, with undecided commits everywhere, and at the end.
    for (const store of stores()) expect((await faultsOf(store)).slice(0, 3)).toEqual([]);
    await settle();
    expect(areSame(stores())).toBe(true);
    const [kept, ...others] = stores().map(conflicts);
    for (const one of others) expect(one).toEqual(kept);
    for (const store of stores()) expect((await faultsOf(store)).slice(0, 3)).toEqual([]);
    for (const { engine } of stations) {
      expect(engine.digests()).toEqual(central.exchange.digests());
      expect(engine.state()).toMatchObject({ unsent: 0, stuck: null });
    }
  },
);

it.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
  'keeps what was acknowledged and exchanged, whatever image is put back and worked on, seed %i',
  async seed => {
    const next = random(seed + 1_000);
    const takesRecords = seed % 3 === 0;
    const { central, stations, stores, settle } = await fleet(3, {
      isSigned: isSignedIn(seed),
      ...(takesRecords && { farBehind: 6 }),
    });
    await create(central.store, 'company', { name: 'Ours' });
    await create(central.store, 'part', { name: 'Jar', unit_of_measure: 'units' });
    await settle();
    const acknowledged = new Set<string>();
    for (let image = 0; image < 4; image += 1) {
      const machine = [central, ...stations][next(4)] ?? central;
      const copy = await machine.copy();
      const lost = await work(12);
      // What nobody else has is gone with the disk; all else must come back.
      const spare = stations.find(station => station !== machine);
      if (machine === central) await spare?.settle();
      else for (const station of stations) if (station === machine) await station.settle();
      for (const commit of lost) acknowledged.add(commit);
      await machine.putBack(copy);
      for (const commit of await work(8)) acknowledged.add(commit);
    }
    await settle();
    await settle();
    for (const { engine } of stations) {
      expect(engine.state()).toMatchObject({ unsent: 0, stuck: null });
      expect(engine.digests()).toEqual(central.exchange.digests());
    }
    // Who wrote what is held keeps seeing it.
    if (central.exchange.reader().heldCommits.all().length === 0) expect(areSame(stores())).toBe(true);
    for (const store of stores()) {
      expect((await faultsOf(store)).slice(0, 3)).toEqual([]);
      // Of what stations took as records, and not as the log, they can give back none of the commits.
      if (!takesRecords) expect(missing(store, acknowledged)).toEqual([]);
    }

    /** Ids of the commits that were written meanwhile. */
    async function work(turns: number): Promise<string[]> {
      const written: string[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        const store = stores()[next(4)] ?? central.store;
        const before = lastSequence(store.database);
        await write(store, next, `${seed}-${written.length}-${turn}`);
        written.push(...readCommitsAfter(store.database, before, 10).map(({ commit }) => commit.commit_id));
        const peer = stations[next(stations.length)];
        if (peer && next(3) === 0) {
          peer.engine.notify();
          await peer.engine.step();
        }
      }
      return written;
    }
  },
);

it.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
  'keeps what was acknowledged at any of the machines that have one disk, once each has become its own, seed %i',
  async seed => {
    const next = random(seed + 2_000);
    const { central, stations, stores } = await provingFleet(seed);
    const machines = [...stations];
    const written = new Set<string>();
    for (let turn = 0; turn < TURNS.cloned; turn += 1) {
      const machine = machines[next(machines.length)];
      if (!machine) continue;
      const isCopied =
        (machines.length < 5 && next(12) === 0) ||
        (turn > TURNS.cloned / 2 && machines.length === stations.length);
      if (isCopied) machines.push(await machine.clone());
      const before = lastSequence(machine.store.database);
      await write(machine.store, next, `${seed}-${turn}`);
      for (const { commit } of readCommitsAfter(machine.store.database, before, 10))
        written.add(commit.commit_id);
      if (next(3) === 0) await stepOf(machine);
    }
    await eachItsOwn(central, machines, async ({ store }, machine) => {
      // A copy of a machine that was held off is to central that machine; once that one has left, nothing is to be chosen.
      const isGone = central.machines.of(store.station)?.machines.every(({ id }) => id !== machine);
      if (next(3) !== 0 || isGone) return false;
      await central.machines.choose(store.station, machine, START);
      return true;
    });
    for (let round = 0; round < 3; round += 1) for (const machine of machines) await machine.settle();
    const all = [central.store, ...machines.map(({ store }) => store)];
    expect(all.length).toBeGreaterThan(stores().length);
    for (const { engine } of machines) {
      expect(engine.state()).toMatchObject({ unsent: 0, stuck: null });
      expect(engine.digests()).toEqual(central.exchange.digests());
    }
    expect(central.exchange.reader().heldCommits.all()).toEqual([]);
    expect(areSame(all)).toBe(true);
    for (const store of all) {
      expect((await faultsOf(store)).slice(0, 3)).toEqual([]);
      expect(missing(store, written)).toEqual([]);
      expect(idsTwice(store)).toEqual([]);
    }
  },
);

/** Those that found something first: of two of them something stayed held, though it was clear which record was meant. */
const FOUND = [4, 6, 30, 109];

it.each([...new Set([...Array.from({ length: SEEDS }, (_, seed) => seed + 1), ...FOUND])])(
  'loses nothing and comes in step where central is put back while machines have one disk, seed %i',
  async seed => {
    const next = random(seed + 3_000);
    const { central, stations } = await provingFleet(seed);
    const machines = [...stations];
    const written = new Set<string>();
    let copy = await central.copy();
    for (let turn = 0; turn < TURNS.cloned; turn += 1) {
      const station = next(6) === 0 ? undefined : machines[next(machines.length)];
      const machine = station ?? central;
      if (next(10) === 0) copy = await central.copy();
      if (next(15) === 0) {
        // What only central has is lost with its disk.
        for (const each of machines) await isHeldOff(each);
        await central.putBack(copy);
        copy = await central.copy();
      }
      if (station && machines.length < 5 && next(12) === 0) machines.push(await station.clone());
      const before = lastSequence(machine.store.database);
      await write(machine.store, next, `${seed}-${turn}`);
      for (const { commit } of readCommitsAfter(machine.store.database, before, 10))
        written.add(commit.commit_id);
      if (station && next(3) === 0) await stepOf(station);
    }
    await eachItsOwn(central, machines, async ({ store }, machine) => {
      if (next(3) !== 0) return false;
      // A central that was put back may not have noticed yet that there are several.
      await central.machines.choose(store.station, machine, START).catch(() => undefined);
      return true;
    });
    for (let round = 0; round < 3; round += 1) for (const machine of machines) await machine.settle();
    const all = [central.store, ...machines.map(({ store }) => store)];
    for (const { engine } of machines) {
      expect(engine.state()).toMatchObject({ unsent: 0, stuck: null });
      expect(engine.digests()).toEqual(central.exchange.digests());
    }
    const held = central.exchange.reader().heldCommits.all();
    if (FOUND.includes(seed)) expect(held).toEqual([]);
    // What is held, since nobody can tell which record its author meant, is told, and who wrote it keeps seeing it.
    if (held.length === 0) expect(areSame(all)).toBe(true);
    for (const store of all) {
      expect((await faultsOf(store)).slice(0, 3)).toEqual([]);
      expect(missing(store, written)).toEqual([]);
      expect(idsTwice(store)).toEqual([]);
    }
  },
);

/** Two stations that prove which machine they are, with a company and a part. */
async function provingFleet(seed: number): Promise<Fleet> {
  const made = await fleet(2, {
    isProving: true,
    isSigned: isSignedIn(seed),
    ...(seed % 2 === 0 && { limit: 2 }),
  });
  await create(made.central.store, 'company', { name: 'Ours' });
  await create(made.central.store, 'part', { name: 'Jar', unit_of_measure: 'units' });
  await made.settle();
  return made;
}

/**
 * One after the other each that is held off becomes a station of its own, once the others have sent what they have.
 * @param choose now and then a person says instead that this machine goes on; answers whether
 */
async function eachItsOwn(
  central: Central,
  machines: readonly Peer[],
  choose: (first: Peer, machine: string) => Promise<boolean>,
): Promise<void> {
  for (let block = 20; block < 60; block += 1) {
    const off: Peer[] = [];
    for (let round = 0; round < 2; round += 1) {
      off.length = 0;
      for (const machine of machines) if (await isHeldOff(machine)) off.push(machine);
    }
    const [first] = off;
    if (!first) break;
    const machine = first.engine.state().doubled?.machine ?? '';
    if (!(await choose(first, machine))) await first.separate(central, block);
  }
}

async function stepOf(machine: Peer): Promise<boolean> {
  machine.engine.notify();
  try {
    await machine.engine.step();
    return true;
  } catch (error) {
    if (error instanceof HeldOff) return false;
    throw error;
  }
}

async function isHeldOff(machine: Peer): Promise<boolean> {
  try {
    await machine.settle();
    return false;
  } catch (error) {
    if (error instanceof HeldOff) return true;
    throw error;
  }
}

/** Those of the commits that do not stand exactly once in a store's history. */
function missing({ database }: Store, commits: ReadonlySet<string>): string[] {
  const isRepeated = `EXISTS (SELECT 1 FROM log WHERE log.chain = history.chain AND log.number = history.number
    AND decisions LIKE '%"repeated"%')`;
  const sql = `SELECT commit_id, count(*) AS n FROM history WHERE ${STANDING} AND NOT ${isRepeated} GROUP BY commit_id`;
  const rows = database.all<{ commit_id: string; n: number }>(sql);
  const times = new Map(rows.map(({ commit_id, n }) => [commit_id, n]));
  return [...commits].flatMap(commit => (times.get(commit) === 1 ? [] : `${commit}: ${times.get(commit)}`));
}

/** Those that were ever opened, with what became of them. */
function conflicts({ database }: Store) {
  return [true, false].map(isOpen => readConflicts(database.reader, { isOpen, offset: 0, limit: 1_000 }));
}

async function write(store: Store, next: (limit: number) => number, text: string): Promise<void> {
  const pick = (family: FamilyName) => {
    const { records } = store.records.page(families[family], { page: 1, perPage: 500 });
    return records[next(Math.max(1, records.length))];
  };
  const supplier = pick('supplier');
  const order = pick('order');
  const part = pick('part')?.id ?? 0;
  switch (next(7)) {
    case 0:
      await create(store, 'supplier', { name: text });
      return;
    case 1:
    case 2:
      if (supplier)
        await update(store, 'supplier', supplier.id, { [next(2) ? 'name' : 'primary_name']: text });
      return;
    case 3:
      await create(store, 'order', { items: [{ part_id: part, quantity: 1, serial_number: text }] });
      return;
    case 4:
      if (!order) return;
      await update(store, 'order', order.id, {
        items: [
          ...itemIds(order, 'items').map(id => ({ id, quantity: next(9) + 1 })),
          ...(next(2) ? [{ part_id: part, quantity: 2, serial_number: text }] : []),
        ],
      });
      return;
    case 5:
      if (order) await update(store, 'order', order.id, { is_closed: next(2) === 0, notes: text });
      return;
    default:
      await create(store, 'receiving-inspection', {
        items: [{ part_id: part, serial_number: `L${next(3)}`, quantity_accepted: next(5) + 1 }],
      });
  }
}
