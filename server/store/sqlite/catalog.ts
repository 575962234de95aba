import type { Database } from './database.ts';

/** The names of a table's columns in order; none when there is no such table. */
export function columnNames(database: Pick<Database, 'all'>, table: string): string[] {
  return database
    .all<{ name: string }>('SELECT name FROM pragma_table_info(?) ORDER BY cid', table)
    .map(column => column.name);
}

/** The indexes that were made by `CREATE INDEX` on a table: name to the statement that made it. */
export function createdIndexes(database: Database, table: string): Map<string, string> {
  const rows = database.all<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`,
    table,
  );
  return new Map(rows.map(row => [row.name, row.sql]));
}

/** Tells the planner how selective the indexes are; reads a sample of each, so it stays quick on large tables. */
export function analyze(database: Database, table: string): void {
  database.exec(`PRAGMA analysis_limit = 1000; ANALYZE "${table}"`);
}
