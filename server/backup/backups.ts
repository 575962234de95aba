import { extname, isAbsolute, join, resolve, sep } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import { type Backup, type BackupDone, type BackupRequest, listBackups } from '../store/restore/backup.ts';
import type { BackupOutcome } from './backup-thread.ts';

export interface BackupsOptions {
  /** The data folder. */
  data: string;
  clock: () => Date;
  /** As the settings say at the moment: a second place, null for none, and how many backups stay. */
  settings: () => { backup_folder: string | null; backup_keep: number };
  /** When the oldest commit was written, ISO 8601 UTC; null while there is none. */
  since: () => string | null;
  onDone: (done: BackupDone) => void;
  onWarning: (warning: string) => void;
}

export interface BackupState {
  /** Where backups go. */
  folder: string;
  keep: number;
  /** What a person should put right; null when all is well. */
  warning: string | null;
  last_at: string | null;
  /** Since the last one. */
  age_seconds: number | null;
  backups: Backup[];
}

export interface Backups {
  /**
   * Makes one now; calls at the same time share it.
   * @throws AppError `validation_failed` for a folder that is not absolute; `storage_full`; `conflict`
   */
  run(folder?: string): Promise<BackupDone>;
  state(): BackupState;
  /** Makes one each day from now on, and one now when the last is older than a day. */
  start(): void;
  /** Stops the daily ones; one that runs is cut off, and leaves nothing under a backup's name. */
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;
/** A machine that slept through the hour is looked after soon when it wakes. */
const LOOK_MS = 600_000;
const HEAP_MIB = 256;
/** Stands beside this module, in the sources as in a bundle. */
const THREAD = `./backup-thread${extname(import.meta.url)}`;

/** Backups of a data folder, made in a thread beside the one that answers requests. */
export function createBackups(options: BackupsOptions): Backups {
  const { data, clock, settings } = options;
  const ownFolder = join(data, 'backups');
  let running: { folder: string; done: Promise<BackupDone>; worker: Worker } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failure: string | null = null;
  let isClosed = false;

  function placeOf({ backup_folder: folder } = settings()): string {
    return folder === null || folder === '' ? ownFolder : folder;
  }

  function run(wanted?: string): Promise<BackupDone> {
    if (wanted !== undefined && !isAbsolute(wanted)) {
      throw invalid({ folder: ['Give the whole path of the folder, from the root.'] });
    }
    const folder = wanted ?? placeOf();
    if (running) {
      if (running.folder === folder) return running.done;
      throw new AppError('conflict', 'A backup to another folder is running. Try again when it is done.');
    }
    const request = { data, folder, keep: settings().backup_keep, at: clock().toISOString() };
    const { worker, done } = runThread(request);
    running = { folder, worker, done };
    return done
      .then(result => {
        failure = null;
        options.onDone(result);
        return result;
      })
      .finally(() => {
        running = undefined;
      });
  }

  function state(): BackupState {
    const { backup_keep: keep } = settings();
    const folder = placeOf();
    const backups = [...listBackups(folder), ...(folder === ownFolder ? [] : listBackups(ownFolder))];
    const now = clock().getTime();
    const age = Math.min(...backups.map(({ at }) => Math.abs(now - Date.parse(at))));
    const last = backups.find(({ at }) => Math.abs(now - Date.parse(at)) === age);
    return {
      folder,
      keep,
      warning: failure ?? warningOf(folder),
      last_at: last?.at ?? null,
      age_seconds: last ? Math.round(age / 1_000) : null,
      backups,
    };
  }

  function warningOf(folder: string): string | null {
    const isInside = `${resolve(folder)}${sep}`.startsWith(`${resolve(data)}${sep}`);
    if (!isInside) return null;
    return (
      `Backups stand in the data folder only (${folder}): what takes that disk takes them along. ` +
      'Name a folder on another disk or machine in Setup, Backup (the setting backup_folder).'
    );
  }

  /** Either side of now: a clock that was set back must not stop backups for years. */
  function isDue(): boolean {
    const { age_seconds: age } = state();
    if (age !== null) return age * 1_000 >= DAY_MS;
    const since = options.since();
    return since !== null && Math.abs(clock().getTime() - Date.parse(since)) >= DAY_MS;
  }

  function look(): void {
    if (running || !isDue()) return;
    daily().then(
      () => {},
      (error: unknown) => {
        if (isClosed) return;
        failure = `The last backup failed: ${error instanceof Error ? error.message : String(error)}`;
        options.onWarning(failure);
      },
    );
  }

  /** Where the second place cannot be reached, the data folder is better than nothing. */
  async function daily(): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (isClosed || placeOf() === ownFolder) throw error;
      await run(ownFolder);
      throw error;
    }
  }

  return {
    run,
    state,
    start() {
      const { warning } = state();
      if (warning !== null) options.onWarning(warning);
      timer = setInterval(look, LOOK_MS).unref();
      look();
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await running?.worker.terminate();
    },
  };
}

function runThread(request: BackupRequest): { worker: Worker; done: Promise<BackupDone> } {
  const worker = new Worker(new URL(THREAD, import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });
  const done = new Promise<BackupDone>((fulfil, reject) => {
    worker.once('message', (outcome: BackupOutcome) => {
      if ('done' in outcome) fulfil(outcome.done);
      else reject(new AppError(outcome.code, outcome.message));
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new AppError('unavailable', 'The backup was cut off.')));
  });
  return { worker, done };
}
