import { expect, it } from 'vitest';
import type { Answer, Request } from '../../../server/sync/protocol/wire.ts';
import { create } from '../../store/temporary-store.ts';
import { areSame, faultsOf, fleet } from './fleet.ts';

type Kind = 'pull' | 'push';

it.each<[string, Kind]>([
  ['the question', 'pull'],
  ['what was sent', 'push'],
])(
  'a station asks and sends at once, and sends nothing twice, when %s is answered first',
  async (_, first) => {
    const { central, stations, stores, settle } = await fleet(2);
    const [a] = stations;
    if (!a) throw new Error();
    await settle();
    const sent: string[] = [];
    let together = 0;
    let arrive: () => void = () => {};
    /** The answer that comes second waits until the first is there, where both were asked at once. */
    let other: Promise<void> | undefined;
    a.carry = async (request: Request): Promise<Answer> => {
      if (request.kind === 'push') sent.push(...request.commits.map(({ commit_id }) => commit_id));
      const answer = await central.answer(request);
      if (request.kind === first) arrive();
      else await other;
      return answer;
    };
    for (let round = 0; round < 5; round += 1) {
      await create(a.store, 'supplier', { name: `S ${round}` });
      other = round === 0 ? undefined : new Promise(resolve => (arrive = resolve));
      const before = sent.length;
      await a.engine.step();
      if (round > 0 && sent.length > before) together += 1;
    }
    other = undefined;
    await a.settle();
    // From the second on, the pull of what the one before has said goes with the push of this one.
    expect(together).toBe(4);
    expect(sent).toHaveLength(5);
    expect(new Set(sent).size).toBe(5);
    await settle();
    expect(areSame(stores())).toBe(true);
    expect(await faultsOf(a.store)).toEqual([]);
  },
);

it.each([
  ['takes two pushes at once', 2],
  ['takes one push at once, and does not say so', undefined],
])('a central that %s has the next one before it has answered only if it takes it', async (_, pushes) => {
  const { central, stations, stores, settle } = await fleet(2, { limit: 2 });
  const [a] = stations;
  if (!a) throw new Error();
  await settle();
  for (let number = 1; number <= 9; number += 1) await create(a.store, 'supplier', { name: `S ${number}` });
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
  const { central, stations, stores, settle } = await fleet(2, { limit: 2 });
  const [a] = stations;
  if (!a) throw new Error();
  await settle();
  for (let number = 1; number <= 9; number += 1) await create(a.store, 'supplier', { name: `S ${number}` });
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
