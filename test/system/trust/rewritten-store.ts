import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Commit } from '../../../server/store/changes.ts';
import {
  COMMIT_COLUMNS,
  columnsOf,
  commitOf,
  type HistoryRow,
  hashOfCommit,
} from '../../../server/store/history.ts';
import { decisionsOf, sha256 } from '../../../server/sync/log/log.ts';
import type { Decision } from '../../../server/sync/protocol/decide.ts';
import { LOG_START, type LogPlace, logEntry } from '../../../server/sync/protocol/log.ts';

type Rows<Row> = { all(): Row[] };

/** What somebody makes of a commit; the same one where nothing is to be altered. */
export type Altering = (commit: Commit, sequence: number) => Commit;

const withReason: Altering = (commit, sequence) =>
  sequence === 3 ? { ...commit, reason: 'As agreed' } : commit;

/**
 * A copy of a data folder in which somebody altered a commit (gave a reason for the third one, unless said) and made all else right:
 * triggers are dropped and made again, and the hashes of all commits, chains and entries of the log worked out anew.
 * @param decide what he makes of what central decided
 * @returns the folder of the copy
 */
export function rewrittenStore(
  folder: string,
  into: string,
  alter = withReason,
  decide: (decisions: Decision[], sequence: number) => Decision[] = decisions => decisions,
): string {
  const to = mkdtempSync(join(into, 'rewritten-'));
  const source = new DatabaseSync(join(folder, 'holdpoint.db'), { readOnly: true });
  source.exec(`VACUUM INTO '${join(to, 'holdpoint.db')}'`);
  source.close();
  const database = new DatabaseSync(join(to, 'holdpoint.db'));
  const read = <Row>(sql: string) => (database.prepare(sql) as unknown as Rows<Row>).all();
  const triggers = read<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
  );
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${name}"`);
  const commits = rewriteCommits(
    database,
    read<HistoryRow>('SELECT * FROM history ORDER BY sequence'),
    alter,
  );
  let place: LogPlace = LOG_START;
  for (const row of read<{ sequence: number; chain: string; number: number; decisions: string }>(
    'SELECT * FROM log ORDER BY sequence',
  )) {
    const commit = commits.get(`${row.chain} ${row.number}`);
    if (!commit) throw new Error(`Entry ${row.sequence} has no commit.`);
    const decisions = decisionsOf(row, commit);
    const decided = decide(decisions, row.sequence);
    place = logEntry(place, commit, decided, sha256);
    database.prepare('UPDATE log SET hash = ? WHERE sequence = ?').run(place.hash, row.sequence);
    if (decided !== decisions)
      database
        .prepare('UPDATE log SET decisions = ? WHERE sequence = ?')
        .run(JSON.stringify(decided), row.sequence);
  }
  for (const { chain, number, hash } of commits.values())
    database
      .prepare('UPDATE chain_head SET hash = ? WHERE chain = ? AND number = ?')
      .run(hash, chain, number);
  for (const { sql } of triggers) database.exec(sql);
  database.close();
  return to;
}

/** By chain and number. */
function rewriteCommits(database: DatabaseSync, rows: HistoryRow[], alter: Altering): Map<string, Commit> {
  const heads = new Map<string, string>();
  const commits = new Map<string, Commit>();
  for (const row of rows) {
    const read = commitOf(row);
    if (!read) throw new Error(`Commit ${row.number} cannot be read.`);
    const { hash: _, ...content } = alter(read, row.sequence);
    const linked = { ...content, previous_hash: heads.get(read.chain) ?? '' };
    const commit = { ...linked, hash: hashOfCommit(linked) };
    heads.set(commit.chain, commit.hash);
    commits.set(`${commit.chain} ${commit.number}`, commit);
    const columns = columnsOf(commit);
    database
      .prepare(`UPDATE history SET (${COMMIT_COLUMNS}) = (${columns.map(() => '?')}) WHERE sequence = ?`)
      .run(...columns, row.sequence);
  }
  return commits;
}
