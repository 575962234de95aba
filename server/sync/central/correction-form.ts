import { sameJson } from '../../../shared/contract/canonical-json.ts';
import { isSaid } from '../../../shared/contract/permission.ts';
import { isSameNumber } from '../../../shared/contract/typed-number.ts';
import { familyOfKey } from '../../../shared/families/registry.ts';
import { applyChanges, type Fields, mapOf } from '../../store/changes.ts';
import { isConflict, siblingsOf } from '../protocol/siblings.ts';
import { followsByRule } from './follows-by-rule.ts';
import { standingFields } from './locked-lots.ts';
import { isOfUser, newIn, type Pushed } from './pushed.ts';

const ACCEPTED = ['accepted_by', 'acceptor', 'accepted_at', 'acceptance_reason'];

/**
 * What a correction says otherwise than the rules and operations write it, in words: what stood before, by which it could
 * be taken back to what nobody accepted, the lots that it locks, or who it was that accepted it.
 */
export function correctionFault(pushed: Pushed): string | undefined {
  const { family, entry, isNew, commit, read } = pushed;
  if (family.name !== 'correction') return undefined;
  if (isNew) return forged(pushed) ?? foreignLotFault(pushed);
  const isAccepted = said(pushed, 'status') === 'accepted';
  if (isAccepted) return acceptanceFault(pushed);
  return followsByRule(entry, commit, read) || isDecision(pushed)
    ? foreignLotFault(pushed)
    : 'A correction is accepted, taken back, or locks further lots of its record.';
}

/** Whether a person decides between what two stations made of it. */
function isDecision({ entry: { subject, changes }, read }: Pushed): boolean {
  return changes.every(({ path, over, new: value }) => {
    const seen = siblingsOf(read, subject, path).filter(({ commit }) => over.includes(commit));
    return isConflict(seen) && seen.some(one => sameJson(one.value ?? null, value ?? null));
  });
}

/** It locks what its record speaks of, or spoke of when its author's station last heard of it. */
function foreignLotFault(pushed: Pushed): string | undefined {
  const { entry, read, isNew } = pushed;
  const batch = said(pushed, 'batch_number');
  const known = isNew ? [] : listOf(read.value(entry.subject, 'lots'));
  const subject = String(isNew ? said(pushed, 'subject') : read.value(entry.subject, 'subject'));
  const further = listOf(said(pushed, 'lots')).filter(lot => !known.includes(lot));
  const isOwn = [statesNow, statesEver].some(statesOf => {
    const states = statesOf(pushed, subject);
    const isOfNumber = (number: unknown) =>
      subject.startsWith('lab-result:') && states.some(state => isSameNumber(state.batch_number, number));
    const isSpokenOf = (lot: unknown) =>
      subject === `inventory:${lot}` ||
      states.some(state => state.inventory_id === lot || linesOf(state).includes(lot)) ||
      statesOf(pushed, `inventory:${lot}`).some(of => isOfNumber(of.batch_number));
    return further.every(isSpokenOf) && (batch === null || isOfNumber(batch));
  });
  return isOwn ? undefined : 'It locks a lot that its record does not speak of.';
}

/** As the commit leaves the record, and as it stands. */
function statesNow({ commit, read }: Pushed, subject: string): Fields[] {
  const family = familyOfKey(subject);
  if (!family) return [];
  const standing = standingFields(family, subject, read);
  const changes = commit.entries.flatMap(entry => (entry.subject === subject ? entry.changes : []));
  return [applyChanges(standing, changes, commit.at), standing];
}

function statesEver(pushed: Pushed, subject: string): Fields[] {
  return [...statesNow(pushed, subject), ...pushed.authors.statesOf(subject)];
}

function linesOf({ items }: Fields): unknown[] {
  return Object.values(mapOf(items)).map(line => mapOf(line).inventory_id);
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
  if (entry.changes.some(({ path }) => path !== 'status' && !ACCEPTED.includes(path)))
    return 'A correction is accepted as it is.';
  if (said(pushed, 'accepted_by') !== userId || said(pushed, 'acceptor') !== commit.user)
    return 'A correction is accepted in nobody else’s name.';
  const reason = said(pushed, 'acceptance_reason');
  return typeof reason === 'string' && isSaid(reason) ? undefined : 'A correction is accepted with a reason.';
}

function said({ entry }: Pushed, name: string): unknown {
  return newIn(entry, name) ?? null;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
