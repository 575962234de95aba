import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { AppError, type ErrorCode, type FieldErrors } from '../../shared/contract/errors.ts';
import { replaceFile } from '../store/replace-file.ts';
import {
  type Backup,
  type BackupDone,
  type BackupRequest,
  backUp,
  type CheckedCopy,
  checkedCopy,
  listBackups,
} from '../store/restore/backup.ts';
import { PART } from '../store/restore/backup-names.ts';
import { isOfSystem } from './age-file.ts';
import { type Delivery, deliver, goneSays, reach, said } from './deliver.ts';
import { bytesOf, fileWriter } from './file-stream.ts';
import { type Practice, type PracticeFound, practise } from './practise.ts';
import { verifyDependencies } from './verify-dependencies.ts';

/** What is done apart from the process that answers requests: each may wait on a disk for good. */
export interface Jobs {
  /** A checked copy of the database beside it, on this machine's own disk. */
  copy: { asked: { data: string; part: string }; found: CheckedCopy };
  /** A copy into a folder that may be anywhere. */
  deliver: { asked: Delivery; found: { file: string; bytes: number } };
  /** A checked copy made in that folder itself, where this machine's disk is full. */
  direct: { asked: BackupRequest & Pick<Delivery, 'known'>; found: BackupDone };
  /** What is in the folder. */
  look: { asked: { folder: string; known: string | null }; found: Look };
  /** A backup beside the database too, by another name for it or as a copy. */
  stage: { asked: { folder: string; file: string; to: string }; found: null };
  practise: { asked: Practice; found: PracticeFound };
  /** A small file, whole or not at all. */
  write: { asked: { folder: string; name: string; text: string }; found: null };
}

export interface Look {
  backups: Backup[];
  /** Bytes that are free there; null where it cannot be told. */
  free: number | null;
}

export type Job = { [Kind in keyof Jobs]: { kind: Kind; asked: Jobs[Kind]['asked'] } }[keyof Jobs];

export type Sign =
  | { is: 'alive' }
  /** From here on it works on this machine's own disk, and may be silent for long. */
  | { is: 'here' }
  | { is: 'done'; found: unknown }
  /** An error that a person can act on. */
  | { is: 'refused'; code: ErrorCode; message: string; errors?: FieldErrors | undefined }
  | { is: 'fault'; message: string };

if (!isMainThread) void answer(workerData as Job, sign => parentPort?.postMessage(sign));
else if (process.send !== undefined) {
  process.once('message', job => {
    void answer(job as Job, sign =>
      process.send?.(sign, undefined, undefined, isEnd(sign) ? end : undefined),
    );
  });
  // Nobody is left to hear what comes of it.
  process.once('disconnect', end);
}

/** An orderly end would wait for what the disk does not answer. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

function isEnd({ is }: Sign): boolean {
  return is !== 'alive' && is !== 'here';
}

async function answer(job: Job, send: (sign: Sign) => void): Promise<void> {
  try {
    send({ is: 'done', found: await work(job, send) });
  } catch (error) {
    if (error instanceof AppError)
      send({ is: 'refused', code: error.code, message: error.message, errors: error.errors });
    else if (isOfSystem(error))
      send({
        is: 'refused',
        code: 'conflict',
        message: `The folder ${folderOf(job)} cannot be used: ${error.message}.`,
      });
    else
      send({ is: 'fault', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

function folderOf({ kind, asked }: Job): string {
  if (kind === 'copy') return dirname(asked.part);
  return kind === 'practise' ? asked.scratch : asked.folder;
}

async function work({ kind, asked }: Job, send: (sign: Sign) => void): Promise<Jobs[keyof Jobs]['found']> {
  const alive = paced(() => send({ is: 'alive' }));
  switch (kind) {
    case 'copy':
      return copy(asked);
    case 'deliver':
      return deliver(asked, alive);
    case 'direct':
      await reach(asked);
      return backUp(asked, verifyDependencies);
    case 'look':
      return look(asked);
    case 'stage':
      await stage(asked, alive);
      return null;
    case 'write':
      await replaceFile(asked.folder, asked.name, asked.text);
      return null;
    case 'practise':
      return practise(asked, { onBytes: alive, onHere: () => send({ is: 'here' }) });
  }
}

/** One at a time uses a data folder: what another one has left there is of no use. */
function copy({ data, part }: Jobs['copy']['asked']): Promise<CheckedCopy> {
  const folder = dirname(part);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder))
    if (name.startsWith('holdpoint-') && name.endsWith(PART)) rmSync(join(folder, name), { force: true });
  return checkedCopy(data, part, verifyDependencies);
}

async function stage({ file, to }: Jobs['stage']['asked'], alive: () => void): Promise<void> {
  try {
    await link(file, to);
  } catch (error) {
    // On another disk, or on one that knows no second names.
    if (!isOfSystem(error) || !['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK', 'ENOSYS'].includes(error.code ?? ''))
      throw error;
    await copyWhole(file, to, alive);
  }
}

async function copyWhole(file: string, to: string, alive: () => void): Promise<void> {
  const part = `${to}${PART}`;
  await rm(part, { force: true });
  const source = await open(file, 'r');
  try {
    const target = await fileWriter(part);
    try {
      for await (const chunk of bytesOf(source, alive)) await target.write(chunk);
      await target.sync();
    } finally {
      await target.close();
    }
    await rename(part, to);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await source.close();
  }
}

function look({ folder, known }: Jobs['look']['asked']): Look {
  try {
    const backups = listBackups(folder);
    if (known !== null && backups.length === 0) throw new AppError('conflict', goneSays(folder));
    const { bavail, bsize } = statfsSync(folder);
    return { backups, free: bavail * bsize };
  } catch (error) {
    // One that was never used is made with the first backup.
    if (known === null && isOfSystem(error) && error.code === 'ENOENT') return { backups: [], free: null };
    throw said(folder, error);
  }
}

/** Signs of life are for a person's patience, not for each stretch of a file. */
function paced(tell: () => void): () => void {
  let told = 0;
  return () => {
    const now = performance.now();
    if (now - told < 500) return;
    told = now;
    tell();
  };
}
