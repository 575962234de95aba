import { OVERLAP_HOURS } from '../../../shared/operations/webhook-operations.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { API_PREFIX, success } from '../reply.ts';
import { callerOf, idIn } from '../request-context.ts';
import type { Handlers } from './handler.ts';
import { bodyOf } from './parse-body.ts';

/** Webhooks of this machine: `webhookOperations` of the table. */
export function webhookHandlers(webhooks: Webhooks) {
  return {
    'x.webhooks.list': () => success(webhooks.list()),

    'x.webhooks.create': async (_services, context) => {
      const made = await webhooks.create(bodyOf(context), callerOf(context));
      return success(made, { status: 201, headers: { Location: `${API_PREFIX}/x/webhooks` } });
    },

    'x.webhooks.update': async (_services, context) => {
      const wanted = bodyOf(context);
      return success(await webhooks.update(idIn(context), wanted, callerOf(context)));
    },

    'x.webhooks.remove': async (_services, context) => {
      bodyOf(context);
      return success({ removed: await webhooks.remove(idIn(context), callerOf(context)) });
    },

    'x.webhooks.rotate': async (_services, context) => {
      const { overlap_hours: hours = OVERLAP_HOURS } = bodyOf(context);
      return success(await webhooks.rotate(idIn(context), hours, callerOf(context)));
    },

    'x.webhooks.test': async (_services, context) => {
      bodyOf(context);
      return success(await webhooks.test(idIn(context)));
    },

    'x.webhooks.deliveries': (_services, context) => success(webhooks.deliveries(idIn(context))),

    'x.webhooks.replay': async (_services, context) => {
      const { messages } = bodyOf(context);
      return success({ replayed: await webhooks.replay(idIn(context), messages, callerOf(context)) });
    },

    'x.webhooks.discard': async (_services, context) => {
      const { messages } = bodyOf(context);
      return success({ discarded: await webhooks.discard(idIn(context), messages, callerOf(context)) });
    },
  } satisfies Partial<Handlers>;
}
