import { z } from 'zod';
import type { Backups } from '../../backup/backups.ts';
import { API_PREFIX, success } from '../reply.ts';
import type { Handler } from './handler.ts';
import { parseBody } from './parse-body.ts';

const request = z.object({
  folder: z.string({ error: 'Give the whole path of a folder.' }).min(1).optional(),
});

/** Backups of this installation. */
export function backupHandlers(backups: Backups): Record<string, Handler> {
  return {
    'x.backups.create': async (_services, context) => {
      const { folder } = parseBody(request, context.body === undefined ? {} : context.body);
      const done = await backups.run(folder);
      return success(done, { status: 201, headers: { Location: `${API_PREFIX}/x/backups` } });
    },

    'x.backups.list': () => success(backups.state()),
  };
}
