import type { SqlReader, SqlRow } from '../sqlite/connection.ts';
import { readLocal } from '../tables.ts';

/** Of central's stations: they outlive what central loses. */
export const STATION_FACTS = [
  'station',
  'station_group',
  'station_machine',
  'enrolment_code',
  'enrolment_bounds',
  'enrolment_use',
  'brought_along',
  'block_given',
] as const;

/** What the former database knew of central's stations; empty where it is of another installation. */
export type FormerStations = Record<(typeof STATION_FACTS)[number], SqlRow[]>;

export function readFormerStations(old: SqlReader, fresh: SqlReader): FormerStations {
  const isSame = readLocal(old, 'station') === readLocal(fresh, 'station');
  const rowsOf = (table: string) => {
    const isThere = old.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", table);
    return isSame && isThere ? old.all(`SELECT * FROM ${table}`) : [];
  };
  return {
    station: rowsOf('station'),
    station_group: rowsOf('station_group'),
    station_machine: rowsOf('station_machine'),
    enrolment_code: rowsOf('enrolment_code'),
    enrolment_bounds: rowsOf('enrolment_bounds'),
    enrolment_use: rowsOf('enrolment_use'),
    brought_along: rowsOf('brought_along'),
    block_given: rowsOf('block_given'),
  };
}

/**
 * Stations outlive a restore of central: one that enrolled after the backup keeps its key and its blocks, a key that was
 * revoked since stays so, and a code that was used is not valid again.
 */
export function keepStations(
  sql: SqlReader & { run(sql: string, ...values: SqlRow[string][]): unknown },
  former: FormerStations | undefined,
): void {
  for (const table of STATION_FACTS) {
    for (const row of former?.[table] ?? []) {
      const columns = Object.keys(row);
      sql.run(
        `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        ...Object.values(row),
      );
    }
  }
}
