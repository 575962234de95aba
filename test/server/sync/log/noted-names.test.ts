import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reissuedId } from '../../../../server/store/commit-id.ts';
import type { Store } from '../../../../server/store/store.ts';
import { atOnce } from '../../../../server/store/yield-to-event-loop.ts';
import { Log } from '../../../../server/sync/log/log.ts';
import { noteMissing, notingSome } from '../../../../server/sync/log/noted-names.ts';
import { createSyncTables } from '../../../../server/sync/log/tables.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

const MANY = 3_000;
const named = (n: number) => `01a223bf-9703-7bca-92bf-${String(n).padStart(12, '0')}`;

beforeEach(() => {
  // Whoever looks whether it is time to make way finds that it is.
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
});
afterEach(() => vi.restoreAllMocks());

function append({ database }: Store, from: number, to: number, of = ''): void {
  database.transaction(() => {
    for (let n = from; n <= to; n += 1)
      database.run("INSERT INTO log VALUES (?, ?, ?, 1, '', ?, '')", n, named(n), `s.${n}`, `${of}${n}`);
  });
}

/** One whose log an earlier version has written. */
async function earlierStore(): Promise<Store> {
  const store = await temporaryStore();
  createSyncTables(store.database);
  append(store, 1, MANY);
  return store;
}

/** The numbers of the commits whose names lead back. */
function noted({ database }: Store): number[] {
  const log = new Log(database, database.reader);
  const numbers = Array.from({ length: MANY + 2 }, (_, n) => n);
  return numbers.filter(n => log.formerOf(reissuedId(named(n))) === named(n));
}

const all = Array.from({ length: MANY }, (_, n) => n + 1);

it('notes the names of a log of an earlier version in steps, between which others have their turns', async () => {
  const store = await earlierStore();
  let [turns, isDone] = [0, false];
  const noting = noteMissing(store).finally(() => {
    isDone = true;
  });
  for (; !isDone; turns += 1) await new Promise(setImmediate);
  await noting;
  expect(turns).toBeGreaterThan(MANY / 500);
  expect(noted(store)).toEqual(all);
});

it('goes on after what was noted before the process ended, also with entries that were noted as they came', async () => {
  const store = await earlierStore();
  const { database } = store;
  database.transaction(() => atOnce(notingSome(database, 2)));
  expect(noted(store)).toHaveLength(1_000);
  const entry = { sequence: MANY + 1, commit: { commit_id: named(MANY + 1), chain: 's.last', number: 1 } };
  const decisions = [{ commit_id: named(MANY + 1), outcome: 'repeated' as const, reason: null, effects: [] }];
  database.transaction(() =>
    new Log(database, database).append({ ...entry, decisions, hash: '', countersignature: '' } as never),
  );
  // What is noted is not looked at again.
  database.transaction(() => database.run('DELETE FROM name_again WHERE name = ?', reissuedId(named(1))));
  await noteMissing(store);
  expect(noted(store)).toEqual([...all.slice(1), MANY + 1]);
  await noteMissing(store);
  expect(noted(store)).not.toContain(1);
});

it('begins anew where an earlier version has cut the log meanwhile and gone on otherwise', async () => {
  const store = await earlierStore();
  const { database } = store;
  database.transaction(() => atOnce(notingSome(database, 2)));
  database.transaction(() => {
    database.run('DELETE FROM log WHERE sequence > 900');
    database.run('DELETE FROM name_again WHERE commit_id > ?', named(900));
  });
  append(store, 901, MANY, 'other ');
  await noteMissing(store);
  expect(noted(store)).toEqual(all);
});

it('notes what was kept of records where the log has no entry yet', async () => {
  const store = await temporaryStore();
  const { database } = store;
  createSyncTables(database);
  database.transaction(() => database.run("INSERT INTO snapshot_commit VALUES (?, 's.1', 1)", named(1)));
  await noteMissing(store);
  expect(noted(store)).toEqual([1]);
});
