import { AppError, invalid } from '../../../shared/contract/errors.ts';
import {
  type BackupKey,
  groupsOf,
  isTypedBack,
  keyNameOf,
  newBackupKey,
  readRecipient,
} from '../../backup/backup-key.ts';
import { type BackupRecipient, backupRecipient, writeBackupRecipient } from '../../store/backup-recipient.ts';
import { API_PREFIX, success } from '../reply.ts';
import { callerOf } from '../request-context.ts';
import type { Handlers } from './handler.ts';
import { bodyOf } from './parse-body.ts';

/** Made keys that somebody may still confirm; the oldest goes. */
const MOST_MADE = 10;
/** In milliseconds: how long somebody writes a key down. */
const CONFIRMED_WITHIN = 3_600_000;

/** The key to which backups are encrypted. One that is made here is kept in memory until somebody has typed it back. */
export function backupKeyHandlers() {
  const made = new Map<string, BackupKey & { at: number }>();
  return {
    'x.backup-key.create': async ({ clock }, context) => {
      bodyOf(context);
      const key = await newBackupKey();
      made.set(key.recipient, { ...key, at: clock().getTime() });
      for (const oldest of made.keys()) if (made.size > MOST_MADE) made.delete(oldest);
      const { recipient, identity } = key;
      const data = { recipient, name: keyNameOf(recipient), identity, groups: groupsOf(identity) };
      return success(data, { status: 201, headers: { Location: `${API_PREFIX}/x/backups` } });
    },

    'x.backup-key.update': async ({ store, trail, clock }, context) => {
      const asked = bodyOf(context);
      const recipient = await readRecipient(asked.recipient);
      const own = made.get(recipient);
      if (own) refuseUntyped(own, asked.typed, clock());
      else if (asked.typed !== undefined)
        throw new AppError(
          'conflict',
          'The server was started again since it made this key, and does not know it any more. Make another one.',
        );
      const since = clock().toISOString();
      const present: BackupRecipient = { recipient, since, by: context.user };
      const event = () => {
        const former = backupRecipient(store.database)?.recipient ?? null;
        const way = own ? 'made here' : 'made elsewhere';
        const details = { recipient, former, way };
        return [{ ...callerOf(context), kind: 'backup_key_set', at: since, details } as const];
      };
      await trail.with(event, () => writeBackupRecipient(store.database, present));
      made.delete(recipient);
      return success({ ...present, name: keyNameOf(recipient) });
    },

    'x.backup-key.remove': async ({ store, trail }, context) => {
      bodyOf(context);
      const present = backupRecipient(store.database.reader);
      if (!present) throw new AppError('not_found', 'Backups are plain: there is no recovery key.');
      const { recipient } = present;
      const event = { ...callerOf(context), kind: 'backup_key_removed', details: { recipient } } as const;
      await trail.with([event], () => writeBackupRecipient(store.database, null));
      return success({ removed: keyNameOf(recipient) });
    },
  } satisfies Partial<Handlers>;
}

/** A key that nobody has written down locks the backups away from everybody. @throws AppError 422 */
function refuseUntyped({ identity, at }: BackupKey & { at: number }, typed = '', now: Date): void {
  if (Math.abs(now.getTime() - at) > CONFIRMED_WITHIN)
    throw invalid({ recipient: ['The key was made over an hour ago. Make another one.'] });
  if (typed.trim() === '')
    throw invalid({ typed: ['Type the last two groups of the recovery key, from its paper.'] });
  if (!isTypedBack(identity, typed))
    throw invalid({
      typed: ['These are not the last two groups of the recovery key. Compare them with the paper.'],
    });
}
