import type { SyncState } from '../../shared/operations/exchange-operations.ts';
import type { Attention, AttentionGroup } from '../../shared/operations/overview-operations.ts';
import type { BackupState } from '../backup/backup-options.ts';
import type { Store } from '../store/store.ts';
import { recordOf } from '../sync/held-answer.ts';
import { readConflicts } from '../sync/log/conflicts.ts';
import { saysClock } from '../sync/sync-state.ts';
import { groupFrom, titled } from './titles.ts';

export interface OutsideOptions {
  store: Pick<Store, 'records' | 'database'>;
  clock: () => Date;
  syncState: () => SyncState;
  isExchanging: () => boolean;
  /** Null: nobody has looked into the folder of the backups yet. */
  backupState: () => BackupState | null;
  /** What to tell of central's certificate; null: nothing. */
  certificateSays: () => string | null;
  /** That a review of the audit trail is due; null: none is. */
  reviewSays: () => string | null;
  /** Whose passwords strangers tried; null: nobody's. */
  incidentsSay: () => string | null;
  /** Which webhooks stand still, or have given up messages; null: none. */
  webhooksSay: () => string | null;
  /** Which tokens people know who do not administer any more; null: none. */
  leaversTokensSay: () => string | null;
  /** That this installation, or its central, signs by another key that nobody has certified; null: it does not. */
  authoritySays: () => string | null;
}

const FIRST = 10;
/** A daily one may be late by an hour. */
const BACKUP_AGE_SECONDS = 25 * 3_600;

/** What needs attention of the exchange with central, and of backups. */
export function outsideAttention(options: OutsideOptions): () => Attention {
  const { store, isExchanging, backupState } = options;
  const items = (subjects: { subject: string; says: string | null; date: string | null }[]) =>
    subjects.slice(0, FIRST).flatMap(({ subject, says, date }) => {
      const [named] = recordOf(subject);
      const record = named && store.records.get(named.family, named.id);
      if (!record) return [];
      const title = titled(store.records, record);
      return [{ ...title, subtitle: says ?? title.subtitle, date }];
    });
  return () => {
    const state = options.syncState();
    const { conflicts } = isExchanging()
      ? readConflicts(store.database.reader, { isOpen: true, offset: 0, limit: FIRST })
      : { conflicts: [] };
    const disputed = conflicts.map(({ subject, path }) => ({ subject, says: path, date: null }));
    const held = state.held.flatMap(({ records, why, at }) =>
      records.slice(0, 1).map(({ family, id }) => ({
        subject: `${family}:${id}`,
        says: why,
        date: at.slice(0, 10),
      })),
    );
    return [
      groupFrom('conflicts_open', items(disputed), state.conflicts),
      groupFrom('commits_held', items(held), state.held.length),
      { ...groupFrom('commits_unsent', [], state.unsent), says: state.unsent > 0 ? state.says : null },
      backupGroup(backupState()),
      saying('certificate', options.certificateSays()),
      saying('clock', state.clock_offset_ms === null ? null : saysClock(state.clock_offset_ms)),
      saying('audit_review', options.reviewSays()),
      saying('sign_in_attacked', options.incidentsSay()),
      saying('webhooks', options.webhooksSay()),
      saying('leavers_tokens', options.leaversTokensSay()),
      saying('authority', options.authoritySays()),
    ];
  };
}

function saying(kind: AttentionGroup['kind'], says: string | null): AttentionGroup {
  return { ...groupFrom(kind, [], says === null ? 0 : 1), says };
}

/** A sentence a line. */
function backupGroup(state: BackupState | null): AttentionGroup {
  if (state === null) return groupFrom('backup', [], 0);
  const { last_at: last, age_seconds: age, warnings, hints } = state;
  const old =
    age === null || age > BACKUP_AGE_SECONDS
      ? last === null
        ? 'There is no backup yet.'
        : `The last backup is of ${last.slice(0, 10)}.`
      : null;
  const says = [old ?? [], warnings, hints].flat();
  return {
    ...groupFrom('backup', [], says.length),
    says: says.length > 0 ? says.join('\n') : null,
  };
}
