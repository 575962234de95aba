import { checksumOf } from './sqlite/checksum.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';

/**
 * What was noticed of this machine's clock, and what ended it: append-only, never synced. A step that is not ended is the
 * last row.
 */
export const CLOCK_TABLES = `
CREATE TABLE IF NOT EXISTS clock_fact (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, clock TEXT NOT NULL, at_least TEXT NOT NULL, sequence INTEGER NOT NULL,
  user TEXT, reason TEXT, seal INTEGER NOT NULL
);
CREATE TRIGGER IF NOT EXISTS clock_fact_is_never_changed BEFORE UPDATE ON clock_fact
  BEGIN SELECT RAISE(ABORT, 'clock_fact is append-only'); END;
CREATE TRIGGER IF NOT EXISTS clock_fact_is_never_deleted BEFORE DELETE ON clock_fact
  BEGIN SELECT RAISE(ABORT, 'clock_fact is append-only'); END;
-- What INSERT OR REPLACE deletes passes no trigger for DELETE.
CREATE TRIGGER IF NOT EXISTS clock_fact_is_never_replaced BEFORE INSERT ON clock_fact
  WHEN EXISTS (SELECT 1 FROM clock_fact WHERE id = NEW.id)
  BEGIN SELECT RAISE(ABORT, 'clock_fact is append-only'); END;
`;

/** How a step is noticed: against what is stored as the store opens, or against the steady clock while it is open. */
export const STEPS = ['step_at_start', 'step'] as const;
/** What ends it: a person, the clock's being right again, or central's time. */
export const ENDS = ['confirmed', 'set_right', 'as_central'] as const;

export interface ClockFact {
  kind: (typeof STEPS)[number] | (typeof ENDS)[number];
  /** What the clock said. ISO 8601 UTC. */
  clock: string;
  /** What it should at least have said. ISO 8601 UTC. */
  at_least: string;
  /** The last commit of history then. */
  sequence: number;
  /** Who confirmed, and why the clock was taken for right. */
  user: string | null;
  reason: string | null;
}

export interface KeptClockFact extends ClockFact {
  id: number;
}

const COLUMNS = ['kind', 'clock', 'at_least', 'sequence', 'user', 'reason'] as const;

/** In the open transaction. Returns its id. */
export function addClockFact(database: Pick<Database, 'run'>, fact: ClockFact): number {
  const { lastInsertRowid } = database.run(
    `INSERT INTO clock_fact (${COLUMNS.join(', ')}, seal) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ...COLUMNS.map(column => fact[column]),
    checksumOfClockFact(fact),
  );
  return Number(lastInsertRowid);
}

/**
 * The newest first.
 * @throws AppError `unavailable` for one that is not what was written
 */
export function readClockFacts(
  reader: SqlReader,
  { offset, limit }: { offset: number; limit: number },
): { total: number; facts: KeptClockFact[] } {
  const total = reader.get<{ total: number }>('SELECT count(*) AS total FROM clock_fact')?.total ?? 0;
  const sql = 'SELECT * FROM clock_fact ORDER BY id DESC LIMIT ? OFFSET ?';
  const facts = reader.all<KeptClockFact & { seal: number }>(sql, limit, offset).map(({ seal, ...fact }) => {
    if (checksumOfClockFact(fact) === seal) return fact;
    throw reader.damaged(`The clock fact ${fact.id} is not what was written.`);
  });
  return { total, facts };
}

export function checksumOfClockFact(fact: ClockFact): number {
  return checksumOf(JSON.stringify(COLUMNS.map(column => fact[column])));
}
