import type { BackupRecipient } from '../store/backup-recipient.ts';
import type { Store } from '../store/store.ts';
import { AuditReader } from './read-events.ts';
import { readWaiting } from './waiting.ts';

/**
 * Whether the trail says that somebody set this recipient of the backups when the database says so. Who writes the database
 * alone, to have the backups encrypted to a key of his own, is found by it: history has its hashes and checkpoints.
 */
export function isKeySet(
  store: Pick<Store, 'database' | 'collection' | 'records'>,
  { recipient, since }: BackupRecipient,
): boolean {
  const kinds = ['backup_key_set'];
  for (const { fields } of new AuditReader(store).all({ kinds, from: since, to: since }))
    if (Reflect.get(Object(fields.details), 'recipient') === recipient) return true;
  return readWaiting(store.database).some(
    ({ kind, details }) => kind === kinds[0] && details?.recipient === recipient,
  );
}
