import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../shared/contract/errors.ts';
import { syncFolder } from '../store/marks.ts';

export const SECRET_KEY_FILE = 'webhook.key';
const FILE = SECRET_KEY_FILE;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals what webhooks sign with: the database and its backups hold boxes, the key to them lies in a file of the data folder. */
export interface SecretBox {
  /** @throws AppError that names the file and the remedy, where it cannot be used */
  seal(secret: string): string;
  /** Undefined where the key is another one than it was sealed with: a backup was restored on another machine. */
  open(box: string): string | undefined;
}

/** By `webhook.key` of the data folder, which is made when something is sealed first. */
export function openSecretBox(folder: string): SecretBox {
  const path = join(folder, FILE);
  let key = readKey(path);
  return {
    seal(secret) {
      key ??= makeKey(folder, path);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const box = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return box.toString('base64url');
    },
    open(text) {
      if (!key) return undefined;
      const bytes = Buffer.from(text, 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        const inner = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
        return Buffer.concat([decipher.update(inner), decipher.final()]).toString('utf8');
      } catch {
        // AES-GCM says no more of a box than that the key does not open it.
        return undefined;
      }
    },
  };
}

/** Makes the file where there is none: processes that are one installation have the same, also before anything is sealed. */
export function ensureSecretKey(folder: string): void {
  const path = join(folder, FILE);
  if (!existsSync(path)) makeKey(folder, path);
}

/** One that is not whole opens nothing, and stays: a copy of it may be put back. */
function readKey(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url');
  if (key.length !== KEY_BYTES) return undefined;
  chmodSync(path, 0o600);
  return key;
}

/** Under its name only once it is whole. */
function makeKey(folder: string, path: string): Buffer {
  if (existsSync(path)) {
    const message = `${path} cannot be used: it is not whole. Put it back from a copy, or remove it and give each webhook a new secret.`;
    throw new AppError('unavailable', message);
  }
  const key = randomBytes(KEY_BYTES);
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, `${key.toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(`${path}.new`, path);
  syncFolder(folder);
  return key;
}
