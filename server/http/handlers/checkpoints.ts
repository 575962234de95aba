import type { Response } from 'express';
import { AppError, type FieldErrors, refuse } from '../../../shared/contract/errors.ts';
import type { Checkpoint, CheckpointFile } from '../../../shared/operations/checkpoint-operations.ts';
import type { Store } from '../../store/store.ts';
import { type TrailOptions, trailLines } from '../../trust/trail.ts';
import { drained, success } from '../reply.ts';
import { callerOf, type RequestContext } from '../request-context.ts';
import { momentIn } from './audit.ts';
import type { Handlers } from './handler.ts';

export interface CheckpointHandlersOptions {
  store: Store;
  version: string;
  clock: () => Date;
  checkpoint: () => Checkpoint | undefined;
  /** The own one and those of central; undefined while there is no history. */
  readCheckpoints: () => CheckpointFile | undefined;
}

/** What proves later that nothing was rewritten. */
export function checkpointHandlers(options: CheckpointHandlersOptions) {
  return {
    'x.checkpoints.read': () => {
      const file = options.readCheckpoints();
      if (file) return success(file);
      throw new AppError('unavailable', 'There is no history yet, so there is nothing to sign.');
    },

    'x.trail.read': async ({ trail }, context) => {
      const details = { what: 'trail of all history' };
      await trail.note({ ...callerOf(context), kind: 'downloaded', details });
      return sendTrail(context, options, 'holdpoint-trail.jsonl');
    },

    'x.audit.package': async ({ trail }, context) => {
      const errors: FieldErrors = {};
      const from = momentIn(context.query.get('from'), 'from', errors);
      refuse(errors);
      const details = { what: 'signed audit trail', ...(from !== undefined && { from }) };
      await trail.note({ ...callerOf(context), kind: 'downloaded', details });
      return sendTrail(context, { ...options, from }, 'audit-trail-signed.jsonl');
    },
  } satisfies Partial<Handlers>;
}

async function sendTrail(
  { response }: Pick<RequestContext, 'response'>,
  options: TrailOptions,
  name: string,
): Promise<undefined> {
  const lines = trailLines(options);
  // What is damaged says so before a byte is written.
  const first = await lines.next();
  response.statusCode = 200;
  response.setHeader('Content-Type', 'application/jsonl; charset=utf-8');
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  try {
    for (let next = first; !next.done; next = await lines.next()) await line(response, next.value);
  } catch (error) {
    // Half a trail must not look like a whole one.
    response.destroy();
    throw error;
  }
  response.end();
  return undefined;
}

async function line(response: Response, value: unknown): Promise<void> {
  if (response.destroyed)
    throw new AppError('conflict', 'The connection ended before the trail was complete.');
  if (!response.write(`${JSON.stringify(value)}\n`)) await drained(response);
}
