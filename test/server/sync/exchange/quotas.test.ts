import { expect, it } from 'vitest';
import { createCentral } from '../../../../server/enrolment/central.ts';
import { newCommitId } from '../../../../server/store/commit-id.ts';
import { CentralSync } from '../../../../server/sync/central/central-sync.ts';
import { HELD_LIMIT, type Quota, StationQuotas } from '../../../../server/sync/central/station-quotas.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { WITHDRAWN } from '../../../../server/sync/protocol/decide-in-log.ts';
import { PROTOCOL } from '../../../../server/sync/protocol/wire.ts';
import { compareWithCentral } from '../../../../server/sync/station/comparison.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { AppError } from '../../../../shared/contract/errors.ts';
import { create, START, temporaryStore } from '../../store/temporary-store.ts';
import { Peer } from './fleet.ts';

const MINUTE = 60_000;

/** A central with two stations that have quotas, and a clock that a test turns on. */
async function withQuotas(quotas: Quota[], held = HELD_LIMIT) {
  let now = 0;
  const store = await temporaryStore();
  const clock = () => new Date(START);
  const { stations } = createCentral({ store, clock, protocol: PROTOCOL, pin: () => null });
  const central = await CentralSync.open({
    store,
    stations,
    clock,
    checkpoint: () => undefined,
    onFault: error => {
      throw error;
    },
    quotas: new StationQuotas(quotas, held, () => now),
  });
  const joined = async (block: number) => {
    const peer = await Peer.join(
      async request =>
        JSON.parse(
          JSON.stringify(await central.answer(block, JSON.parse(JSON.stringify(request)), undefined)),
        ),
      block,
      { limit: 10, now: () => now },
    );
    const about = { name: `Station ${block}`, protocol: 1, version: '0.2.0', clock_offset_ms: null };
    await store.gate.together(async () => stations.admit({ station: peer.store.station, ...about }));
    return peer;
  };
  const [a, b] = [await joined(1), await joined(2)];
  const wait = (ms: number) => {
    now += ms;
  };
  const countOf = (peer: { store: typeof store }) => [...peer.store.records.all('supplier')].length;
  return { central, store, a, b, wait, countOf };
}

it('a station that has used up its quota is told, reads on, loses nothing and goes on later; others do not notice', async () => {
  const { central, store, a, b, wait, countOf } = await withQuotas([
    { of: 'commits', amount: 10, per: MINUTE },
  ]);
  for (let n = 0; n < 25; n += 1) await create(a.store, 'supplier', { name: `A ${n}` });
  await a.settle();
  expect(countOf({ store })).toBe(10);
  expect(a.engine.state()).toMatchObject({
    fault: undefined,
    unsent: 15,
    slowed: { says: expect.stringContaining('Central takes 10 commits a minute from one station') },
  });
  expect(central.quotas.metBy(1)).toMatchObject({ of: 'commits' });

  for (let n = 0; n < 5; n += 1) await create(b.store, 'supplier', { name: `B ${n}` });
  await b.settle();
  expect(countOf({ store })).toBe(15);
  expect(b.engine.state()).toMatchObject({ unsent: 0, slowed: null });
  await create(store, 'supplier', { name: 'Of central' });
  await a.settle();
  expect(countOf(a)).toBe(25 + 5 + 1);
  expect(countOf({ store })).toBe(16);

  for (let turn = 0; turn < 10 && a.engine.state().unsent > 0; turn += 1) {
    wait(MINUTE);
    await a.settle();
  }
  expect(a.engine.state()).toMatchObject({ unsent: 0, slowed: null, fault: undefined });
  await b.settle();
  for (const one of [{ store }, a, b]) expect(countOf(one)).toBe(31);
  expect(b.engine.digests()).toEqual(central.exchange.digests());
  expect(a.engine.digests()).toEqual(central.exchange.digests());
  await central.close();
});

it('a push is refused before anything of it is taken, whatever it has', async () => {
  const { central, store, a, wait, countOf } = await withQuotas([
    { of: 'bytes', amount: 1_000, per: MINUTE },
  ]);
  await create(a.store, 'supplier', { name: 'A', notes: 'x'.repeat(5_000) });
  await a.settle();
  await create(a.store, 'supplier', { name: 'Small' });
  await a.settle();
  // The first was larger than all that there was, and was taken whole.
  expect(countOf({ store })).toBe(1);
  wait(4 * MINUTE);
  await a.settle();
  expect(countOf({ store })).toBe(1);
  wait(2 * MINUTE);
  await a.settle();
  expect(countOf({ store })).toBe(2);
  await central.close();
});

it('a station of which too much is held waits until somebody has decided', async () => {
  const { central, store, a, wait, countOf } = await withQuotas([], { commits: 1, size: 1_000_000 });
  const odd = [{ path: 'name', old: null, new: 5, over: [] }];
  const [subject, commit] = ['supplier:1048700', newCommitId()];
  const author = { at: START, clock_offset: null, user: 'olga', reason: null };
  const station = new StationStore(a.store, syncRules, a.store.database);
  await station.writeOwn(() => [{ commit_id: commit, ...author, entries: [{ subject, changes: odd }] }]);
  await a.settle();
  await create(a.store, 'supplier', { name: 'After' });
  await a.settle();
  expect(countOf({ store })).toBe(0);
  expect(a.engine.state()).toMatchObject({
    unsent: 1,
    slowed: {
      says: expect.stringContaining('of the changes of this station wait for a decision at central'),
    },
  });
  expect(central.quotas.metBy(1)).toMatchObject({ of: 'held' });
  await central.decideHeld({ commit, decision: WITHDRAWN, user: 'quinn', reason: 'Looked at.', at: START });
  wait(MINUTE);
  await a.settle();
  expect(countOf({ store })).toBe(1);
  expect(a.engine.state()).toMatchObject({ unsent: 0, slowed: null });
  await central.close();
});

it('a question for earlier history is a message like any other', async () => {
  const { central, wait } = await withQuotas([{ of: 'messages', amount: 2, per: MINUTE }]);
  const ask = () => central.earlier(1, { until: { sequence: 0, hash: '' }, records: [], size: 1_000 });
  ask();
  ask();
  expect(ask).toThrow('Central takes 2 messages a minute from one station');
  expect(central.quotas.metBy(1)).toMatchObject({ of: 'messages' });
  wait(MINUTE);
  expect(ask()).toEqual({ records: [], commits: [] });
  await central.close();
});

it('a station that compares more records than central works out waits; the digests, and others, are there all the same', async () => {
  const { central, store, wait } = await withQuotas([{ of: 'hashes', amount: 3, per: MINUTE }]);
  for (let n = 0; n < 3; n += 1) await create(store, 'supplier', { name: `S ${n}` });
  expect(Object.keys((await central.digests('supplier', 1)).records ?? {})).toHaveLength(3);
  await expect(central.digests('supplier', 1)).rejects.toMatchObject({
    code: 'too_many_requests',
    headers: { 'Retry-After': '20' },
    message: expect.stringContaining('Central works out the hashes of 3 records a minute for one station'),
  });
  // What has no records costs as much as a question does.
  await expect(central.digests('nothing', 1)).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(central.quotas.metBy(1)).toMatchObject({ of: 'hashes' });
  expect((await central.digests(undefined, 1)).records).toBeNull();
  expect(Object.keys((await central.digests('supplier', 2)).records ?? {})).toHaveLength(3);
  expect(Object.keys((await central.digests('supplier', undefined)).records ?? {})).toHaveLength(3);
  wait(MINUTE);
  expect(Object.keys((await central.digests('supplier', 1)).records ?? {})).toHaveLength(3);
  await central.close();
});

it('a comparison waits a moment where central asks for it, and says so where that takes long', async () => {
  const { central, a } = await withQuotas([]);
  await create(a.store, 'supplier', { name: 'S' });
  await a.settle();
  const compare = (refusals: string[]) =>
    compareWithCentral(a.store, a.engine, {
      digests: async family => {
        const [seconds] = refusals.splice(0, 1);
        if (seconds === undefined) return central.digests(family, 1);
        throw new AppError('too_many_requests', 'Later.', { headers: { 'Retry-After': seconds } });
      },
    });
  expect(await compare(['0', '1'])).toMatchObject({ is_same: true });
  await expect(compare(['60'])).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Later.',
    headers: { 'Retry-After': '60' },
  });
  await central.close();
});
