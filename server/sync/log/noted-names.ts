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

/** Of a log that an earlier version has written. */
export function noteAll(database: Pick<Database, 'run' | 'all'>): void {
  for (let after = 0; ; ) {
    const sql = 'SELECT sequence, commit_id, decisions FROM log WHERE sequence > ? ORDER BY sequence LIMIT ?';
    const rows = database.all<Row>(sql, after, PART);
    for (const row of rows) {
      const decisions = row.decisions === '' ? [] : JSON.parse(row.decisions);
      noteNames(database, { ...row, decisions });
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.sequence;
  }
}
