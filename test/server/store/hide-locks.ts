import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DATABASE_FILE } from '../../../server/store/verify/verify.ts';

/**
 * Takes the rows that lock out of an index of `lot_fact`, in the folder of a closed store: the index is made with
 * another condition, and then described as if it were whole.
 */
export function hideLocks(folder: string, index: string): void {
  const database = new DatabaseSync(join(folder, DATABASE_FILE));
  // Where the build forbids writing to the schema by default.
  if ('enableDefensive' in database) database.enableDefensive(false);
  database.exec(`PRAGMA writable_schema = 1;
    UPDATE sqlite_schema SET sql = sql || ' AND lock IS NULL' WHERE name = '${index}';
    PRAGMA writable_schema = RESET; REINDEX ${index}; PRAGMA writable_schema = 1;
    UPDATE sqlite_schema SET sql = replace(sql, ' AND lock IS NULL', '') WHERE name = '${index}'`);
  database.close();
}
