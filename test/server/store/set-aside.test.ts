import { expect, it } from 'vitest';
import { SetAside } from '../../../server/store/set-aside.ts';
import type { Store } from '../../../server/store/store.ts';
import { temporaryStore } from './temporary-store.ts';

/** More than two steps take. */
const ROWS = 5_000;

const fill = ({ database }: Store) =>
  database.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
    INSERT INTO lookup (place, value, subject)
    SELECT iif(i % 3, 'part.code', 'order.number'), iif(i % 2, i, 'text ' || i), i % 7 FROM n`);

async function differencesAfter(changed: string): Promise<{ differences: number; turns: number }> {
  const store = await temporaryStore();
  const { database } = store;
  return store.gate.together(async () => {
    fill(store);
    let turns = 0;
    const goOn = () => {
      turns += 1;
      return undefined;
    };
    const aside = await SetAside.of(database, 'lookup', goOn);
    database.exec(changed);
    const differences = await aside.differences(goOn);
    aside.drop();
    expect(database.all("SELECT name FROM temp.sqlite_schema WHERE name LIKE 'before_%'")).toEqual([]);
    return { differences, turns };
  });
}

it('finds nothing where nothing changed, and lets others through between some thousands of rows', async () => {
  const { differences, turns } = await differencesAfter('SELECT 1');
  expect(differences).toBe(0);
  expect(turns).toBeGreaterThan(2 * (ROWS / 2_000));
});

it.each([
  ['a row that is gone', 'DELETE FROM lookup WHERE value = 17', 1],
  ['the first and the last', "DELETE FROM lookup WHERE value IN (3, 'text 4994', 'text 998')", 3],
  ['one before all others', "INSERT INTO lookup VALUES ('a', 1, 1)", 1],
  ['one behind all others', "INSERT INTO lookup VALUES ('z', 'z', 1)", 1],
  ['one that says something else', 'UPDATE lookup SET subject = subject + 10 WHERE value = 19', 2],
  ['all that there were', 'DELETE FROM lookup', ROWS],
  ['all of them', 'UPDATE lookup SET subject = subject + 10', 2 * ROWS],
])('counts %s', async (_, changed, differences) => {
  expect((await differencesAfter(changed)).differences).toBe(differences);
});

it('counts what came into a table that was empty', async () => {
  const store = await temporaryStore();
  await store.gate.together(async () => {
    const goOn = () => undefined;
    const aside = await SetAside.of(store.database, 'lookup', goOn);
    fill(store);
    expect(await aside.differences(goOn)).toBe(ROWS);
  });
});
