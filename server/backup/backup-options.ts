import type { BackupRecipient } from '../store/backup-recipient.ts';
import type { Backup, BackupDone } from '../store/restore/backup.ts';
import type { BackupNotes } from './backup-notes.ts';

export interface BackupsOptions {
  /** Whether the daily ones are made here: of processes that are one central, at one alone. */
  isHere?: () => boolean;
  /** The data folder. */
  data: string;
  clock: () => Date;
  /** As the settings say at the moment: a second place, null for none, and how many backups stay. */
  settings: () => BackupSettings;
  /** To whose key backups are encrypted; null: they are plain. */
  key?: () => BackupRecipient | null;
  /** Whether the system's own trail says that this recipient was set. */
  isKeyKnown?: (present: BackupRecipient) => boolean;
  /** `HOLDPOINT_BACKUP_KEY_FILE`: the recovery key for practices that nobody asks for. */
  keyFile?: string | undefined;
  /** When the oldest commit was written, ISO 8601 UTC; null while there is none. */
  since: () => string | null;
  /** `by`: who asked for it; undefined: the daily one. */
  onDone: (done: BackupDone, by: BackupBy | undefined) => void;
  onPractised?: (practised: Practised, by: BackupBy | undefined) => void;
  onWarning: (warning: string) => void;
  /** The daily one could not be made, or not where it should be. */
  onFailure?: (failure: string) => void;
  /** Why none gets to central, where they are sent there; null: nothing is wrong. */
  sendingFault?: () => string | null;
  /** So long nothing is heard of what works in a folder until it counts as hanging. */
  patienceMs?: number;
}

export interface BackupSettings {
  backup_folder: string | null;
  backup_keep: number;
  /** So many days after a restore was practised it is due again; 0: never. */
  backup_drill_days?: number;
  is_backup_plain?: boolean;
}

/** Who asked for a backup, as the system's own trail has it. */
export interface BackupBy {
  author?: string | undefined;
  author_name?: string | undefined;
  address?: string | undefined;
}

export interface BackupState {
  /** Where backups go. */
  folder: string;
  keep: number;
  /** What a person should put right; null when all is well. */
  warning: string | null;
  /** The same, each for itself. */
  warnings: string[];
  /** What a person should think of. */
  hints: string[];
  last_at: string | null;
  /** Since the last one. */
  age_seconds: number | null;
  key: (BackupRecipient & { name: string }) | null;
  practised: NonNullable<BackupNotes['practised']> | null;
  practice_due_at: string | null;
  backups: Omit<Backup, 'station'>[];
}

/** What came of restoring a backup into a scratch folder. */
export type Practised = NonNullable<BackupNotes['practised']> & {
  /** When the backup was made. */
  made_at: string;
};
