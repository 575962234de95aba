import type { Backups } from '../../backup/backups.ts';
import type { BackupSender } from '../../backup/send-backups.ts';
import { mapOf } from '../../store/changes.ts';
import { API_PREFIX, success } from '../reply.ts';
import { callerOf } from '../request-context.ts';
import type { Handlers } from './handler.ts';
import { bodyOf } from './parse-body.ts';
import { updateSettings } from './settings.ts';

/** Backups of this installation, and those that it sends to central. */
export function backupHandlers(
  backups: Backups,
  sender: Pick<BackupSender, 'state' | 'look' | 'isByPolicy' | 'isWanted'>,
) {
  return {
    'x.backups.create': async (_services, context) => {
      const { folder } = bodyOf(context);
      const done = await backups.run(folder, callerOf(context));
      return success(done, { status: 201, headers: { Location: `${API_PREFIX}/x/backups` } });
    },

    // A folder that was named is looked at now, so that Today can say how it stands.
    'x.settings.update': async (services, context) => {
      const { sends_backups: sends } = mapOf(context.body);
      if (sender.isByPolicy && sends !== undefined && sends !== sender.isWanted())
        context.faults.sends_backups ??= [LOCKED];
      const reply = await updateSettings(services, context);
      backups.glance();
      sender.look();
      return reply;
    },

    'x.backups.list': async () => success({ ...(await backups.state()), at_central: sender.state() }),

    'x.backups.practise': async (_services, context) => {
      const { key } = bodyOf(context);
      const practised = await backups.practise(key, callerOf(context));
      return success(practised, { status: 201, headers: { Location: `${API_PREFIX}/x/backups` } });
    },
  } satisfies Partial<Handlers>;
}

const LOCKED =
  "This machine's policy says whether its backups are sent to central. Its administrators change that.";
