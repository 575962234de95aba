import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { RECORDS_TABLE } from '../../../../../server/store/verify/verify.ts';
import { createSyncTables } from '../../../../../server/sync/log/tables.ts';
import { temporaryFolder } from '../../../../server/store/sqlite/temporary-folder.ts';
import { create, temporaryStore } from '../../../../server/store/temporary-store.ts';
import { tableFaults } from './check-journal.ts';

it.each([
  ['local', "UPDATE local SET value = 'another' WHERE name = 'chain'"],
  ['digest', "INSERT INTO digest (family, sum) VALUES ('nothing', '1')"],
  ['records', `UPDATE "${RECORDS_TABLE}" SET document = json_set(document, '$.fields.name', 'another')`],
])('a row that one process alone has is found in %s', async (table, change) => {
  const store = await temporaryStore();
  createSyncTables(store.database);
  await create(store, 'supplier', { name: 'Acme' });
  await store.close();
  const { folder } = store.database;
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  expect(tableFaults([folder, copy])).toEqual([]);
  const database = new DatabaseSync(join(copy, 'holdpoint.db'));
  database.exec(change);
  database.close();
  expect(tableFaults([folder, copy])).toEqual([
    `the table ${table} is another one at process 2 than at the first`,
  ]);
});
