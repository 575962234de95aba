import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError, invalid } from '../../shared/contract/errors.ts';
import type { Backup } from '../store/restore/backup.ts';
import { keyNameOf, readBackupKey } from './backup-key.ts';
import { readBackupNotes, writeBackupNotes } from './backup-notes.ts';
import type { BackupBy, BackupsOptions, Practised } from './backup-options.ts';
import type { Jobs } from './backup-work.ts';

type Listed = Pick<Backup, 'file' | 'at' | 'key'>;

export interface PracticesOptions
  extends Pick<
    BackupsOptions,
    'data' | 'clock' | 'settings' | 'key' | 'keyFile' | 'since' | 'onPractised' | 'onWarning'
  > {
  start: (
    kind: 'practise',
    folder: string,
    asked: Jobs['practise']['asked'],
  ) => Promise<Jobs['practise']['found']>;
}

const DAY_MS = 86_400_000;

/** Restores that are practised: by a person, and by themselves where the key is at hand or none is needed. */
export function createPractices(options: PracticesOptions) {
  const { data, clock, settings } = options;
  const scratch = join(data, 'practice');
  let running: Promise<Practised> | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;

  async function practise(backup: Listed, identity: string | null): Promise<Practised> {
    const begun = performance.now();
    const at = clock().toISOString();
    try {
      const asked = { file: backup.file, folder: dirname(backup.file), scratch, identity };
      const { bytes: _, ...found } = await options.start('practise', asked.folder, asked);
      const seconds = (performance.now() - begun) / 1_000;
      const practised = { at, file: backup.file, seconds, ...found };
      writeBackupNotes(data, { ...readBackupNotes(data), practised });
      return { ...practised, made_at: backup.at };
    } finally {
      // Decrypted copies of one that was cut off.
      rmSync(scratch, { recursive: true, force: true });
    }
  }

  async function run(
    backups: readonly Listed[],
    typed: string | undefined,
    by: BackupBy | undefined,
  ): Promise<Practised> {
    if (running) throw new AppError('conflict', 'A restore is being practised. Wait until it is done.');
    const newest = newestOf(backups);
    if (!newest) throw new AppError('conflict', 'There is no backup yet. Make one first.');
    const identity = await identityFor(newest, typed);
    // Another call may have come while the key was read.
    if (running) throw new AppError('conflict', 'A restore is being practised. Wait until it is done.');
    running = practise(newest, identity).finally(() => {
      running = undefined;
    });
    const practised = await running;
    options.onPractised?.(practised, by);
    return practised;
  }

  /** The day from which on the next one is due; null: never. */
  function dueAt(): Date | null {
    const { backup_drill_days: days = 0 } = settings();
    const since = [readBackupNotes(data).practised?.at, options.key?.()?.since, options.since()]
      .flatMap(moment => moment ?? [])
      .sort()
      .at(-1);
    return days === 0 || since === undefined ? null : new Date(Date.parse(since) + days * DAY_MS);
  }

  return {
    run,
    dueAt,
    running: () => running,
    /** Practises where it is due and nobody is needed; after a failure not before the next day. */
    lookAfter(backups: () => readonly Listed[]): void {
      const now = clock();
      const due = dueAt();
      if (running || due === null || due > now || Math.abs(now.getTime() - triedAt) < DAY_MS) return;
      const newest = newestOf(backups());
      if (!newest || (newest.key !== null && options.keyFile === undefined)) return;
      triedAt = now.getTime();
      byItself(newest).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        options.onWarning(`No restore could be practised: ${why}`);
      });
    },
  };

  async function byItself(newest: Listed): Promise<void> {
    const { keyFile } = options;
    const typed = newest.key === null || keyFile === undefined ? undefined : readFileSync(keyFile, 'utf8');
    const { fault, file } = await run([newest], typed, undefined);
    if (fault !== null) options.onWarning(`The restore of ${file} that was practised failed: ${fault}`);
  }
}

function newestOf(backups: readonly Listed[]): Listed | undefined {
  return backups.toSorted((one, other) => (one.at < other.at ? 1 : -1))[0];
}

/** @throws AppError 422 on `key` */
async function identityFor({ file, key }: Listed, typed: string | undefined): Promise<string | null> {
  if (key === null) return null;
  if (typed === undefined || typed.trim() === '')
    throw invalid({ key: [`${file} is encrypted. Give the recovery key ${key}.`] });
  const { identity, recipient } = await readBackupKey(typed);
  const given = keyNameOf(recipient);
  if (given === key) return identity;
  throw invalid({
    key: [
      `The key that you gave is ${given}; ${key} opens ${file}. Look for the paper of that key: its name stands on it.`,
    ],
  });
}
