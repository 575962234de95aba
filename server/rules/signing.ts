import type { Answer, Family } from '../../shared/contract/define-family.ts';
import { AppError } from '../../shared/contract/errors.ts';
import type { ChangedValue } from '../../shared/contract/permission.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { findingsIn } from '../../shared/families/certificate.ts';
import { families, familyOf } from '../../shared/families/registry.ts';
import { canBeSigned } from '../../shared/families/signature-acts.ts';
import {
  contentIn,
  type DueSignature,
  type SignedChange,
  signaturesDue,
} from '../../shared/families/signatures-due.ts';
import { readAuthorship } from '../keys/authorship.ts';
import { fingerprintOfKey } from '../keys/ed25519.ts';
import { proofOf, type SignatureProof, signedText } from '../keys/signature-proof.ts';
import type { Commit, Fields } from '../store/changes.ts';
import { firstCommitOf, readCommit, readUnconfirmed, wasHeldFirst } from '../store/history.ts';
import { wasIssuedAtJoining } from '../store/moved.ts';
import { MOVED_SUBJECT } from '../store/subjects.ts';
import type { Seal, StagedWrite, UnitOfWork } from '../store/unit-of-work.ts';
import { isRevokedKey } from './author-proof.ts';
import { recordCorrection } from './corrections.ts';
import { inputOf } from './input-of.ts';
import { giverOfKey, type KeyGiver } from './key-giver.ts';
import type { Reads } from './lot-state.ts';
import { ownLogins } from './own-logins.ts';
import { siteSettings } from './site.ts';

/**
 * Signs what a commit contains of acts that the site's policy wants signed, or blames what is missing for it: whatever
 * door the acts came by. What may wait for quality is taken of who cannot sign it. The policy is the one that stands
 * before the commit, so that none signs itself away.
 */
export const sealing: Seal = work => {
  const { kind } = work.actor.rights;
  if (kind === 'server') return;
  for (const write of [...work.staged()]) {
    const family = familyOf(write.after.family);
    if (!write.isAsked || !family || !canBeSigned(family)) continue;
    const change = changeOf(family, write);
    const due = signaturesDue(siteSettings(work.records), change);
    const signed = due.filter(({ waiting }) => kind === 'person' || waiting.length === 0);
    blameMissing(work, signed);
    const waits = due.filter(one => !signed.includes(one) || isForAnother(work, write, change, one));
    if (work.isAtFault()) continue;
    for (const one of signed) sign(work, write.after, one);
    for (const { waiting } of waits) letWait(work, write, waiting);
  }
};

/**
 * Whether the act is for a second person who has still to come: it waits for one.
 * @throws AppError `forbidden` where it cannot wait
 */
function isForAnother(
  work: UnitOfWork,
  write: StagedWrite,
  change: SignedChange,
  due: DueSignature,
): boolean {
  if (!due.needsAnother || work.actor.rights.kind !== 'person') return false;
  const fault = authorFault(work, write, contentIn(change), due.title);
  if (fault !== undefined && due.waiting.length === 0) throw new AppError('forbidden', fault);
  return fault !== undefined;
}

/** Locks the goods that the values are about until quality accepts them; what is about none waits for nothing. */
function letWait(work: UnitOfWork, { before, after }: StagedWrite, values: readonly ChangedValue[]): void {
  const isOfGoods = [before, after].some(
    record => typeof record?.fields.inventory_id === 'number' || (record?.fields.batch_number ?? '') !== '',
  );
  if (!isOfGoods) return;
  // What was replaced waits value by value; what is new is accepted as one.
  for (const { path, old, new: now } of values.filter((value, at) => at === 0 || value.old !== null))
    recordCorrection(work, { before, record: after, path, old, new: now, isAwaiting: true });
}

function changeOf(family: Family, { before, after, changes, decides }: StagedWrite): SignedChange {
  return { family, changes, before: before?.fields, after: after.fields, decides };
}

function blameMissing(work: UnitOfWork, due: readonly DueSignature[]): void {
  const { signer, reason } = work.signing;
  if (due.length === 0) return;
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
 * Why somebody is no second person: who signs a record signs it as another left it (interface decisions, 5.16). Not who
 * made it, changes its content in the same breath or wrote it last, nor, of a conflict, who wrote one of its values. A
 * certificate is made by issuing it: there it is nobody who wrote one of its findings last.
 * @param content what changes beside the act
 * @param title the act, as `DueSignature.title` has it
 */
function authorFault(
  work: UnitOfWork,
  { before, after, decides }: StagedWrite,
  content: readonly string[],
  title: string,
): string | undefined {
  const needs = `${title[0]?.toUpperCase()}${title.slice(1)} needs a second person`;
  if (after.family === families.certificate.name) {
    const own = findingsIn(after.fields.basis).find(key => isLastAuthor(work, work.records.getByKey(key)));
    return own && `${needs}: another than who wrote ${own} last, which is you. Ask somebody else who may.`;
  }
  if (before === undefined)
    return `${needs}: nobody signs what they make in the same breath. Save it without, and ask somebody else to do it.`;
  if (content.length > 0)
    return `${needs}, who signs the record as another left it. Leave ${content.slice(0, 5).join(', ')} out, or save that first and ask somebody else to sign.`;
  if (!isLastAuthor(work, before, decides)) return undefined;
  return `${needs}: another than its last author, who is you. Ask somebody else who may.`;
}

function isLastAuthor(work: UnitOfWork, record: StoredRecord | undefined, decides?: string): boolean {
  const own = ownLogins(work);
  return record !== undefined && authorsOf(work, record, decides).some(author => own.has(author));
}

/** The last person who wrote the record; of a conflict all who wrote one of its values. Programs are no persons. */
function authorsOf(work: UnitOfWork, before: StoredRecord, decides: string | undefined): string[] {
  const commits = work.authorsOf(before.key);
  const siblings = decides === undefined ? undefined : before.writers[decides];
  if (Array.isArray(siblings)) return siblings.flatMap(({ commit }) => commits.get(commit) ?? []);
  const people = new Set([...work.records.all('user')].flatMap(loginsIn));
  const last = [...commits.values()].findLast(author => people.has(author));
  return [last ?? before.user];
}

function loginsIn({ fields: { login, former_logins: former } }: StoredRecord): string[] {
  return [String(login), ...(Array.isArray(former) ? former.map(String) : [])];
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
  const signed = signedText(fields);
  const proved = signer?.sign && { ...signer.sign(signed), signed };
  work.byServer(() => work.create(families.signature, inputOf({ ...fields, ...proved })));
}

/**
 * What proves a signature: `revoked` where somebody else may have had the key by then, `before` where people had none yet, `brought` by a
 * key of an installation that joined since, whose people are not those of here.
 */
export type ShownProof = SignatureProof | 'revoked' | 'before' | 'brought';

/**
 * Proved only by a key that is or was the signer's: the record of the user says so, which central alone writes. Another record than
 * the signed one has it only where the commit that made it was itself issued again.
 */
function proofShown(
  { records, sql }: Reads,
  { key: name, fields, created_at: writtenAt }: StoredRecord,
): ShownProof {
  const proof = proofOf(fields);
  if (proof === 'broken') return proof;
  const maker = firstCommitOf(sql, name);
  if (proof === 'none') {
    // A session that signs has had no key at that station; what nobody signed and central held had lacked it.
    const isBare = maker && (maker.authorship ?? null) === null && !wasHeldFirst(sql, maker);
    return isBare && !wasIssuedAtJoining(sql, maker) && fields.at === writtenAt ? 'before' : proof;
  }
  if (proof === 'moved' && maker && wasIssuedAtJoining(sql, maker)) return 'brought';
  if (proof === 'moved') return maker && !wasIssuedAgain(sql, maker) ? 'broken' : proof;
  const signer = records.get('user', Number(fields.user_id))?.fields ?? {};
  const former = Array.isArray(signer.former_keys) ? signer.former_keys : [];
  if (fields.key !== signer.public_key && !former.includes(fields.key)) return 'broken';
  return isRevokedKey(signer, fields.key) && maker && wasHeldFirst(sql, maker) ? 'revoked' : proof;
}

/**
 * Whether a commit stood elsewhere under other ids: its author signed those, or its installation joined a central with it. Of a chain
 * whose beginning is not here it cannot be told.
 */
function wasIssuedAgain(sql: Reads['sql'], commit: Commit): boolean {
  const authorship = readAuthorship(commit.authorship);
  if (authorship) return authorship.signed !== undefined;
  const first = readCommit(sql, commit.chain, 1);
  return first?.entries[0]?.subject.startsWith(MOVED_SUBJECT) !== false;
}

/** The server writes all of them, and nobody changes one. */
type SignedFields = {
  [Name in keyof Answer<typeof families.signature>]: NonNullable<Answer<typeof families.signature>[Name]>;
};

/**
 * The signatures of a record, oldest first. One is superseded by any later version of the record, for ever: also by one
 * whose values are the signed ones again.
 */
export function signaturesOf(reads: Reads, record: StoredRecord) {
  const found = reads.records.findBy('signature', 'subject', record.key);
  return found.map(signature => {
    const { id, created_at: writtenAt } = signature;
    const fields = signature.fields as unknown as SignedFields;
    const proof = proofShown(reads, signature);
    return {
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
      proof,
      key: typeof fields.key === 'string' ? fingerprintOfKey(fields.key) : null,
      ...giverShown(reads, fields, proof),
      is_superseded: fields.version !== record.version || fields.state !== record.state,
    };
  });
}

/** Of a key that is the signer's. */
function giverShown(
  reads: Reads,
  { user_id: id, key }: Fields,
  proof: ShownProof,
): KeyGiver | Record<keyof KeyGiver, null> {
  const user = proof === 'broken' || proof === 'brought' ? undefined : reads.records.get('user', Number(id));
  if (!user || typeof key !== 'string') return { key_from: null, key_given_by: null };
  return giverOfKey(reads, user, key);
}

/** The same, each with what the clock should at least have said, where it was not confirmed when it was signed. */
export function datedSignaturesOf(reads: Reads, record: StoredRecord) {
  return signaturesOf(reads, record).map(one => {
    const [mark] = readUnconfirmed(reads.sql, `${families.signature.name}:${one.id}`, 1);
    return { ...one, clock_at_least: mark?.clock_at_least ?? null };
  });
}
