import { parentPort, workerData } from 'node:worker_threads';
import { AppError, type ErrorCode } from '../../shared/contract/errors.ts';
import { type BackupDone, type BackupRequest, backUp } from '../store/restore/backup.ts';
import { verifyDependencies } from './verify-dependencies.ts';

/** What the thread says at its end. */
export type BackupOutcome =
  | { done: BackupDone }
  /** An error that a person can act on; any other ends the thread. */
  | { code: ErrorCode; message: string };

if (parentPort) parentPort.postMessage(await outcomeOf(workerData as BackupRequest));

async function outcomeOf(request: BackupRequest): Promise<BackupOutcome> {
  try {
    return { done: await backUp(request, verifyDependencies) };
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message };
    if (error instanceof Error && 'code' in error && 'syscall' in error)
      return { code: 'conflict', message: `The folder ${request.folder} cannot be used: ${error.message}.` };
    throw error;
  }
}
