import { createPrivateKey } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../shared/contract/errors.ts';
import { newPrivateKey, publicKeyOf, signText } from '../keys/ed25519.ts';
import { syncFolder } from '../store/marks.ts';

const FILE = 'authority.key';

/** The key by which an installation signs as itself. It is in no database, backup or message. */
export interface Authority {
  /** The public key: 32 bytes, base64url. */
  key: string;
  /** Ed25519 over the text as UTF-8; base64url. The text says what it is, so that it stands for nothing else. */
  sign(text: string): string;
}

/**
 * Reads `authority.key` of the data folder, and makes it where there is none.
 * @throws AppError that names the file and the remedy, where it cannot be used
 */
export function openAuthority(folder: string): Authority {
  const path = join(folder, FILE);
  if (!existsSync(path)) make(folder, path);
  keepToOwner(path);
  try {
    const key = createPrivateKey(readFileSync(path));
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`it is a key of ${key.asymmetricKeyType}`);
    return {
      key: publicKeyOf(key),
      sign: text => signText(key, text),
    };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `${path} cannot be used: ${why}. Put it back from a copy, or remove it: then another key is made, and what this installation signs from then on bears that one.`;
    throw new AppError('validation_failed', message, { cause });
  }
}

/** @throws AppError where others can read it, and it cannot be taken from them: the key is as good as before, and is not to be removed */
function keepToOwner(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch (cause) {
    if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return;
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `${path} can be read by others than its owner, and that cannot be changed: ${why}. Give the file to the user that the server runs as, with no rights for others (chown, chmod 600), and keep it: what this installation signs is known by it.`;
    throw new AppError('validation_failed', message, { cause });
  }
}

/** Under its name only once it is whole: a key that is cut off could be used for nothing, and never be made again. */
function make(folder: string, path: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rmSync(`${path}.new`, { force: true });
  const pem = newPrivateKey().export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(`${path}.new`, pem, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(`${path}.new`, path);
  syncFolder(folder);
}
