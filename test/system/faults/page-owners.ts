import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Which table or index each page of a sound database belongs to, by page number. */
export function pageOwners(folder: string): Map<number, string> {
  const database = new DatabaseSync(join(folder, 'holdpoint.db'), { readOnly: true });
  try {
    const rows = database.prepare('SELECT name, pageno FROM dbstat').all();
    return new Map(rows.map(({ name, pageno }) => [Number(pageno), String(name)]));
  } finally {
    database.close();
  }
}

/**
 * Every row of every table as text, by table; what cannot be read stands there with its error. Two files with the same
 * dump, of which SQLite finds neither's indexes wrong, hold the same.
 */
export function dump(folder: string): Map<string, string> {
  const database = new DatabaseSync(join(folder, 'holdpoint.db'), { readOnly: true });
  const attempt = (read: () => unknown) => {
    try {
      return JSON.stringify(read(), (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
    } catch (error) {
      return String(error);
    }
  };
  try {
    const dumped = new Map<string, string>();
    // By name: where an object stands in the schema says nothing.
    const schema = attempt(() =>
      database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all(),
    );
    dumped.set('sqlite_schema', schema);
    if (!schema.startsWith('[')) return dumped;
    const tables: { type: string; name: string; sql: string | null }[] = JSON.parse(schema);
    for (const { type, name, sql } of tables) {
      if (type !== 'table' || /^CREATE VIRTUAL/.test(String(sql))) continue;
      const read = () => {
        const statement = database.prepare(`SELECT * FROM "${name}" NOT INDEXED`);
        statement.setReadBigInts(true);
        return statement.all();
      };
      dumped.set(name, attempt(read));
    }
    dumped.set(
      'indexes',
      attempt(() => database.prepare('PRAGMA integrity_check(1)').all()),
    );
    return dumped;
  } finally {
    database.close();
  }
}

/** The tables in which two dumps differ. */
export function differences(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter(name => a.get(name) !== b.get(name));
}
