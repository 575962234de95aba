import { stationMachineSchema } from '../../shared/contract/station-machine.ts';
import { noteSigning } from './noted-authorship.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';
import type { EnrolmentCodeRow, EnrolmentUse, StationRow, StationTable } from './station-rows.ts';

const CODES = `
SELECT id, name, hash, created_by, created_at, expires_at, revoked_at, coalesce(uses, 1) AS uses, station_group AS "group",
  EXISTS (SELECT 1 FROM brought_along WHERE brought_along.code = id) AS brings_records,
  iif(coalesce(uses, 1) = 1, used_at IS NOT NULL, (SELECT count(*) FROM enrolment_use WHERE enrolment_use.code = id)) AS used
FROM enrolment_code LEFT JOIN enrolment_bounds ON enrolment_bounds.code = id`;

const STATIONS = `
SELECT station.*, station_group.name AS "group", station_machine.said AS machine FROM station
LEFT JOIN station_group ON station_group.station = station.station
LEFT JOIN station_machine ON station_machine.station = station.id`;

interface StoredCode extends Omit<EnrolmentCodeRow, 'brings_records'> {
  brings_records: number;
}

interface StoredStation extends Omit<StationRow, 'is_key_used' | 'machine'> {
  is_key_used: number;
  machine: string | null;
}

const CONTACT = [
  'last_seen_at',
  'protocol',
  'version',
  'clock_offset_ms',
  'unsent',
  'sequence',
  'held',
] as const;

/** Writes belong to the transaction of the write gate, and so does what is read there: `committed` is for all else. */
export function stationTables(database: Database): { pending: StationTable; committed: StationTable } {
  return { pending: tableOn(database, database), committed: tableOn(database, database.reader) };
}

function tableOn(database: Database, sql: SqlReader): StationTable {
  const stationOf = (row: StoredStation | undefined): StationRow | undefined =>
    row && {
      ...row,
      is_key_used: row.is_key_used === 1,
      machine: row.machine === null ? null : stationMachineSchema.parse(JSON.parse(row.machine)),
    };
  const codeOf = (row: StoredCode | undefined): EnrolmentCodeRow | undefined =>
    row && { ...row, brings_records: row.brings_records === 1 };
  const setGroup: StationTable['setGroup'] = (station, group) => {
    if (group === null) database.run('DELETE FROM station_group WHERE station = ?', station);
    else database.run('INSERT OR REPLACE INTO station_group VALUES (?, ?)', station, group);
  };
  return {
    afterCommit: callback => database.afterCommit(callback),

    codes: () => sql.all<StoredCode>(`${CODES} ORDER BY id`).flatMap(row => codeOf(row) ?? []),
    findCode: hash => codeOf(sql.get<StoredCode>(`${CODES} WHERE hash = ?`, hash)),
    insertCode(row) {
      const { lastInsertRowid } = database.run(
        `INSERT INTO enrolment_code (name, hash, created_by, created_at, expires_at) VALUES (?, ?, ?, ?, ?)`,
        row.name,
        row.hash,
        row.created_by,
        row.created_at,
        row.expires_at,
      );
      const id = Number(lastInsertRowid);
      if (row.brings_records) database.run('INSERT INTO brought_along (code) VALUES (?)', id);
      if (row.uses > 1 || row.group !== null)
        database.run('INSERT INTO enrolment_bounds VALUES (?, ?, ?)', id, row.uses, row.group);
      return { ...row, id, revoked_at: null, used: 0 };
    },
    revokeCode(id, at) {
      database.run('UPDATE enrolment_code SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', at, id);
    },
    pastUse: ({ id, uses }, station) =>
      sql.get<EnrolmentUse>(
        uses === 1
          ? 'SELECT used_at AS at, block FROM enrolment_code WHERE id = ? AND used_by = ?'
          : 'SELECT used_at AS at, block FROM enrolment_use WHERE code = ? AND station = ?',
        id,
        station,
      ),
    noteUse({ id, uses }, { at, by, block, until }) {
      if (uses > 1) {
        database.run('INSERT OR IGNORE INTO enrolment_use VALUES (?, ?, ?, ?)', id, by, at, block);
        return;
      }
      database.run('UPDATE brought_along SET station = ?, until = ? WHERE code = ?', by, until, id);
      database.run(
        'UPDATE enrolment_code SET used_at = ?, used_by = ?, block = ? WHERE id = ?',
        at,
        by,
        block,
        id,
      );
    },

    bringsAlongUntil: station =>
      sql.get<{ until: string | null }>(
        'SELECT max(until) AS until FROM brought_along WHERE station = ?',
        station,
      )?.until ?? null,

    stations: () => sql.all<StoredStation>(`${STATIONS} ORDER BY id`).flatMap(row => stationOf(row) ?? []),
    findById: id => stationOf(sql.get<StoredStation>(`${STATIONS} WHERE id = ?`, id)),
    findStation: station =>
      stationOf(sql.get<StoredStation>(`${STATIONS} WHERE station.station = ?`, station)),
    findKey: hash => stationOf(sql.get<StoredStation>(`${STATIONS} WHERE hash = ?`, hash)),
    admit({ station, name, hash, at, protocol, version, clock_offset_ms, group = null }) {
      const sql = 'SELECT 1 FROM station WHERE station = ? AND revoked_at IS NOT NULL';
      const isRevoked = database.get(sql, station) !== undefined;
      database.run(
        `INSERT INTO station (station, name, hash, enrolled_at, is_key_used, protocol, version, clock_offset_ms, held)
         VALUES (?, ?, ?, ?, 0, ?, ?, ?, 0)
         ON CONFLICT (station) DO UPDATE SET name = excluded.name, hash = excluded.hash,
           enrolled_at = excluded.enrolled_at, revoked_at = NULL, is_key_used = 0, protocol = excluded.protocol,
           version = excluded.version, clock_offset_ms = excluded.clock_offset_ms`,
        station,
        name,
        hash,
        at,
        protocol,
        version,
        clock_offset_ms,
      );
      if (group !== null || isRevoked) setGroup(station, group);
      // What came before keys, it came from stations that had enrolled before.
      noteSigning(database, station);
    },
    revokeStation(id, at) {
      database.run('UPDATE station SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', at, id);
    },
    setGroup,
    noteContact(id, contact) {
      const told = CONTACT.filter(name => contact[name] !== undefined);
      const set = ['is_key_used = 1', ...told.map(name => `${name} = ?`)].join(', ');
      database.run(`UPDATE station SET ${set} WHERE id = ?`, ...told.map(name => contact[name] ?? null), id);
      if (contact.machine)
        database.run(
          `INSERT INTO station_machine VALUES (?, ?)
           ON CONFLICT (station) DO UPDATE SET said = excluded.said WHERE said IS NOT excluded.said`,
          id,
          JSON.stringify(contact.machine),
        );
    },
  };
}
