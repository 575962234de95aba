import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { addClockFact, type ClockFact, readClockFacts } from '../../../server/store/clock-facts.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import { temporaryFolder } from './sqlite/temporary-folder.ts';
import { create, temporaryStore } from './temporary-store.ts';

const FACT: ClockFact = {
  kind: 'step',
  clock: '2025-06-15T12:00:00.000Z',
  at_least: '2026-06-15T12:00:00.000Z',
  sequence: 1,
  user: null,
  reason: null,
};

async function storeWithFact() {
  const folder = temporaryFolder();
  const store = await temporaryStore({ folder });
  await create(store, 'supplier', { name: 'Acme' });
  await store.gate.briefly(() => addClockFact(store.database, FACT));
  return { folder, store };
}

it.each([
  ['changed', "UPDATE clock_fact SET at_least = 'x'"],
  ['deleted', 'DELETE FROM clock_fact'],
  ['replaced', 'INSERT OR REPLACE INTO clock_fact SELECT * FROM clock_fact'],
])('a fact is never %s', async (_name, sql) => {
  const { store } = await storeWithFact();
  await expect(store.gate.briefly(() => store.database.run(sql))).rejects.toThrow('append-only');
});

it('a fact that was altered past the program is found, and not answered', async () => {
  const { folder, store } = await storeWithFact();
  expect(readClockFacts(store.database.reader, { offset: 0, limit: 10 }).facts).toEqual([{ id: 1, ...FACT }]);
  expect((await verify(folder, verifyDependencies)).findings).toEqual([]);
  await store.close();
  const file = new DatabaseSync(join(folder, 'holdpoint.db'), { defensive: false });
  const trigger = file
    .prepare("SELECT sql FROM sqlite_schema WHERE name = 'clock_fact_is_never_changed'")
    .get();
  file.exec('DROP TRIGGER clock_fact_is_never_changed; UPDATE clock_fact SET clock = at_least');
  file.exec(String(trigger?.sql));
  file.close();
  expect((await verify(folder, verifyDependencies)).findings).toMatchObject([
    { what: "What is kept of the machine's clock is not what was written.", where: 'clock_fact 1' },
  ]);
  // The store opens, for reading only.
  const again = await temporaryStore({ folder, steady: () => 1_000 });
  expect(again.database.damage?.message).toContain('The clock fact 1 is not what was written');
  expect(again.records.total('supplier')).toBe(1);
  expect(again.clockWatch.standing()).toBeNull();
  expect(() => readClockFacts(again.database.reader, { offset: 0, limit: 10 })).toThrow(
    'The clock fact 1 is not what was written',
  );
});
