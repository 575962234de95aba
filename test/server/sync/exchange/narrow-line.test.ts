import { expect, it } from 'vitest';
import type { Store } from '../../../../server/store/store.ts';
import { CentralFailure } from '../../../../server/sync/client/central-failure.ts';
import type { PullRequest, Request } from '../../../../server/sync/protocol/wire.ts';
import { parseInput } from '../../../../shared/contract/parse-input.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { family } from '../../../../shared/families/registry.ts';
import { create } from '../../store/temporary-store.ts';
import { areSame, Central, faultsOf, Peer } from './fleet.ts';

const RECORDS = 60;
const NOTES = 'n'.repeat(1_500);
/** About twenty records with their notes; nothing that is longer arrives. */
const NARROW = 40_000;

/** What a line says of messages that it carries at once. */
const part = (message: object) => {
  const { length } = JSON.stringify(message);
  return { characters: length, bytes: length, seconds: 0.001 };
};

/** A station whose line carries no message that is longer than `NARROW`, and cuts those that are. */
async function behindNarrowLine(central: Central, block: number, farBehind?: number) {
  const lengths: number[] = [];
  let cuts = 0;
  const carry = async (request: Request) => {
    const answer = part(request).characters < NARROW ? await central.answer(request) : undefined;
    if (answer === undefined || part(answer).characters > NARROW) {
      cuts += 1;
      throw new CentralFailure('cut', 'It broke off.');
    }
    lengths.push(Math.max(part(request).characters, part(answer).characters));
    return { ...answer, passage: { up: part(request), down: part(answer) } };
  };
  const peer = await Peer.join(carry, block, farBehind === undefined ? {} : { farBehind });
  /** Until there is nothing more to say and to ask, whatever is cut on the way. */
  const settle = async (): Promise<void> => {
    peer.engine.notify();
    for (let steps = 0; steps < 500; steps += 1) {
      const isBusy = await peer.engine.step().catch(error => {
        if (!(error instanceof CentralFailure)) throw error;
        return true;
      });
      if (!isBusy) return;
    }
    throw new Error('It does not come to an end.');
  };
  return { peer, settle, lengths, cuts: () => cuts };
}

it('what is too much for one message goes and comes in smaller ones, and none twice that arrived', async () => {
  const central = await Central.open();
  const from = await behindNarrowLine(central, 1);
  await from.settle();
  for (let index = 0; index < RECORDS; index += 1) {
    await create(from.peer.store, 'supplier', { name: `S ${index}`, notes: NOTES });
  }
  await from.settle();
  expect(from.peer.engine.state()).toMatchObject({ unsent: 0, unread: 0, is_caught_up: true });
  expect(central.exchange.reader().place().sequence).toBe(RECORDS);
  const to = await behindNarrowLine(central, 2);
  await to.settle();
  expect(areSame([central.store, from.peer.store, to.peer.store])).toBe(true);
  for (const { peer, cuts, lengths } of [from, to]) {
    expect(await faultsOf(peer.store)).toEqual([]);
    // It was too much at first, and what came of it is not one record at a time.
    expect(cuts()).toBeGreaterThan(0);
    expect(lengths.filter(length => length > NARROW / 4).length).toBeGreaterThan(1);
  }
});

it('a new station takes the records in pages that arrive', async () => {
  const central = await Central.open();
  for (let index = 0; index < RECORDS; index += 1) {
    await create(central.store, 'supplier', { name: `S ${index}`, notes: NOTES });
  }
  const { peer, settle, cuts } = await behindNarrowLine(central, 1, 5);
  await settle();
  expect(peer.engine.reader.logStart()).toBeGreaterThan(0);
  expect(areSame([central.store, peer.store])).toBe(true);
  expect(cuts()).toBeGreaterThan(0);
});

/** In one commit. */
function createInBulk({ gate }: Store, count: number): Promise<unknown> {
  const body = parseInput(family('supplier'), { name: 'S', notes: NOTES }, { mode: 'create' });
  return gate.commit({
    actor: { rights: BY_SERVER, user: 'tester' },
    reason: null,
    work: work => Array.from({ length: count }, () => work.create(family('supplier'), body, null)),
    answer: () => undefined,
  });
}

it('a page holds what is sent: of what the station has, more entries than of what it has not', async () => {
  const central = await Central.open();
  const peer = await Peer.join(request => central.answer(request), 1);
  await peer.settle();
  const cursor = peer.engine.reader.cursor();
  for (let index = 0; index < 20; index += 1) {
    await create(peer.store, 'supplier', { name: `S ${index}`, notes: NOTES });
  }
  await peer.settle();
  const { station, gate } = peer.store;
  const { number, hash } = peer.engine.reader.head(gate.chain);
  const entriesWith = async (packed: PullRequest['packed'], size?: number): Promise<number> => {
    const asked = { request: 'r', station, protocol: 1, cursor, limit: 500, packed: packed ?? [] };
    const answer = await central.answer({ ...asked, kind: 'pull', ...(size !== undefined && { size }) });
    if (answer.kind !== 'page' || !answer.packed) throw new Error(answer.kind);
    return answer.packed.length;
  };
  expect(await entriesWith([], 6_000)).toBe(3);
  expect(await entriesWith([], 1)).toBe(1);
  expect(await entriesWith([{ chain: gate.chain, number, hash }], 6_000)).toBe(20);
  // As a station of the version before asks.
  expect(await entriesWith([])).toBe(20);
});

it('a commit that is more than a message goes alone', async () => {
  const central = await Central.open();
  const peer = await Peer.join(request => central.answer(request), 1);
  await peer.settle();
  await create(peer.store, 'supplier', { name: 'Before' });
  await createInBulk(peer.store, 300);
  await create(peer.store, 'supplier', { name: 'After' });
  const sizes: number[] = [];
  const { carry } = peer;
  peer.carry = request => {
    if (request.kind === 'push') sizes.push(request.commits.length);
    return carry(request);
  };
  await peer.settle();
  expect(sizes).toEqual([1, 1, 1]);
  expect(areSame([central.store, peer.store])).toBe(true);
});
