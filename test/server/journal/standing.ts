import { hash } from 'node:crypto';
import { FACT_TABLES, OWN_NAMES } from '../../../server/journal/facts.ts';
import type { SqlReader } from '../../../server/store/sqlite/connection.ts';
import { RECORDS_TABLE } from '../../../server/store/verify/verify.ts';
import { digestsOf } from '../../../server/sync/log/digest.ts';

/** What processes of one central have in common, each table as a hash of its rows. */
export interface Standing {
  tables: Record<string, string>;
  digests: unknown;
  /** Names of suppliers, sorted. */
  suppliers: string[];
  entries: number;
}

/** What each process folds for itself. */
export const FOLDED = [
  'log',
  'history',
  'held',
  'chain_head',
  'given_item',
  'conflict',
  'digest',
  'stock',
  'lookup',
];

export function standing(sql: SqlReader): Standing {
  const own = new Set<unknown>(OWN_NAMES);
  const tables = [...FACT_TABLES, ...FOLDED].map(table => {
    const rows = sql
      .all(`SELECT * FROM ${table}`)
      .filter(row => table !== 'local' || !own.has(row.name))
      .map(row => JSON.stringify(row));
    return [table, hash('sha256', rows.sort().join('\n'))];
  });
  const documents = sql
    .all<{ document: string }>(`SELECT document FROM "${RECORDS_TABLE}" ORDER BY key`)
    .map(({ document }) => {
      const shown = Object.entries(JSON.parse(document)).filter(([name]) => !name.startsWith('_'));
      return JSON.stringify(shown.sort());
    });
  const suppliers = sql.all<{ name: string }>(
    `SELECT json_extract(document, '$.fields.name') AS name FROM "${RECORDS_TABLE}" WHERE f_family = 'supplier'`,
  );
  return {
    tables: Object.fromEntries([...tables, ['records', hash('sha256', documents.join('\n'))]]),
    digests: digestsOf(sql),
    suppliers: suppliers.map(({ name }) => name).sort(),
    entries: sql.get<{ count: number }>('SELECT count(*) AS count FROM log')?.count ?? 0,
  };
}
