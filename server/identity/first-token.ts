import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { AppError } from '../../shared/contract/errors.ts';
import { isSecret, type Tokens } from './tokens.ts';

const FILE_NAME = 'token';
export const FIRST_TOKEN_NAME = 'first token';

export interface FirstTokenOptions {
  /** The data folder; made when it is missing, and closed to other users of the machine. */
  folder: string;
  tokens: Pick<Tokens, 'list' | 'newSecret' | 'adopt'>;
}

export interface FirstToken {
  path: string;
  /** Written by this call: worth telling the person who started the server. */
  isNew: boolean;
}

/**
 * Gives an installation without any token an administrator's, in a file that only its owner reads; answers where it is,
 * or null when the installation has tokens and the file has been taken away.
 *
 * The file comes first and the stored hash second: a crash in between is made good at the next start from the file, and
 * no administrator is ever stored whose secret nobody has.
 */
export function ensureFirstToken({ folder, tokens }: FirstTokenOptions): FirstToken | null {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  closeToOthers(folder);
  const path = join(folder, FILE_NAME);
  const isThere = existsSync(path);
  if (tokens.list().length > 0) return isThere ? { path, isNew: false } : null;
  const secret = isThere ? readSecret(path) : tokens.newSecret();
  if (!isThere) writeFileSync(path, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true });
  tokens.adopt(secret, { name: FIRST_TOKEN_NAME, scopes: ['admin'] });
  return { path, isNew: !isThere };
}

function readSecret(path: string): string {
  const secret = readFileSync(path, 'utf8').trim();
  if (!isSecret(secret))
    throw new AppError('malformed', `${path} does not hold a token. Delete it and start again.`);
  return secret;
}

/** A folder of another owner (a container's volume) stays as it is; the file in it is closed in any case. */
function closeToOthers(folder: string): void {
  try {
    chmodSync(folder, 0o700);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error;
  }
}
