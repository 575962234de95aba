import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Commit } from '../../../server/store/changes.ts';
import { commitOf, type HistoryRow, hashOfCommit } from '../../../server/store/history.ts';
import { decisionsOf, sha256 } from '../../../server/sync/log/log.ts';
import { LOG_START, type LogPlace, logEntry } from '../../../server/sync/protocol/log.ts';

type Rows<Row> = { all(): Row[] };

/**
 * A copy of a data folder in which somebody gave a reason for the third commit, and made all else right: triggers are dropped
 * and made again, and the hashes of all commits, chains and entries of the log worked out anew.
 * @returns the folder of the copy
 */
export function rewrittenStore(folder: string, into: string): string {
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
  const commits = rewriteCommits(database, read<HistoryRow>('SELECT * FROM history ORDER BY sequence'));
  let place: LogPlace = LOG_START;
  for (const row of read<{ sequence: number; chain: string; number: number; decisions: string }>(
    'SELECT * FROM log ORDER BY sequence',
  )) {
    const commit = commits.get(`${row.chain} ${row.number}`);
    if (!commit) throw new Error(`Entry ${row.sequence} has no commit.`);
    place = logEntry(place, commit, decisionsOf(row, commit), sha256);
    database.prepare('UPDATE log SET hash = ? WHERE sequence = ?').run(place.hash, row.sequence);
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
function rewriteCommits(database: DatabaseSync, rows: HistoryRow[]): Map<string, Commit> {
  const heads = new Map<string, string>();
  const commits = new Map<string, Commit>();
  for (const row of rows) {
    const read = commitOf(row);
    if (!read) throw new Error(`Commit ${row.number} cannot be read.`);
    const { hash: _, ...content } = read;
    const reason = row.sequence === 3 ? 'As agreed' : read.reason;
    const linked = { ...content, reason, previous_hash: heads.get(read.chain) ?? '' };
    const commit = { ...linked, hash: hashOfCommit(linked) };
    heads.set(commit.chain, commit.hash);
    commits.set(`${commit.chain} ${commit.number}`, commit);
    database
      .prepare('UPDATE history SET reason = ?, previous_hash = ?, hash = ? WHERE sequence = ?')
      .run(reason, commit.previous_hash, commit.hash, row.sequence);
  }
  return commits;
}
