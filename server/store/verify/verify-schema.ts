import { fileVersion, TABLES_SINCE } from '../migrations.ts';
import { Connection } from '../sqlite/connection.ts';
import { damaged } from '../sqlite/store-errors.ts';
import { createTables, derivedTables } from '../tables.ts';
import { remedies } from './findings.ts';
import type { VerifyContext } from './verify-context.ts';

/**
 * Tables and triggers are defined as this version defines them, but for tables that the file is too old for, and there are no other triggers or views: history
 * without its triggers can be changed unseen, and another one can change what is written.
 */
export function verifySchema({ sql, findings }: VerifyContext): void {
  const fresh = new Connection(':memory:', {
    readOnly: false,
    busyTimeoutMs: 0,
    guard: statement => statement(),
    onDamage: what => damaged(':memory:', what),
  });
  try {
    createTables(fresh);
    const version = fileVersion(sql);
    const wanted = fresh.all<{ type: string; name: string; table: string; sql: string }>(
      "SELECT type, name, tbl_name AS 'table', sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
    );
    for (const { type, name, table, sql: definition } of wanted) {
      const row = sql.get<{ sql: string }>('SELECT sql FROM main.sqlite_schema WHERE name = ?', name);
      const isLater = !row && (TABLES_SINCE[name] ?? TABLES_SINCE[table] ?? 0) > version;
      if (row?.sql === definition || isLater) continue;
      const what = row
        ? `The ${type} is defined in another way than by this version.`
        : `The ${type} is not there.`;
      // Opening it makes an index anew; of a table of facts nothing would bring back what was in it.
      const isMade = !row && type !== 'trigger' && (type === 'index' || derivedTables.has(table));
      findings.add(what, `${type} ${name}`, isMade ? remedies.rebuild : remedies.restore);
    }
    const known = new Set(wanted.map(({ name }) => name));
    const strays = sql
      .all<{ type: string; name: string }>(
        "SELECT type, name FROM main.sqlite_schema WHERE type IN ('trigger', 'view')",
      )
      .filter(({ name }) => !known.has(name));
    for (const { type, name } of strays) {
      findings.add(`The ${type} is none of this version's.`, `${type} ${name}`, remedies.restore);
    }
  } finally {
    fresh.close();
  }
}
