import { reissuedId } from '../../store/commit-id.ts';
import type { Database } from '../../store/sqlite/database.ts';
import type { Store } from '../../store/store.ts';
import { readLocal, writeLocal } from '../../store/tables.ts';
import { inTurns, type Steps } from '../../store/yield-to-event-loop.ts';
import type { Decision } from '../protocol/decide.ts';

/** Rows of the log that are noted in one step, and steps that share a transaction. */
const PART = 500;
const PARTS = 40;

/** In `local`, while a log of an earlier version is not noted as a whole: up to which entry it is. */
const NOTED = 'names_noted';

interface Row {
  sequence: number;
  commit_id: string;
  hash: string;
  /** As the log keeps them. */
  decisions: string;
}

/** In the open transaction, for an entry of the log: what leads back from its name to be issued again under, and whom it gives up. */
export function noteNames(
  database: Pick<Database, 'run'>,
  { sequence, commit_id, decisions }: Omit<Row, 'decisions' | 'hash'> & { decisions: readonly Decision[] },
): void {
  const sql = 'INSERT OR IGNORE INTO name_again (name, commit_id) VALUES (?, ?)';
  database.run(sql, reissuedId(commit_id), commit_id);
  for (const { commit_id: id, outcome } of decisions) {
    if (outcome === 'withdrawn')
      database.run('INSERT OR REPLACE INTO given_up (commit_id, sequence) VALUES (?, ?)', id, sequence);
  }
}

/**
 * Of a log that an earlier version has written, before this one or after it; of any other one the last entry is noted. Before anything is
 * looked up. Others have their turns meanwhile, and what is noted stays so should this process end.
 */
export async function noteMissing({ database, gate }: Pick<Store, 'database' | 'gate'>): Promise<void> {
  const noteSome = async () => ({ result: await inTurns(notingSome(database)) });
  for (let isLeft = isAnyMissing(database.reader); isLeft; ) isLeft = await gate.applyRemote(noteSome);
}

function isAnyMissing(sql: Pick<Database, 'get'>): boolean {
  // Records may stand in the place of all of it.
  const places = ['log ORDER BY sequence DESC', 'snapshot_commit'];
  const [newest, ofRecords] = places.map(from =>
    sql.get<Pick<Row, 'commit_id'>>(`SELECT commit_id FROM ${from} LIMIT 1`),
  );
  const last = (newest ?? ofRecords)?.commit_id;
  if (last === undefined) return false;
  const isNoted = 'SELECT 1 FROM name_again WHERE name = ?';
  return (readLocal(sql, NOTED) ?? '') !== '' || sql.get(isNoted, reissuedId(last)) === undefined;
}

/** In the open transaction, in steps: what is missing of so many parts of the log. Answers whether there is more. */
export function* notingSome(database: Pick<Database, 'run' | 'all' | 'get'>, parts = PARTS): Steps<boolean> {
  let after = notedUpTo(database);
  if (after === 0) {
    // What is awaited may have come back meanwhile.
    database.run('UPDATE awaited_commit SET is_due = 1');
    for (const { commit_id } of database.all<Row>('SELECT commit_id FROM snapshot_commit'))
      noteNames(database, { sequence: 0, commit_id, decisions: [] });
  }
  for (let part = 0; part < parts; part += 1) {
    const sql =
      'SELECT sequence, commit_id, hash, decisions FROM log WHERE sequence > ? ORDER BY sequence LIMIT ?';
    const rows = database.all<Row>(sql, after, PART);
    for (const row of rows) {
      const decisions = row.decisions === '' ? [] : JSON.parse(row.decisions);
      noteNames(database, { ...row, decisions });
    }
    const end = rows.at(-1);
    writeLocal(database, NOTED, end ? JSON.stringify([end.sequence, end.hash]) : '');
    if (!end) return false;
    after = end.sequence;
    yield;
  }
  return true;
}

/** 0 where nothing is, or an earlier version has cut the log since and gone on otherwise. */
function notedUpTo(sql: Pick<Database, 'get'>): number {
  const [sequence, hash] = JSON.parse(readLocal(sql, NOTED) || '[0, ""]');
  return sql.get('SELECT 1 FROM log WHERE sequence = ? AND hash = ?', sequence, hash) ? sequence : 0;
}
