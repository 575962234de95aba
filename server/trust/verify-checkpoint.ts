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
const COMPARE_ELSEWHERE =
  "Compare it with the database of the installation that signed it, with central's, or once all has arrived here.";

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
    for (const checkpoint of checkpoints) check(sql, checkpoint, false, report);
    for (const checkpoint of keptIn(sql)) check(sql, checkpoint, true, report);
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
    const message = `${file} is no file of checkpoints. Give one that "holdpoint checkpoint FILE" wrote.`;
    throw new AppError('validation_failed', message, { cause });
  }
}

function check(sql: Connection, checkpoint: Checkpoint, isKeptHere: boolean, report: CheckpointReport): void {
  const { installation, key, at, log, chain, others = [] } = checkpoint;
  const where = `checkpoint of ${installation} at ${at}`;
  const add = (what: string, remedy = REMEDY) => report.findings.push({ what, where, remedy });
  const note = (what: string) => report.notes.push(`${where}: ${what}`);
  // Who has a file to compare with has to hear what it proved nothing of: to leave it out would be the way to rewrite it.
  const missing = isKeptHere
    ? note
    : (what: string) => add(`${what} It was not compared.`, COMPARE_ELSEWHERE);
  if (!isSigned(checkpoint)) {
    add(
      'The checkpoint is not what the key in it has signed: it was altered.',
      'Use another copy of the file.',
    );
    return;
  }
  const fingerprint = fingerprintOfKey(key);
  if (!report.signers.some(signer => signer.fingerprint === fingerprint))
    report.signers.push({ installation, fingerprint });
  const isLogSame = log !== null && compareLog(sql, log, { add, missing });
  if (isLogSame) report.agreed += 1;
  // Of another installation, the log has what came here.
  const missingChain = isLogSame && localOf(sql, 'station') !== installation ? note : missing;
  for (const end of chain ? [chain, ...others] : others)
    if (compareChain(sql, end, isLogSame, { add, missing: missingChain })) report.agreed += 1;
}

/** What central signed here of its present log: that a former one was restored is no fault of this station's. */
function keptIn(sql: Connection): Checkpoint[] {
  if (!hasTable(sql, 'checkpoint')) return [];
  const epoch = cursorOf(sql)?.epoch ?? '';
  const rows = sql.all<{ content: string }>('SELECT content FROM checkpoint WHERE epoch = ?', epoch);
  return rows.map(({ content }) => checkpointSchema.parse(JSON.parse(content)));
}

interface Telling {
  /** What differs. */
  add: (what: string) => void;
  /** What cannot be compared. */
  missing: (what: string) => void;
}

/** Whether the log was that one at the place. */
function compareLog(
  sql: Connection,
  { epoch, sequence, hash }: NonNullable<Checkpoint['log']>,
  { add, missing }: Telling,
): boolean {
  if (!hasTable(sql, 'log')) {
    missing('This database has no log of a central.');
    return false;
  }
  const present = localOf(sql, 'epoch') ?? cursorOf(sql)?.epoch;
  const start: { sequence: number } = JSON.parse(localOf(sql, 'log_start') ?? '{"sequence":0}');
  // Where records came in place of the log, no hash here covers them.
  if (sequence <= start.sequence) {
    missing(`The log begins here after entry ${start.sequence}, and entry ${sequence} was signed.`);
    return false;
  }
  const found = sql.get<{ hash: string }>('SELECT hash FROM log WHERE sequence = ?', sequence)?.hash;
  if (found === hash) return true;
  if (epoch !== present) {
    add(
      `The log is another one since: it was signed up to entry ${sequence} in epoch ${epoch}, and that entry is ${found === undefined ? 'not here' : 'another one'}. Where central was restored after that time, this is what its backup lacked; where it was not, the log was rewritten.`,
    );
  } else if (found !== undefined) {
    add(`Entry ${sequence} of the log, or one before it, is not what it was: history was rewritten.`);
  } else {
    const end =
      sql.get<{ last: number | null }>('SELECT max(sequence) AS last FROM log')?.last ?? start.sequence;
    if (localOf(sql, 'role') === 'central')
      add(`The log ends at entry ${end}; it had ${sequence} entries: what came after was taken out.`);
    else missing(`This station has the log up to entry ${end}, and entry ${sequence} was signed.`);
  }
  return false;
}

/** Whether the chain was that one at the place. */
function compareChain(
  sql: Connection,
  { chain, number, hash }: NonNullable<Checkpoint['chain']>,
  isLogSame: boolean,
  { add, missing }: Telling,
): boolean {
  const at = sql.all<{ hash: string; isAbandoned: number }>(
    `SELECT hash, EXISTS (SELECT 1 FROM abandoned AS a
       WHERE a.chain = h.chain AND a.number = h.number AND a.hash = h.hash) AS isAbandoned
     FROM history AS h WHERE chain = ? AND number = ?`,
    chain,
    number,
  );
  // Only between stations is a commit given up for another one, and then the log says so.
  if (at.some(row => row.hash === hash && (isLogSame || row.isAbandoned === 0))) return true;
  if (at.length > 0) {
    add(`Commit ${number} of chain ${chain}, or one before it, is not what it was: history was rewritten.`);
    return false;
  }
  const sqlLast = 'SELECT max(number) AS last FROM history WHERE chain = ?';
  const last = sql.get<{ last: number | null }>(sqlLast, chain)?.last ?? 0;
  missing(
    `Chain ${chain} ends here at commit ${last}, and commit ${number} was signed: what came after is missing, or had not come here yet. Where a backup was restored after that time, this is what it lacked.`,
  );
  return false;
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
