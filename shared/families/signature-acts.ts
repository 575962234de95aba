import type { Family } from '../contract/define-family.ts';
import type { Direction } from '../contract/may.ts';
import type { ActKind } from './signature-policy.ts';

/** An act that a person answers for by a signature, where the site's policy asks for it. */
export interface SignatureAct {
  family: string;
  /** What changes: `passed`, `items.*.is_active_batch`; `*` is any value of the record. */
  path: string;
  when: Direction;
  /** Only while this field of the record, as it stands after the change, has a value other than no. */
  while?: string;
  meaning: ActKind;
  /** As a message names it. */
  title: string;
  /** Of an act that any value of the record belongs to: the only one that is no content of it. */
  decides?: string;
  /** It says what is signed: it is signed as long as anything is. */
  isOfPolicy?: true;
  /** What nobody can sign yet is taken all the same, and frees no goods until quality accepts it. */
  canWait?: true;
}

const ncr = { family: 'ncr', meaning: 'disposition', title: 'the disposition of a report' } as const;
const disposed = { ...ncr, when: 'any', while: 'disposition' } as const;
const lab = { family: 'lab-result', canWait: true } as const;
const entered = { ...lab, when: 'first', meaning: 'result', title: 'a lab result' } as const;
const corrected = {
  ...lab,
  when: 'correction',
  meaning: 'correction',
  title: 'the correction of a lab result',
} as const;

const policy = {
  family: 'setting',
  when: 'any',
  meaning: 'settings',
  title: 'a change of what is signed',
  isOfPolicy: true,
} as const;

/** What can be signed; the site's policy says of each kind (its meaning) whether it is. */
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
    decides: 'is_approved',
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
  { ...entered, path: 'lab_data' },
  // What was measured counts for these goods, or by these limits, from now on.
  { ...entered, path: 'batch_number', while: 'lab_data' },
  { ...entered, path: 'inventory_id', while: 'lab_data' },
  { ...entered, path: 'specification_id', while: 'lab_data' },
  { ...corrected, path: 'lab_data' },
  { ...corrected, path: 'testing_date' },
  { ...corrected, path: 'specification_id' },
  { ...corrected, path: 'batch_number' },
  { ...corrected, path: 'inventory_id' },
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
  { ...policy, path: 'esignature_policy' },
  { ...policy, path: 'esignature_deviations' },
  { ...policy, path: 'is_esignature_required' },
  { ...policy, path: 'is_esignature_reason_required' },
];

/** Whether writes of the family, or of one of its collections' items, can be signed: they take password and reason. */
export function canBeSigned({ name }: Pick<Family, 'name'>, collection: string | null = null): boolean {
  if (!FAMILIES.has(name)) return false;
  if (collection === null) return true;
  return SIGNATURE_ACTS.some(
    ({ family, path }) => family === name && (path === '*' || path.startsWith(`${collection}.`)),
  );
}

const FAMILIES = new Set(SIGNATURE_ACTS.map(({ family }) => family));

/** What a write that can be signed carries beside the fields. */
export const SIGNATURE_INPUT = ['esignature_password', 'esignature_reason'] as const;
