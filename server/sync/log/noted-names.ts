import { reissuedId } from '../../store/commit-id.ts';
import type { Database } from '../../store/sqlite/database.ts';
import type { Decision } from '../protocol/decide.ts';

/** Rows of the log that are read at once. */
const PART = 1_000;

interface Row {
  sequence: number;
  commit_id: string;
  /** As the log keeps them. */
  decisions: string;
}

/** In the open transaction, for an entry of the log: what leads back from its name to be issued again under, and whom it gives up. */
export function noteNames(
  database: Pick<Database, 'run'>,
  { sequence, commit_id, decisions }: Omit<Row, 'decisions'> & { decisions: readonly Decision[] },
): void {
  const sql = 'INSERT OR IGNORE INTO name_again (name, commit_id) VALUES (?, ?)';
  database.run(sql, reissuedId(commit_id), commit_id);
  for (const { commit_id: id, outcome } of decisions) {
    if (outcome === 'withdrawn')
      database.run('INSERT OR REPLACE INTO given_up (commit_id, sequence) VALUES (?, ?)', id, sequence);
  }
}

/** Of a log that an earlier version has written, before this one or after it; of any other one the last entry is noted. */
export function noteMissing(database: Pick<Database, 'run' | 'all' | 'get'>): void {
  const newest = 'SELECT commit_id FROM log ORDER BY sequence DESC LIMIT 1';
  const last = database.get<Pick<Row, 'commit_id'>>(newest)?.commit_id;
  const isNoted = 'SELECT 1 FROM name_again WHERE name = ?';
  if (last === undefined || database.get(isNoted, reissuedId(last)) !== undefined) return;
  for (const { commit_id } of database.all<Row>('SELECT commit_id FROM snapshot_commit'))
    noteNames(database, { sequence: 0, commit_id, decisions: [] });
  for (let after = 0; ; ) {
    const sql = 'SELECT sequence, commit_id, decisions FROM log WHERE sequence > ? ORDER BY sequence LIMIT ?';
    const rows = database.all<Row>(sql, after, PART);
    for (const row of rows) {
      const decisions = row.decisions === '' ? [] : JSON.parse(row.decisions);
      noteNames(database, { ...row, decisions });
    }
    const end = rows.at(-1);
    if (!end) return;
    after = end.sequence;
  }
}
