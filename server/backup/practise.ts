import { mkdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../shared/contract/errors.ts';
import { restore } from '../store/restore/restore.ts';
import { type VerifyReport, verify } from '../store/verify/verify.ts';
import { decryptFile, isAgeFile, isOfSystem } from './age-file.ts';
import { readBackupKey } from './backup-key.ts';
import { said } from './deliver.ts';
import { bytesOf, fileWriter } from './file-stream.ts';
import { verifyDependencies } from './verify-dependencies.ts';

export interface Practice {
  /** The backup. */
  file: string;
  /** The folder that it is in. */
  folder: string;
  /** A folder on this machine's own disk, made and removed again. */
  scratch: string;
  /** The recovery key; null: none was given. */
  identity: string | null;
}

export interface PracticeFound {
  records: number;
  commits: number;
  bytes: number;
  /** Why the backup cannot be restored; null: it can be, and what was restored is whole. */
  fault: string | null;
}

/** The copy, the decrypted one, and what is restored of it. */
const TIMES = 3;

/**
 * A whole restore of a backup into a folder of its own: what would be done on the day that it is needed, with nothing of the
 * installation touched.
 * @throws AppError `validation_failed` for a key that does not open it; `storage_full` where there is no room for it
 */
export async function practise(
  { file, folder, scratch, identity }: Practice,
  { onBytes, onHere }: { onBytes: () => void; onHere: () => void },
): Promise<PracticeFound> {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  try {
    const bytes = statSync(file).size;
    refuseWithoutRoom(scratch, bytes * TIMES);
    const plain = join(scratch, 'backup.db');
    try {
      await bring({ file, to: plain, identity, onBytes });
      onHere();
      const data = join(scratch, 'data');
      const clock = () => new Date();
      await restore({ folder: data, file: plain, source: file, ...verifyDependencies, clock });
      const report = await verify(data, verifyDependencies);
      const { records, commits } = report;
      return { records, commits, bytes, fault: faultOf(report) };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') {
        const isHere = isOfSystem(error) && error.path?.startsWith(scratch);
        throw said(isHere ? scratch : folder, error);
      }
      return { records: 0, commits: 0, bytes, fault: error.message };
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function faultOf({ findings: [first] }: VerifyReport): string | null {
  return first ? `${first.what} (${first.where})` : null;
}

/** Onto this machine's disk, decrypted where it is encrypted. */
async function bring({
  file,
  to,
  identity,
  onBytes,
}: Pick<Practice, 'file' | 'identity'> & { to: string; onBytes: () => void }): Promise<void> {
  if (await isAgeFile(file)) {
    const key = await readBackupKey(identity ?? '');
    await decryptFile({ from: file, to, key, onBytes });
    return;
  }
  const source = await open(file, 'r');
  try {
    const target = await fileWriter(to);
    try {
      for await (const chunk of bytesOf(source, onBytes)) await target.write(chunk);
      await target.sync();
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** A practice must not fill the disk that the records are written to. */
function refuseWithoutRoom(scratch: string, needed: number): void {
  try {
    const { bavail, bsize } = statfsSync(scratch);
    if (bavail * bsize > needed) return;
  } catch (error) {
    if (isOfSystem(error)) return;
    throw error;
  }
  const mebibytes = Math.ceil(needed / 2 ** 20);
  throw new AppError(
    'storage_full',
    `There is no room to practise a restore: ${mebibytes} MiB are needed beside the data folder. Free some space, or restore the backup on another machine.`,
  );
}
