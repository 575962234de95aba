import { AppError } from '../../../shared/contract/errors.ts';
import { fingerprintOfKey } from '../../keys/ed25519.ts';
import { endsOf, isEndSigned, type SignedEnd } from '../../keys/signed-end.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { Database } from '../../store/sqlite/database.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import type { PushRequest } from '../protocol/wire.ts';

/** In `local`, before a station: the key with which it signs its chains, which it told when it enrolled or signed first. */
const KEY = 'station_key:';
/** Before a chain: the last end of it that its station has signed. */
const END = 'chain_end:';

/** The key by which a station of this central signs its chains; undefined for one of a former version. */
export function stationKey(sql: Pick<SqlReader, 'get'>, station: string): string | undefined {
  return readLocal(sql, KEY + station) || undefined;
}

/** In the open transaction: by a code of an administrator a station may come with another key, or with none. */
export function keepStationKey(database: Pick<Database, 'run'>, station: string, key: string | undefined): void {
  writeLocal(database, KEY + station, key ?? '');
}

/**
 * Whether what is pushed is signed by the station's own key. One that never signed is of a former version, and sends as that does; once it
 * has signed there is no way back but a code. Whoever has a station's bearer key and not `authority.key` sends nothing.
 * @returns the key, where it is new here
 * @throws AppError `conflict`: nothing of the push is taken, and nothing is lost
 */
export function checkEnds(
  sql: Pick<SqlReader, 'get'>,
  { station, commits, ends = [] }: Pick<PushRequest, 'station' | 'commits' | 'ends'>,
): string | undefined {
  if (commits.length === 0) return undefined;
  const known = stationKey(sql, station);
  if (known === undefined && ends.length === 0) return undefined;
  const key = known ?? ends[0]?.key ?? '';
  for (const { chain, number, hash } of endsOf(commits)) {
    const end = ends.find(one => one.chain === chain);
    if (!end) throw new AppError('conflict', UNSIGNED);
    if (end.key !== key) throw new AppError('conflict', otherKey(key, end.key));
    if (end.number !== number || end.hash !== hash || !isEndSigned(end))
      throw new AppError('conflict', ALTERED);
  }
  return known === undefined ? key : undefined;
}

/** In the open transaction that takes the last of what was pushed. */
export function keepEnds(
  database: Pick<Database, 'run' | 'get'>,
  { station, ends = [] }: Pick<PushRequest, 'station' | 'ends'>,
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

const AGAIN =
  'Make a new code at central and enrol this station again; what was recorded is kept, and is sent then.';
const UNSIGNED = `What this station sends is not signed with its own key, as it was before: its program is of an earlier version, or somebody else has its key for central. Update the program. Else: ${AGAIN}`;
const ALTERED = `What this station sends is not what its own key has signed: it was altered on the way, or somebody else sends it. If it stays so: ${AGAIN}`;

function otherKey(known: string, sent: string): string {
  return `Central knows this station by another key: SHA-256 ${fingerprintOfKey(known)}, and it signs with ${fingerprintOfKey(sent)}. Where authority.key was lost, put it back from a copy. Where there is none: ${AGAIN}`;
}
