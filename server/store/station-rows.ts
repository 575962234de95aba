import type { StationMachine } from '../../shared/contract/station-machine.ts';

/** Central's stations and the codes with which they enrol. Not synced, and in no history. */
export const STATION_TABLES = `
CREATE TABLE IF NOT EXISTS station (
  id INTEGER PRIMARY KEY AUTOINCREMENT, station TEXT NOT NULL UNIQUE, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE,
  enrolled_at TEXT NOT NULL, revoked_at TEXT, is_key_used INTEGER NOT NULL, last_seen_at TEXT, protocol INTEGER,
  version TEXT, clock_offset_ms INTEGER, unsent INTEGER, sequence INTEGER, held INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS enrolment_code (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, created_by TEXT NOT NULL,
  created_at TEXT NOT NULL, expires_at TEXT NOT NULL, revoked_at TEXT, used_at TEXT, used_by TEXT, block INTEGER
);

CREATE TABLE IF NOT EXISTS brought_along (code INTEGER PRIMARY KEY, station TEXT, until TEXT);

CREATE TABLE IF NOT EXISTS enrolment_bounds (code INTEGER PRIMARY KEY, uses INTEGER NOT NULL, station_group TEXT);

CREATE TABLE IF NOT EXISTS enrolment_use (
  code INTEGER NOT NULL, station TEXT NOT NULL, used_at TEXT NOT NULL, block INTEGER NOT NULL, PRIMARY KEY (code, station)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS station_group (station TEXT PRIMARY KEY, name TEXT NOT NULL);

CREATE TABLE IF NOT EXISTS station_machine (station INTEGER PRIMARY KEY, said TEXT NOT NULL);

CREATE TABLE IF NOT EXISTS block_given (block INTEGER PRIMARY KEY, station INTEGER NOT NULL);
`;

/** A code for enrolment as it is stored: `hash` is the SHA-256 of its secret in hex. Times are ISO 8601, UTC. */
export interface EnrolmentCodeRow {
  id: number;
  name: string;
  hash: string;
  created_by: string;
  created_at: string;
  expires_at: string;
  /** Whether the installation may bring what it recorded before it enrols. */
  brings_records: boolean;
  /** How many stations it lets in, and how many it has. */
  uses: number;
  used: number;
  /** The group of the stations that it lets in. */
  group: string | null;
  revoked_at: string | null;
}

/** That a code has let an installation in: when it first did, and the block that it was given. */
export interface EnrolmentUse {
  at: string;
  block: number;
}

/** A station as central stores it: `hash` is the SHA-256 of its key in hex. */
export interface StationRow {
  id: number;
  /** The installation, by the UUID that it named itself. */
  station: string;
  name: string;
  hash: string;
  enrolled_at: string;
  revoked_at: string | null;
  /** Whether it called with the key that the last enrolment gave it. */
  is_key_used: boolean;
  last_seen_at: string | null;
  protocol: number | null;
  version: string | null;
  clock_offset_ms: number | null;
  unsent: number | null;
  sequence: number | null;
  held: number;
  /** As the code said that let it in, or an administrator since. */
  group: string | null;
  /** What it last said of its machine; null: nothing yet. */
  machine: StationMachine | null;
}

/** What a call of a station tells of it; what is left out stays. */
export type Contact = Partial<
  Pick<StationRow, 'protocol' | 'version' | 'clock_offset_ms' | 'unsent' | 'sequence' | 'held'> & {
    machine: StationMachine;
  }
>;

/** Where central keeps its stations. Rows are never deleted. Writes belong to the transaction of the write gate. */
export interface StationTable {
  /** Calls back once the open transaction is durable; at once where none is open. */
  afterCommit(callback: () => void): void;

  codes(): readonly EnrolmentCodeRow[];
  findCode(hash: string): EnrolmentCodeRow | undefined;
  insertCode(
    row: Pick<
      EnrolmentCodeRow,
      'name' | 'hash' | 'created_by' | 'created_at' | 'expires_at' | 'brings_records' | 'uses' | 'group'
    >,
  ): EnrolmentCodeRow;
  revokeCode(id: number, at: string): void;
  /** Undefined where the code has not let the installation in. */
  pastUse(code: Pick<EnrolmentCodeRow, 'id' | 'uses'>, station: string): EnrolmentUse | undefined;
  /** Counts once for each installation. `until`: what it brings along is taken as it is as long as that. */
  noteUse(
    code: Pick<EnrolmentCodeRow, 'id' | 'uses'>,
    use: EnrolmentUse & { by: string; until: string },
  ): void;
  /** Until when what the station brings along is taken as it is; null where its code said nothing of that. */
  bringsAlongUntil(station: string): string | null;

  stations(): readonly StationRow[];
  findById(id: number): StationRow | undefined;
  findStation(station: string): StationRow | undefined;
  findKey(hash: string): StationRow | undefined;
  /**
   * A new station, or a known one with a new key, which is not revoked any more. Without a group it keeps the one it has; one that
   * was revoked has none then.
   */
  admit(
    row: Pick<StationRow, 'station' | 'name' | 'hash' | 'protocol' | 'version' | 'clock_offset_ms'> & {
      at: string;
      group?: string | null;
    },
  ): void;
  revokeStation(id: number, at: string): void;
  setGroup(station: string, group: string | null): void;
  noteContact(id: number, contact: Contact & { last_seen_at: string }): void;
}

/** Blocks of ids, from the one source that central's own ids come from. */
export interface StationBlocks {
  /** The next block that was never given or used; it is the station's from now on. */
  give(station: number): number;
  /** In their order. */
  givenTo(station: number): number[];
}
