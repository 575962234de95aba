import { describe, expect, it } from 'vitest';
import { signaturesOf, signDecision } from '../../../server/rules/signing.ts';
import type { Store } from '../../../server/store/store.ts';
import type { Actor, Signing } from '../../../server/store/unit-of-work.ts';
import type { Family } from '../../../shared/contract/define-family.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import { parseInput } from '../../../shared/contract/parse-input.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { type FamilyName, family as familyNamed } from '../../../shared/families/registry.ts';
import { create, update } from '../store/temporary-store.ts';
import { openSite } from './site.ts';

const ANN: Actor = {
  user: 'ann',
  userId: 7,
  rights: { kind: 'person', roles: ['quality', 'administrator'] },
};
const BEN: Actor = { ...ANN, user: 'ben', userId: 8 };
const PROGRAM: Actor = { user: 'erp', rights: { kind: 'integration', roles: ['administrator'] } };
const IMPORT: Actor = { ...ANN, rights: { ...ANN.rights, kind: 'import' } };
const SIGNING: Signing = { signer: { id: 7, name: 'Ann' }, reason: 'seen' };
const BY_BEN: Signing = { signer: { id: 8, name: 'Ben' }, reason: 'seen' };

/** Makes or changes a record as somebody asks for it. */
function put(
  store: Store,
  name: FamilyName,
  id: number | null,
  body: object,
  { actor = ANN, signing }: { actor?: Actor; signing?: Signing } = {},
): Promise<StoredRecord> {
  const family = familyNamed(name);
  return store.gate.commit({
    actor,
    reason: 'agreed',
    ...(signing && { signing }),
    work: work =>
      id === null
        ? work.create(family, parseInput(family, body, { mode: 'create' }))
        : work.update(family, id, parseInput(family, body, { mode: 'patch' })),
    answer: record => record,
  });
}

/** The names of what is at fault, or the code of another refusal. */
async function refusalOf(work: Promise<unknown>): Promise<string[] | string> {
  const error = await work.then(
    () => new Error('Nothing was refused.'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error;
  return error.errors ? Object.keys(error.errors).toSorted() : error.code;
}

const meanings = (store: Store, record: StoredRecord) =>
  signaturesOf({ records: store.records, sql: store.database.reader }, record).map(({ meaning }) => meaning);

async function site(policy: 'none' | 'gxp' = 'gxp'): Promise<Store> {
  const store = await openSite();
  await create(store, 'user', { name: 'Ann', login: 'ann' }, { id: 7 });
  await create(store, 'user', { name: 'Ben', login: 'ben' }, { id: 8 });
  await create(store, 'setting', { esignature_policy: policy }, { id: 1 });
  return store;
}

const report = { ncr_number: 'N-1', source: 'internal' };
const complaint = { complaint_number: 'C-1', complaint_date: '2026-06-01' };

/** What is made first, what is done with it, and what that is signed for. */
const acts: [string, FamilyName, object, object, string[]][] = [
  ['a verdict', 'inspection', {}, { passed: true }, ['verdict']],
  ['a verdict taken back', 'inspection', { passed: false }, { passed: null }, ['verdict']],
  ['a disposition', 'ncr', report, { disposition: 'use-as-is' }, ['disposition']],
  [
    'how much is disposed of',
    'ncr',
    { ...report, disposition: 'scrap', disposition_quantity: 1 },
    { disposition_quantity: 2 },
    ['disposition'],
  ],
  ['a closing', 'ncr', report, { status: 'closed' }, ['closing']],
  [
    'a disposition that closes',
    'ncr',
    report,
    { disposition: 'use-as-is', status: 'closed' },
    ['disposition', 'closing'],
  ],
  ['a reopening', 'ncr', { ...report, status: 'closed' }, { status: 'open' }, ['reopening']],
  ['a CAR that is closed', 'car', { car_number: 'A-1' }, { date_closed: '2026-06-15' }, ['closing']],
  [
    'a CAR that is open again',
    'car',
    { car_number: 'A-1', date_closed: '2026-06-15' },
    { date_closed: null },
    ['reopening'],
  ],
  ['a complaint that is closed', 'complaint', complaint, { is_closed: true }, ['closing']],
  [
    'a complaint that is open again',
    'complaint',
    { ...complaint, is_closed: true },
    { is_closed: false },
    ['reopening'],
  ],
  ['an approval', 'specification', { name: 'S' }, { is_approved: true }, ['approval']],
  [
    'a quarantine lifted',
    'receiving-inspection',
    { is_quarantined: true },
    { is_quarantined: false },
    ['release'],
  ],
  ['a shipment', 'shipment', {}, { actual_ship_date: '2026-06-15' }, ['shipment']],
  [
    'a shipment taken back',
    'shipment',
    { actual_ship_date: '2026-06-15' },
    { actual_ship_date: null },
    ['shipment'],
  ],
  ['the policy switched off', 'setting', {}, { esignature_policy: 'none' }, ['settings']],
  ['another setting', 'setting', {}, { expiry_soon_days: 3 }, ['settings']],
];

describe('under the policy gxp', () => {
  it.each(acts)(
    '%s is signed with password and reason, and by people only',
    async (_, name, body, act, expected) => {
      const store = await site();
      const id = name === 'setting' ? 1 : (await create(store, name, body, { reason: 'set up' })).id;
      const before = store.records.get(name, id);
      const refused = (options: object) => refusalOf(put(store, name, id, act, options));
      expect(await refused({})).toEqual(['esignature_password', 'esignature_reason']);
      expect(await refused({ signing: { ...SIGNING, reason: null } })).toEqual(['esignature_reason']);
      expect(await refused({ signing: { ...SIGNING, signer: null } })).toEqual(['esignature_password']);
      for (const actor of [PROGRAM, IMPORT])
        expect(await refused({ actor })).toContain('esignature_password');
      expect(store.records.get(name, id)).toEqual(before);

      const record = await put(store, name, id, act, { signing: SIGNING });
      expect(meanings(store, record)).toEqual(expected);
    },
  );

  it.each(
    acts.filter(
      ([what]) => what.startsWith('a ') && !/taken back|again|lifted|how much|reopening/.test(what),
    ),
  )('%s counts as well where a record is made with it', async (_, name, body, act, expected) => {
    const store = await site();
    const made = { ...body, ...act };
    expect(await refusalOf(put(store, name, null, made))).toContain('esignature_password');
    expect(await refusalOf(put(store, name, null, made, { actor: IMPORT }))).toContain('esignature_password');
    const record = await put(store, name, null, made, { signing: SIGNING });
    expect(meanings(store, record)).toEqual(expected);
  });

  it('what is no act is not signed', async () => {
    const store = await site();
    for (const [name, body, change] of [
      ['inspection', {}, { sample_size: 2 }],
      ['ncr', report, { lot_number: 'L', status: 'in_review' }],
      ['complaint', complaint, { comments: 'c' }],
      ['specification', { name: 'S' }, { name: 'T' }],
      ['receiving-inspection', {}, { is_quarantined: true }],
      ['lab-result', {}, { testing_id: 'T-1' }],
    ] as const) {
      const { id } = await put(store, name, null, body);
      const record = await put(store, name, id, change, { signing: SIGNING });
      expect(meanings(store, record), name).toEqual([]);
    }
  });

  it('an inactive batch becomes active by a signature', async () => {
    const store = await site();
    const part = await create(store, 'part', { name: 'Jar', unit_of_measure: 'units' });
    const line = { part_id: part.id, quantity_accepted: 1, serial_number: 'L', is_active_batch: false };
    const receipt = await create(store, 'receiving-inspection', { items: [line] });
    const [item] = Object.keys(Object(receipt.fields.items));
    const change = { items: [{ id: Number(item), is_active_batch: true }] };
    expect(await refusalOf(put(store, 'receiving-inspection', receipt.id, change))).toContain(
      'esignature_password',
    );
    const signed = await put(store, 'receiving-inspection', receipt.id, change, { signing: SIGNING });
    expect(meanings(store, signed)).toEqual(['release']);
  });

  it('who is no second person is told why, and what to do', async () => {
    const store = await site();
    const needs = 'The approval of a template needs a second person';
    const made = put(store, 'specification', null, { name: 'S', is_approved: true }, { signing: SIGNING });
    await expect(made).rejects.toThrow(
      `${needs}: nobody signs what they make in the same breath. Save it without, and ask somebody else to do it.`,
    );
    const { id } = await put(store, 'specification', null, { name: 'S' });
    const approve = (body: object, options: object) =>
      put(store, 'specification', id, { is_approved: true, ...body }, options);
    await expect(approve({}, { signing: SIGNING })).rejects.toThrow(
      `${needs}: another than its last author, who is you. Ask somebody else who may.`,
    );
    const byBen = { actor: BEN, signing: BY_BEN };
    await expect(approve({ name: 'T', identification: 'I' }, byBen)).rejects.toThrow(
      `${needs}, who signs the record as another left it. Leave name, identification out, or save that first and ask somebody else to sign.`,
    );
  });

  it('a template is approved as another person left it, however it is done', async () => {
    const store = await site();
    const approve = { is_approved: true };
    expect(
      await refusalOf(put(store, 'specification', null, { name: 'S', ...approve }, { signing: SIGNING })),
    ).toBe('forbidden');
    const { id } = await put(store, 'specification', null, { name: 'S' });
    const refused = (body: object, options: object) =>
      refusalOf(put(store, 'specification', id, body, options));
    expect(await refused(approve, { signing: SIGNING })).toBe('forbidden');
    const byBen = { actor: BEN, signing: BY_BEN };
    expect(await refused({ ...approve, name: 'T' }, byBen)).toBe('forbidden');
    await update(store, 'user', 7, { former_logins: ['ann'], login: 'anna' });
    expect(await refused(approve, { signing: SIGNING, actor: { ...ANN, user: 'anna' } })).toBe('forbidden');
    const approved = await put(store, 'specification', id, approve, byBen);
    expect(meanings(store, approved)).toEqual(['approval']);

    // What stays approved although it changes is approved anew.
    const kept = { name: 'U', revision: 1, is_approved: true };
    expect(await refused(kept, {})).toBe('forbidden');
    const changed = await put(store, 'specification', id, { name: 'U' });
    expect(changed.fields.is_approved).toBe(false);
  });

  it('the policy that counts is the one before the commit, and none signs itself away', async () => {
    const store = await site('none');
    const { id } = await put(store, 'inspection', null, {});
    await put(store, 'inspection', id, { passed: true });
    await put(store, 'setting', 1, { esignature_policy: 'gxp' });
    const off = { esignature_policy: 'none' };
    expect(await refusalOf(put(store, 'setting', 1, off, { actor: PROGRAM }))).toContain(
      'esignature_password',
    );
    const setting = await put(store, 'setting', 1, off, { signing: SIGNING });
    expect(meanings(store, setting)).toEqual(['settings']);
  });
});

/** The kind of each act of the table, as what somebody does. */
const secondPerson = acts.filter(([, name, , , [, ...others]]) => name !== 'setting' && others.length === 0);

describe('an act that needs a second person', () => {
  const byAnother = { is_signed: true, needs_reason: false, needs_second_person: true };
  const strict = async () => {
    const store = await site('none');
    const kinds = [...new Set(acts.flatMap(([, , , , meanings]) => meanings))].filter(
      kind => kind !== 'settings',
    );
    await update(store, 'setting', 1, {
      esignature_deviations: Object.fromEntries(kinds.map(kind => [kind, byAnother])),
    });
    return store;
  };
  const byAnn = { signing: SIGNING };
  const byBen = { actor: BEN, signing: BY_BEN };

  it.each(secondPerson)(
    '%s is done by another than who wrote the record last',
    async (_, name, body, act, expected) => {
      const store = await strict();
      const made = await create(store, name, body, { reason: 'set up', user: 'ann' });
      expect(await refusalOf(put(store, name, made.id, act, byAnn))).toBe('forbidden');
      expect(store.records.get(name, made.id)).toMatchObject(made);
      const record = await put(store, name, made.id, act, byBen);
      expect(meanings(store, record)).toEqual(expected);
    },
  );

  it('is not done with the making of the record, nor with a change of what it is about', async () => {
    const store = await strict();
    expect(await refusalOf(put(store, 'ncr', null, { ...report, status: 'closed' }, byAnn))).toBe(
      'forbidden',
    );
    const { id } = await create(store, 'ncr', report, { user: 'ann' });
    const closing = { status: 'closed' };
    expect(await refusalOf(put(store, 'ncr', id, { ...closing, description: 'd' }, byBen))).toBe('forbidden');
    // Several acts at once are still acts.
    const both = { ...closing, disposition: 'use-as-is' };
    expect(meanings(store, await put(store, 'ncr', id, both, byBen))).toEqual(['disposition', 'closing']);
  });

  it('goes by the last person: programs that wrote since do not make an author another', async () => {
    const store = await strict();
    const { id } = await put(store, 'ncr', null, report);
    await put(store, 'ncr', id, { description: 'd' }, { actor: PROGRAM });
    expect(store.records.get('ncr', id)?.user).toBe('erp');
    expect(await refusalOf(put(store, 'ncr', id, { status: 'closed' }, byAnn))).toBe('forbidden');
    await put(store, 'ncr', id, { description: 'e' }, { actor: BEN });
    const closed = await put(store, 'ncr', id, { status: 'closed' }, byAnn);
    expect(meanings(store, closed)).toEqual(['closing']);
  });

  it('knows a person by a former login', async () => {
    const store = await strict();
    const { id } = await put(store, 'ncr', null, report);
    await update(store, 'user', 7, { former_logins: ['ann'], login: 'anna' });
    const byAnna = { actor: { ...ANN, user: 'anna' }, signing: SIGNING };
    expect(await refusalOf(put(store, 'ncr', id, { status: 'closed' }, byAnna))).toBe('forbidden');
  });

  it("is anybody's where only programs wrote the record", async () => {
    const store = await strict();
    const { id } = await put(store, 'ncr', null, report, { actor: PROGRAM });
    const closed = await put(store, 'ncr', id, { status: 'closed' }, byAnn);
    expect(meanings(store, closed)).toEqual(['closing']);
  });
});

describe('what the site asks otherwise than its policy', () => {
  const plain = { is_signed: true, needs_reason: false, needs_second_person: false };
  const nothing = { ...plain, is_signed: false };

  it('counts kind by kind, under both policies', async () => {
    const store = await site();
    await update(store, 'setting', 1, { esignature_deviations: { verdict: nothing, closing: plain } });
    const inspection = await put(store, 'inspection', null, { passed: true });
    expect(meanings(store, inspection)).toEqual([]);
    const { id } = await put(store, 'ncr', null, report);
    const closing = { status: 'closed' };
    expect(await refusalOf(put(store, 'ncr', id, closing))).toEqual(['esignature_password']);
    const signing = { ...SIGNING, reason: null };
    expect(meanings(store, await put(store, 'ncr', id, closing, { signing }))).toEqual(['closing']);

    await update(store, 'setting', 1, { esignature_policy: 'none' });
    await put(store, 'ncr', id, { status: 'open' });
    expect(await refusalOf(put(store, 'ncr', id, closing))).toEqual(['esignature_password']);
  });

  it('is changed by a signature as long as anything is signed', async () => {
    const store = await site();
    await update(store, 'setting', 1, { esignature_deviations: { settings: nothing } });
    await put(store, 'setting', 1, { expiry_soon_days: 3 }, { actor: PROGRAM });
    for (const body of [
      { esignature_deviations: null },
      { esignature_deviations: {} },
      { esignature_policy: 'none' },
    ]) {
      expect(await refusalOf(put(store, 'setting', 1, body))).toEqual([
        'esignature_password',
        'esignature_reason',
      ]);
      expect(await refusalOf(put(store, 'setting', 1, body, { actor: PROGRAM }))).toContain(
        'esignature_password',
      );
    }
    const setting = await put(store, 'setting', 1, { esignature_policy: 'none' }, { signing: SIGNING });
    expect(meanings(store, setting)).toEqual(['settings']);
  });
});

describe('a signature', () => {
  it('is bound to the record as its commit leaves it, and never valid again once that changed', async () => {
    const store = await site();
    const { id } = await create(store, 'ncr', report);
    const record = await put(store, 'ncr', id, { status: 'closed' }, { signing: SIGNING });
    const [only, ...none] = signaturesOf({ records: store.records, sql: store.database.reader }, record);
    expect(only).toEqual({
      id: expect.any(Number),
      user_id: 7,
      user_name: 'Ann',
      at: record.updated_at,
      meaning: 'closing',
      reason: 'seen',
      version: 2,
      state: record.state,
      proof: 'before',
      key: null,
      key_from: null,
      key_given_by: null,
      is_imported: false,
      is_superseded: false,
    });
    expect(none).toEqual([]);
    const changed = await put(store, 'ncr', id, { description: 'other' });
    expect(signaturesOf({ records: store.records, sql: store.database.reader }, changed)).toEqual([
      { ...only, is_superseded: true },
    ]);
    const back = await put(store, 'ncr', id, { description: null });
    expect(back.state).toBe(record.state);
    expect(signaturesOf({ records: store.records, sql: store.database.reader }, back)).toEqual([
      { ...only, is_superseded: true },
    ]);
  });
});

it('a signature that an import put back says so, and one of another state of the version is superseded', async () => {
  const store = await site();
  const record = await create(store, 'supplier', { name: 'One' });
  const signed = { subject: record.key, user_id: 7, user_name: 'Ann', meaning: 'decision', version: 1 };
  const at = '2020-01-01T08:00:00.000Z';
  await store.gate.commit({
    actor: { user: 'tester', rights: BY_SERVER },
    reason: null,
    work: work => {
      const family: Family = familyNamed('signature');
      for (const state of [record.state, 'other'])
        work.restore(family, work.nextId('signature'), { ...signed, at, state });
    },
    answer: () => null,
  });
  expect(signaturesOf({ records: store.records, sql: store.database.reader }, record)).toMatchObject([
    { at, reason: null, is_imported: true, is_superseded: false },
    { at, is_imported: true, is_superseded: true },
  ]);
});

describe('what is missing for a signature', () => {
  const both = { disposition: 'use-as-is', status: 'closed' };
  const titles = 'the disposition of a report and the closing of a report';
  const reason = `The reason is missing. The signature of ${titles} needs one; it is kept with it.`;

  it.each<[string, Actor, string]>([
    ['a person', ANN, `Your password is missing. It signs ${titles}.`],
    [
      'a program',
      PROGRAM,
      `A token signs nothing, and ${titles} is signed here. Sign in as a user and use that session.`,
    ],
    [
      'an import',
      IMPORT,
      `An import signs nothing, and ${titles} is signed here. Leave it out, and do it as a signed-in user.`,
    ],
  ])('is told to %s for all acts at once', async (_, actor, password) => {
    const store = await site();
    const { id } = await create(store, 'ncr', report);
    await expect(put(store, 'ncr', id, both, { actor })).rejects.toMatchObject({
      errors: { esignature_password: [password], esignature_reason: [reason] },
    });
  });

  it('names an act once that is done twice', async () => {
    const store = await site();
    const { id } = await create(
      store,
      'ncr',
      { ...report, disposition: 'scrap', disposition_quantity: 1 },
      { reason: 'r' },
    );
    await expect(
      put(store, 'ncr', id, { disposition: 'return', disposition_quantity: 2 }),
    ).rejects.toMatchObject({
      errors: { esignature_password: ['Your password is missing. It signs the disposition of a report.'] },
    });
  });
});

it('a decision signs each of its records as it stands, and none that is not there', async () => {
  const store = await site();
  const first = await create(store, 'supplier', { name: 'One' });
  const second = await create(store, 'supplier', { name: 'Two' });
  await store.gate.commit({
    actor: ANN,
    reason: null,
    signing: SIGNING,
    work: work => {
      signDecision(work, [first.key, 'supplier:999', second.key]);
      return null;
    },
    answer: () => null,
  });
  for (const record of [first, second])
    expect(signaturesOf({ records: store.records, sql: store.database.reader }, record)).toMatchObject([
      { meaning: 'decision', user_id: 7, version: 1, state: record.state, is_superseded: false },
    ]);
  expect(store.records.findBy('signature', 'subject', 'supplier:999')).toEqual([]);
});

describe('with the switch for reports alone', () => {
  it('each change of a report is signed, by whatever door, and its closing says so', async () => {
    const store = await site('none');
    await update(store, 'setting', 1, { is_esignature_required: true });
    const { id } = await put(store, 'ncr', null, report);
    for (const actor of [ANN, PROGRAM, IMPORT])
      expect(await refusalOf(put(store, 'ncr', id, { description: 'd' }, { actor }))).toEqual([
        'esignature_password',
      ]);
    const signing = { ...SIGNING, reason: null };
    for (const body of [{ description: 'd' }, { status: 'closed' }, { description: 'e' }])
      await put(store, 'ncr', id, body, { signing });
    const record = store.records.get('ncr', id);
    expect(record && meanings(store, record)).toEqual(['change', 'closing', 'change']);
    const inspection = await put(store, 'inspection', null, { passed: true });
    expect(meanings(store, inspection)).toEqual([]);
  });
});
