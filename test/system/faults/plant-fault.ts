import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { primaryCode, resultCode } from '../../../server/store/sqlite/sqlite-error.ts';

/** What a process keeps of the methods that a planted fault replaces; calling it puts them back. */
export type Unplant = () => void;

const real = { exec: DatabaseSync.prototype.exec, prepare: DatabaseSync.prototype.prepare };

/** Faults that the kits must find, put below the store, into `node:sqlite`: the product knows nothing of them. */
const faults = {
  /** Commits reach the file 300 ms late; until then what is answered would be lost with the process. */
  'answers before the commit': () => {
    const since = new WeakMap<DatabaseSync, number>();
    // Not before a client has written: a start reads what it has written itself.
    const isWritten = new WeakSet<DatabaseSync>();
    DatabaseSync.prototype.prepare = function (sql, ...rest) {
      if (sql.includes('INTO remembered_answer')) isWritten.add(this);
      return real.prepare.call(this, sql, ...rest);
    };
    DatabaseSync.prototype.exec = function (sql) {
      const begun = since.get(this);
      if (sql === 'BEGIN IMMEDIATE') {
        // Goes on in the transaction whose commit is late.
        if (begun !== undefined && this.isTransaction) return;
        since.set(this, performance.now());
      }
      if (sql === 'COMMIT' && begun !== undefined && isWritten.has(this)) {
        if (performance.now() - begun < 300) return;
        since.delete(this);
      }
      real.exec.call(this, sql);
    };
  },
  /** A request that is sent again is carried out again. */
  'forgets what it answered': () =>
    rewriting(/(INTO remembered_answer .*)VALUES \(([?, ]+)\)/s, '$1SELECT $2 WHERE FALSE'),
  /** After a start, the commit with the latest time counts as the last one. */
  'orders by the clock': () =>
    rewriting(
      /(FROM history WHERE chain = \? .*)ORDER BY number DESC LIMIT 1/s,
      '$1ORDER BY at DESC LIMIT 1',
    ),
  'takes no lock': () => {
    DatabaseSync.prototype.exec = function (sql) {
      if (sql !== 'BEGIN EXCLUSIVE') real.exec.call(this, sql);
    };
  },
  /** Of two commits for which there is no room, one is answered as if it had been written. */
  'overlooks a full disk': () => {
    let isOverlooked = false;
    DatabaseSync.prototype.exec = function (sql) {
      try {
        real.exec.call(this, sql);
      } catch (error) {
        isOverlooked = sql === 'COMMIT' && primaryCode(error) === resultCode.full && !isOverlooked;
        if (!isOverlooked) throw error;
        if (this.isTransaction) real.exec.call(this, 'ROLLBACK');
      }
    };
  },
} satisfies Record<string, () => void>;

export type PlantedFault = keyof typeof faults;

/** In this process, for every database. */
export function plantFault(name: PlantedFault): Unplant {
  faults[name]();
  return () => {
    Object.assign(DatabaseSync.prototype, real);
  };
}

/**
 * The wall clock of this process is so far off as the file says: `+0`, `-2h`, `-10y`. Where libfaketime is not
 * installed; that shifts the clock for SQLite and the system's own library, too.
 */
export function shiftClock(file: string): void {
  const units: Record<string, number> = { h: 3_600_000, y: 365 * 24 * 3_600_000 };
  const offset = () => {
    const [, number = '0', unit = ''] = /^([+-]\d+)([hy]?)/.exec(readFileSync(file, 'utf8')) ?? [];
    return Number(number) * (units[unit] ?? 0);
  };
  const RealDate = Date;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [RealDate.now() + offset()] : given, newTarget),
    get: (target, name, receiver) =>
      name === 'now' ? () => RealDate.now() + offset() : Reflect.get(target, name, receiver),
  });
}

/** The variables that plant it into a server process and those that it starts. */
export function planted(settings: {
  fault?: PlantedFault | undefined;
  clock?: string;
  /** A file that names where the process ends (`dieAt`). */
  point?: string;
}): Record<string, string> {
  if (Object.values(settings).every(setting => setting === undefined)) return {};
  return {
    NODE_OPTIONS: `--import=${new URL('./plant-at-start.ts', import.meta.url)}`,
    ...(settings.fault && { PLANTED_FAULT: settings.fault }),
    ...(settings.clock && { PLANTED_CLOCK: settings.clock }),
    ...(settings.point && { PLANTED_POINT: settings.point }),
  };
}

function rewriting(pattern: RegExp, replacement: string): void {
  DatabaseSync.prototype.prepare = function (sql, ...rest) {
    return real.prepare.call(this, sql.replace(pattern, replacement), ...rest);
  };
}
