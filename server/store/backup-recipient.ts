import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';
import { readLocal, writeLocal } from './tables.ts';

/** To whose key this machine encrypts its backups. What opens them is not kept here. */
export interface BackupRecipient {
  /** `age1…` */
  recipient: string;
  /** When it was set, ISO 8601 UTC. */
  since: string;
  /** Who set it; null: it is not known. */
  by: string | null;
}

const NAME = 'backup_recipient';

/** Null where backups are plain. */
export function backupRecipient(sql: Pick<SqlReader, 'get'>): BackupRecipient | null {
  const text = readLocal(sql, NAME);
  return text === undefined ? null : JSON.parse(text);
}

/** In a transaction; null: backups are plain from now on. */
export function writeBackupRecipient(
  sql: Pick<Database, 'get' | 'run'>,
  present: BackupRecipient | null,
): void {
  writeLocal(sql, NAME, JSON.stringify(present));
}
