import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isHistoryMissing } from '../../../../server/store/earlier-history.ts';
import { knownSince, readHistoryOf } from '../../../../server/store/history.ts';
import type { Store } from '../../../../server/store/store.ts';
import { earlierCommits } from '../../../../server/sync/central/earlier-commits.ts';
import { CentralFailure } from '../../../../server/sync/client/central-failure.ts';
import {
  type EarlierAnswer,
  type EarlierRequest,
  earlierAnswerSchema,
} from '../../../../server/sync/protocol/earlier.ts';
import { EarlierHistory } from '../../../../server/sync/station/earlier-history.ts';
import { earlierRequestSchema } from '../../../../shared/operations/exchange-operations.ts';
import { create, update } from '../../store/temporary-store.ts';
import { type Central, faultsOf, fleet, Peer } from '../exchange/fleet.ts';
import { LaterStation } from '../exchange/later-station.ts';

type Ask = (request: EarlierRequest) => EarlierAnswer | Promise<EarlierAnswer>;

/** A central with a supplier that central and two stations changed, and another one. */
async function changedSupplier() {
  const { central, stations, settle } = await fleet(2);
  const { id } = await create(central.store, 'supplier', { name: 'Acme' });
  const other = await create(central.store, 'supplier', { name: 'Other' });
  await settle();
  for (const [index, { store }] of stations.entries()) {
    await update(store, 'supplier', id, { notes: `From ${index}` }, { user: `user ${index}` });
    await settle();
  }
  return { central, id, key: `supplier:${id}`, other: other.key };
}

/** A station that takes the records of a central in place of its log. */
async function joined(central: Central): Promise<Peer> {
  const fresh = await Peer.join(request => central.answer(request), 7, { farBehind: 2 });
  await fresh.settle();
  return fresh;
}

/** Messages pass as JSON, and as the schemas have them. */
function lineTo(central: Central) {
  const asked: EarlierRequest[] = [];
  const ask: Ask = request => {
    asked.push(request);
    const read = earlierRequestSchema.parse(JSON.parse(JSON.stringify(request)));
    return earlierAnswerSchema.parse(JSON.parse(JSON.stringify(earlierCommits(central.store, read))));
  };
  return { ask, asked };
}

function earlierOf(store: Store, ask: Ask, patienceMs = 10_000): EarlierHistory {
  return new EarlierHistory({ store, patienceMs, ask: async request => ({ answer: await ask(request) }) });
}

function recordOf(store: Store, key: string) {
  const record = store.records.getByKey(key);
  if (!record) throw new Error(`There is no ${key}.`);
  return record;
}

function hashesOf(store: Store, key: string): string[] {
  const subject = store.records.subjectNumberOf(key);
  const { total, commits } = readHistoryOf(store.database.reader, recordOf(store, key), subject, 0, 1_000);
  expect(total).toBe(commits.length);
  return commits.map(({ hash }) => hash);
}

const sinceOf = (store: Store, key: string) =>
  knownSince(store.database.reader, key, store.records.subjectNumberOf(key));

it('the history of a record that came as it is comes when somebody looks, and is kept', async () => {
  const { central, id, key, other } = await changedSupplier();
  const { store, settle } = await joined(central).then(peer => ({
    store: peer.store,
    settle: () => peer.settle(),
  }));
  const { ask, asked } = lineTo(central);
  const earlier = earlierOf(store, ask);
  expect(hashesOf(store, key)).toEqual([]);

  expect(await earlier.look([recordOf(store, key)])).toEqual(new Map());
  expect(hashesOf(store, key)).toEqual(hashesOf(central.store, key));
  expect(hashesOf(store, key)).toHaveLength(3);
  expect(hashesOf(store, other)).toEqual([]);
  expect(await earlier.look([recordOf(store, key)])).toEqual(new Map());
  expect(asked).toHaveLength(1);
  expect(await faultsOf(store)).toEqual([]);

  // What comes afterwards stands after it, from here and from central.
  await update(store, 'supplier', id, { notes: 'From here' });
  expect(hashesOf(store, key)).toHaveLength(4);
  await settle();
  await update(central.store, 'supplier', id, { notes: 'From central' });
  await settle();
  expect(hashesOf(store, key)).toEqual(hashesOf(central.store, key));
  expect(hashesOf(store, key)).toHaveLength(5);
  await store.rebuild();
  expect(hashesOf(store, key)).toHaveLength(5);
  expect(await faultsOf(store)).toEqual([]);

  // What was created since is whole without asking.
  const since = await create(store, 'supplier', { name: 'New here' });
  const there = await create(central.store, 'supplier', { name: 'New there' });
  expect(await earlier.look([since])).toEqual(new Map());
  await settle();
  expect(await earlier.look([recordOf(store, since.key), recordOf(store, there.key)])).toEqual(new Map());
  expect(asked).toHaveLength(1);
});

it('a history in several messages is known from the newest on; one that is cut goes on there', async () => {
  const { central, id, key } = await changedSupplier();
  const LONG = 40;
  for (let index = 0; index < LONG; index += 1) {
    await update(central.store, 'supplier', id, { notes: `${index} ${'n'.repeat(9_000)}` });
  }
  const { store } = await joined(central);
  const { ask, asked } = lineTo(central);
  let isCut = false;
  const earlier = earlierOf(store, request => {
    if (asked.length === 1 && !isCut) {
      isCut = true;
      throw new CentralFailure('cut', 'It broke off.');
    }
    return ask(request);
  });
  const missing = await earlier.look([recordOf(store, key)]);
  expect(missing.get(key)).toMatchObject({
    reason: 'unreachable',
    message: expect.stringContaining('A file on a stick does not bring them'),
  });
  expect(missing.get(key)?.message).toContain('It broke off.');
  const part = hashesOf(store, key);
  const whole = hashesOf(central.store, key);
  expect(part.length).toBeGreaterThan(0);
  expect(part).toEqual(whole.slice(-part.length));
  const { reader } = store.database;
  const [oldest] = readHistoryOf(
    reader,
    recordOf(store, key),
    store.records.subjectNumberOf(key),
    0,
    1,
  ).commits;
  expect(sinceOf(store, key)).toBe(oldest?.at);
  expect(await faultsOf(store)).toEqual([]);

  expect(await earlier.look([recordOf(store, key)])).toEqual(new Map());
  expect(hashesOf(store, key)).toEqual(whole);
  const places = asked.flatMap(({ records }) => records.map(({ before }) => before));
  expect(new Set(places).size).toBe(places.length);
});

it('a look does not wait for a central that says nothing, and keeps what it says later', async () => {
  const { central, key } = await changedSupplier();
  const { store } = await joined(central);
  const { ask, asked } = lineTo(central);
  const open = Promise.withResolvers<void>();
  const earlier = earlierOf(
    store,
    async request => {
      await open.promise;
      return ask(request);
    },
    20,
  );
  const [first, second] = await Promise.all([
    earlier.look([recordOf(store, key)]),
    earlier.look([recordOf(store, key)]),
  ]);
  expect([first.get(key)?.reason, second.get(key)?.reason]).toEqual(['loading', 'loading']);
  expect(sinceOf(store, key)).toBe(null);
  open.resolve();
  while ((await earlier.look([recordOf(store, key)])).size > 0) await setImmediate();
  expect(asked).toHaveLength(1);
  expect(hashesOf(store, key)).toEqual(hashesOf(central.store, key));
});

const LIES: [string, (answer: EarlierAnswer, other: EarlierAnswer) => EarlierAnswer, RegExp][] = [
  [
    'another value',
    answer => ({
      ...answer,
      commits: answer.commits.map(one => ({ ...one, commit: { ...one.commit, user: 'mallory' } })),
    }),
    /is not what its hash says/,
  ],
  [
    'a commit of another record',
    (answer, other) => ({ ...answer, commits: [...answer.commits, ...other.commits] }),
    /commits of records that were not asked for/,
  ],
  [
    'not the first commit',
    ({ commits, records }) => ({ records, commits: commits.slice(0, -1) }),
    /which wrote what stands, is not among them/,
  ],
  [
    'not the last commit',
    ({ commits, records }) => ({ records, commits: commits.slice(1) }),
    /which wrote what stands, is not among them/,
  ],
  [
    'a place that comes after',
    ({ commits, records }) => ({
      records,
      commits: commits.map((one, index) => ({ ...one, sequence: index === 0 ? 99 : one.sequence })),
    }),
    /which wrote what stands, is not among them/,
  ],
  [
    'a commit at two places',
    ({ commits, records }, other) => {
      const [newest] = commits;
      const sequence = other.commits[0]?.sequence ?? 0;
      const all = newest ? [...commits, { ...newest, sequence }] : commits;
      return { records, commits: all.toSorted((one, another) => another.sequence - one.sequence) };
    },
    /came before as another one/,
  ],
  [
    'a record that was not asked for',
    ({ commits }, { records }) => ({ records, commits }),
    /what was not asked: supplier/,
  ],
  ['nothing', ({ commits }) => ({ records: [], commits }), /nothing of what was asked/],
];

it.each(LIES)(
  'central answers %s: refused with words, and nothing of it is kept',
  async (_what, lie, words) => {
    const { central, key, other } = await changedSupplier();
    const { store } = await joined(central);
    const { ask } = lineTo(central);
    let isLying = true;
    const earlier = earlierOf(store, async request => {
      const answer = await ask(request);
      const [first] = request.records;
      const ofOther = await ask({ ...request, records: [{ key: other, before: first?.before ?? 1 }] });
      return isLying ? lie(answer, ofOther) : answer;
    });
    const missing = await earlier.look([recordOf(store, key)]);
    expect(missing.get(key)?.reason).toBe('refused');
    expect(missing.get(key)?.message).toMatch(words);
    expect(hashesOf(store, key)).toEqual([]);
    expect(hashesOf(store, other)).toEqual([]);
    expect(await faultsOf(store)).toEqual([]);
    isLying = false;
    expect(await earlier.look([recordOf(store, key)])).toEqual(new Map());
    expect(hashesOf(store, key)).toEqual(hashesOf(central.store, key));
  },
);

it('after central was put back, what it had said is asked for again', async () => {
  const { central, id, key } = await changedSupplier();
  const copy = await central.copy();
  await update(central.store, 'supplier', id, { notes: 'Lost' });
  const fresh = await joined(central);
  const { store } = fresh;
  const { ask, asked } = lineTo(central);
  const earlier = earlierOf(store, ask);
  expect(await earlier.look([recordOf(store, key)])).toEqual(new Map());
  expect(hashesOf(store, key)).toHaveLength(4);

  await central.putBack(copy);
  await update(central.store, 'supplier', id, { notes: 'Otherwise' });
  await fresh.settle();
  expect(isHistoryMissing(store.database.reader, recordOf(store, key))).toBe(true);
  expect(await earlier.look([recordOf(store, key)])).toEqual(new Map());
  expect(asked).toHaveLength(2);
  expect(hashesOf(store, key)).toEqual(hashesOf(central.store, key));
  expect(await faultsOf(store)).toEqual([]);
});

it.each([
  ["UPDATE earlier_commit SET user = 'mallory' WHERE sequence = 1", 'is not what its hash says'],
  ['UPDATE earlier_commit SET sequence = 99 WHERE sequence = 1', 'where the received log has its own'],
  ['DELETE FROM earlier_subject WHERE sequence = 1', 'earlier history of a record'],
  ['UPDATE earlier_subject SET sequence = 2 WHERE sequence = 1', 'earlier history of a record'],
  ['DELETE FROM earlier_record', 'earlier history of a record'],
])('verify tells what is not as it was kept: %s', async (sql, words) => {
  const { central, key } = await changedSupplier();
  const { store } = await joined(central);
  await earlierOf(store, lineTo(central).ask).look([recordOf(store, key)]);
  expect(await faultsOf(store)).toEqual([]);
  await store.gate.applyRemote(() => ({ result: store.database.run(sql) }));
  expect((await faultsOf(store)).join(' ')).toContain(words);
});

it('central says of a record whose family it does not know what it has, and of the others what was asked', async () => {
  const { central, key } = await changedSupplier();
  const later = new LaterStation(request => central.answer(request));
  const gauge = `gauge:${5 * 2 ** 20 + 1}`;
  await later.push({
    entries: [{ subject: gauge, changes: [{ path: 'name', old: null, new: 'G', over: [] }] }],
  });
  const until = central.exchange.reader().place();
  const before = until.sequence + 1;
  const records = [gauge, key].map(one => ({ key: one, before }));
  const answer = earlierCommits(central.store, { until, records, size: 1_000_000 });
  expect(answer.records).toEqual([
    { key: gauge, from: 0 },
    { key, from: 0 },
  ]);
  expect(answer.commits).toHaveLength(3);
});
