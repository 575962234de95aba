import { sameJson } from '../../../shared/contract/canonical-json.ts';
import type { Commit } from '../../store/changes.ts';
import { ARCHIVED, type ChainHead, commitOf, type HistoryRow } from '../../store/history.ts';
import { IdRemapping } from '../../store/id-remapping.ts';
import { type Moved, movedSubject, readMoved } from '../../store/moved.ts';
import { SignedStates } from '../../store/signed-states.ts';
import { remedies } from '../../store/verify/findings.ts';
import { subjectOf, type VerifyContext } from '../../store/verify/verify-context.ts';
import { type FormerCommit, firstNotIssuedAgain } from './issued-again.ts';

/**
 * Proves what a station that stood alone issued again when it joined: the chains that it had before are whole up to the
 * commits that the first one of the new chain names, and each commit of theirs stands in the new chain, with its author,
 * time and reason, as `IdRemapping` maps it. That they fold to the records is proved with the rest of the new chain.
 */
export async function verifyMoved(context: VerifyContext): Promise<void> {
  const { sql, findings } = context;
  const moved = readMoved(sql);
  if (!moved) return;
  const ids = new IdRemapping(moved);
  const signed = new SignedStates(sql, ids, key => subjectOf(context, key));
  const issuedSql = 'SELECT * FROM main.history WHERE chain = ? ORDER BY sequence';
  const next = sql.iterate<HistoryRow>(issuedSql, moved.chain)[Symbol.iterator]();
  const first = next.next();
  if (first.done || !says(moved, first.value)) {
    findings.add(
      'The first commit after joining does not say what was moved.',
      `chain ${moved.chain}`,
      remedies.restore,
    );
  }
  verifyFormer(context, moved);
  const notAgain = await firstNotIssuedAgain(formerCommits(sql), commitsOf(next), { ids, signed }, count =>
    context.step('commits from before joining', count),
  );
  if (!notAgain) return;
  // What follows stands at other places than expected.
  const what = 'A commit from before the station joined was not issued again as it was.';
  findings.add(what, `commit ${notAgain.number} of chain ${notAgain.chain}`, remedies.restore);
}

function* formerCommits(sql: VerifyContext['sql']): Generator<FormerCommit> {
  const rows = sql.iterate<HistoryRow>(
    `SELECT * FROM main.history WHERE EXISTS (SELECT 1 FROM main.local WHERE name = '${ARCHIVED}' || history.chain)
     ORDER BY sequence`,
  );
  for (const row of rows) {
    const commit = commitOf(row);
    if (commit) yield { sequence: row.sequence, commit };
  }
}

function* commitsOf(rows: Iterator<HistoryRow>): Generator<Commit | undefined> {
  for (let next = rows.next(); !next.done; next = rows.next()) yield commitOf(next.value);
}

function says(moved: Moved, row: HistoryRow): boolean {
  const [entry] = commitOf(row)?.entries ?? [];
  const value = (path: string) => entry?.changes.find(change => change.path === path)?.new;
  return (
    entry?.subject === movedSubject(moved) &&
    sameJson(value('blocks'), moved.blocks) &&
    sameJson(value('former_chains'), moved.former) &&
    value('is_company_replaced') === moved.isCompanyReplaced
  );
}

/** Their inner order and hashes are proved with those of all chains. */
function verifyFormer({ sql, findings }: VerifyContext, { former }: Moved): void {
  for (const [chain, head] of Object.entries(former)) {
    const last = sql.get<ChainHead>(
      'SELECT number, hash FROM main.history WHERE chain = ? ORDER BY number DESC LIMIT 1',
      chain,
    );
    if (last?.number === head.number && last.hash === head.hash) continue;
    const what = 'A chain from before the station joined does not end at the commit that was written down.';
    findings.add(what, `chain ${chain}`, remedies.restore);
  }
}
