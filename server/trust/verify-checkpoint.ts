import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../shared/contract/errors.ts';
import {
  type Checkpoint,
  checkpointFileSchema,
  checkpointSchema,
} from '../../shared/operations/checkpoint-operations.ts';
import { fingerprintOfKey } from '../keys/ed25519.ts';
import { openReadOnly } from '../store/open-read-only.ts';
import type { Connection } from '../store/sqlite/connection.ts';
import { isSqliteError } from '../store/sqlite/sqlite-error.ts';
import { type Finding, remedies } from '../store/verify/findings.ts';
import { DATABASE_FILE } from '../store/verify/verify.ts';
import { isSigned } from './checkpoint.ts';

/** What a file of checkpoints says of a database. */
export interface CheckpointReport {
  findings: Finding[];
  /** Places in the file that the database has as they were signed. */
  agreed: number;
  /** What the database says nothing about, a sentence each. */
  notes: string[];
  /** Who signed, as people compare it. */
  signers: { installation: string; fingerprint: string }[];
}

const REMEDY =
  'What stands here is not what stood here then. Keep this database and the file of checkpoints as evidence, and compare with other stations, backups and papers.';

/**
 * Compares a database with checkpoints that were kept elsewhere. That its history follows from its hashes is `verify`'s to
 * say; together they prove that up to a checkpoint nothing was changed, put in or taken out since it was signed. Those of central
 * that the database keeps itself are compared as well.
 * @param target a data folder, or a database file such as a backup
 * @throws AppError `not_found`, and `validation_failed` for what is no file of checkpoints
 */
export async function verifyCheckpoints(target: string, file: string | undefined): Promise<CheckpointReport> {
  const checkpoints = file === undefined ? [] : await readCheckpointFile(file);
  const isFolder = existsSync(target) && statSync(target).isDirectory();
  const path = isFolder ? join(target, DATABASE_FILE) : target;
  if (!existsSync(path)) throw new AppError('not_found', `There is no database ${path}.`);
  const report: CheckpointReport = { findings: [], agreed: 0, notes: [], signers: [] };
  const sql = openReadOnly(path);
  try {
    sql.control('BEGIN');
    for (const checkpoint of [...checkpoints, ...keptIn(sql)]) check(sql, checkpoint, report);
  } catch (error) {
    // What is wrong with the file is `verify`'s to say.
    if (!isSqliteError(error)) throw error;
    const what = 'The file cannot be read, so that checkpoints were not compared.';
    if (file !== undefined) report.findings.push({ what, where: path, remedy: remedies.restore });
  } finally {
    sql.close();
  }
  return report;
}

/** @throws AppError as `verifyCheckpoints` */
async function readCheckpointFile(file: string): Promise<Checkpoint[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new AppError('not_found', `The file ${file} cannot be read.`, { cause });
  });
  try {
    return checkpointFileSchema.parse(JSON.parse(text)).checkpoints;
  } catch (cause) {
    const message = `${file} is no file of checkpoints. Give one that "npx holdpoint checkpoint FILE" wrote.`;
    throw new AppError('validation_failed', message, { cause });
  }
}

function check(sql: Connection, checkpoint: Checkpoint, report: CheckpointReport): void {
  const { installation, key, at, log, chain } = checkpoint;
  const where = `checkpoint of ${installation} at ${at}`;
  const add = (what: string) => report.findings.push({ what, where, remedy: REMEDY });
  if (!isSigned(checkpoint)) {
    const what = 'The checkpoint is not what the key in it has signed: it was altered.';
    report.findings.push({ what, where, remedy: 'Use another copy of the file.' });
    return;
  }
  const fingerprint = fingerprintOfKey(key);
  if (!report.signers.some(signer => signer.fingerprint === fingerprint))
    report.signers.push({ installation, fingerprint });
  if (log) compareLog(sql, log, { where, add, report });
  if (chain) compareChain(sql, chain, installation, { where, add, report });
}

/** What central signed here of its present log: that a former one was restored is no fault of this station's. */
function keptIn(sql: Connection): Checkpoint[] {
  if (!hasTable(sql, 'checkpoint')) return [];
  const epoch = cursorOf(sql)?.epoch ?? '';
  const rows = sql.all<{ content: string }>('SELECT content FROM checkpoint WHERE epoch = ?', epoch);
  return rows.map(({ content }) => checkpointSchema.parse(JSON.parse(content)));
}

interface Telling {
  where: string;
  add: (what: string) => void;
  report: CheckpointReport;
}

function compareLog(
  sql: Connection,
  log: NonNullable<Checkpoint['log']>,
  { where, add, report }: Telling,
): void {
  const { epoch, sequence, hash } = log;
  if (!hasTable(sql, 'log')) {
    report.notes.push(`${where}: this database has no log of a central.`);
    return;
  }
  const present = localOf(sql, 'epoch') ?? cursorOf(sql)?.epoch;
  const start: { sequence: number; hash: string } = JSON.parse(
    localOf(sql, 'log_start') ?? '{"sequence":0,"hash":""}',
  );
  const found =
    sequence === start.sequence
      ? start.hash
      : sql.get<{ hash: string }>('SELECT hash FROM log WHERE sequence = ?', sequence)?.hash;
  if (found === hash) {
    report.agreed += 1;
    return;
  }
  if (found === undefined && sequence < start.sequence) {
    report.notes.push(`${where}: records came here in place of the log up to entry ${start.sequence}.`);
    return;
  }
  if (epoch !== present) {
    add(
      `The log is another one since: it was signed up to entry ${sequence} in epoch ${epoch}, and that entry is ${found === undefined ? 'not here' : 'another one'}. Where central was restored after that time, this is what its backup lacked; where it was not, the log was rewritten.`,
    );
    return;
  }
  if (found !== undefined) {
    add(`Entry ${sequence} of the log, or one before it, is not what it was: history was rewritten.`);
    return;
  }
  const end =
    sql.get<{ last: number | null }>('SELECT max(sequence) AS last FROM log')?.last ?? start.sequence;
  if (localOf(sql, 'role') === 'central') {
    add(`The log ends at entry ${end}; it had ${sequence} entries: what came after was taken out.`);
  } else {
    report.notes.push(`${where}: this station has the log up to entry ${end} of ${sequence}.`);
  }
}

function compareChain(
  sql: Connection,
  { chain, number, hash }: NonNullable<Checkpoint['chain']>,
  installation: string,
  { where, add, report }: Telling,
): void {
  const at = sql.all<{ hash: string }>(
    'SELECT hash FROM history WHERE chain = ? AND number = ?',
    chain,
    number,
  );
  if (at.some(row => row.hash === hash)) {
    report.agreed += 1;
    return;
  }
  if (at.length > 0) {
    add(`Commit ${number} of chain ${chain}, or one before it, is not what it was: history was rewritten.`);
    return;
  }
  const sqlLast = 'SELECT max(number) AS last FROM history WHERE chain = ?';
  const last = sql.get<{ last: number | null }>(sqlLast, chain)?.last ?? 0;
  if (localOf(sql, 'station') === installation) {
    add(
      `Chain ${chain} ends at commit ${last}; it had ${number} commits: what came after is missing. Where a backup was restored after that time, this is what it lacked.`,
    );
  } else {
    report.notes.push(`${where}: of its chain ${last} of ${number} commits are here.`);
  }
}

function localOf(sql: Connection, name: string): string | undefined {
  return sql.get<{ value: string }>('SELECT value FROM local WHERE name = ?', name)?.value;
}

function cursorOf(sql: Connection): { epoch: string } | undefined {
  const text = localOf(sql, 'cursor');
  return text === undefined ? undefined : JSON.parse(text);
}

function hasTable(sql: Connection, name: string): boolean {
  return sql.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name) !== undefined;
}
