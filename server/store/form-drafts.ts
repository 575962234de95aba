import { checksumOf } from './sqlite/checksum.ts';
import type { Database } from './sqlite/database.ts';

/** What somebody has typed and not saved: for that person alone, on this installation alone, and no record yet. */
export interface FormDraft {
  /** JSON text, as the screen gave it. */
  data: string;
  at: string;
}

interface Row extends FormDraft {
  seal: number;
}

/** Of one owner; the oldest make room. */
const MOST = 200;

export const FORM_DRAFT_TABLE = `
CREATE TABLE IF NOT EXISTS unsaved_input (
  owner TEXT NOT NULL, key TEXT NOT NULL, data TEXT NOT NULL, at TEXT NOT NULL, seal INTEGER NOT NULL,
  PRIMARY KEY (owner, key)
) WITHOUT ROWID;
`;

/** One that a bit has changed is as good as none: it is thrown away, not served. */
export function readFormDraft(database: Database, owner: string, key: string): FormDraft | undefined {
  const row = database.reader.get<Row>(
    'SELECT data, at, seal FROM unsaved_input WHERE owner = ? AND key = ?',
    owner,
    key,
  );
  return row && checksumOf(row.data) === row.seal ? { data: row.data, at: row.at } : undefined;
}

/** Null takes it away. */
export function keepFormDraft(
  database: Database,
  { owner, key, data, at }: { owner: string; key: string; data: string | null; at: string },
): void {
  if (data === null) {
    database.run('DELETE FROM unsaved_input WHERE owner = ? AND key = ?', owner, key);
    return;
  }
  database.run(
    'INSERT OR REPLACE INTO unsaved_input (owner, key, data, at, seal) VALUES (?, ?, ?, ?, ?)',
    owner,
    key,
    data,
    at,
    checksumOf(data),
  );
  database.run(
    `DELETE FROM unsaved_input WHERE owner = ? AND at <
       (SELECT at FROM unsaved_input WHERE owner = ? ORDER BY at DESC LIMIT 1 OFFSET ${MOST - 1})`,
    owner,
    owner,
  );
}
