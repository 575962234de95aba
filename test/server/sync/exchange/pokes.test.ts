import { expect, it, vi } from 'vitest';
import { create, START } from '../../store/temporary-store.ts';
import { aloneCentral } from './alone-central.ts';
import { Peer } from './fleet.ts';

/** A central, and stations that it pokes; what it pokes is counted, and passed on unless it is lost. */
async function withStations(count: number, interval: number) {
  const { store, central, admit } = await aloneCentral();
  const peers: { peer: Peer; pokes: number; isDeaf: boolean }[] = [];
  for (let id = 1; id <= count; id += 1) {
    const peer = await Peer.join(
      async request =>
        JSON.parse(JSON.stringify(await central.answer(id, JSON.parse(JSON.stringify(request)), undefined))),
      id,
      { interval },
    );
    await admit(peer, `Station ${id}`);
    const one = { peer, pokes: 0, isDeaf: false };
    peers.push(one);
    central.followNews(id, () => {
      one.pokes += 1;
      if (!one.isDeaf) peer.engine.notify();
    });
    await peer.settle();
  }
  const close = async () => {
    for (const { peer } of peers) await peer.engine.close();
    await central.close();
  };
  return { store, central, peers, close };
}

const namesAt = ({ store }: Pick<Peer, 'store'>) =>
  [...store.records.all('supplier')].map(({ fields }) => fields.name).sort();

/** However slow the machine is. */
const within = (expected: () => void) => vi.waitFor(expected, { timeout: 120_000 });

it('news reach all stations but the one that brought them, which has them already', async () => {
  const { store, peers, close } = await withStations(12, 3_600_000);
  const [author, ...others] = peers;
  if (!author) throw new Error('There are stations.');
  await create(author.peer.store, 'supplier', { name: 'Acme' });
  await author.peer.settle();
  expect(namesAt(author.peer)).toEqual(['Acme']);
  await within(() => expect(others.map(({ pokes }) => pokes)).toEqual(others.map(() => 1)));
  expect(author.pokes).toBe(0);
  for (const { peer } of others) {
    await peer.settle();
    expect(namesAt(peer)).toEqual(['Acme']);
  }
  await create(store, 'supplier', { name: 'Of central' });
  await within(() => expect(peers.map(({ pokes }) => pokes)).toEqual([1, ...others.map(() => 2)]));
  await close();
});

it('a station that hears no poke has all the same what it missed, after its interval', async () => {
  const { store, peers, close } = await withStations(2, 20);
  for (const one of peers) {
    one.isDeaf = true;
    one.peer.engine.start();
  }
  await create(store, 'supplier', { name: 'Acme' });
  await create(store, 'supplier', { name: 'Bolt' });
  for (const { peer } of peers) await within(() => expect(namesAt(peer)).toEqual(['Acme', 'Bolt']));
  await close();
});

it('stations that follow the pokes alone come to the end of the log, however it grows meanwhile', async () => {
  const { store, central, peers, close } = await withStations(12, 3_600_000);
  for (const { peer } of peers) peer.engine.start();
  for (let write = 1; write <= 10; write += 1) {
    await create(store, 'supplier', { name: `S ${write}` });
    const writer = peers[write % 3];
    if (writer) await create(writer.peer.store, 'supplier', { name: `T ${write}` });
    await new Promise(resolve => setTimeout(resolve, 15));
  }
  await within(() => {
    const { sequence } = central.exchange.reader().place();
    for (const { peer } of peers) {
      expect(namesAt(peer)).toHaveLength(20);
      expect(peer.engine.reader.cursor().sequence).toBe(sequence);
    }
  });
  await close();
});

it('the machines of a station that a person chooses among are told at once, and no other station', async () => {
  const { central, peers, close } = await withStations(2, 3_600_000);
  const [one, other] = peers;
  if (!one || !other) throw new Error('There are two stations.');
  const { station } = one.peer.store;
  const proof = (next: string) => ({ count: 0, proof: '', countersignature: '', next });
  for (const name of ['first', 'second']) {
    const presented = { station, proof: proof(name), at: START, unsent: 0, version: null };
    await central.machines.admit(presented);
  }
  const machine = central.machines.of(station)?.machines[1]?.id ?? '';
  await central.chooseMachine({ id: 1, station }, machine);
  expect([one.pokes, other.pokes]).toEqual([1, 0]);
  await close();
});
