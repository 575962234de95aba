import { describe, expect, it } from 'vitest';
import type { Cut } from '../../../server/past/cut.ts';
import { Past } from '../../../server/past/past.ts';
import { pageThen, Replays } from '../../../server/past/replay.ts';
import { tableOf } from '../../../server/store/sqlite/documents.ts';
import type { Store } from '../../../server/store/store.ts';
import { arrivalOf } from '../../../server/sync/log/arrivals.ts';
import { createSyncTables } from '../../../server/sync/log/tables.ts';
import { families } from '../../../shared/families/registry.ts';
import { recordsOf } from '../store/audit.ts';
import { create, temporaryStore, update } from '../store/temporary-store.ts';
import { areSame, employ, fleet, Peer, writePast } from '../sync/exchange/fleet.ts';

const SUPPLIER = 'supplier:1';

function pastOf({ database, collection, station }: Store): Past {
  return new Past({ sql: database.reader, table: tableOf(collection), station });
}

function suppliers(store: Store, cut: Cut, isGone = () => false): Promise<number | undefined> {
  const page = { page: 1, perPage: 50, isNewestFirst: false };
  return new Replays(store).run(
    cut,
    isGone,
    async replay => (await pageThen(replay, families.supplier, page)).total,
  );
}

it('says from when on a record is known that was taken as it stood, and answers from there on', async () => {
  const { central } = await fleet(0);
  await employ(central.store, 'tester');
  await create(central.store, 'supplier', { name: 'First' });
  await update(central.store, 'supplier', 1, { name: 'Second' });
  const before = central.store.gate.now();
  const peer = await Peer.join(request => central.answer(request), 5, { farBehind: 2 });
  await peer.settle();
  const { store } = peer;
  const place = central.exchange.reader().place().sequence;
  expect(pastOf(store).steps.start.sequence).toBeGreaterThan(0);

  const words = /as (it|they) stood.+ known here from|knows their history from/;
  expect(() => pastOf(store).at(SUPPLIER, { kind: 'place', place: 1 })).toThrow(words);
  expect(() => pastOf(store).at(SUPPLIER, { kind: 'moment', at: before.replace('2026', '2025') })).toThrow(
    words,
  );
  await expect(suppliers(store, { kind: 'place', place: 1 })).rejects.toThrow(words);
  expect(pastOf(store).at(SUPPLIER, { kind: 'place', place })?.fields.name).toBe('Second');
  const taken = store.gate.now();
  expect(pastOf(store).at(SUPPLIER, { kind: 'here', at: taken })?.fields.name).toBe('Second');
  expect(await suppliers(store, { kind: 'here', at: taken })).toBe(1);

  await update(central.store, 'supplier', 1, { name: 'Third' });
  await create(central.store, 'supplier', { name: 'Another' });
  await peer.settle();
  expect(() => pastOf(store).at(SUPPLIER, { kind: 'here', at: taken })).toThrow(words);
  expect(pastOf(store).at(SUPPLIER, { kind: 'here', at: store.gate.now() })?.fields.name).toBe('Third');
  // What was created since has its whole history here.
  expect(pastOf(store).at('supplier:2', { kind: 'place', place })).toBeUndefined();
  expect(pastOf(central.store).at(SUPPLIER, { kind: 'place', place })?.fields.name).toBe('Second');
});

it('says from when on arrivals are noted, where there was a log before', async () => {
  const { central, stations, settle } = await fleet(1);
  await employ(central.store, 'tester');
  await create(central.store, 'supplier', { name: 'First' });
  await settle();
  const [{ store } = { store: central.store }] = stations;
  const before = store.gate.now();
  await store.gate.applyRemote(() => {
    store.database.exec('DROP TABLE arrival');
    createSyncTables(store.database, store.gate.now());
    return { result: undefined };
  });
  const since = store.gate.now();
  const words = /When changes arrived at this machine is noted from 2026/;
  expect(() => pastOf(store).at(SUPPLIER, { kind: 'here', at: before })).toThrow(words);
  await expect(suppliers(store, { kind: 'here', at: before })).rejects.toThrow(words);
  expect(pastOf(store).at(SUPPLIER, { kind: 'here', at: since })?.fields.name).toBe('First');
  await update(central.store, 'supplier', 1, { name: 'Second' });
  await settle();
  expect(pastOf(store).at(SUPPLIER, { kind: 'here', at: since })?.fields.name).toBe('First');
  expect(pastOf(store).at(SUPPLIER, { kind: 'here', at: store.gate.now() })?.fields.name).toBe('Second');
});

it('dates what a wrong clock wrote by that of central, and nothing before what it was written over', async () => {
  const store = await temporaryStore();
  await create(store, 'company', { name: 'Ours' });
  store.gate.clockOffset = 3_600_000;
  const first = await create(store, 'supplier', { name: 'An hour ahead' });
  const hourBefore = new Date(Date.parse(first.created_at) - 3_600_000).toISOString();
  expect(pastOf(store).at(SUPPLIER, { kind: 'moment', at: hourBefore })?.fields.name).toBe('An hour ahead');
  store.gate.clockOffset = 7_200_000;
  await update(store, 'supplier', 1, { name: 'Dated before it' });
  const earlier = new Date(Date.parse(hourBefore) - 1).toISOString();
  expect(pastOf(store).at(SUPPLIER, { kind: 'moment', at: earlier })).toBeUndefined();
  expect(pastOf(store).at(SUPPLIER, { kind: 'moment', at: hourBefore })?.fields.name).toBe('Dated before it');
});

it('knows what a central that was put back got again from when it came back', async () => {
  const { central, stations, settle } = await fleet(2);
  await employ(central.store, 'tester');
  await create(central.store, 'supplier', { name: 'Kept' });
  await settle();
  const copy = await central.copy();
  await update(central.store, 'supplier', 1, { name: 'Lost and back' });
  await create(central.store, 'supplier', { name: 'Also' });
  await settle();
  await central.putBack(copy);
  await create(central.store, 'supplier', { name: 'Instead' });
  await settle();
  await settle();
  for (const { store } of [central, ...stations]) {
    const past = pastOf(store);
    const at = store.gate.now();
    for (const record of recordsOf(store))
      expect(past.at(record.key, { kind: 'here', at })?.state, record.key).toBe(record.state);
    const end = past.steps.end();
    expect(arrivalOf(store.database, end + 1)).toBeUndefined();
  }
});

it('ends when nobody waits for it, and goes on with the next', async () => {
  const store = await temporaryStore();
  await create(store, 'company', { name: 'Ours' });
  await create(store, 'supplier', { name: 'One' });
  const replays = new Replays(store);
  const cut: Cut = { kind: 'place', place: 2 };
  let asked = 0;
  const gone = replays.run(
    cut,
    () => ++asked > 1,
    async ({ step }) => {
      for (;;) await step();
    },
  );
  const next = replays.run(
    cut,
    () => false,
    async () => 'answered',
  );
  expect(await gone).toBeUndefined();
  expect(await next).toBe('answered');
});

it('lets no more wait than can be answered soon', async () => {
  const store = await temporaryStore();
  await create(store, 'company', { name: 'Ours' });
  const replays = new Replays(store);
  const ask = () =>
    replays.run(
      { kind: 'place', place: 1 },
      () => false,
      async () => 'answered',
    );
  const asked = await Promise.allSettled(Array.from({ length: 20 }, ask));
  const refused = asked.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]).toMatchObject({ reason: { code: 'too_many_requests' } });
  expect(await ask()).toBe('answered');
});

describe('what is dated after it arrived', () => {
  /** A supplier of central that a station's commit of the year 9999 changed, and central after it. */
  async function withAhead() {
    const { central, stations, settle, stores } = await fleet(1);
    const [a] = stations;
    if (!a) throw new Error();
    await create(central.store, 'supplier', { name: 'First' });
    await settle();
    const before = central.store.gate.now();
    const over = [central.store.records.getByKey(SUPPLIER)?.creator ?? ''];
    a.store.gate.clockOffset = 0;
    await writePast(a, SUPPLIER, { notes: 'Ahead' }, over, '9999-12-31T23:59:59.999Z');
    await settle();
    const ahead = central.store.gate.now();
    await update(central.store, 'supplier', 1, { notes: 'Later' });
    await settle();
    expect(areSame(stores())).toBe(true);
    return { central, a, before, ahead };
  }

  it('counts from when it arrived, and so does what was written over it', async () => {
    const { central, a, before, ahead } = await withAhead();
    const notes = ({ store }: { store: Store }, at: string) =>
      pastOf(store).at(SUPPLIER, { kind: 'moment', at })?.fields.notes;
    expect(notes(central, before)).toBeUndefined();
    expect(notes(central, ahead)).toBe('Ahead');
    expect(notes(central, central.store.gate.now())).toBe('Later');
    expect(notes(a, central.store.gate.now())).toBe('Later');
    expect(await suppliers(central.store, { kind: 'moment', at: before })).toBe(1);
  });

  it('is told by its date at a station that does not know by how much its own clock is off', async () => {
    const { a } = await withAhead();
    a.store.database.run('UPDATE arrival SET clock_offset = NULL');
    const at = a.store.gate.now();
    expect(pastOf(a.store).at(SUPPLIER, { kind: 'moment', at })?.fields).toEqual({ name: 'First' });
  });

  it('counts by central\u2019s clock at a station whose own clock is known to be wrong', async () => {
    const { central, a } = await withAhead();
    // A year behind: what it notes of arrivals is a year too early.
    a.store.database.run(
      "UPDATE arrival SET at = strftime('%Y-%m-%dT%H:%M:%fZ', at, '-365 days'), clock_offset = ?",
      -365 * 86_400_000,
    );
    const at = central.store.gate.now();
    const past = pastOf(a.store);
    expect(past.at(SUPPLIER, { kind: 'moment', at })?.fields.notes).toBe('Later');
    const earlier = `2025${at.slice(4)}`;
    expect(past.at(SUPPLIER, { kind: 'moment', at: earlier })).toBeUndefined();
  });
});
