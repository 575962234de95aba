import { type ChangedValue, isSaid } from '../../../shared/contract/permission.ts';
import { findingsIn } from '../../../shared/families/certificate.ts';
import { families, familyOfKey } from '../../../shared/families/registry.ts';
import { SETTING_DEFAULTS } from '../../../shared/families/setting.ts';
import { canBeSigned } from '../../../shared/families/signature-acts.ts';
import {
  contentIn,
  type DueSignature,
  isSomethingSigned,
  type SignedChange,
  type SigningSettings,
  signaturesDue,
} from '../../../shared/families/signatures-due.ts';
import { type Commit, type Fields, mapOf } from '../../store/changes.ts';
import { isCreation } from '../protocol/decide.ts';
import { isConflict, type RecordReader, siblingsOf } from '../protocol/siblings.ts';
import { isAwaiting } from './awaiting.ts';
import { followsByRule } from './follows-by-rule.ts';
import { entriesOf, isOfUser, newIn, type Pushed } from './pushed.ts';

const SETTING = 'setting:1';
const ASKED = [
  'esignature_policy',
  'esignature_deviations',
  'is_esignature_required',
  'is_esignature_reason_required',
] as const satisfies (keyof SigningSettings)[];

/**
 * What lacks of the signatures that the site's policy asks for what a station sends, in words. The policy is the one that
 * stands: what was written before a station heard of it is decided together.
 */
export function unsignedFault(pushed: Pushed): string | undefined {
  const { family, entry, commit, read, userId } = pushed;
  if (family.name === 'signature') return foreignSignature(pushed);
  if (!canBeSigned(family)) return undefined;
  const settings = settingsIn(read);
  if (!isSomethingSigned(settings) || followsByRule(entry, commit, read)) return undefined;
  const { before: standing, after } = pushed.states();
  const before = pushed.isNew ? undefined : standing;
  const signed = signaturesIn(commit).filter(({ subject }) => subject === entry.subject);
  for (const part of partsOf(pushed)) {
    const change = { family, before, after, ...part };
    for (const due of signaturesDue(settings, change)) {
      const own = signed.filter(({ meaning }) => meaning === due.meaning || meaning === 'decision');
      const isReasoned = !due.needsReason || own.some(({ reason }) => isSaid(String(reason ?? '')));
      const content = due.needsAnother ? contentIn({ ...change, changes: pushed.changes }) : [];
      const isForAnother =
        due.needsAnother && userId !== undefined && (content.length > 0 || isAuthor(pushed, part.decides));
      if (own.length > 0 && isReasoned && !isForAnother) continue;
      if (due.waiting.length > 0 && waits(pushed, due, after)) continue;
      if (own.length === 0) return `${due.title} needs a signature of its author.`;
      return isForAnother
        ? `${due.title} is signed by another person than its last author.`
        : `${due.title} needs a signature with a reason.`;
    }
  }
  return undefined;
}

/** Each conflict that the entry decides, and what it changes beside. Several who wrote the same are in no conflict. */
function partsOf({ entry, changes, read }: Pushed): Pick<SignedChange, 'changes' | 'decides'>[] {
  const decided = entry.changes.flatMap(({ path, over }) => {
    if (over.length < 2) return [];
    const seen = siblingsOf(read, entry.subject, path).filter(one => over.includes(one.commit));
    return isConflict(seen) ? [path] : [];
  });
  const parts = decided.map(decides => ({
    changes: changes.filter(({ path }) => path === decides),
    decides,
  }));
  const rest = changes.filter(({ path }) => !decided.includes(path));
  return rest.length === 0 && parts.length > 0 ? parts : [...parts, { changes: rest }];
}

/** Whether what nobody signed yet waits for quality, as far as it is about goods. */
function waits({ entry, commit, read }: Pushed, { waiting }: DueSignature, after: Fields): boolean {
  const isOfGoods = typeof after.inventory_id === 'number' || (after.batch_number ?? '') !== '';
  const due = waiting.filter((value: ChangedValue, at) => at === 0 || value.old !== null);
  return !isOfGoods || due.every(({ path }) => isAwaiting(commit, entry.subject, path, read));
}

/** A signature is its commit's author's, of the moment in which it was written. */
function foreignSignature({ entry, commit, userId }: Pushed): string | undefined {
  const isOwn =
    userId !== undefined && newIn(entry, 'user_id') === userId && newIn(entry, 'at') === commit.at;
  return isOwn ? undefined : 'A signature is of the author and of the time of what it signs.';
}

function signaturesIn(commit: Commit): Fields[] {
  return entriesOf(commit, 'signature')
    .filter(isCreation)
    .map(({ changes }) => Object.fromEntries(changes.map(({ path, new: value }) => [path, value])));
}

/**
 * Whether the commit's author makes the record, wrote last of all that stands in it or, of a conflict, one of its values. A
 * certificate is made by issuing it: there it is one of the findings in it that counts.
 */
function isAuthor(pushed: Pushed, decides: string | undefined): boolean {
  const { family, isNew, entry, read, authors, userId } = pushed;
  if (decides !== undefined)
    return siblingsOf(read, entry.subject, decides).some(one =>
      isOfUser(authors, authors.commit(one.commit)?.user, userId),
    );
  if (family.name !== families.certificate.name) return isNew || wroteLast(pushed, entry.subject);
  return findingsIn(newIn(entry, 'basis')).some(subject => wroteLast(pushed, subject));
}

/** Whether the commit's author is the last person who wrote what stands in a record: programs are no authors. */
function wroteLast({ read, authors, userId }: Pushed, subject: string): boolean {
  const family = familyOfKey(subject);
  if (!family) return false;
  const named = (prefix: string, fields: object) => Object.keys(fields).map(name => `${prefix}${name}`);
  const items = Object.entries(family.collections).flatMap(([name, { fields }]) =>
    Object.keys(mapOf(read.value(subject, name))).flatMap(id => named(`${name}.${id}.`, fields)),
  );
  const paths = [...named('', family.fields), ...items];
  const ids = new Set(paths.flatMap(path => siblingsOf(read, subject, path).map(one => one.commit)));
  const latest = [...ids].sort((a, b) => authors.placeOf(b) - authors.placeOf(a));
  const writers = latest.map(id => authors.commit(id)?.user);
  const last = writers.find(login => login !== undefined && authors.userOf(login) !== undefined);
  return isOfUser(authors, last, userId);
}

function settingsIn(read: RecordReader): SigningSettings {
  const known = ASKED.map(name => [name, read.value(SETTING, name)] as const);
  return {
    ...SETTING_DEFAULTS,
    ...Object.fromEntries(known.filter(([, value]) => (value ?? null) !== null)),
  };
}
