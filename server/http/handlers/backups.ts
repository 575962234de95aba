import type { Backups } from '../../backup/backups.ts';
import { API_PREFIX, success } from '../reply.ts';
import { callerOf } from '../request-context.ts';
import type { Handlers } from './handler.ts';
import { bodyOf } from './parse-body.ts';
import { updateSettings } from './settings.ts';

/** Backups of this installation. */
export function backupHandlers(backups: Backups) {
  return {
    'x.backups.create': async (_services, context) => {
      const { folder } = bodyOf(context);
      const done = await backups.run(folder, callerOf(context));
      return success(done, { status: 201, headers: { Location: `${API_PREFIX}/x/backups` } });
    },

    // A folder that was named is looked at now, so that Today can say how it stands.
    'x.settings.update': async (services, context) => {
      const reply = await updateSettings(services, context);
      backups.glance();
      return reply;
    },

    'x.backups.list': async () => success(await backups.state()),

    'x.backups.practise': async (_services, context) => {
      const { key } = bodyOf(context);
      const practised = await backups.practise(key, callerOf(context));
      return success(practised, { status: 201, headers: { Location: `${API_PREFIX}/x/backups` } });
    },
  } satisfies Partial<Handlers>;
}
