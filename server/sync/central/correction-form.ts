import { sameJson } from '../../../shared/contract/canonical-json.ts';
import { isSaid } from '../../../shared/contract/permission.ts';
import { isOfUser, newIn, type Pushed } from './pushed.ts';

const ACCEPTED = ['accepted_by', 'acceptor', 'accepted_at', 'acceptance_reason'];

/**
 * What a correction says otherwise than the rules and operations write it, in words: what stood before, by which it could
 * be taken back to what nobody accepted, or who it was that accepted it.
 */
export function correctionFault(pushed: Pushed): string | undefined {
  const { family, entry, isNew } = pushed;
  if (family.name !== 'correction') return undefined;
  if (isNew) return forged(pushed);
  const isAccepted = said(pushed, 'status') === 'accepted';
  if (isAccepted) return acceptanceFault(pushed);
  return entry.changes.some(({ path }) => ACCEPTED.includes(path))
    ? 'Who accepts a correction says so as it is accepted.'
    : undefined;
}

function forged(pushed: Pushed): string | undefined {
  const { entry, userId, changesOf } = pushed;
  if (entry.changes.some(({ path, new: now }) => ACCEPTED.includes(path) && (now ?? null) !== null))
    return 'A correction is not accepted as it is made.';
  const author = said(pushed, 'author_id');
  if (author !== null && author !== userId) return 'author_id is not the author.';
  const path = said(pushed, 'path');
  const change = changesOf(String(said(pushed, 'subject'))).find(one => one.path === path);
  return change && !sameJson(said(pushed, 'old_value'), change.old ?? null)
    ? 'old_value is not what stood before.'
    : undefined;
}

/** Another person of quality, in the own name, with a reason. */
function acceptanceFault(pushed: Pushed): string | undefined {
  const { entry, commit, read, authors, userId } = pushed;
  const author = read.value(entry.subject, 'author');
  const isOwn =
    read.value(entry.subject, 'author_id') === userId || isOfUser(authors, String(author ?? ''), userId);
  if (isOwn) return 'Whoever changed it does not accept it.';
  if (said(pushed, 'accepted_by') !== userId || said(pushed, 'acceptor') !== commit.user)
    return 'A correction is accepted in nobody else’s name.';
  const reason = said(pushed, 'acceptance_reason');
  return typeof reason === 'string' && isSaid(reason) ? undefined : 'A correction is accepted with a reason.';
}

function said({ entry }: Pushed, name: string): unknown {
  return newIn(entry, name) ?? null;
}
