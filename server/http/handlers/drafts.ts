import { AppError } from '../../../shared/contract/errors.ts';
import { DRAFT_LIMIT, draftKeySchema, draftSchema } from '../../../shared/operations/draft-operations.ts';
import { keepUnsaved, readUnsaved } from '../../store/form-drafts.ts';
import { success } from '../reply.ts';
import type { Call } from '../request-context.ts';
import type { Handler } from './handler.ts';
import { parseBody } from './parse-body.ts';

/** What people type and have not saved: see `shared/operations/draft-operations.ts`. */
export const draftHandlers: Record<string, Handler> = {
  'x.drafts.read': ({ store }, call) => {
    const found = readUnsaved(store.database, ownerOf(call), keyIn(call));
    return success(found ? { data: JSON.parse(found.data), at: found.at } : null);
  },

  'x.drafts.update': async ({ store, clock }, call) => {
    const { data } = parseBody(draftSchema, call.body);
    const isTakenAway = data === null || data === undefined;
    const text = isTakenAway ? null : JSON.stringify(data);
    if (text !== null && text.length > DRAFT_LIMIT) {
      const message = `The draft has ${text.length} characters, and at most ${DRAFT_LIMIT} are kept. Save a part of it first.`;
      throw new AppError('too_large', message);
    }
    const at = clock().toISOString();
    const kept = { owner: ownerOf(call), key: keyIn(call), data: text, at };
    // In the gate's queue, so that an import's open transaction cannot take it along when it is undone.
    await store.gate.together(async () => keepUnsaved(store.database, kept));
    return success(text === null ? null : { data, at });
  },
};

/** A person over all of his sessions; a token by its name. */
function ownerOf(call: Call): string {
  return call.userId === undefined ? `token ${call.tokenId}` : `user ${call.userId}`;
}

function keyIn({ parameters }: Call): string {
  return parseBody(draftKeySchema, parameters.key);
}
