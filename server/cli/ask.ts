import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { AppError } from '../../shared/contract/errors.ts';

/** What is typed is not shown. */
export function askHidden(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(question);
  return new Promise((resolve, reject) => {
    lines.on('SIGINT', () => {
      lines.close();
      reject(new AppError('malformed', 'Cancelled. Nothing was changed.'));
    });
    lines.question('', answer => {
      lines.close();
      process.stderr.write('\n');
      resolve(answer);
    });
  });
}

/**
 * A new secret: typed twice at the terminal, or piped. Never an argument, which other programs see.
 * @throws AppError where there is no terminal, or the two differ
 */
export async function askNew(
  what: string,
  { isPiped, flag }: { isPiped: boolean; flag: string },
): Promise<string> {
  if (isPiped) return (await readAll(process.stdin)).replace(/\r?\n$/, '');
  if (!process.stdin.isTTY) throw new AppError('malformed', `There is no terminal to ask on. Use ${flag}.`);
  const secret = await askHidden(`${what}: `);
  if (secret === (await askHidden('The same again: '))) return secret;
  throw new AppError('malformed', 'The two are not the same. Nothing was changed; try again.');
}

/** One line from the terminal. */
export function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve, reject) => {
    lines.on('close', () => reject(new AppError('malformed', 'Cancelled. Nothing was changed.')));
    lines.question(question, answer => {
      resolve(answer);
      lines.close();
    });
  });
}

export interface KeyOptions {
  /** `--key-file` */
  keyFile?: string;
}

/** `--key-file` of commands that need a recovery key. */
export const KEY_FILE = [
  '--key-file <file>',
  'read the recovery key from a file; else from HOLDPOINT_BACKUP_KEY, or it is asked for',
] as const;

/**
 * The recovery key, from where no other program sees it: a file, the environment, or the terminal. Never an argument.
 * @throws AppError where there is none of them
 */
export async function askBackupKey({ keyFile }: KeyOptions, why: string): Promise<string> {
  const given = givenBackupKey({ keyFile });
  if (given !== undefined) return given;
  if (process.stdin.isTTY) return askHidden(`${why}\nRecovery key (it is not shown): `);
  const message = `${why} There is no terminal to ask for the recovery key on. Give --key-file FILE, or HOLDPOINT_BACKUP_KEY.`;
  throw new AppError('malformed', message);
}

/** As `askBackupKey`, without asking; undefined: none was given. */
export function givenBackupKey({ keyFile }: { keyFile?: string | undefined }): string | undefined {
  if (keyFile === undefined) return process.env.HOLDPOINT_BACKUP_KEY || undefined;
  try {
    return readFileSync(keyFile, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError('not_found', `The recovery key cannot be read from ${keyFile}: ${why}`);
  }
}
