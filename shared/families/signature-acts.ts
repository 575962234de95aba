import type { Family } from '../contract/define-family.ts';
import { DIRECTIONS, type Direction } from '../contract/may.ts';
import { type ChangedValue, patternOf, valuesIn } from '../contract/permission.ts';
import { isDecided, isSigned } from '../contract/signed.ts';
import type { Meaning } from './signature.ts';

/** An act that a person answers for by a signature, where the site's policy asks for it. */
export interface SignatureAct {
  family: string;
  /** What changes: `passed`, `items.*.is_active_batch`; `*` is any value of the record. */
  path: string;
  when: Direction;
  /** Only while this field of the record, as it stands after the change, has a value other than no. */
  while?: string;
  meaning: Meaning;
  /** As a message names it. */
  title: string;
  /** Another person than the last author of the record. */
  needsAnother?: true;
}

const ncr = { family: 'ncr', meaning: 'disposition', title: 'the disposition of a report' } as const;
const disposed = { ...ncr, when: 'any', while: 'disposition' } as const;
const lab = {
  family: 'lab-result',
  when: 'correction',
  meaning: 'correction',
  title: 'the correction of a lab result',
} as const;

/** Which acts are signed under the policy `gxp`, each with a reason. */
export const SIGNATURE_ACTS: readonly SignatureAct[] = [
  {
    family: 'inspection',
    path: 'passed',
    when: 'any',
    meaning: 'verdict',
    title: 'the verdict of an inspection',
  },
  { ...ncr, path: 'disposition', when: 'any' },
  // Each of these takes the effect of the disposition back and works it anew.
  { ...disposed, path: 'disposition_quantity' },
  { ...disposed, path: 'disposition_location_id' },
  { ...disposed, path: 'inventory_id' },
  { ...disposed, path: 'inspection_id' },
  { ...disposed, path: 'lab_result_id' },
  {
    family: 'ncr',
    path: 'status',
    when: 'becomesClosed',
    meaning: 'closing',
    title: 'the closing of a report',
  },
  {
    family: 'ncr',
    path: 'status',
    when: 'leavesClosed',
    meaning: 'reopening',
    title: 'the reopening of a report',
  },
  { family: 'car', path: 'date_closed', when: 'given', meaning: 'closing', title: 'the closing of a CAR' },
  {
    family: 'car',
    path: 'date_closed',
    when: 'cleared',
    meaning: 'reopening',
    title: 'the reopening of a CAR',
  },
  {
    family: 'complaint',
    path: 'is_closed',
    when: 'toTrue',
    meaning: 'closing',
    title: 'the closing of a complaint',
  },
  {
    family: 'complaint',
    path: 'is_closed',
    when: 'fromTrue',
    meaning: 'reopening',
    title: 'the reopening of a complaint',
  },
  // A change of an approved template that keeps it approved approves the new content.
  {
    family: 'specification',
    path: '*',
    when: 'any',
    while: 'is_approved',
    meaning: 'approval',
    title: 'the approval of a template',
    needsAnother: true,
  },
  {
    family: 'receiving-inspection',
    path: 'is_quarantined',
    when: 'fromTrue',
    meaning: 'release',
    title: 'the release from quarantine',
  },
  {
    family: 'receiving-inspection',
    path: 'items.*.is_active_batch',
    when: 'fromFalse',
    meaning: 'release',
    title: 'the release of an inactive batch',
  },
  {
    family: 'inventory',
    path: 'is_locked_by_person',
    when: 'fromTrue',
    meaning: 'release',
    title: "the lifting of a lot's lock",
  },
  {
    family: 'correction',
    path: 'status',
    when: 'any',
    meaning: 'acceptance',
    title: 'the acceptance of a correction',
  },
  { ...lab, path: 'lab_data' },
  { ...lab, path: 'testing_date' },
  { ...lab, path: 'specification_id' },
  { ...lab, path: 'batch_number' },
  { ...lab, path: 'inventory_id' },
  {
    family: 'shipment',
    path: 'actual_ship_date',
    when: 'any',
    meaning: 'shipment',
    title: 'the release of a shipment',
  },
  {
    family: 'certificate',
    path: '*',
    when: 'any',
    meaning: 'certificate',
    title: 'the issue of a certificate',
  },
  {
    family: 'setting',
    path: '*',
    when: 'any',
    meaning: 'settings',
    title: "a change of the site's settings",
  },
];

/** What of the site's settings says what is signed. */
export interface SigningSettings {
  esignature_policy: 'none' | 'gxp';
  /** Interface 2.6: each update of an NCR is signed; with a reason where the second says so. */
  is_esignature_required: boolean;
  is_esignature_reason_required: boolean;
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
}

export interface DueSignature {
  meaning: Meaning;
  /** In words, for a sentence: `the verdict of an inspection`. */
  title: string;
  needsReason: boolean;
  needsAnother: boolean;
}

/**
 * The signatures that a change needs by the site's settings, one for each meaning. Pure, and the same for a form, the
 * write gate and central.
 */
export function signaturesDue(settings: SigningSettings, change: SignedChange): DueSignature[] {
  const due = new Map<Meaning, DueSignature>();
  if (settings.esignature_policy === 'gxp') {
    for (const { meaning, title, needsAnother = false } of actsIn(change))
      due.set(meaning, { meaning, title, needsReason: true, needsAnother });
  }
  const { family, before, after } = change;
  const isReport = isSigned(family) && (before !== undefined || isDecided(family, after));
  if (settings.is_esignature_required && due.size === 0 && isReport) {
    const isClosing = after.status === 'closed' && before?.status !== 'closed';
    const meaning = isClosing ? 'closing' : 'change';
    const needsReason = settings.is_esignature_reason_required;
    due.set(meaning, { meaning, title: 'a change of a report', needsReason, needsAnother: false });
  }
  return [...due.values()];
}

/** The acts that a change of one record contains. */
function actsIn({ family, changes, after, decides }: SignedChange): SignatureAct[] {
  const known = SIGNATURE_ACTS.filter(act => act.family === family.name);
  if (known.length === 0) return [];
  const decided = known.find(({ path }) => decides !== undefined && isAt(path, patternOf(decides)));
  if (decided) {
    const title = `the decision of a conflict about ${decided.title}`;
    return [{ ...decided, meaning: 'decision', title }];
  }
  const values = [...valuesIn(family, changes)];
  return known.filter(
    act =>
      (act.while === undefined || (after[act.while] ?? false) !== false) &&
      values.some(
        ({ path, old, new: now }) =>
          isAt(act.path, patternOf(path)) && DIRECTIONS[act.when].isMet(old ?? null, now ?? null),
      ),
  );
}

/** Whether writes of the family, or of one of its collections' items, can be signed: they take password and reason. */
export function canBeSigned({ name }: Pick<Family, 'name'>, collection: string | null = null): boolean {
  return SIGNATURE_ACTS.some(
    ({ family, path }) =>
      family === name && (collection === null || path === '*' || path.startsWith(`${collection}.`)),
  );
}

/** What a write that can be signed carries beside the fields. */
export const SIGNATURE_INPUT = ['esignature_password', 'esignature_reason'] as const;

function isAt(path: string, pattern: string): boolean {
  return path === '*' || path === pattern;
}
