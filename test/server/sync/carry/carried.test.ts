import { expect, it } from 'vitest';
import type { Store } from '../../../../server/store/store.ts';
import { CentralCarry } from '../../../../server/sync/central/central-carry.ts';
import { AppError } from '../../../../shared/contract/errors.ts';
import { create, update } from '../../store/temporary-store.ts';
import { areSame, faultsOf } from '../exchange/fleet.ts';
import { bytesOf, type CarryingFleet, carryingFleet, collected, type File } from './carried-fleet.ts';

const SEEDS = Number(process.env.HOLDPOINT_SYNC_SEEDS ?? 4);

/** A number below `limit`, the same for the same seed. */
function random(seed: number): (limit: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return limit => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return state % limit;
  };
}

async function write(store: Store, next: (limit: number) => number, name: string): Promise<void> {
  const known = [...store.records.all('supplier')];
  const one = known[next(Math.max(1, known.length))];
  if (one && next(2) === 0) await update(store, 'supplier', one.id, { notes: name });
  else await create(store, 'supplier', { name });
}

/** Files to and fro, each of which arrives. */
async function carryAll({ central, peers }: CarryingFleet, rounds = 3): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const peer of peers) {
      await central.in(await peer.out());
      await peer.in(await central.out(peer));
    }
  }
}

async function expectInStep(made: CarryingFleet): Promise<void> {
  expect(areSame(made.stores())).toBe(true);
  for (const { peer } of made.peers) {
    expect(peer.engine.digests()).toEqual(made.central.sync.exchange.digests());
    expect(peer.engine.state()).toMatchObject({ unsent: 0, stuck: null });
    expect(made.central.sync.machines.of(peer.store.station)?.noticed_at).toBeNull();
  }
  for (const store of made.stores()) expect(await faultsOf(store)).toEqual([]);
}

it('brings stations that never see the line in step with central, by files alone', async () => {
  const made = await carryingFleet(2);
  const { central, peers } = made;
  const [dock, lab] = peers;
  if (!dock || !lab) throw new Error();
  await carryAll(made, 1);
  const acme = await create(dock.store, 'supplier', { name: 'Acme' });
  await create(central.store, 'supplier', { name: 'Of central' });
  const up = await dock.out();
  expect(up.toString('latin1')).not.toContain('Acme');
  expect(await central.in(up)).toMatchObject({ name: 'Station 1', changes: 1, known: 0 });
  expect(await central.in(up)).toMatchObject({ changes: 0, known: 1 });
  const down = await central.out(dock);
  expect(await dock.in(down)).toMatchObject({ name: null, changes: 2 });
  expect(await dock.in(down)).toMatchObject({ changes: 0, known: 2 });
  await update(dock.store, 'supplier', acme.id, { notes: 'Of the dock' });
  // The file after it has only what is new.
  expect(await central.in(await dock.out())).toMatchObject({ changes: 1, known: 0 });
  expect(await dock.in(await central.out(dock))).toMatchObject({ changes: 1, known: 0 });
  await carryAll(made);
  await expectInStep(made);
});

it('says what is missing where a file begins after what is here, and changes nothing', async () => {
  const made = await carryingFleet(1);
  const { central, peers } = made;
  const [dock] = peers;
  if (!dock) throw new Error();
  await create(central.store, 'supplier', { name: 'One' });
  await carryAll(made, 1);
  const copy = await dock.peer.copy();
  await create(central.store, 'supplier', { name: 'Two' });
  await dock.in(await central.out(dock));
  await central.in(await dock.out());
  await create(central.store, 'supplier', { name: 'Three' });
  const late = await central.out(dock);
  await dock.peer.putBack(copy);
  await expect(dock.in(late)).rejects.toThrow(/another machine|is missing/);
  expect([...dock.store.records.all('supplier')]).toHaveLength(1);
});

it('tells a central whose station was put back by its host, as over the line', async () => {
  const made = await carryingFleet(1);
  const { central, peers } = made;
  const [dock] = peers;
  if (!dock) throw new Error();
  await create(dock.store, 'supplier', { name: 'One' });
  await carryAll(made, 1);
  const clone = await dock.clone();
  await create(dock.store, 'supplier', { name: 'Of the dock' });
  await create(clone.store, 'supplier', { name: 'Of the copy' });
  await central.in(await dock.out());
  const answer = central.in(await clone.out());
  await expect(answer).rejects.toThrow(/its disk was copied/);
  expect([...central.store.records.all('supplier')]).toHaveLength(2);
  const { machines = [], present, noticed_at } = central.sync.machines.of(dock.store.station) ?? {};
  expect(machines).toHaveLength(2);
  expect(noticed_at).not.toBeNull();
  // What central writes for the station is not for the copy.
  const down = await central.out(dock);
  await expect(clone.in(down)).rejects.toThrow(/goes on with another machine/);
  await dock.in(down);
  await central.in(await dock.out());

  const other = machines.find(({ id }) => id !== present)?.id ?? '';
  const [station] = central.stations.list();
  if (!station) throw new Error();
  await central.sync.chooseMachine(station, other);
  // What it has is heard of it only now.
  await central.in(await clone.out());
  await clone.in(await central.out(clone));
  await central.in(await clone.out());
  await clone.in(await central.out(clone));
  expect([...central.store.records.all('supplier')]).toHaveLength(3);
  expect(areSame([central.store, clone.store])).toBe(true);
  await expect(central.in(await dock.out())).rejects.toThrow(/its disk was copied/);
});

it('no file that was lost, or comes months late, makes a station look copied', async () => {
  const made = await carryingFleet(1);
  const { central, peers } = made;
  const [dock] = peers;
  if (!dock) throw new Error();
  await carryAll(made, 1);
  const files: File[] = [];
  for (let week = 0; week < 10; week += 1) {
    await create(dock.store, 'supplier', { name: `Week ${week}` });
    files.push(await dock.out());
    // Every other week there is a line, for more messages than central remembers the names of.
    if (week % 2 === 0) for (let step = 0; step < 40; step += 1) await dock.peer.settle();
  }
  for (const file of [...files].reverse()) await central.in(file);
  for (const file of files) expect(await central.in(file)).toMatchObject({ changes: 0 });
  await carryAll(made, 1);
  await dock.peer.settle();
  await expectInStep(made);
});

it('passwords are those of the newest file, whatever is read in after it', async () => {
  const made = await carryingFleet(1);
  const { central, peers } = made;
  const [dock] = peers;
  if (!dock) throw new Error();
  const put = (hash: string) =>
    central.store.gate.together(async () => central.secrets.put(2, hash, '2026-06-15T12:00:00.000Z'));
  await put('former');
  await central.in(await dock.out());
  const former = await central.out(dock);
  await dock.in(former);
  expect(dock.secrets.of(2)?.hash).toBe('former');
  await put('present');
  await dock.in(await central.out(dock));
  await dock.in(former);
  expect(dock.secrets.of(2)?.hash).toBe('present');
});

it('passwords follow after a file that a clock dated years ahead', async () => {
  const made = await carryingFleet(1);
  const { central, peers } = made;
  const [dock] = peers;
  if (!dock) throw new Error();
  const put = (hash: string) =>
    central.store.gate.together(async () => central.secrets.put(2, hash, '2026-06-15T12:00:00.000Z'));
  await put('former');
  await central.in(await dock.out());
  await dock.in(await central.out(dock, '2036-06-15T12:00:00.000Z'));
  expect(dock.secrets.of(2)?.hash).toBe('former');
  // Whatever changes a password stands in the log.
  await create(central.store, 'user', { login: 'olga', name: 'Olga' });
  await put('present');
  await dock.in(await central.out(dock));
  expect(dock.secrets.of(2)?.hash).toBe('present');
});

it.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
  'converges whatever is carried, in any order, twice or never, and mixed with the line, seed %i',
  async seed => {
    const next = random(seed);
    const made = await carryingFleet(3);
    const { central, peers } = made;
    const up: File[] = [];
    const down = peers.map((): File[] => []);
    for (let turn = 0; turn < 120; turn += 1) {
      const store = made.stores()[next(4)];
      if (store) await write(store, next, `${seed}-${turn}`);
      const place = next(3);
      const [peer, files] = [peers[place], down[place]];
      if (!peer || !files) throw new Error();
      const what = next(6);
      if (what === 0) up.push(await peer.out());
      if (what === 1) files.push(await central.out(peer));
      // Any of them, again or for the first time; many never arrive.
      const [sent, got] = [up[next(Math.max(1, up.length))], files[next(Math.max(1, files.length))]];
      if (what === 2 && sent) await central.in(sent);
      if (what === 3 && got) await peer.in(got);
      if (what === 4) await peer.peer.engine.step();
    }
    for (const store of made.stores()) expect((await faultsOf(store)).slice(0, 3)).toEqual([]);
    await carryAll(made, 4);
    await expectInStep(made);
  },
);

it('a key that is revoked while a file is read in counts for no message after that', async () => {
  const made = await carryingFleet(1);
  const { central, peers } = made;
  const [dock] = peers;
  if (!dock) throw new Error();
  await carryAll(made, 1);
  await create(dock.store, 'supplier', { name: 'Acme' });
  const file = await dock.out();
  // Of one that is revoked after the first message, which is a question.
  const { store, secretsFor, sync } = central;
  let asked = 0;
  const secretOf = (id: number) => {
    asked += 1;
    if (asked > 2) throw new AppError('conflict', 'It was revoked.');
    return central.stations.secretOf(id);
  };
  const stations = { ...central.stations, secretOf };
  const { authority } = central;
  const clock = () => new Date();
  const about = { store, secretsFor, sync, stations, authority, clock, checkpoint: () => undefined };
  const quietly = { signal: new AbortController().signal, onMessage: () => {} };
  const taken = new CentralCarry(about).take(() => bytesOf(file), quietly);
  await expect(taken).rejects.toThrow('was revoked');
  expect([...central.store.records.all('supplier')]).toEqual([]);
});

it('a file of central with a checkpoint that this version does not understand counts without it', async () => {
  const { central, peers } = await carryingFleet(1);
  const [dock] = peers;
  if (!dock) throw new Error();
  await central.in(await dock.out());
  await create(central.store, 'supplier', { name: 'Acme' });
  const signature = 'A'.repeat(86);
  const says = 'holdpoint: checkpoint' as const;
  const odd = {
    says,
    installation: 'x'.repeat(101),
    key: 'A'.repeat(43),
    at: '',
    log: null,
    chain: null,
    signature,
  };
  const { store, stations, secretsFor, sync } = central;
  const clock = () => new Date();
  const { authority } = central;
  const carry = new CentralCarry({
    store,
    stations,
    secretsFor,
    sync,
    clock,
    authority,
    checkpoint: () => odd,
  });
  expect(await dock.in(await collected(carry.out(1)))).toMatchObject({ changes: 1 });
});
