import { z } from 'zod';
import { practiceRequestSchema } from '../../../shared/operations/backup-operations.ts';
import type { Backups } from '../../backup/backups.ts';
import { API_PREFIX, success } from '../reply.ts';
import { callerOf } from '../request-context.ts';
import type { Handlers } from './handler.ts';
import { parseBody } from './parse-body.ts';
import { updateSettings } from './settings.ts';

const request = z.object({
  folder: z.string({ error: 'Give the whole path of a folder.' }).min(1).optional(),
});

/** Backups of this installation. */
export function backupHandlers(backups: Backups) {
  return {
    'x.backups.create': async (_services, context) => {
      const { folder } = parseBody(request, context.body === undefined ? {} : context.body);
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
      const { key } = parseBody(practiceRequestSchema, context.body === undefined ? {} : context.body);
      const practised = await backups.practise(key, callerOf(context));
      return success(practised, { status: 201, headers: { Location: `${API_PREFIX}/x/backups` } });
    },
  } satisfies Partial<Handlers>;
}
