import type { ChangedValue } from '../../../shared/contract/permission.ts';
import { findingsIn } from '../../../shared/families/certificate.ts';
import { families, familyOf } from '../../../shared/families/registry.ts';
import { SETTING_DEFAULTS } from '../../../shared/families/setting.ts';
import { canBeSigned } from '../../../shared/families/signature-acts.ts';
import {
  contentIn,
  type DueSignature,
  type SigningSettings,
  signaturesDue,
} from '../../../shared/families/signatures-due.ts';
import { applyChanges, type Commit, type Fields, mapOf } from '../../store/changes.ts';
import { isCreation } from '../protocol/decide.ts';
import { type RecordReader, siblingsOf } from '../protocol/siblings.ts';
import { isAwaiting } from './awaiting.ts';
import { followsByRule } from './follows-by-rule.ts';
import type { Pushed } from './pushed.ts';

const SETTING = 'setting:1';

/**
 * What lacks of the signatures that the site's policy asks for what a station sends, in words. The policy is the one that
 * stands: what was written before a station heard of it is decided together. Whether a signature is the person's own is
 * not known before it is made with that person's key.
 */
export function unsignedFault(pushed: Pushed): string | undefined {
  const { family, entry, commit, read, userId } = pushed;
  if (family.name === 'signature') return foreignSignature(pushed);
  if (!canBeSigned(family) || followsByRule(entry, commit, read)) return undefined;
  const before = pushed.isNew ? undefined : fieldsOf(pushed);
  const after = applyChanges(family, before ?? {}, entry.changes, commit.at);
  const decides = entry.changes.find(({ over }) => over.length > 1)?.path;
  const change = { family, changes: pushed.changes, before, after, decides };
  const signed = signaturesIn(commit).filter(({ subject }) => subject === entry.subject);
  for (const due of signaturesDue(settingsIn(read), change)) {
    const isSigned = signed.some(({ meaning }) => meaning === due.meaning || meaning === 'decision');
    const isForAnother =
      due.needsAnother && userId !== undefined && (contentIn(change).length > 0 || isLastAuthor(pushed));
    if (isSigned && !isForAnother) continue;
    if (due.waiting.length > 0 && waits(pushed, due, after)) continue;
    return isSigned
      ? `${due.title} is signed by another person than its last author.`
      : `${due.title} needs a signature of its author.`;
  }
  return undefined;
}

/** Whether what nobody signed yet waits for quality, as far as it is about goods. */
function waits({ entry, commit, read }: Pushed, { waiting }: DueSignature, after: Fields): boolean {
  const isOfGoods = typeof after.inventory_id === 'number' || (after.batch_number ?? '') !== '';
  const due = waiting.filter((value: ChangedValue, at) => at === 0 || value.old !== null);
  return !isOfGoods || due.every(({ path }) => isAwaiting(commit, entry.subject, path, read));
}

/** A signature is its commit's author's, of the moment in which it was written. */
function foreignSignature({ entry, commit, userId }: Pushed): string | undefined {
  const said = (name: string) => entry.changes.find(({ path }) => path === name)?.new ?? null;
  const isOwn = userId !== undefined && said('user_id') === userId && said('at') === commit.at;
  return isOwn ? undefined : 'A signature is of the author and of the time of what it signs.';
}

function signaturesIn({ entries }: Commit): Fields[] {
  return entries
    .filter(entry => entry.subject.startsWith('signature:') && isCreation(entry))
    .map(({ changes }) => Object.fromEntries(changes.map(({ path, new: value }) => [path, value])));
}

/** The values of the record that acts and policy are read from. */
function fieldsOf({ family, entry, read }: Pushed): Fields {
  return Object.fromEntries(Object.keys(family.fields).map(name => [name, read.value(entry.subject, name)]));
}

/**
 * Whether the commit's author makes the record, or wrote last of all that stands in it. A certificate is made by issuing
 * it: there it is one of the findings in it that counts.
 */
function isLastAuthor(pushed: Pushed): boolean {
  const { family, isNew, entry } = pushed;
  if (family.name !== families.certificate.name) return isNew || wroteLast(pushed, entry.subject);
  const basis = entry.changes.find(({ path }) => path === 'basis')?.new;
  return findingsIn(basis).some(subject => wroteLast(pushed, subject));
}

/** Whether the commit's author wrote last of all that stands in a record. */
function wroteLast({ commit, read, authors }: Pushed, subject: string): boolean {
  const family = familyOf(subject.slice(0, subject.lastIndexOf(':')));
  if (!family) return false;
  const named = (prefix: string, fields: object) => Object.keys(fields).map(name => `${prefix}${name}`);
  const items = Object.entries(family.collections).flatMap(([name, { fields }]) =>
    Object.keys(mapOf(read.value(subject, name))).flatMap(id => named(`${name}.${id}.`, fields)),
  );
  const paths = [...named('', family.fields), ...items];
  const ids = new Set(paths.flatMap(path => siblingsOf(read, subject, path).map(one => one.commit)));
  const [last = ''] = [...ids].sort((a, b) => authors.placeOf(b) - authors.placeOf(a));
  return authors.isBy(last, commit.user);
}

function settingsIn(read: RecordReader): SigningSettings {
  const known = Object.keys(SETTING_DEFAULTS).map(name => [name, read.value(SETTING, name)] as const);
  return {
    ...SETTING_DEFAULTS,
    ...Object.fromEntries(known.filter(([, value]) => (value ?? null) !== null)),
  };
}
