import type { SignedEnd } from '../keys/signed-end.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';
import { readLocal, writeLocal } from './tables.ts';

/** In `local`, before a station: the key with which it signs its chains, which it told when it enrolled or signed first. */
const KEY = 'station_key:';
/** Before a chain: the last end of it that its station has signed. */
const END = 'chain_end:';

/** The key by which a station of this central signs its chains; undefined for one of a former version. */
export function stationKey(sql: Pick<SqlReader, 'get'>, station: string): string | undefined {
  return readLocal(sql, KEY + station) || undefined;
}

/** In the open transaction: by a code of an administrator a station may come with another key, or with none. */
export function keepStationKey(
  database: Pick<Database, 'run'>,
  station: string,
  key: string | undefined,
): void {
  writeLocal(database, KEY + station, key ?? '');
}

/** In the open transaction that takes the last of what a station pushed. */
export function keepEnds(
  database: Pick<Database, 'run' | 'get'>,
  { station, ends = [] }: { station: string; ends?: readonly SignedEnd[] },
): void {
  const [first] = ends;
  if (first && stationKey(database, station) === undefined) keepStationKey(database, station, first.key);
  for (const end of ends) writeLocal(database, END + end.chain, JSON.stringify(end));
}

/** What stations have signed of their chains, each the last. */
export function keptEnds(sql: Pick<SqlReader, 'all'>): SignedEnd[] {
  const query = 'SELECT value FROM local WHERE name > ? AND name < ? ORDER BY name';
  const rows = sql.all<{ value: string }>(query, END, `${END.slice(0, -1)};`);
  return rows.map(({ value }) => JSON.parse(value));
}
