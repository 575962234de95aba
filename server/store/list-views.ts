import { AppError } from '../../shared/contract/errors.ts';
import { type ListView, MOST_VIEWS } from '../../shared/contract/list-view.ts';
import { checksumOf } from './sqlite/checksum.ts';
import type { Database } from './sqlite/database.ts';

interface Row {
  key: string;
  data: string;
  at: string;
  seal: number;
}

/** Beside what people type (`form-drafts.ts`), for the same reasons: of one person, here alone, and no record. None makes room. */
const ownerOf = (owner: string) => `views ${owner}`;
/** Names of lists have no blanks. */
const keyOf = (list: string, name: string) => `${list} ${name}`;

/** By name. One that a bit has changed is as good as none. */
export function listViewsOf(database: Database, owner: string, list: string): ListView[] {
  return database.reader
    .all<Row>(
      'SELECT key, data, at, seal FROM unsaved_input WHERE owner = ? AND key >= ? AND key < ? ORDER BY key',
      ownerOf(owner),
      keyOf(list, ''),
      `${list}!`,
    )
    .filter(({ data, seal }) => checksumOf(data) === seal)
    .map(({ key, data, at }) => ({ name: key.slice(list.length + 1), ...JSON.parse(data), at }));
}

/** @throws AppError `conflict` where there are too many */
export function keepListView(
  database: Database,
  owner: string,
  list: string,
  { name, address, columns, at }: ListView,
): void {
  const count = database.get<{ n: number }>(
    'SELECT count(*) AS n FROM unsaved_input WHERE owner = ? AND key <> ?',
    ownerOf(owner),
    keyOf(list, name),
  );
  if ((count?.n ?? 0) >= MOST_VIEWS)
    throw new AppError('conflict', `There are ${MOST_VIEWS} views already. Take one away first.`);
  const data = JSON.stringify({ address, columns });
  database.run(
    'INSERT OR REPLACE INTO unsaved_input (owner, key, data, at, seal) VALUES (?, ?, ?, ?, ?)',
    ownerOf(owner),
    keyOf(list, name),
    data,
    at,
    checksumOf(data),
  );
}

export function dropListView(database: Database, owner: string, list: string, name: string): void {
  database.run('DELETE FROM unsaved_input WHERE owner = ? AND key = ?', ownerOf(owner), keyOf(list, name));
}
