import type { SqlReader } from '../store/sqlite/connection.ts';
import { FACT_TABLES, OWN_NAMES } from './facts.ts';
import type { Fact } from './turn.ts';

export type Row = Record<string, string | number | null>;

/** Names of columns as they are written in SQL, and those of the primary key in its order. */
export interface Shape {
  columns: readonly string[];
  key: readonly string[];
}

/** Without generated columns, which are worked out. */
export function shapeOf(sql: Pick<SqlReader, 'all'>, table: string): Shape {
  const columns = sql.all<{ name: string; pk: number }>(
    'SELECT name, pk FROM pragma_table_info(?) ORDER BY cid',
    table,
  );
  const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
  return { columns: columns.map(({ name }) => `"${name}"`), key: key.map(({ name }) => name) };
}

/** Every row of the small tables, but for what is of one folder. */
export function factsIn(sql: Pick<SqlReader, 'all'>): Fact[] {
  return FACT_TABLES.flatMap(table => {
    const { columns, key } = shapeOf(sql, table);
    const own = table === 'local' ? ` WHERE name NOT IN (${quoted(OWN_NAMES)})` : '';
    const rows = sql.all<Row>(`SELECT ${columns.join(', ')} FROM ${table}${own}`);
    return rows.map(row => ({ table, key: key.map(name => keyValue(row, name)), row }));
  });
}

/** One text for one row, wherever it stands. */
export function nameOf({ table, key }: Pick<Fact, 'table' | 'key'>): string {
  return JSON.stringify([table, ...key]);
}

export function quoted(names: readonly string[]): string {
  return names.map(name => `'${name}'`).join(', ');
}

function keyValue(row: Row, name: string): string | number {
  const value = row[name];
  if (value === null || value === undefined) throw new Error(`A key has no ${name}.`);
  return value;
}
