import { familyOfKey } from '../../../shared/families/registry.ts';
import type { Entry } from '../changes.ts';
import { readCommitText } from '../commit-text.ts';
import { CHAIN_START, type ChainHead, commitOf, type HistoryRow, isItsHash } from '../history.ts';
import { checksumOf } from '../sqlite/checksum.ts';
import { HOLD_SUBJECT } from '../subjects.ts';
import { remedies } from './findings.ts';
import { authorFault } from './verify-author.ts';
import { subjectOf, type VerifyContext } from './verify-context.ts';

export interface VerifiedHistory {
  commits: number;
  /** The last commit of each chain that is here from its first. */
  heads: ReadonlyMap<string, ChainHead>;
}

/**
 * Walks history once, in its order: each chain contiguous, each commit its own hash and the one before it. Leaves what
 * each commit did to each record in `temp.entry`, sorted by record, for `verifyRecords`: on disk, not in memory.
 */
export async function verifyHistory(context: VerifyContext): Promise<VerifiedHistory> {
  const { sql, findings } = context;
  sql.exec(`CREATE TEMP TABLE entry (
    subject INTEGER NOT NULL, sequence INTEGER NOT NULL, key TEXT NOT NULL, commit_id TEXT NOT NULL,
    chain TEXT NOT NULL, at TEXT NOT NULL, user TEXT NOT NULL, changes TEXT NOT NULL,
    PRIMARY KEY (subject, sequence)) WITHOUT ROWID`);
  const heads = new Map<string, ChainHead>();
  const hasGaps = context.exchange.gaps(context);
  const isExchanging = context.exchange.isUsed(context);
  let commits = 0;
  for (const row of sql.iterate<HistoryRow>('SELECT * FROM main.history ORDER BY sequence')) {
    const where = `commit ${row.number} of chain ${row.chain}`;
    // What was abandoned stood in the place of another commit, and follows no head.
    if (!isAbandoned(context, row)) {
      if (hasGaps(row.chain)) verifyLink(context, row, beforeOf(row), where);
      else {
        const before = heads.get(row.chain) ?? CHAIN_START;
        verifyLink(context, row, standingBefore(context, row, before), where);
        heads.set(row.chain, { number: row.number, hash: row.hash });
      }
    }
    const { entries } = readCommitText(row.entries) ?? {};
    if (entries) spread(context, row, entries, where);
    // Between stations what nobody can prove stands in history, too: held. What counts the log says.
    const commit = isExchanging ? undefined : commitOf(row);
    const odd = commit && authorFault(context, commit);
    if (odd !== undefined) findings.add(odd, where, remedies.restore);
    commits += 1;
    await context.step('commits', commits);
  }
  // Between stations a commit can have places in two chains, with one id.
  if (isExchanging) return { commits, heads };
  const twice = sql.all<{ commit_id: string }>(
    'SELECT commit_id FROM main.history GROUP BY commit_id HAVING count(*) > 1 LIMIT 10',
  );
  for (const { commit_id } of twice) {
    findings.add('Two commits have one id.', `commit ${commit_id}`, remedies.restore);
  }
  return { commits, heads };
}

/** What a commit is to follow, where this one was met before it in its chain. */
export function standingBefore(
  context: Pick<VerifyContext, 'sql'>,
  row: HistoryRow,
  before: ChainHead,
): ChainHead {
  return isAfterAbandoned(context, row, before) ? beforeOf(row) : before;
}

/** Where a commit stands in its chain by its own word. */
export function beforeOf({ number, previous_hash }: HistoryRow): ChainHead {
  return { number: number - 1, hash: previous_hash };
}

/**
 * Whether all between the commit that stands before in the chain and this one were abandoned each by itself, the last of them the
 * one that this one follows: they stand elsewhere in central's log, and what came after them was not issued again yet.
 */
function isAfterAbandoned(
  { sql }: Pick<VerifyContext, 'sql'>,
  { chain, number, previous_hash: hash }: HistoryRow,
  before: ChainHead,
): boolean {
  if (number <= before.number + 1) return false;
  const between = sql.get<{ n: number }>(
    'SELECT count(DISTINCT number) AS n FROM main.abandoned WHERE chain = ? AND number > ? AND number < ?',
    chain,
    before.number,
    number,
  );
  const isFollowed = isAbandoned({ sql }, { chain, number: number - 1, hash });
  return isFollowed && between?.n === number - before.number - 1;
}

function isAbandoned(
  { sql }: Pick<VerifyContext, 'sql'>,
  { chain, number, hash }: Pick<HistoryRow, 'chain' | 'number' | 'hash'>,
): boolean {
  const at = 'SELECT 1 FROM main.abandoned WHERE chain = ? AND number = ? AND hash = ?';
  return sql.get(at, chain, number, hash) !== undefined;
}

/** Whether a commit is what its hash says and follows the one before it. */
export function verifyLink(
  { findings }: Pick<VerifyContext, 'findings'>,
  row: HistoryRow,
  before: ChainHead,
  where: string,
): void {
  if (row.number !== before.number + 1) {
    const what = `The chain is cut: number ${before.number + 1} is expected, ${row.number} stands there.`;
    findings.add(what, where, remedies.restore);
  } else if (row.previous_hash !== before.hash) {
    findings.add('A commit does not name the hash of the one before it.', where, remedies.restore);
  }
  const commit = commitOf(row);
  if (!commit) findings.add('The entries of a commit cannot be read.', where, remedies.restore);
  else if (!isItsHash(commit)) {
    findings.add('A commit is not what its hash says.', where, remedies.restore);
  } else if (checksumOf(row.entries) !== row.seal) {
    findings.add('The entries of a commit are not what was written.', where, remedies.restore);
  }
}

function spread(context: VerifyContext, row: HistoryRow, entries: readonly Entry[], where: string): void {
  const { sql, findings } = context;
  for (const { subject: key, changes } of entries) {
    // What central decides about held commits is no record.
    if (key.startsWith(HOLD_SUBJECT)) continue;
    const subject = subjectOf(context, String(key));
    if (subject === undefined) {
      // What the version that took it did not know is listed nowhere.
      if (!context.isDerivedHere || !familyOfKey(String(key))) continue;
      findings.add(`The record ${key} is of a family without a number.`, where, remedies.restore);
      continue;
    }
    const { changes: inserted } = sql.run(
      'INSERT OR IGNORE INTO temp.entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      subject,
      row.sequence,
      key,
      // What has become bytes is reported by then, and goes on as text.
      String(row.commit_id),
      String(row.chain),
      String(row.at),
      String(row.user),
      JSON.stringify(changes),
    );
    if (inserted === 0) findings.add(`The record ${key} stands twice in a commit.`, where, remedies.restore);
  }
}

/** The list of a record's commits says the same as the commits. Needs `temp.entry`. */
export function verifySubjects({ sql, findings }: VerifyContext): void {
  const difference = (from: string, without: string) =>
    sql.all<{
      subject: number;
      sequence: number;
    }>(`SELECT subject, sequence FROM ${from} AS a WHERE NOT EXISTS
      (SELECT 1 FROM ${without} AS b WHERE b.subject = a.subject AND b.sequence = a.sequence) LIMIT 10`);
  for (const { sequence } of difference('temp.entry', 'main.history_subject')) {
    const what = "A record's history does not list a commit that changed it.";
    findings.add(what, `history_subject, sequence ${sequence}`, remedies.rebuild);
  }
  for (const { sequence } of difference('main.history_subject', 'temp.entry')) {
    const what = "A record's history lists a commit that did not change it, or is not there.";
    findings.add(what, `history_subject, sequence ${sequence}`, remedies.rebuild);
  }
}
