import { describe, expect, it } from 'vitest';
import { families } from '../../../shared/families/registry.ts';
import { SIGNATURE_ACTS } from '../../../shared/families/signature-acts.ts';
import {
  ACT_KINDS,
  type ActPolicy,
  type Deviations,
  deviate,
  deviationsInput,
  policyOf,
  presetOf,
} from '../../../shared/families/signature-policy.ts';
import {
  contentIn,
  type SignedChange,
  type SigningSettings,
  signaturesDue,
} from '../../../shared/families/signatures-due.ts';

const NOTHING: ActPolicy = { is_signed: false, needs_reason: false, needs_second_person: false };
const PLAIN: ActPolicy = { ...NOTHING, is_signed: true };
const BY_ANOTHER: ActPolicy = { ...PLAIN, needs_second_person: true };

function site(preset: 'none' | 'gxp', deviations: Deviations = {}): SigningSettings {
  return {
    esignature_policy: preset,
    esignature_deviations: deviations,
    is_esignature_required: false,
    is_esignature_reason_required: false,
  };
}

const verdict: SignedChange = {
  family: families.inspection,
  changes: [{ path: 'passed', old: null, new: true }],
  before: {},
  after: { passed: true },
};

/** Meaning, reason, second person. */
const dueIn = (settings: SigningSettings, change: SignedChange) =>
  signaturesDue(settings, change).map(due => [due.meaning, due.needsReason, due.needsAnother]);

describe('what the site asks of a kind of act', () => {
  it('is what its policy says, unless it says otherwise', () => {
    expect(dueIn(site('none'), verdict)).toEqual([]);
    expect(dueIn(site('gxp'), verdict)).toEqual([['verdict', true, false]]);
    expect(dueIn(site('gxp', { verdict: NOTHING }), verdict)).toEqual([]);
    expect(dueIn(site('gxp', { verdict: PLAIN }), verdict)).toEqual([['verdict', false, false]]);
    expect(dueIn(site('none', { verdict: BY_ANOTHER }), verdict)).toEqual([['verdict', false, true]]);
    expect(dueIn(site('none', { closing: PLAIN }), verdict)).toEqual([]);
  });

  it('has a kind for each act, and an act for each kind but decisions, which are of any act', () => {
    const kinds = new Set(SIGNATURE_ACTS.map(({ meaning }) => meaning));
    expect(ACT_KINDS.filter(kind => !kinds.has(kind))).toEqual(['decision']);
  });

  it('is no deviation where the policy says the same', () => {
    const gxp = site('gxp', { verdict: PLAIN, closing: NOTHING });
    expect(deviate(gxp, 'verdict', presetOf('gxp', 'verdict'))).toEqual({ closing: NOTHING });
    expect(deviate(gxp, 'verdict', { ...BY_ANOTHER, is_signed: false })).toEqual({
      verdict: NOTHING,
      closing: NOTHING,
    });
    expect(policyOf({ ...gxp, esignature_deviations: {} }, 'approval').needs_second_person).toBe(true);
  });
});

describe('no kind leads around another', () => {
  const conflict = { ...verdict, decides: 'passed' };
  const letIn = { ...verdict, isLetIn: true as const };

  it('a decision asks what it decides on asks, and at least what decisions ask', () => {
    for (const change of [conflict, letIn]) {
      expect(dueIn(site('none'), change)).toEqual([]);
      expect(dueIn(site('gxp', { decision: NOTHING }), change)).toEqual([['decision', true, false]]);
      expect(dueIn(site('gxp', { verdict: NOTHING }), change)).toEqual([['decision', true, false]]);
      expect(dueIn(site('none', { verdict: BY_ANOTHER, decision: PLAIN }), change)).toEqual([
        ['decision', false, true],
      ]);
    }
  });

  it('accepting a correction asks what the corrected act asks', () => {
    const after = { subject: 'inspection:17', path: 'passed', old_value: null, new_value: true };
    const acceptance = (value: object) => ({
      family: families.correction,
      changes: [{ path: 'status', old: 'awaiting', new: 'accepted' }],
      before: { ...after, ...value, status: 'awaiting' },
      after: { ...after, ...value, status: 'accepted' },
    });
    const settings = site('gxp', { acceptance: NOTHING, verdict: BY_ANOTHER });
    expect(dueIn(settings, acceptance({}))).toEqual([['acceptance', false, true]]);
    expect(dueIn(settings, acceptance({ subject: 'inspection:17', path: 'inspection_date' }))).toEqual([]);
  });

  it('what says what is signed is changed by a signature with a reason as long as anything is signed', () => {
    const change = (path: string): SignedChange => ({
      family: families.setting,
      changes: [{ path, old: null, new: 'x' }],
      before: {},
      after: { [path]: 'x' },
    });
    const open = site('gxp', { settings: NOTHING });
    expect(dueIn(open, change('time_zone'))).toEqual([]);
    for (const path of [
      'esignature_policy',
      'esignature_deviations',
      'is_esignature_required',
      'is_esignature_reason_required',
    ]) {
      expect(dueIn(open, change(path)), path).toEqual([['settings', true, false]]);
      expect(dueIn(site('none', { verdict: PLAIN }), change(path)), path).toEqual([
        ['settings', true, false],
      ]);
      expect(dueIn(site('none'), change(path)), path).toEqual([]);
    }
  });
});

describe('the content of a record', () => {
  it('is what is neither the act nor set by the server', () => {
    const approved = (changes: SignedChange['changes']): SignedChange => ({
      family: families.specification,
      changes,
      before: {},
      after: { is_approved: true },
    });
    const act = { path: 'is_approved', old: false, new: true };
    const by = { path: 'approved_by', old: null, new: 7 };
    expect(contentIn(approved([act, by]))).toEqual([]);
    expect(contentIn(approved([act, { path: 'name', old: 'S', new: 'T' }]))).toEqual(['name']);
    const note = { path: 'description', old: null, new: 'd' };
    const closing: SignedChange = {
      family: families.ncr,
      changes: [{ path: 'status', old: 'open', new: 'closed' }, note],
      before: {},
      after: { status: 'closed' },
    };
    expect(contentIn(closing)).toEqual(['description']);
    // The lot of a report belongs to its disposition only where there is one.
    const lot = { path: 'inventory_id', old: 1, new: 2 };
    expect(contentIn({ ...closing, changes: [lot] })).toEqual(['inventory_id']);
    expect(contentIn({ ...closing, changes: [lot], after: { disposition: 'scrap' } })).toEqual([]);
  });
});

describe('deviations as somebody gives them', () => {
  const faultsOf = (given: unknown) => {
    const read = deviationsInput.safeParse(given);
    return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  };

  it('are read where each names a kind in full', () => {
    const given = {
      verdict: BY_ANOTHER,
      closing: { is_signed: 0, needs_reason: '0', needs_second_person: 0 },
    };
    expect(deviationsInput.parse({ verdict: BY_ANOTHER })).toEqual({ verdict: BY_ANOTHER });
    expect(faultsOf(given)).toEqual([
      expect.stringMatching(/^closing\.is_signed: 0 is not a yes or no/),
      expect.stringMatching(/^closing\.needs_reason: "0" is not a yes or no/),
      expect.stringMatching(/^closing\.needs_second_person: 0 is not a yes or no/),
    ]);
  });

  it.each([
    ['what is no object', [], /^: \[\] is not an object\. Give/],
    ['an unknown kind', { verdikt: PLAIN }, /^verdikt: "verdikt" is no kind of act\. Allowed: verdict, /],
    ['the ordinary change of a report', { change: PLAIN }, /^change: "change" is no kind of act/],
    ['a name of the language', { constructor: PLAIN }, /^constructor: /],
    [
      'a policy that is none',
      { verdict: 'signed' },
      /^verdict: "signed" is not what a kind of act needs\. Give/,
    ],
    ['one that is not whole', { verdict: { is_signed: true } }, /^verdict\.needs_reason: Nothing is not/],
    ['one that says more', { verdict: { ...PLAIN, by: 'quality' } }, /^verdict: by is no part of what/],
    [
      'a reason without a signature',
      { verdict: { ...NOTHING, needs_reason: true } },
      /^verdict\.needs_reason: needs_reason is true and is_signed is false.*Give is_signed true/,
    ],
    [
      'a second person without a signature',
      { verdict: { ...NOTHING, needs_second_person: true } },
      /^verdict\.needs_second_person: /,
    ],
  ])('%s is refused by its path, with what to give', (_, given, fault) => {
    expect(faultsOf(given)[0]).toMatch(fault);
  });
});
