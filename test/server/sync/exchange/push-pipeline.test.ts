import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PushPipeline } from '../../../../server/sync/station/push-pipeline.ts';
import type { Answered } from '../../../../server/sync/station/transport.ts';
import { AppError } from '../../../../shared/contract/errors.ts';
import { create } from '../../store/temporary-store.ts';
import { areSame, faultsOf, fleet, type Peer } from './fleet.ts';

const COMMITS = 9;

/** Two stations in step, of which the first has since written what needs five pushes. */
async function withMuchToSend() {
  const whole = await fleet(2, { limit: 2 });
  const [a] = whole.stations;
  if (!a) throw new Error();
  await whole.settle();
  for (let number = 1; number <= COMMITS; number += 1) {
    await create(a.store, 'supplier', { name: `S ${number}` });
  }
  return { ...whole, a };
}

/** What becomes of each push of a station, counted from 1; what else it asks goes its way. */
function carryPushes(peer: Peer, carry: (number: number, go: () => Promise<Answered>) => Promise<Answered>) {
  const way = peer.carry;
  let count = 0;
  peer.carry = request => {
    if (request.kind !== 'push') return way(request);
    count += 1;
    return carry(count, () => way(request));
  };
}

it.each([
  ['takes two pushes at once', 2],
  ['takes one push at once, and does not say so', undefined],
])('a central that %s has the next one before it has answered only if it takes it', async (_, pushes) => {
  const { central, a, stores, settle } = await withMuchToSend();
  let open = 0;
  let most = 0;
  let sent = 0;
  const carry = a.carry;
  a.carry = async request => {
    if (request.kind !== 'push') return { ...(await carry(request)), pushes };
    open += 1;
    most = Math.max(most, open);
    sent += request.commits.length;
    try {
      return { ...(await carry(request)), pushes };
    } finally {
      open -= 1;
    }
  };
  await a.settle();
  expect([most, sent]).toEqual([pushes ?? 1, 9]);
  await settle();
  expect(areSame(stores())).toBe(true);
  for (const store of [central.store, a.store]) expect(await faultsOf(store)).toEqual([]);
});

it('what was sent before another was answered that got lost is sent again, and stands once', async () => {
  const { central, a, stores, settle } = await withMuchToSend();
  const carry = a.carry;
  let pushes = 0;
  a.carry = async request => {
    if (request.kind !== 'push') return carry(request);
    pushes += 1;
    // The second does not arrive; the third follows it.
    if (pushes === 2) throw new Error('lost');
    return carry(request);
  };
  let failures = 0;
  for (let step = 0; step < 40; step += 1) await a.engine.step().catch(() => (failures += 1));
  expect(failures).toBe(1);
  await settle();
  expect(central.exchange.reader().place().sequence).toBe(9);
  expect(areSame(stores())).toBe(true);
  for (const store of stores()) expect(await faultsOf(store)).toEqual([]);
});

it('what overtakes the push that it follows is sent again after it, and the next ones go alone', async () => {
  const { central, a, stores, settle } = await withMuchToSend();
  const second = Promise.withResolvers<void>();
  const sizes: number[] = [];
  carryPushes(a, async (number, go) => {
    if (number === 1) await second.promise;
    const answer = await go();
    sizes.push(number);
    if (number === 2) second.resolve();
    return answer;
  });
  await a.settle();
  // Central refuses the second for the gap before it; the others go one by one.
  expect(sizes).toEqual([2, 1, 3, 4, 5, 6]);
  await settle();
  expect(central.exchange.reader().place().sequence).toBe(COMMITS);
  expect(areSame(stores())).toBe(true);
});

it('a refusal stays said though what follows it is answered too', async () => {
  const { a, central } = await withMuchToSend();
  const way = a.carry;
  a.carry = async request => {
    if (request.kind !== 'push') return way(request);
    const refused = { chain: a.store.gate.chain, number: 1, reason: 'foreign' } as const;
    const epoch = central.exchange.reader().epoch();
    const { request: name } = request;
    return { kind: 'push', request: name, epoch, last: 0, heads: [], refused, unverified: [], known: [] };
  };
  a.engine.notify();
  let failures = 0;
  for (let step = 0; step < 6; step += 1) {
    await a.engine.step().catch(() => (failures += 1));
    if (failures > 0) expect(a.engine.state().stuck).toMatch(/^Central refuses commit 1 /);
  }
  expect(failures).toBeGreaterThan(1);
});

it('what cannot be read ahead fails when the push before it is answered, and not before', async () => {
  const { a } = await withMuchToSend();
  let isAnswered = false;
  carryPushes(a, async (_, go) => {
    const answer = await go();
    await sleep(50);
    isAnswered = true;
    return answer;
  });
  const { reader } = a.engine;
  const { ownAfter } = reader;
  let reads = 0;
  reader.ownAfter = (...given) => {
    reads += 1;
    if (reads === 2) throw new AppError('unavailable', 'damaged');
    return ownAfter.apply(reader, given);
  };
  a.engine.notify();
  // The first answer says that central takes two.
  while (reads < 2) await a.engine.step().catch(error => expect(error).toMatchObject({ message: 'damaged' }));
  expect(isAnswered).toBe(true);
  await a.settle();
  expect(a.engine.state().unsent).toBe(0);
});

it('nothing is on its way any more when the exchange is closed', async () => {
  const { a } = await withMuchToSend();
  let open = 0;
  const began = Promise.withResolvers<void>();
  carryPushes(a, async (number, go) => {
    open += 1;
    if (number === 3) began.resolve();
    const answer = await go();
    await sleep(100);
    open -= 1;
    return answer;
  });
  a.engine.start();
  await began.promise;
  await a.engine.close();
  expect(open).toBe(0);
  expect(await faultsOf(a.store)).toEqual([]);
});

it('goes ahead where central says that it takes two, and ten go alone after one that failed', () => {
  const pipeline = new PushPipeline();
  expect(pipeline.isAllowed).toBe(false);
  pipeline.told(2);
  expect(pipeline.isAllowed).toBe(true);
  pipeline.failed();
  for (let push = 0; push < 9; push += 1) pipeline.answered();
  expect(pipeline.isAllowed).toBe(false);
  pipeline.answered();
  expect(pipeline.isAllowed).toBe(true);
  pipeline.told();
  expect(pipeline.isAllowed).toBe(false);
});

it('an image of central is made once what is on its way is answered', async () => {
  const { central, a, stores, settle } = await withMuchToSend();
  const { carry } = a;
  let image: Promise<string> | undefined;
  a.carry = async request => {
    await image;
    const answer = carry(request);
    if (request.kind === 'push') image ??= central.copy();
    return answer;
  };
  await a.settle();
  await settle();
  expect([...central.store.records.all('supplier')]).toHaveLength(COMMITS);
  expect(areSame(stores())).toBe(true);
});
