import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inputOf } from '../../../../server/rules/input-of.ts';
import { newCommitId } from '../../../../server/store/commit-id.ts';
import type { Store } from '../../../../server/store/store.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { COMMIT_LIMIT } from '../../../../shared/contract/limits.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { create, START } from '../../store/temporary-store.ts';
import { faultsOf, fleet, Peer } from './fleet.ts';

beforeEach(() => {
  // Whoever looks whether it is time to make way finds that it is.
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
});
afterEach(() => vi.restoreAllMocks());

/** One commit that makes so many suppliers. */
function createMany({ gate }: Store, count: number): Promise<void> {
  const { supplier } = families;
  return gate.commit({
    actor: { rights: BY_SERVER, user: 'tester' },
    reason: null,
    work: work => {
      for (let n = 0; n < count; n += 1) work.create(supplier, inputOf({ name: `S ${n}` }));
    },
    answer: () => undefined,
  });
}

/** How many records there are at each turn of the event loop, until the work is done. */
async function seenDuring({ records }: Store, work: () => Promise<unknown>): Promise<number[]> {
  const seen: number[] = [];
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    seen.push([...records.all('supplier')].length);
    await new Promise(setImmediate);
  }
  await working;
  return seen;
}

it('reads go on while central takes large commits, and while a station takes them; each is there whole or not at all', async () => {
  const { central, stations } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  await createMany(a.store, 2_000);
  await createMany(a.store, 1_500);
  let taken: number[] = [];
  const answer = central.answer;
  a.carry = async request => {
    if (request.kind !== 'push') return answer(request);
    let answered: ReturnType<typeof answer> | undefined;
    const seen = await seenDuring(central.store, () => {
      answered = answer(request);
      return answered;
    });
    taken = [...taken, ...seen];
    return answered ?? answer(request);
  };
  while (await a.engine.step());
  expect([...new Set(taken)]).toEqual([0, 2_000]);
  expect(taken.length).toBeGreaterThan(30);
  const read = await seenDuring(b.store, async () => {
    while (await b.engine.step());
  });
  expect([...new Set(read)]).toEqual([0]);
  expect(read.length).toBeGreaterThan(30);
  expect([...b.store.records.all('supplier')]).toHaveLength(3_500);
});

it('reads go on between what is made of a single commit: read, judged, put into the log, folded, written', async () => {
  const { central, stations } = await fleet(1);
  const [a] = stations;
  if (!a) throw new Error();
  await createMany(a.store, 50);
  const { answer } = central;
  let seen: number[] = [];
  a.carry = async request => {
    if (request.kind !== 'push') return answer(request);
    const answered = answer(request);
    seen = await seenDuring(central.store, () => answered);
    return answered;
  };
  while (await a.engine.step());
  expect(new Set(seen.slice(0, -1))).toEqual(new Set([0]));
  expect(seen.length).toBeGreaterThan(9);
});

it('more records than any machine writes at once are held whole, and reads go on between the steps of that and of all that comes after', async () => {
  const { central, stations } = await fleet(1);
  const [a] = stations;
  if (!a) throw new Error();
  const { answer } = central;
  let seen: number[] = [];
  a.carry = async request => {
    if (request.kind !== 'push') return answer(request);
    const answered = answer(request);
    seen = await seenDuring(central.store, () => answered);
    return answered;
  };
  // As no version of the program writes it.
  const entries = Array.from({ length: COMMIT_LIMIT + 1 }, (_, n) => ({
    subject: `supplier:${2 ** 20 + 1_000 + n}`,
    changes: [{ path: 'name', old: null, new: `S ${n}`, over: [] }],
  }));
  const about = { commit_id: newCommitId(), at: START, clock_offset: null, user: 'olga', reason: null };
  await new StationStore(a.store, syncRules, a.store.database).writeOwn(() => [{ ...about, entries }]);
  while (await a.engine.step());
  const { heldCommits } = central.exchange.reader();
  expect(heldCommits.all().map(({ reason }) => reason)).toEqual([
    `schema: It changes more than ${COMMIT_LIMIT} records.`,
  ]);
  // It is hashed, its text is kept, and its records are noted, some of them at a time; none of them is looked up.
  const parts = COMMIT_LIMIT / 500;
  expect(seen.length).toBeGreaterThan(3 * parts);
  await create(a.store, 'supplier', { name: 'After it' });
  a.engine.notify();
  while (await a.engine.step());
  expect([...central.store.records.all('supplier')].map(({ fields }) => fields.name)).toEqual(['After it']);
  // What is held is read each time, a piece after the other.
  expect(seen.length).toBeGreaterThan(parts);
  expect(await faultsOf(central.store)).toEqual([]);
});

it('more records than one commit may change are refused where they are written', async () => {
  const { stations } = await fleet(1);
  const [a] = stations;
  if (!a) throw new Error();
  await expect(createMany(a.store, COMMIT_LIMIT + 1)).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('send it in parts'),
  });
  expect([...a.store.records.all('supplier')]).toEqual([]);
});

it('reads go on while this machine writes a large commit; it is there whole or not at all', async () => {
  const { stations } = await fleet(1);
  const [a] = stations;
  if (!a) throw new Error();
  const seen = await seenDuring(a.store, () => createMany(a.store, 1_000));
  // It may be there in the last turn: before it is answered.
  expect(new Set(seen.slice(0, -1))).toEqual(new Set([0]));
  expect(seen.length).toBeGreaterThan(10);
  expect([...a.store.records.all('supplier')]).toHaveLength(1_000);
});

it('of a large commit that fails with its last records nothing is there, and what shares its transaction is', async () => {
  const { stations } = await fleet(1);
  const [{ store } = {}] = stations;
  if (!store) throw new Error();
  const { supplier } = families;
  const createMore = (count: number) =>
    store.gate.commit({
      actor: { rights: BY_SERVER, user: 'tester' },
      reason: null,
      work: work => {
        for (let n = 0; n < count; n += 1) work.create(supplier, inputOf({ name: `More ${n}` }));
      },
      answer: () => {
        throw new Error('It has no answer.');
      },
    });
  const results = await Promise.allSettled([createMany(store, 3), createMore(250), createMany(store, 2)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect([...store.records.all('supplier')].map(({ fields }) => fields.name)).toEqual([
    'S 0',
    'S 1',
    'S 2',
    'S 0',
    'S 1',
  ]);
  expect(await faultsOf(store)).toEqual([]);
});

it('reads go on while a station takes records in place of the log: between two that are read, and two that are put', async () => {
  const { central } = await fleet(0);
  await createMany(central.store, 400);
  await create(central.store, 'supplier', { name: 'Last' });
  const far = await Peer.join(request => central.answer(request), 7, { farBehind: 1 });
  const take = StationStore.prototype.takeRecords;
  let seen: number[] = [];
  vi.spyOn(StationStore.prototype, 'takeRecords').mockImplementation(async function (
    this: StationStore,
    page,
  ) {
    const taking = take.call(this, page);
    if (page.records.length > 1) seen = await seenDuring(far.store, () => taking);
    return taking;
  });
  await far.settle();
  expect([...far.store.records.all('supplier')]).toHaveLength(401);
  expect(seen.length).toBeGreaterThan(3 * 400);
});

it('reads go on while a station cuts a log that central lost, and says of what comes back what it meant', async () => {
  const { central, stations } = await fleet(1);
  const [a] = stations;
  if (!a) throw new Error();
  const image = await central.copy();
  for (let n = 0; n < 6; n += 1) await create(central.store, 'supplier', { name: `S ${n}` });
  await a.settle();
  await central.putBack(image);
  const cut = StationStore.prototype.cutTo;
  let seen: number[] = [];
  vi.spyOn(StationStore.prototype, 'cutTo').mockImplementation(async function (this: StationStore, to) {
    const cutting = cut.call(this, to);
    seen = await seenDuring(a.store, () => cutting);
    return cutting;
  });
  await a.settle();
  // What was known stays in sight until all of it is cut at once.
  expect(new Set(seen.slice(0, -1))).toEqual(new Set([6]));
  // Each is read, looked through for what it created, and for what it names.
  expect(seen.length).toBeGreaterThan(3 * 6);
  for (const { store } of [central, a]) expect([...store.records.all('supplier')]).toHaveLength(6);
});
