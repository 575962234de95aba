import type { StoredRecord } from '../../shared/contract/present.ts';
import { wayKey } from '../../shared/families/places.ts';
import { columnOf, WAY } from './family-index.ts';
import type { Records } from './records.ts';
import { indexNameOf } from './sqlite/collection-table.ts';
import type { SqlReader } from './sqlite/connection.ts';

type PlaceRecords = Pick<Records, 'get' | 'table'>;

/** So many places are gone past before others have their turn: some milliseconds. */
const STRETCH = 2_000;

/**
 * Places in which nothing stands, in the order of the way, of one stretch of it; what stands on a pallet in them is not
 * looked at. @param way the beginning of all: `wayOf` @param after where the stretch before ended; at first `way`
 * @returns where this one ends; null where it is the last
 */
export function emptyPlaces(
  records: PlaceRecords,
  reader: SqlReader,
  way: string,
  after: string,
): { places: StoredRecord[]; end: string | null } {
  const column = columnOf('location', WAY);
  // The index alone leads past the places that are full.
  const sql = `WITH stretch AS MATERIALIZED (
      SELECT f_id AS id, ${column} AS way FROM "${records.table}" INDEXED BY "${indexNameOf(records.table, column)}"
      WHERE f_family = 'location' AND ${column} > ? AND ${column} < ? ORDER BY ${column} LIMIT ${STRETCH})
    SELECT id, way, 0 AS entries FROM stretch
      WHERE NOT EXISTS (SELECT 1 FROM stock WHERE location = id AND quantity <> 0)
    UNION ALL SELECT 0, max(way), count(*) AS entries FROM stretch ORDER BY way, id DESC`;
  const found = reader.all<{ id: number; way: string; entries: number }>(sql, after, `${way}\uffff`);
  const last = found.pop();
  const places = found.map(({ id, way: key }) => {
    const place = records.get('location', id);
    if (place && wayKey(id, place.fields) === key) return place;
    throw reader.damaged(`An index leads to the location ${id}, which is another one.`);
  });
  return { places, end: last?.entries === STRETCH ? last.way : null };
}

/** Lots of a part in which something stands, the newest first, no more than `limit`. */
export function newestLotsInStock(
  records: PlaceRecords,
  reader: SqlReader,
  part: number,
  limit: number,
): StoredRecord[] {
  const column = columnOf('inventory', 'part_id');
  const sql = `SELECT f_id AS id FROM "${records.table}" INDEXED BY "${indexNameOf(records.table, column)}"
    WHERE f_family = 'inventory' AND ${column} = ?
      AND EXISTS (SELECT 1 FROM stock WHERE lot = f_id) ORDER BY f_id DESC LIMIT ?`;
  return reader.all<{ id: number }>(sql, part, limit).map(({ id }) => {
    const lot = records.get('inventory', id);
    if (lot?.fields.part_id === part) return lot;
    throw reader.damaged(`An index leads to the lot ${id}, which is of another part.`);
  });
}
