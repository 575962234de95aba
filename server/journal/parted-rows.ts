import { STATION_FACTS } from '../store/restore/restore-stations.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import type { Database } from '../store/sqlite/database.ts';
import { revokeToken } from '../store/token-table.ts';
import { type Row, shapeOf } from './small-tables.ts';

/** Rows that the journal gets where it lacks them: stations that were let in, and blocks of ids that were given. */
const ADDED = [...STATION_FACTS, 'block'] as const;

/** What was taken away stays so. */
const TAKEN_AWAY = [
  ['station', 'revoked_at'],
  ['enrolment_code', 'revoked_at'],
  ['enrolment_code', 'used_at'],
] as const;

/** Sessions that ended would be valid again: everybody signs in anew. */
const SESSIONS = ['session', 'session_key', 'session_place', 'session_hand'] as const;

/** What no other installation has, and whose ids may mean another one in the journal by now; its names for one and for several. */
const LACKED = [
  ['token', 'hash', 'token', 'tokens'],
  ['user_secret', 'hash', 'password', 'passwords'],
  ['webhook', 'settings', 'webhook', 'webhooks'],
] as const;

type Sql = Pick<SqlReader, 'all'>;

/** In the open transaction: of the parted folder's small tables what must outlive it. */
export function keepRows(parted: Sql, database: Database): void {
  for (const table of ADDED) {
    const { columns } = shapeOf(database, table);
    const places = columns.map(() => '?').join(', ');
    const sql = `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${places})`;
    for (const row of rowsOf(parted, table, columns)) database.run(sql, ...Object.values(row));
  }
  // By which stations sign; one that came after the journal's end has no other.
  for (const { name = null, value = null } of parted.all<Row>(
    "SELECT name, value FROM local WHERE name LIKE 'station_key:%'",
  ))
    database.run('INSERT OR IGNORE INTO local (name, value) VALUES (?, ?)', name, value);
  for (const [table, column] of TAKEN_AWAY)
    for (const { hash = null, at = null } of parted.all<Row>(
      `SELECT hash, ${column} AS at FROM ${table} WHERE ${column} IS NOT NULL`,
    ))
      database.run(`UPDATE ${table} SET ${column} = ? WHERE hash = ? AND ${column} IS NULL`, at, hash);
  for (const { hash = null, at } of parted.all<Row>(
    'SELECT hash, revoked_at AS at FROM token WHERE revoked_at IS NOT NULL',
  )) {
    const token = database.get<{ id: number }>(
      'SELECT id FROM token WHERE hash = ? AND revoked_at IS NULL',
      hash,
    );
    if (token) revokeToken(database, token.id, String(at));
  }
  for (const table of SESSIONS) database.run(`DELETE FROM ${table}`);
}

/** What of it the journal does not get: how many of what, in words. */
export function lackedRows(parted: Sql, present: Sql): string[] {
  const valuesIn = (sql: Sql, table: string, column: string) =>
    sql.all<Row>(`SELECT ${column} AS value FROM ${table}`).map(row => row.value);
  const lacked = LACKED.flatMap(([table, column, one, several]) => {
    const known = new Set(valuesIn(present, table, column));
    return say(valuesIn(parted, table, column).filter(value => !known.has(value)).length, one, several);
  });
  // One that was let in by each of the two since they parted, under one number.
  const others = new Map(present.all<Row>('SELECT id, hash FROM station').map(({ id, hash }) => [id, hash]));
  const displaced = parted.all<Row>('SELECT id, hash FROM station').filter(({ id, hash }) => {
    const other = others.get(id);
    return other !== undefined && other !== hash;
  });
  return [...lacked, ...say(displaced.length, 'station', 'stations')];
}

function say(count: number, one: string, several: string): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : several}`];
}

function rowsOf(sql: Sql, table: string, columns: readonly string[]): Row[] {
  return sql.all<Row>(`SELECT ${columns.join(', ')} FROM ${table}`);
}
