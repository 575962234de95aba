import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { Past } from '../../../../server/past/past.ts';
import type { SqlReader } from '../../../../server/store/sqlite/connection.ts';
import { tableOf } from '../../../../server/store/sqlite/documents.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { RELEASED, WITHDRAWN } from '../../../../server/sync/protocol/decide-in-log.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { create } from '../../store/temporary-store.ts';
import { areSame, type Central, faultsOf, fleet } from './fleet.ts';

/** What is decided one after the other; `HOLDPOINT_SYNC=full` takes as many as are decided together. */
const ONE_BY_ONE = process.env.HOLDPOINT_SYNC === 'full' ? 1_200 : 300;

/** A central and a station of which each given value of one record's field is held, or follows what is. */
async function withHeld(values: readonly unknown[], path: (index: number) => string = () => 'name') {
  const made = await fleet(1);
  const { central, stations, settle } = made;
  const [a] = stations;
  if (!a) throw new Error();
  await create(central.store, 'supplier', { name: 'S' });
  await settle();
  const ids = values.map(() => randomUUID());
  await new StationStore(a.store, syncRules, a.store.database).writeOwn(decidedOf =>
    values.map((value, index) => {
      // Notes are each over the one before.
      const isNext = path(index) === 'notes' && path(index - 1) === 'notes';
      const over = [(isNext ? ids[index - 1] : decidedOf('supplier:1')?.creator) ?? ''];
      const changes = [{ path: path(index), old: null, new: value, over }];
      const about = { at: '2026-06-15T12:00:00.000Z', clock_offset: null, user: 'eve', reason: null };
      return { commit_id: ids[index] ?? '', ...about, entries: [{ subject: 'supplier:1', changes }] };
    }),
  );
  await settle();
  return { ...made, a, ids, about: { user: 'quinn', reason: 'All of it.', at: central.store.gate.now() } };
}

const heldAt = ({ exchange }: Central) => exchange.reader().heldCommits.all();

async function expectSound({ central, stores, settle }: Awaited<ReturnType<typeof withHeld>>) {
  await settle();
  expect(areSame(stores())).toBe(true);
  expect(central.store.records.getByKey('supplier:1')).toBeDefined();
  for (const store of stores()) expect(await faultsOf(store)).toEqual([]);
}

it('a thousand held changes of one record are given up together', async () => {
  const made = await withHeld(Array.from({ length: 1_200 }, () => 5));
  const { central, ids, about } = made;
  expect(heldAt(central)).toHaveLength(1_200);
  expect(await central.exchange.decideAllHeld({ commits: ids, decision: WITHDRAWN, ...about })).toBe(1_200);
  expect(heldAt(central)).toEqual([]);
  await expectSound(made);
});

it(`${ONE_BY_ONE} held changes are given up at the station that wrote them, and central takes that in one message`, async () => {
  const made = await withHeld(Array.from({ length: ONE_BY_ONE }, () => 5));
  const { central, a, ids, about } = made;
  for (const commit of ids) await a.engine.withdraw({ commit, ...about });
  await made.settle();
  expect(heldAt(central)).toEqual([]);
  await expectSound(made);
});

it('a thousand changes that follow one are decided with it', async () => {
  const made = await withHeld([5, ...Array.from({ length: 1_200 }, (_, n) => `Note ${n}`)], index =>
    index === 0 ? 'name' : 'notes',
  );
  const { central, ids, about } = made;
  await central.exchange.decideHeld({ commit: ids[0] ?? '', decision: WITHDRAWN, ...about });
  expect(heldAt(central)).toEqual([]);
  expect(central.store.records.getByKey('supplier:1')?.fields).toEqual({ name: 'S', notes: 'Note 1199' });
  await expectSound(made);
});

it(`${ONE_BY_ONE} held changes are given up one after the other, whatever else is written in between`, async () => {
  const made = await withHeld(Array.from({ length: ONE_BY_ONE }, () => 5));
  const { central, ids, about } = made;
  const decide = (commit: string) => central.exchange.decideHeld({ commit, decision: WITHDRAWN, ...about });
  for (const commit of ids.slice(0, ONE_BY_ONE / 2)) await decide(commit);
  await expect(decide('never held')).rejects.toMatchObject({ code: 'not_found' });
  await expect(decide(ids[0] ?? '')).rejects.toMatchObject({ code: 'conflict' });
  await create(central.store, 'supplier', { name: 'Between' });
  for (const commit of ids.slice(ONE_BY_ONE / 2)) await decide(commit);
  expect(heldAt(central)).toEqual([]);
  await expectSound(made);
});

it('of those that are decided together, one that cannot be let in stays held, and one that is decided by then counts once', async () => {
  const made = await withHeld([5, 'Follows', 7]);
  const { central, ids, about } = made;
  const all = [...ids, ...ids, 'never held'];
  // What an altered value makes of the record nobody lets in; withdrawing the first decides the second with it.
  expect(await central.exchange.decideAllHeld({ commits: all, decision: RELEASED, ...about })).toBe(0);
  expect(await central.exchange.decideAllHeld({ commits: all, decision: WITHDRAWN, ...about })).toBe(2);
  expect(heldAt(central)).toEqual([]);
  expect(central.store.records.getByKey('supplier:1')?.fields.name).toBe('Follows');
  await expectSound(made);
});

it('the past of a record of which much was held asks the log once what became of it', async () => {
  const made = await withHeld([5, 6, 7, 8]);
  const { central, ids, about } = made;
  await central.exchange.decideAllHeld({ commits: ids, decision: WITHDRAWN, ...about });
  const { database, collection, station } = central.store;
  let asked = 0;
  const sql = new Proxy(database.reader, {
    get(reader, name) {
      const member = Reflect.get(reader, name, reader);
      if (typeof member !== 'function') return member;
      return (text: string, ...values: unknown[]) => {
        if (String(text).includes('log_decided')) asked += 1;
        return member.call(reader, text, ...values);
      };
    },
  }) as SqlReader;
  const past = new Past({ sql, table: tableOf(collection), station });
  const at = central.store.gate.now();
  expect(past.at('supplier:1', { kind: 'moment', at })?.fields).toEqual({ name: 'S' });
  expect(asked).toBe(1);
  await expectSound(made);
});
