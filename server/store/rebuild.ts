import type { Family } from '../../shared/contract/define-family.ts';
import { listingSubjects } from './history.ts';
import { StockMoves } from './lots.ts';
import type { Projections } from './projections.ts';
import { readingEntries } from './reading-commit.ts';
import type { Records } from './records.ts';
import { SetAside } from './set-aside.ts';
import type { Database } from './sqlite/database.ts';
import { recordsIn } from './subjects.ts';
import { inTurns, yieldingToEventLoop } from './yield-to-event-loop.ts';

export interface RebuildParts {
  database: Database;
  projections: Projections;
  records: Records;
  families: readonly Family[];
}

export interface RebuildReport {
  records: number;
  /** Rows that were not as the records and their history say; 0 when nothing was wrong. Those of search are not counted. */
  differences: number;
  /** Seconds. */
  seconds: number;
}

const COMPARED = ['stock', 'bucket', 'lot_fact', 'lookup', 'history_subject'];

/**
 * In the open transaction: forgets stock, search, counters and what lists each record's commits, and works them out
 * again from the records and history.
 */
export async function rebuild(parts: RebuildParts): Promise<RebuildReport> {
  const started = performance.now();
  const { database, projections } = parts;
  const goOn = yieldingToEventLoop();
  const before: SetAside[] = [];
  try {
    for (const table of COMPARED) before.push(await SetAside.of(database, table, goOn));
    projections.clear();
    const records = await deriveRecords(parts);
    await deriveLists(parts);
    let differences = 0;
    for (const aside of before) differences += await aside.differences(goOn);
    return { records, differences, seconds: (performance.now() - started) / 1000 };
  } finally {
    for (const aside of before) aside.drop();
  }
}

async function deriveRecords({ database, records, projections, families }: RebuildParts): Promise<number> {
  let count = 0;
  const goOn = yieldingToEventLoop();
  for (const family of families) {
    for (const record of records.all(family.name)) {
      await goOn();
      const moves = new StockMoves();
      projections.follow([{ before: undefined, after: record }], moves);
      moves.write(database, false);
      count += 1;
    }
  }
  return count;
}

/** Which commits touched a record. */
async function deriveLists({ database, records }: RebuildParts): Promise<void> {
  database.exec('DELETE FROM history_subject');
  const commits = database.iterate<{ sequence: number; entries: string }>(
    'SELECT sequence, entries FROM history ORDER BY sequence',
  );
  const goOn = yieldingToEventLoop();
  for (const { sequence, entries } of commits) {
    await goOn();
    const keys = recordsIn(await inTurns(readingEntries(entries), goOn));
    await inTurns(listingSubjects(database, sequence, records.subjectNumbersOf(keys)), goOn);
  }
}
