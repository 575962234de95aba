import type { Worker } from 'node:worker_threads';
import type { AppError } from '../../../shared/contract/errors.ts';

export interface DatabaseOptions {
  /** Where `holdpoint.db` lives; created for its owner alone if missing. */
  folder: string;
  /** Called once, when a failed write made the store refuse everything: the place to end the process. */
  onFail?: (error: unknown) => void;
  /** Called once, when a row or page turned out not to be what was written: nothing is written from then on. */
  onDamage?: (damage: AppError) => void;
  /**
   * Looks at the files once the folder is this process's own and before SQLite may write to them; returns what is wrong
   * with them. A damaged database is opened for reading only, and its log is left as it is.
   */
  inspect?: (file: string) => AppError | undefined;
  /** How long to wait for a predecessor to release the folder, in milliseconds. */
  lockWaitMs?: number;
  /** Starts the thread that writes the log back. */
  startingThread?: StartingThread;
}

/** Calls `start`, and may do something before and after. */
export type StartingThread = (start: () => Worker) => Worker;
