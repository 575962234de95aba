import { expect, it } from 'vitest';
import { recallPackage } from '../../../server/quality/recall-package.ts';
import { tracePart } from '../../../server/quality/trace.ts';
import { verifyPackage } from '../../../server/quality/verify-package.ts';
import type { Store } from '../../../server/store/store.ts';
import { create, temporaryStore, update } from '../store/temporary-store.ts';
import { fleet } from '../sync/exchange/fleet.ts';
import { LaterStation } from '../sync/exchange/later-station.ts';

async function packageOf({ records, database, gate, station }: Store, part: number) {
  const reads = { records, sql: database.reader, now: gate.now() };
  return recallPackage(reads, await tracePart(reads, part), { station, user: 'quinn' });
}

it('says of which record it has the newest commits only, and is sound all the same', async () => {
  const store = await temporaryStore();
  const { id } = await create(store, 'part', { name: 'Bolt 0', unit_of_measure: 'units' });
  for (let n = 1; n <= 500; n += 1) await update(store, 'part', id, { name: `Bolt ${n}` });
  const made = await packageOf(store, id);
  expect(made.left_out).toEqual([`history of part:${id}: the newest 500 of 501 commits are here`]);
  expect(made.history.count).toBe(500);
  expect(made.history.content.at(-1)?.entries[0]?.changes[0]?.new).toBe('Bolt 500');
  const { faults, notes } = verifyPackage(JSON.stringify(made));
  expect({ faults, notes }).toEqual({ faults: 0, notes: made.left_out });
});

it('has what a later version said in a commit, an entry and a change: else their hashes would be of something else', async () => {
  const { central, settle } = await fleet(1);
  const later = new LaterStation(request => central.answer(request));
  const id = 5 * 2 ** 20 + 1;
  const over: string[] = [];
  const given = (path: string, value: unknown) => ({ path, old: null, new: value, over, unit: ['x'] });
  const changes = [given('name', 'Bolt'), given('unit_of_measure', 'units'), given('rating', { a: [1] })];
  const refused = await later.push({
    witness: { of: 'it' },
    entries: [{ subject: `part:${id}`, why: { not: 'known' }, changes }],
  });
  expect(refused).toBeNull();
  await settle();
  const made = await packageOf(central.store, id);
  const { hash } = later.sent[0] ?? {};
  expect(made.history.content.map(commit => commit.hash)).toEqual([hash]);
  expect(made.history.content[0]).toMatchObject({
    witness: { of: 'it' },
    entries: [{ why: { not: 'known' } }],
  });
  expect(made.records.content[0]?.fields).toMatchObject({ rating: { a: [1] } });
  expect(verifyPackage(JSON.stringify(made))).toMatchObject({ faults: 0 });
});
