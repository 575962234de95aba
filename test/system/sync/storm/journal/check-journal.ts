import { join } from 'node:path';
import { Journal } from '../../../../../server/journal/journal.ts';
import type { JournalPlace } from '../../../../../server/journal/turn.ts';
import { verifyJournal } from '../../../../../server/journal/verify-journal.ts';
import { openReadOnly } from '../../../../../server/store/open-read-only.ts';
import { JOURNAL_PLACE } from '../../../../../server/store/shared-folder.ts';
import type { SqlReader } from '../../../../../server/store/sqlite/connection.ts';
import { readLocal } from '../../../../../server/store/tables.ts';
import { DATABASE_FILE } from '../../../../../server/store/verify/verify.ts';
import { standing } from '../../../../server/journal/standing.ts';

/** How far folders have followed the journal. */
export function placesOn(folders: readonly string[]): JournalPlace[] {
  return folders.map(folder =>
    readingFolder(folder, sql => JSON.parse(readLocal(sql, JOURNAL_PLACE) ?? '{"position":0,"turn":""}')),
  );
}

/** Where folders that stand at the end of the journal are not what it says, or not the same in each table. */
export async function journalFaults(url: string, folders: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  const journal = new Journal({ url, onNews: () => {} });
  try {
    for (const [index, folder] of folders.entries()) {
      const found = await readingFolder(folder, sql => verifyJournal(journal, sql));
      faults.push(...found.map(what => `process ${index + 1} and the journal: ${what}`));
    }
  } finally {
    journal.close();
  }
  return [...faults, ...tableFaults(folders)];
}

/** In which tables folders are not the same as the first. */
export function tableFaults(folders: readonly string[]): string[] {
  const [first, ...others] = folders.map(folder => readingFolder(folder, standing));
  return others.flatMap((other, index) => {
    const tables = Object.keys(other.tables).filter(table => other.tables[table] !== first?.tables[table]);
    return tables.map(table => `the table ${table} is another one at process ${index + 2} than at the first`);
  });
}

function readingFolder<Value>(folder: string, read: (sql: SqlReader) => Value): Value {
  const database = openReadOnly(join(folder, DATABASE_FILE));
  const close = () => database.close();
  const value = read(database);
  if (value instanceof Promise) void value.finally(close).catch(() => {});
  else close();
  return value;
}
