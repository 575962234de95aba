import { expect, it, onTestFinished, vi } from 'vitest';
import type { Cut } from '../../../server/past/cut.ts';
import { Past } from '../../../server/past/past.ts';
import { pageThen, Replays } from '../../../server/past/replay.ts';
import { lotsThen, namesThen } from '../../../server/past/stock-then.ts';
import { lotFactsOf } from '../../../server/rules/lot-facts.ts';
import { mapOf } from '../../../server/store/changes.ts';
import { StockMoves } from '../../../server/store/lots.ts';
import { tableOf } from '../../../server/store/sqlite/documents.ts';
import type { Store } from '../../../server/store/store.ts';
import { type HoldDecision, RELEASED, WITHDRAWN } from '../../../server/sync/protocol/decide-in-log.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import { type FamilyName, families } from '../../../shared/families/registry.ts';
import { recordsOf } from '../store/audit.ts';
import { create, itemIds, temporaryStore, update } from '../store/temporary-store.ts';
import { type Central, employ, fleet, writeOdd } from '../sync/exchange/fleet.ts';

/** Both kinds of fleet; what is compared grows with the square of what is written. */
const SEEDS = Number(process.env.HOLDPOINT_SYNC_SEEDS ?? 2);
const TURNS = process.env.HOLDPOINT_SYNC === 'full' ? 60 : 40;
const FAMILIES: FamilyName[] = [
  'supplier',
  'order',
  'receiving-inspection',
  'inventory',
  'move',
  'adjustment',
  'part',
];

/** What a machine showed at a moment: versions and fields by key, and what stood where. */
interface Seen {
  records: Record<string, unknown>;
  stock: Record<string, bigint>;
}

it.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
  'answers what each machine showed then, whatever was written where since, seed %i',
  async seed => {
    const next = random(seed);
    const { central, stations, stores, settle } = await fleet(2, seed % 2 === 0 ? { limit: 2 } : {});
    await prepare(central.store);
    await settle();
    const seen: { store: Store; at: string; place: number; shown: Seen }[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const store = stores()[next(3)] ?? central.store;
      await write(store, next, `${seed}-${turn}`);
      const peer = stations[next(2)];
      if (peer && next(3) === 0) {
        peer.engine.notify();
        await peer.engine.step();
      }
      const held = central.exchange.reader().heldCommits.all()[0]?.commit.commit_id;
      if (held !== undefined && next(4) === 0) await decide(central, held, next(2) ? RELEASED : WITHDRAWN);
      const watched = stores()[next(3)] ?? central.store;
      const place = central.exchange.reader().place().sequence;
      seen.push({ store: watched, at: watched.gate.now(), place, shown: shownNow(watched) });
    }
    // In the middle of it, with much undecided, and at the end.
    for (const round of ['undecided', 'settled']) {
      for (const { store, at, place, shown } of seen) {
        const as = `${round}: ${store === central.store ? 'central' : 'station'} ${at}`;
        expect(await shownThen(store, { kind: 'here', at }), as).toEqual(shown);
        if (store !== central.store) continue;
        expect(await shownThen(store, { kind: 'place', place }), as).toEqual(shown);
      }
      await settle();
    }
    // Every machine that has the whole log gives the same answer of a place of it.
    for (const { place, store, shown } of seen) {
      if (store !== central.store) continue;
      for (const { store: other } of stations)
        expect(await shownThen(other, { kind: 'place', place })).toEqual(shown);
    }
  },
);

it.each(Array.from({ length: SEEDS }, (_, seed) => seed + 1))(
  'answers by the commits that are dated until then, in the order of the log, seed %i',
  async seed => {
    const next = random(seed + 500);
    const { central, stations, stores, settle } = await fleet(2);
    await prepare(central.store);
    // Who may write what is written, so that central holds none of it.
    await employ(central.store, 'tester');
    await settle();
    for (let turn = 0; turn < TURNS; turn += 1) {
      await write(stores()[next(3)] ?? central.store, next, `${seed}-${turn}`);
      if (next(4) === 0) await stations[next(2)]?.settle();
    }
    await settle();
    const moments = central.store.database
      .all<{ at: string }>('SELECT at FROM history ORDER BY sequence')
      .map(({ at }) => at);
    // Something stood somewhere, or the property has tested less than it says.
    let stocked = 0;
    for (let asked = 0; asked < 12; asked += 1) {
      const at = moments[next(moments.length)] ?? '';
      const expected = datedUntil(central.store, at);
      for (const store of stores()) {
        const past = pastOf(store);
        for (const key of keysOf(store)) {
          const record = past.at(key, { kind: 'moment', at });
          expect(record && plainFields(record.fields), `${key} at ${at}`).toEqual(expected.get(key));
        }
        const { records, stock } = await shownThen(store, { kind: 'moment', at });
        expect(Object.keys(records).sort()).toEqual(
          [...expected.keys()].filter(key => FAMILIES.some(name => key.startsWith(`${name}:`))).sort(),
        );
        expect(stock, `stock at ${at}`).toEqual(stockOf(expected));
        stocked += Object.keys(stock).length;
      }
    }
    expect(stocked).toBeGreaterThan(0);
  },
);

it('answers of a machine that stands alone by its own history', async () => {
  const next = random(77);
  const store = await temporaryStore();
  await prepare(store);
  const seen: { at: string; place: number; shown: Seen }[] = [];
  for (let turn = 0; turn < 40; turn += 1) {
    await write(store, next, `${turn}`);
    const [row] = store.database.all<{ place: number }>('SELECT max(sequence) AS place FROM history');
    seen.push({ at: store.gate.now(), place: row?.place ?? 0, shown: shownNow(store) });
  }
  for (const { at, place, shown } of seen) {
    expect(await shownThen(store, { kind: 'here', at })).toEqual(shown);
    expect(await shownThen(store, { kind: 'moment', at })).toEqual(shown);
    expect(await shownThen(store, { kind: 'place', place })).toEqual(shown);
  }
});

/** Where it cannot be let in, it waits on. */
async function decide(central: Central, commit: string, decision: HoldDecision['decision']): Promise<void> {
  const about = { user: 'boss', reason: 'Looked at.', at: central.store.gate.now() };
  try {
    await central.exchange.decideHeld({ commit, decision, ...about });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

function pastOf({ database, collection, station }: Store): Past {
  return new Past({ sql: database.reader, table: tableOf(collection), station });
}

/** By lists and stock, and the same by each record alone. */
async function shownThen(store: Store, cut: Cut): Promise<Seen> {
  const past = pastOf(store);
  const seen = await new Replays(store).run(
    cut,
    () => false,
    async replay => {
      const records: Record<string, unknown> = {};
      for (const name of FAMILIES) {
        const page = { page: 1, perPage: 1_000, isNewestFirst: false };
        const found = await pageThen(replay, families[name], page);
        expect(found.records.length).toBe(found.total);
        for (const record of found.records) records[record.key] = about(record);
      }
      const lots = await lotsThen(replay, undefined);
      const stock = lots.flatMap(({ id, places }) =>
        [...places].map(([location, quantity]) => [`${id} ${location}`, quantity] as const),
      );
      return { records, stock: Object.fromEntries(stock) };
    },
  );
  for (const key of keysOf(store)) {
    const record = past.at(key, cut);
    if (FAMILIES.some(name => key.startsWith(`${name}:`)))
      expect(record && about(record), key).toEqual(seen?.records[key]);
  }
  return seen ?? { records: {}, stock: {} };
}

function shownNow(store: Store): Seen {
  const records = recordsOf(store).filter(({ family }) => FAMILIES.some(name => name === family));
  const stock = store.database.allBig<{ lot: bigint; location: bigint; quantity: bigint }>(
    'SELECT * FROM stock',
  );
  return {
    records: Object.fromEntries(records.map(record => [record.key, about(record)])),
    stock: Object.fromEntries(stock.map(({ lot, location, quantity }) => [`${lot} ${location}`, quantity])),
  };
}

function about({
  version,
  state,
  fields,
  created_at,
  updated_at,
  user,
  station,
}: ReturnType<typeof recordsOf>[number]) {
  return { version, state, fields, created_at, updated_at, user, station };
}

function keysOf(store: Store): string[] {
  return recordsOf(store).map(({ key }) => key);
}

/** An oracle of its own: whatever each commit sets, one after the other as the log has them. */
function datedUntil({ database }: Store, at: string): Map<string, unknown> {
  const rows = database.all<{
    id: string;
    at: string;
    offset: number | null;
    entries: string;
    decisions: string;
  }>(
    `SELECT h.commit_id AS id, h.at, h.clock_offset AS offset, h.entries, log.decisions FROM log JOIN history AS h
     ON h.chain = log.chain AND h.number = log.number ORDER BY log.sequence`,
  );
  const records = new Map<string, Record<string, unknown>>();
  const leftOut = new Set<string>();
  for (const row of rows) {
    const offset = Math.abs(row.offset ?? 0) < 120_000 ? 0 : (row.offset ?? 0);
    const isLate = Date.parse(row.at) - offset > Date.parse(at);
    for (const { subject, changes } of JSON.parse(row.entries)) {
      // What is written over something that was not there yet was not there either, whatever its clock said.
      const isOver = changes.some(({ over }: { over: string[] }) =>
        over.some(id => leftOut.has(`${id} ${subject}`)),
      );
      if (isLate || isOver) leftOut.add(`${row.id} ${subject}`);
      else if (row.decisions === '' || JSON.parse(row.decisions)[0].outcome === 'applied') {
        const record = records.get(subject) ?? {};
        records.set(subject, record);
        for (const { path, new: value } of changes) set(record, path.split('.'), value);
      }
    }
  }
  return new Map([...records].map(([key, record]) => [key, plainFields(record)]));
}

/** What stood where by these records alone: the sum of what each says of lots. */
function stockOf(records: ReadonlyMap<string, unknown>): Seen['stock'] {
  const moves = new StockMoves();
  for (const [key, fields] of records) {
    const [family = '', id] = key.split(':');
    moves.add(lotFactsOf({ family, id: Number(id), fields: mapOf(fields) }), 1n);
  }
  return Object.fromEntries(
    [...moves].map(({ lot, location, quantity }) => [`${lot} ${location}`, quantity]),
  );
}

function set(target: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) target[name] = value;
  else {
    const inner = (target[name] ?? {}) as Record<string, unknown>;
    target[name] = inner;
    set(inner, rest, value);
  }
}

/** Without what is not there, and without the items' times. */
function plainFields(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(plainFields);
  const members = Object.entries(value).filter(
    ([name, member]) => member !== null && !['created_at', 'updated_at'].includes(name),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, plainFields(member)]));
}

async function prepare(store: Store): Promise<void> {
  await create(store, 'company', { name: 'Ours' });
  await create(store, 'part', { name: 'Jar', unit_of_measure: 'units' });
  await create(store, 'location', { name: 'Dock' });
  await create(store, 'location', { name: 'Shelf' });
}

async function write(store: Store, next: (limit: number) => number, text: string): Promise<void> {
  const pick = (family: FamilyName) => {
    const { records } = store.records.page(families[family], { page: 1, perPage: 500 });
    return records[next(Math.max(1, records.length))];
  };
  const [supplier, order, lot] = [pick('supplier'), pick('order'), pick('inventory')];
  const part = pick('part')?.id ?? 0;
  const location = pick('location')?.id ?? 0;
  try {
    switch (next(9)) {
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
            // Left out: removed.
            ...itemIds(order, 'items').flatMap(id => (next(4) ? [{ id, quantity: next(9) + 1 }] : [])),
            ...(next(2) ? [{ part_id: part, quantity: 2, serial_number: text }] : []),
          ],
        });
        return;
      case 5:
        if (order) await update(store, 'order', order.id, { is_closed: next(2) === 0, notes: text });
        return;
      case 6:
        if (lot) await create(store, 'move', { inventory_id: lot.id, to_location_id: location, quantity: 1 });
        return;
      case 7:
        if (lot)
          await create(store, 'adjustment', { inventory_id: lot.id, quantity: next(5) - 2, reason: text });
        return;
      default: {
        const line = {
          part_id: part,
          serial_number: `L${next(3)}`,
          quantity_accepted: next(5) + 1,
          location_id: location,
        };
        const receipt = pick('receiving-inspection');
        // A receipt that said less then than it says now, or a new one.
        if (receipt && next(2)) {
          const items = [...itemIds(receipt, 'items').map(id => ({ id })), line];
          await update(store, 'receiving-inspection', receipt.id, { items });
        } else await create(store, 'receiving-inspection', { items: [line] });
      }
    }
  } catch (error) {
    // What a rule refuses is not written.
    if (!(error instanceof AppError)) throw error;
  }
}

/** A number below `limit`, the same for the same seed. */
function random(seed: number): (limit: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return limit => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return state % limit;
  };
}

it('works out once what many lots are named after', async () => {
  const store = await temporaryStore();
  const { id } = await create(store, 'part', { name: 'Jar' });
  const at = store.gate.now();
  await update(store, 'part', id, { name: 'Pot' });
  const worked = vi.spyOn(Past.prototype, 'at');
  onTestFinished(() => worked.mockRestore());
  const names = await new Replays(store).run(
    { kind: 'here', at },
    () => false,
    async replay => {
      const nameOf = namesThen(replay);
      return [nameOf('part', id), nameOf('part', id, 'name'), nameOf('part', null), nameOf('part', id + 1)];
    },
  );
  expect(names).toEqual(['Jar', 'Jar', null, null]);
  expect(worked).toHaveBeenCalledTimes(1);
});

it('does not search the log for what became of a change that still waits', async () => {
  const { central, stations, settle } = await fleet(1);
  await create(central.store, 'supplier', { name: 'S' });
  await settle();
  const [peer] = stations;
  if (peer) for (let n = 0; n < 3; n += 1) await writeOdd(peer, 1);
  await settle();
  const { heldCommits } = central.exchange.reader();
  expect(heldCommits.all()).toHaveLength(3);
  const read = vi.spyOn(central.store.database.reader, 'all');
  onTestFinished(() => read.mockRestore());
  const steps = pastOf(central.store).steps.of('supplier:1');
  expect(steps.map(({ outcome }) => outcome)).toEqual(['applied', 'held', 'held', 'held']);
  expect(read.mock.calls.filter(([sql]) => sql.includes('log_decided'))).toEqual([]);
});
