import type { Family } from '../../shared/contract/define-family.ts';
import { AppError } from '../../shared/contract/errors.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { families, familyOf } from '../../shared/families/registry.ts';
import { canBeSigned, type DueSignature, signaturesDue } from '../../shared/families/signature-acts.ts';
import type { Seal, StagedWrite, UnitOfWork } from '../store/unit-of-work.ts';
import { inputOf } from './input-of.ts';
import type { Reads } from './lot-state.ts';
import { ownLogins } from './own-logins.ts';
import { siteSettings } from './site.ts';

/**
 * Signs what a commit contains of acts that the site's policy wants signed, or blames what is missing for it: whatever
 * door the acts came by. The policy is the one that stands before the commit, so that none signs itself away.
 */
export const sealing: Seal = work => {
  if (work.actor.rights.kind === 'server') return;
  for (const write of [...work.staged()]) {
    const family = familyOf(write.after.family);
    if (!write.isAsked || !family || !canBeSigned(family)) continue;
    const due = dueIn(work, family, write);
    if (due.length === 0) continue;
    blameMissing(work, due);
    if (due.some(({ needsAnother }) => needsAnother)) refuseLastAuthor(work, write);
    if (!work.isAtFault()) for (const one of due) sign(work, write.after, one);
  }
};

function dueIn(work: UnitOfWork, family: Family, write: StagedWrite): DueSignature[] {
  const { before, after, changes, decides } = write;
  return signaturesDue(siteSettings(work.records), {
    family,
    changes,
    before: before?.fields,
    after: after.fields,
    decides,
  });
}

function blameMissing(work: UnitOfWork, due: readonly DueSignature[]): void {
  const { signer, reason } = work.signing;
  const titles = [...new Set(due.map(({ title }) => title))].join(' and ');
  if (!signer) work.blame('esignature_password', missingPassword(work, titles));
  if (reason === null && due.some(({ needsReason }) => needsReason)) {
    work.blame('esignature_reason', missingReason(titles));
  }
}

/** @param titles the acts, as `DueSignature.title` has them */
function missingPassword({ actor }: Pick<UnitOfWork, 'actor'>, titles: string): string {
  switch (actor.rights.kind) {
    case 'import':
      return `An import signs nothing, and ${titles} is signed here. Leave it out, and do it as a signed-in user.`;
    case 'person':
      return `Your password is missing. It signs ${titles}.`;
    default:
      return `A token signs nothing, and ${titles} is signed here. Sign in as a user and use that session.`;
  }
}

export function missingReason(titles: string): string {
  return `The reason is missing. The signature of ${titles} needs one; it is kept with it.`;
}

/**
 * Who wrote the content last does not approve it, nor does who changes it in the same breath.
 * @throws AppError `forbidden`
 */
function refuseLastAuthor(work: UnitOfWork, { before, changes }: StagedWrite): void {
  if (work.actor.rights.kind !== 'person') return;
  const own = ownLogins(work);
  const isOwn = before === undefined || own.has(before.user);
  const isChanged = changes.some(({ path }) => path !== 'is_approved' && path !== 'approved_by');
  if (!isOwn && !isChanged) return;
  const message =
    'It is approved by another person than its last author, as it stands. Ask somebody else with the role quality.';
  throw new AppError('forbidden', message);
}

/** Signs that somebody let changes of these records in, as they stand. */
export function signDecision(work: UnitOfWork, subjects: readonly string[]): void {
  for (const subject of subjects) {
    const record = work.records.getByKey(subject);
    if (record) sign(work, record, { meaning: 'decision' });
  }
}

/** Binds a signature to the record exactly as the commit leaves it: its version, and the hash of all its fields. */
function sign(work: UnitOfWork, record: StoredRecord, { meaning }: Pick<DueSignature, 'meaning'>): void {
  const { signer, reason } = work.signing;
  const fields = {
    subject: record.key,
    user_id: signer?.id,
    user_name: signer?.name,
    at: work.at,
    meaning,
    reason,
    version: record.version,
    state: record.state,
  };
  work.byServer(() => work.create(families.signature, inputOf(fields)));
}

/**
 * The signatures of a record, oldest first. One is superseded by any later version of the record, for ever: also by one
 * whose values are the signed ones again.
 */
export function signaturesOf(records: Reads['records'], record: StoredRecord) {
  const found = records.findBy('signature', 'subject', record.key);
  return found.map(({ id, fields, created_at: writtenAt }) => ({
    id,
    user_id: fields.user_id,
    user_name: fields.user_name,
    at: fields.at,
    meaning: fields.meaning,
    reason: fields.reason ?? null,
    version: fields.version,
    state: fields.state,
    // A signature is made in the moment that it names: what an import put back was vouched for by no password here.
    is_imported: fields.at !== writtenAt,
    is_superseded: fields.version !== record.version || fields.state !== record.state,
  }));
}
