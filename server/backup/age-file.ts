import { open, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '../../shared/contract/errors.ts';
import { readBackupName } from '../store/restore/backup-names.ts';
import { type BackupKey, keyNameOf } from './backup-key.ts';
import { bytesOf, fileWriter } from './file-stream.ts';

/** With which every file of age begins (age-encryption.org/v1). */
export const AGE_MAGIC = 'age-encryption.org/v1\n';
const NO_MATCH = 'no identity matched';

/** Whether a file is encrypted; what cannot be read is not. */
export async function isAgeFile(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(AGE_MAGIC.length), 0, AGE_MAGIC.length, 0);
    return buffer.toString('latin1', 0, bytesRead) === AGE_MAGIC;
  } finally {
    await file.close();
  }
}

/** The same bytes as a file of age that only the recipient's key opens. */
export async function encrypted(
  source: ReadableStream<Uint8Array>,
  recipient: string,
): Promise<ReadableStream<Uint8Array>> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter.encrypt(source);
}

export interface DecryptOptions {
  from: string;
  /** A new file, readable by its owner alone; gone again where it cannot be written whole. */
  to: string;
  key: BackupKey;
  onBytes?: (bytes: number) => void;
  signal?: AbortSignal;
}

/**
 * Each stretch of an encrypted file is proved before it is written.
 * @throws AppError `validation_failed` for another file's key; `conflict` for a file that was cut or altered
 */
export async function decryptFile({
  from,
  to,
  key,
  onBytes = () => {},
  signal,
}: DecryptOptions): Promise<void> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addIdentity(key.identity);
  const source = await open(from, 'r');
  let isWriting = false;
  try {
    const plain = await decrypter.decrypt(bytesOf(source, onBytes, signal));
    const target = await fileWriter(to);
    try {
      for await (const chunk of plain) {
        isWriting = true;
        await target.write(chunk);
        isWriting = false;
      }
      isWriting = true;
      await target.sync();
    } finally {
      await target.close();
    }
  } catch (error) {
    await rm(to, { force: true });
    if (isWriting || isOfSystem(error) || error instanceof AppError) throw error;
    throw error instanceof Error && error.message.startsWith(NO_MATCH)
      ? otherKey(from, key)
      : altered(from, error);
  } finally {
    await source.close();
  }
}

function otherKey(file: string, { recipient }: BackupKey): AppError {
  const wanted = readBackupName(basename(file))?.key;
  const given = `The key that you gave is ${keyNameOf(recipient)}`;
  const which =
    wanted && wanted !== keyNameOf(recipient)
      ? `by its name, ${wanted} opens it`
      : 'it was encrypted to another one, perhaps by another installation';
  return new AppError(
    'validation_failed',
    `The key does not open ${file}. ${given}; ${which}. Look for the paper of that key: its name stands on it.`,
    { errors: { key: [`${given}; ${which}.`] } },
  );
}

function altered(file: string, error: unknown): AppError {
  const why = error instanceof Error ? error.message : String(error);
  return new AppError(
    'conflict',
    `${file} was cut or altered since it was encrypted (${why}). Nothing of it is used. Give another backup.`,
  );
}

export function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
