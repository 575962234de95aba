import { logStart } from '../../store/earlier-history.ts';
import { commitOf, type HistoryRow, isItsHash } from '../../store/history.ts';
import { checksumOf } from '../../store/sqlite/checksum.ts';
import { remedies } from '../../store/verify/findings.ts';
import type { VerifyContext } from '../../store/verify/verify-context.ts';

/**
 * What a station asked for of the log before its beginning: each commit is what its hash says and stands before that
 * place, and the lists of records lead to the commits that touch them, as far as they are said to be whole.
 */
export async function verifyEarlier({ sql, findings, step }: VerifyContext): Promise<void> {
  if (!sql.get("SELECT 1 FROM main.sqlite_schema WHERE name = 'earlier_record'")) return;
  const end = logStart(sql)?.sequence ?? 0;
  sql.exec(
    'CREATE TEMP TABLE earlier_list (subject TEXT, sequence INTEGER, PRIMARY KEY (subject, sequence))',
  );
  let count = 0;
  for (const row of sql.iterate<HistoryRow>('SELECT * FROM main.earlier_commit ORDER BY sequence')) {
    const { sequence, chain, number, entries, seal } = row;
    const where = `earlier commit ${number} of chain ${chain}`;
    const commit = commitOf(row);
    if (!commit || !isItsHash(commit) || checksumOf(entries) !== seal) {
      findings.add('A commit is not what its hash says.', where, remedies.restore);
    }
    if (sequence < 1 || sequence > end) {
      findings.add('A commit stands where the received log has its own.', where, remedies.restore);
    }
    for (const { subject } of commit?.entries ?? []) {
      sql.run('INSERT OR IGNORE INTO temp.earlier_list VALUES (?, ?)', subject, sequence);
    }
    count += 1;
    await step('earlier commits', count);
  }
  const strays = sql.all<{ subject: string }>(
    `SELECT subject FROM main.earlier_subject AS s WHERE NOT EXISTS (SELECT 1 FROM temp.earlier_list AS l
         WHERE l.subject = s.subject AND l.sequence = s.sequence)
       OR NOT EXISTS (SELECT 1 FROM main.earlier_record AS r WHERE r.subject = s.subject AND r.since <= s.sequence)
     UNION SELECT r.subject FROM main.earlier_record AS r JOIN temp.earlier_list AS l
       ON l.subject = r.subject AND l.sequence >= r.since
       WHERE NOT EXISTS (SELECT 1 FROM main.earlier_subject AS s
         WHERE s.subject = l.subject AND s.sequence = l.sequence)
     UNION SELECT r.subject FROM main.earlier_record AS r
       WHERE NOT EXISTS (SELECT 1 FROM main.earlier_subject AS s WHERE s.subject = r.subject) LIMIT 100`,
  );
  for (const { subject } of strays) {
    findings.add(
      'The earlier history of a record is not what was kept.',
      `record ${subject}`,
      remedies.restore,
    );
  }
}
