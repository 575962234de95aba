import { AppError } from '../../../shared/contract/errors.ts';
import { DRAFT_LIMIT, draftKeySchema } from '../../../shared/operations/draft-operations.ts';
import { keepFormDraft, readFormDraft } from '../../store/form-drafts.ts';
import { success } from '../reply.ts';
import type { RequestContext } from '../request-context.ts';
import type { Handlers } from './handler.ts';
import { bodyOf, parseBody } from './parse-body.ts';

/** What people type and have not saved: see `shared/operations/draft-operations.ts`. */
export const draftHandlers = {
  'x.drafts.read': ({ store }, context) => {
    const found = readFormDraft(store.database, ownerOf(context), keyIn(context));
    return success(found ? { data: JSON.parse(found.data), at: found.at } : null);
  },

  'x.drafts.update': async ({ store, clock }, context) => {
    const { data } = bodyOf(context);
    const isTakenAway = data === null || data === undefined;
    const text = isTakenAway ? null : JSON.stringify(data);
    if (text !== null && text.length > DRAFT_LIMIT) {
      const message = `The draft has ${text.length} characters, and at most ${DRAFT_LIMIT} are kept. Save a part of it first.`;
      throw new AppError('too_large', message);
    }
    const at = clock().toISOString();
    const kept = { owner: ownerOf(context), key: keyIn(context), data: text, at };
    // In the gate's queue, so that an import's open transaction cannot take it along when it is undone.
    await store.gate.together(async () => keepFormDraft(store.database, kept));
    return success(text === null ? null : { data, at });
  },
} satisfies Partial<Handlers>;

/** A person over all of his sessions; a token by its name. */
export function ownerOf(context: RequestContext): string {
  return context.userId === undefined ? `token ${context.tokenId}` : `user ${context.userId}`;
}

function keyIn({ parameters }: RequestContext): string {
  return parseBody(draftKeySchema, parameters.key);
}
