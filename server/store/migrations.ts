import { AppError } from '../../shared/contract/errors.ts';
import { writeMachineSettings } from './machine-settings.ts';
import { PROGRAM_VERSION } from './program-version.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';
import { WAITING_TABLE } from './sqlite/search.ts';
import { isSqliteError } from './sqlite/sqlite-error.ts';
import { newerFile } from './sqlite/store-errors.ts';
import { STATION_TABLES } from './station-rows.ts';
import { readLocal, STOCK_PLACE_INDEX, UNFILLED, writeLocal } from './tables.ts';
import { WEBHOOK_TABLES } from './webhook-table.ts';

/**
 * One step from a version of the file (`PRAGMA user_version`) to the next. A step stays as it is once it was released: it
 * meets files as the version before left them. What makes a table that is not there needs none, `createTables` does that.
 */
export interface Migration {
  /** The file's version after it. */
  version: number;
  /** What it does, for the log. */
  name: string;
  /**
   * In a transaction of its own, before any other part of this version reads or writes. A table that is made after `local`
   * may be missing, where the first start of the earlier version was cut off.
   */
  run(sql: Pick<Database, 'exec' | 'run' | 'get' | 'all' | 'iterate'>): void;
}

/** The name under which `local` keeps the version of the program that used the file last. */
const PROGRAM = 'program';

/** From this version of the file on, a station shows users and settings as central has decided them. */
export const PEOPLE_AT_CENTRAL = 2;

/** From this version of the file on there is a table of stations that bring records along. */
const BRINGING_ALONG = 3;

/** From this version of the file on there are tables of webhooks. */
const WEBHOOKS = 4;

/** From this version of the file on, an inspection that is open is dated by its own day. */
export const DATED_INSPECTIONS = 5;

/** From this version of the file on, texts wait in a table of their own before they come into the search index. */
const WAITING_TEXTS = 6;

/** From this version of the file on, stock is found by its place. */
const STOCK_BY_PLACE = 7;

/** From this version of the file on, codes for enrolment may let several stations in, and stations have groups. */
const CODES_FOR_MANY = 8;

/** From this version of the file on, central keeps what stations say of their machines. */
const MACHINES_TOLD = 9;

/** The version of the file from which on there is a table, of those that 0.1.0 did not have. */
export const TABLES_SINCE: Readonly<Record<string, number>> = {
  brought_along: BRINGING_ALONG,
  clock_fact: BRINGING_ALONG,
  session_hand: BRINGING_ALONG,
  former_secret: BRINGING_ALONG,
  session_key: BRINGING_ALONG,
  session_place: BRINGING_ALONG,
  unlogged_change: BRINGING_ALONG,
  time_mark: BRINGING_ALONG,
  token_bounds: BRINGING_ALONG,
  token_use: BRINGING_ALONG,
  user_key: BRINGING_ALONG,
  search_waiting: WAITING_TEXTS,
  // An index of a table that was there before.
  stock_place: STOCK_BY_PLACE,
  webhook: WEBHOOKS,
  webhook_message: WEBHOOKS,
  webhook_place: WEBHOOKS,
  enrolment_bounds: CODES_FOR_MANY,
  enrolment_use: CODES_FOR_MANY,
  station_group: CODES_FOR_MANY,
  station_machine: MACHINES_TOLD,
};

/** Version 0 is what Holdpoint 0.1.0 writes, which knows nothing of versions and opens newer files as well. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: 'note the version of the file and the program that used it',
    run: sql => writeLocal(sql, PROGRAM, '0.1.0'),
  },
  {
    version: PEOPLE_AT_CENTRAL,
    name: "keep this machine's backup folder as its own setting, no longer the site's",
    run: keepMachineSettings,
  },
  {
    version: BRINGING_ALONG,
    name: 'note which stations may bring records along; work out again what locks the lots and what is open',
    run(sql) {
      sql.exec(STATION_TABLES);
      // Two stations' verdicts that contradict each other lock, and lines of a closed shipment that nothing was taken for
      // are open. The opening fills both, which knows the rules.
      writeLocal(sql, UNFILLED, 'lot_fact lookup');
    },
  },
  {
    version: WEBHOOKS,
    name: 'keep which receivers are told of changes',
    run: sql => sql.exec(WEBHOOK_TABLES),
  },
  {
    version: DATED_INSPECTIONS,
    name: 'work out again what is open: inspections by their own day',
    run(sql) {
      const unfilled = new Set((readLocal(sql, UNFILLED) ?? '').split(' '));
      writeLocal(sql, UNFILLED, [...unfilled.add('lookup')].join(' ').trim());
    },
  },
  {
    version: WAITING_TEXTS,
    name: 'keep texts that wait for the search index',
    run: sql => sql.exec(WAITING_TABLE),
  },
  {
    version: STOCK_BY_PLACE,
    name: 'find stock by its place',
    // Where the first start of the earlier version was cut off, the opening makes the table with it.
    run: sql => (hasTable(sql, 'stock') ? sql.exec(STOCK_PLACE_INDEX) : undefined),
  },
  {
    version: CODES_FOR_MANY,
    name: 'keep how many stations a code for enrolment lets in, and the groups of stations',
    run: sql => sql.exec(STATION_TABLES),
  },
  {
    version: MACHINES_TOLD,
    name: 'keep what stations say of their machines',
    run: sql => sql.exec(STATION_TABLES),
  },
];

/** What a file is after all migrations, and what a new one is at once. */
export const FILE_VERSION = versionAfter(migrations);

/** What stood in the record of settings is of the machine that it stood on; the record keeps it and nothing reads it. */
function keepMachineSettings(sql: Parameters<Migration['run']>[0]): void {
  const table = 'holdpoint__records__0';
  if (!hasTable(sql, table)) return;
  const row = sql.get<{ document: string }>(`SELECT document FROM "${table}" WHERE key = 'setting:1'`);
  if (row) writeMachineSettings(sql, JSON.parse(row.document).fields);
}

/** The backup's file; or why there is none: the database is not whole. */
export type BeforeBackup = { file: string } | { fault: string };

export interface MigrateOptions {
  database: Database;
  /** Makes a checked backup of the file as it is, before the first change. */
  backUp: () => Promise<BeforeBackup>;
  /** Told what is being done, a sentence each: a large file takes minutes. */
  tell: (doing: string) => void;
  steps?: readonly Migration[];
}

/**
 * Brings the file of a store that opens to this program's version. A damaged one stays as it is, and so does one that the
 * backup's check finds damaged, which is open for reading only from then on. A process that is killed leaves the file as it
 * was before or after a step; the next opening goes on from there.
 * @throws AppError that says what to do: `storage_full`, or `unavailable` when a step fails, which is undone then
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { database, tell, steps = migrations } = options;
  if (database.damage !== undefined) return;
  // Stamped before it has any table, so that a first start which is cut off has nothing to migrate at the next one.
  if (!hasTable(database, '%')) {
    database.exec(`PRAGMA user_version = ${versionAfter(steps)}`);
    return;
  }
  const from = fileVersion(database);
  const due = steps.filter(({ version }) => version > from);
  if (due.length === 0) return;
  const backup = hasCommits(database) ? await backedUp(options) : undefined;
  if (database.damage !== undefined) return;
  for (const { version, name, run } of due) {
    tell(`File version ${version}: ${name}.`);
    try {
      database.transaction(() => {
        run(database);
        database.exec(`PRAGMA user_version = ${version}`);
      });
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const remedy =
        version === due[0]?.version
          ? 'as they were: go on with the former version of Holdpoint, and report this'
          : `changed in part: to go back to the former version of Holdpoint, restore ${backup} with it; report this`;
      const message = `The data in ${database.folder} are ${remedy}. To bring them to file version ${version} (${name}) failed: ${why}`;
      const isFull = cause instanceof AppError && cause.code === 'storage_full';
      throw new AppError(isFull ? 'storage_full' : 'unavailable', message, { cause });
    }
  }
}

/** The backup's file; undefined where it shows that the database is damaged, which ends writing. */
async function backedUp({ database, backUp, tell }: MigrateOptions): Promise<string | undefined> {
  tell('The data are of an earlier version. They are backed up and checked before they are changed.');
  const backup = await backUp();
  if ('fault' in backup) {
    database.damaged(backup.fault);
    return undefined;
  }
  tell(`The backup is whole: ${backup.file}`);
  return backup.file;
}

/** In the open transaction: notes that this program uses the file. Answers which did before; undefined for a new file. */
export function noteProgram(database: Database): string | undefined {
  const before = readLocal(database, PROGRAM);
  if (before !== PROGRAM_VERSION && database.damage === undefined)
    writeLocal(database, PROGRAM, PROGRAM_VERSION);
  return before;
}

/** @throws AppError `unavailable` for a file that a later version has written; it is only read */
export function refuseNewer(sql: Pick<SqlReader, 'get'>, file: string): void {
  const version = fileVersion(sql);
  if (version >= 0 && version <= FILE_VERSION) return;
  throw newerFile({
    file,
    version,
    known: FILE_VERSION,
    program: PROGRAM_VERSION,
    writer: writerOf(sql),
  });
}

export function fileVersion(sql: Pick<SqlReader, 'get'>): number {
  return sql.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
}

/** A later version may keep its name in another way. */
function writerOf(sql: Pick<SqlReader, 'get'>): string | undefined {
  try {
    return readLocal(sql, PROGRAM);
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return undefined;
  }
}

function versionAfter(steps: readonly Migration[]): number {
  return steps.at(-1)?.version ?? 0;
}

function hasTable(sql: Pick<SqlReader, 'get'>, name: string): boolean {
  return sql.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name LIKE ?", name) !== undefined;
}

/** Before the first commit there is nothing that a backup could bring back. */
function hasCommits(sql: Pick<SqlReader, 'get'>): boolean {
  return hasTable(sql, 'history') && sql.get('SELECT 1 FROM history LIMIT 1') !== undefined;
}
