import { checksumOfClockFact, type KeptClockFact } from '../clock-facts.ts';
import { checksumOfRow, SEALED_IDENTITY } from '../identity-tables.ts';
import { checksumOfAnswer } from '../remembered-answers.ts';
import { BUCKET_SEAL } from '../sqlite/buckets.ts';
import { COUNTER_SEAL, STOCK_SEAL } from '../tables.ts';
import { TIME_MARK_SEAL } from '../time-marks.ts';
import { UNLOGGED_SEAL } from '../unlogged-changes.ts';
import { brokenWebhooks } from '../webhook-table.ts';
import { remedies } from './findings.ts';
import type { VerifyContext } from './verify-context.ts';
import { verifyTokens } from './verify-tokens.ts';

const IDENTITY = Object.keys(SEALED_IDENTITY) as (keyof typeof SEALED_IDENTITY)[];

/** Rows of the tables beside the records that are not what was written. Records and facts are compared whole elsewhere. */
export function verifyChecksums(context: VerifyContext): void {
  const { sql, findings } = context;
  const broken = (table: string, name: string, seal: string) =>
    sql.all<{ name: string }>(`SELECT ${name} AS name FROM main.${table} WHERE seal IS NOT ${seal} LIMIT 10`);
  // A file of an earlier version lacks some of the tables.
  const isThere = (table: string) =>
    sql.get('SELECT 1 FROM main.sqlite_schema WHERE name = ?', table) !== undefined;
  for (const { name } of broken('stock', "'lot ' || lot || ' at location ' || location", STOCK_SEAL)) {
    findings.add('A row of stock is not what was written.', `stock of ${name}`, remedies.rebuild);
  }
  for (const { name } of broken('bucket', "family_number || ', ' || bucket", BUCKET_SEAL)) {
    findings.add('A count of records is not what was written.', `bucket ${name}`, remedies.rebuild);
  }
  for (const { name } of broken('allocation', "counter || ', block ' || block", COUNTER_SEAL)) {
    findings.add('A counter is not what was written.', `allocation of ${name}`, remedies.restore);
  }
  verifyTokens(context, isThere('token_bounds'));
  for (const table of IDENTITY) {
    const [key] = SEALED_IDENTITY[table];
    // The check of the schema says so.
    if (!isThere(table)) continue;
    for (const row of sql.all<Record<string, unknown>>(`SELECT * FROM main.${table}`)) {
      if (checksumOfRow(table, row) === row.seal) continue;
      const where = table === 'session' ? 'session' : `${table} ${row[key]}`;
      findings.add('What is kept of a user is not what was written.', where, remedies.restore);
    }
  }
  for (const { name } of isThere('unlogged_change')
    ? broken('unlogged_change', 'number', UNLOGGED_SEAL)
    : []) {
    findings.add(
      'A change without a commit is not what was written.',
      `unlogged_change ${name}`,
      remedies.restore,
    );
  }
  for (const { name } of isThere('time_mark') ? broken('time_mark', 'change', TIME_MARK_SEAL) : []) {
    findings.add('The time of a change is not what was written.', `time_mark ${name}`, remedies.restore);
  }
  for (const where of isThere('webhook') ? brokenWebhooks(sql) : []) {
    findings.add('What is kept of a webhook is not what was written.', where, remedies.restore);
  }
  const facts = isThere('clock_fact')
    ? sql.all<KeptClockFact & { seal: number }>('SELECT * FROM main.clock_fact')
    : [];
  for (const fact of facts) {
    if (checksumOfClockFact(fact) === fact.seal) continue;
    findings.add(
      "What is kept of the machine's clock is not what was written.",
      `clock_fact ${fact.id}`,
      remedies.restore,
    );
  }
  const answers = sql.iterate<Parameters<typeof checksumOfAnswer>[0] & { seal: number; key: string }>(
    'SELECT * FROM main.remembered_answer',
  );
  for (const answer of answers) {
    if (checksumOfAnswer(answer) === answer.seal) continue;
    const where = `remembered_answer of the key ${answer.key}`;
    findings.add('A remembered answer is not what was written.', where, remedies.restore);
  }
}
