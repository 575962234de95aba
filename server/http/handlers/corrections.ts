import { AppError } from '../../../shared/contract/errors.ts';
import { families } from '../../../shared/families/registry.ts';
import { idIn } from '../request-context.ts';
import { checkIfMatch } from '../write.ts';
import { recordReply } from './family.ts';
import type { Handlers } from './handler.ts';
import { bodyOf } from './parse-body.ts';

const { correction } = families;

/** What waits for quality. */
export const correctionHandlers = {
  'x.corrections.accept': ({ write }, context) => {
    const id = idIn(context);
    const { reason } = bodyOf(context);
    if (context.rights.kind !== 'person') {
      throw new AppError('forbidden', 'A person with the role quality accepts a correction. Sign in as one.');
    }
    return write(context, {
      reason,
      work: work => {
        const before = work.require(correction.name, id);
        checkIfMatch(context, before);
        if (before.fields.status !== 'awaiting') {
          throw new AppError('conflict', 'The correction waits for nobody. Read it again.');
        }
        if (before.fields.author_id === context.userId) {
          const message = 'Whoever changed it does not accept it. Ask somebody else with the role quality.';
          throw new AppError('forbidden', message);
        }
        const accepted = {
          accepted_by: context.userId,
          acceptor: work.actor.user,
          accepted_at: work.at,
          acceptance_reason: reason,
        };
        return work.set(correction, id, { ...before.fields, status: 'accepted', ...accepted });
      },
      answer: (reads, record) => recordReply(correction, reads, record, {}),
    });
  },
} satisfies Partial<Handlers>;
