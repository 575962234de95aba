import type { Family } from '../contract/define-family.ts';
import { DIRECTIONS } from '../contract/may.ts';
import { type ChangedValue, fieldAt, patternOf, valuesIn } from '../contract/permission.ts';
import { isDecided, isSigned } from '../contract/signed.ts';
import type { Meaning } from './signature.ts';
import { SIGNATURE_ACTS, type SignatureAct } from './signature-acts.ts';
import {
  type ActKind,
  type ActPolicy,
  isAnySigned,
  type PolicySettings,
  policyOf,
  strictest,
} from './signature-policy.ts';

/** What of the site's settings says what is signed. */
export interface SigningSettings extends PolicySettings {
  /** Interface 2.6: each update of an NCR is signed; with a reason where the second says so. */
  is_esignature_required: boolean;
  is_esignature_reason_required: boolean;
}

/** Whether the site asks for any signature: else none is due of whatever is changed. */
export function isSomethingSigned(settings: SigningSettings): boolean {
  return settings.is_esignature_required || isAnySigned(settings);
}

/** The change of one record, as far as its signatures go. */
export interface SignedChange {
  family: Pick<Family, 'name' | 'fields' | 'collections' | 'operations'>;
  changes: readonly ChangedValue[];
  /** Fields of the record before, undefined for a new one, and after. */
  before: Readonly<Record<string, unknown>> | undefined;
  after: Readonly<Record<string, unknown>>;
  /** The path whose conflict the change decides, whatever value holds. */
  decides?: string | undefined;
  /** It was held and is let in, which is a decision on every act in it. */
  isLetIn?: true;
}

export interface DueSignature {
  meaning: Meaning;
  /** In words, for a sentence: `the verdict of an inspection`. */
  title: string;
  needsReason: boolean;
  needsAnother: boolean;
  /** What of it can wait for quality where nobody can sign it now; empty: nothing is taken without the signature. */
  waiting: readonly ChangedValue[];
}

/**
 * The signatures that a change needs by the site's settings, one for each meaning. Pure, and the same for a form, the
 * write gate and central.
 */
export function signaturesDue(settings: SigningSettings, change: SignedChange): DueSignature[] {
  if (!isSomethingSigned(settings)) return [];
  const due = new Map<Meaning, DueSignature>();
  for (const { act, meaning, title, kinds, values } of actsIn(change)) {
    const asked = askedOf(settings, act, kinds);
    if (!asked.is_signed) continue;
    const known = due.get(meaning);
    due.set(meaning, {
      meaning,
      title: known?.title ?? title,
      needsReason: asked.needs_reason || known?.needsReason === true,
      needsAnother: asked.needs_second_person || known?.needsAnother === true,
      waiting: act.canWait && meaning === act.meaning ? [...(known?.waiting ?? []), ...values] : [],
    });
  }
  const { family, before, after } = change;
  const isReport = isSigned(family) && (before !== undefined || isDecided(family, after));
  if (settings.is_esignature_required && due.size === 0 && isReport) {
    const isClosing = after.status === 'closed' && before?.status !== 'closed';
    const meaning = isClosing ? 'closing' : 'change';
    const needsReason = settings.is_esignature_reason_required;
    const title = 'a change of a report';
    due.set(meaning, { meaning, title, needsReason, needsAnother: false, waiting: [] });
  }
  return [...due.values()];
}

/** Of an act that is of several kinds at once (the decision of a conflict about a verdict), what all of them ask. */
function askedOf(settings: SigningSettings, act: SignatureAct, kinds: readonly ActKind[]): ActPolicy {
  const policies = kinds.map(kind => policyOf(settings, kind));
  const guards = act.isOfPolicy === true && isAnySigned(settings);
  return strictest(guards ? [...policies, GUARDED] : policies);
}

/** How the policy itself is changed while anything is signed. */
const GUARDED: ActPolicy = { is_signed: true, needs_reason: true, needs_second_person: false };

/** An act that a change contains. */
interface FoundAct {
  act: SignatureAct;
  meaning: ActKind;
  title: string;
  /** Every kind that it is of: a decision on an act is of the act's kind too, so that none leads around it. */
  kinds: readonly ActKind[];
  /** The values that it changes. */
  values: readonly ChangedValue[];
}

/** The acts that a change of one record contains. */
function actsIn(change: SignedChange): FoundAct[] {
  const { family, changes, after, decides } = change;
  const known = actsAt(change);
  if (known.length === 0) return [];
  const decided = known.find(({ path }) => decides !== undefined && isAt(path, patternOf(decides)));
  if (decided) {
    return [decisionOn(decided, `the decision of a conflict about ${decided.title}`)];
  }
  const changed = valuesIn(family, changes);
  return known.flatMap(act => {
    const values = changed.filter(value => isMet(act, value));
    if (values.length === 0) return [];
    if (change.isLetIn) return [decisionOn(act, act.title)];
    const kinds = [act.meaning, ...kindsAccepted(act, after)];
    return [{ act, meaning: act.meaning, title: act.title, kinds, values }];
  });
}

function decisionOn(act: SignatureAct, title: string): FoundAct {
  return { act, meaning: 'decision', title, kinds: ['decision', act.meaning], values: [] };
}

/** Who accepts what was changed does what the change itself would have been signed for. */
function kindsAccepted({ meaning }: SignatureAct, correction: SignedChange['after']): ActKind[] {
  if (meaning !== 'acceptance') return [];
  const { subject, path, old_value: old, new_value: now } = correction;
  const family = String(subject).replace(/:.*/, '');
  return SIGNATURE_ACTS.flatMap(act =>
    act.family === family && isMet(act, { path: String(path), old, new: now }) ? [act.meaning] : [],
  );
}

/** The acts that a change of the record can be. */
function actsAt({ family, after, decides }: SignedChange): SignatureAct[] {
  return SIGNATURE_ACTS.filter(
    act =>
      act.family === family.name &&
      (decides !== undefined || act.while === undefined || (after[act.while] ?? false) !== false),
  );
}

/**
 * What of a change is content of the record and not an act: who changes it is an author. What only the server sets is
 * neither.
 */
export function contentIn(change: SignedChange): string[] {
  const { family, changes, decides } = change;
  const known = actsAt(change);
  const isAct = (value: ChangedValue) =>
    value.path === decides ||
    known.some(act =>
      act.decides === undefined ? isMet(act, value) : act.decides === patternOf(value.path),
    );
  return valuesIn(family, changes).flatMap(value =>
    isAct(value) || fieldAt(family, value.path)?.writable === false ? [] : [value.path],
  );
}

function isMet(act: SignatureAct, { path, old, new: now }: ChangedValue): boolean {
  return isAt(act.path, patternOf(path)) && DIRECTIONS[act.when].isMet(old ?? null, now ?? null);
}

function isAt(path: string, pattern: string): boolean {
  return path === '*' || path === pattern;
}
