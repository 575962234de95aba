import { describe, expect, it } from 'vitest';
import { locksOf } from '../../../server/rules/lot-state.ts';
import { signaturesOf } from '../../../server/rules/signing.ts';
import type { Store } from '../../../server/store/store.ts';
import type { Actor, Signing } from '../../../server/store/unit-of-work.ts';
import { parseInput } from '../../../shared/contract/parse-input.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import type { Deviations } from '../../../shared/families/signature-policy.ts';
import { create, update } from '../store/temporary-store.ts';
import { addPart, openSite, receive } from './site.ts';

/** What counts for goods of a lab result, where the policy wants it signed. */
const IDA: Actor = { user: 'ida', userId: 7, rights: { kind: 'person', roles: ['inspector'] } };
const PROGRAM: Actor = { user: 'hplc', rights: { kind: 'integration', roles: ['inspector'] } };
const IMPORT: Actor = { ...IDA, rights: { kind: 'import', roles: ['administrator'] } };
const BY_IDA: Signing = { signer: { id: 7, name: 'Ida' }, reason: null };

const family = families['lab-result'];
const measured = { lab_data: '{"THC": "1"}' };

interface Options {
  actor?: Actor;
  signing?: Signing;
  reason?: string | null;
}

function put(store: Store, id: number | null, body: object, options: Options = {}): Promise<StoredRecord> {
  const { actor = IDA, signing, reason = null } = options;
  return store.gate.commit({
    actor,
    reason,
    ...(signing && { signing }),
    work: work =>
      id === null
        ? work.create(family, parseInput(family, body, { mode: 'create' }))
        : work.update(family, id, parseInput(family, body, { mode: 'patch' })),
    answer: record => record,
  });
}

async function site(deviations: Deviations = {}) {
  const store = await openSite();
  await create(store, 'user', { name: 'Ida', login: 'ida' }, { id: 7 });
  await create(store, 'setting', { esignature_policy: 'gxp', esignature_deviations: deviations }, { id: 1 });
  const part = await addPart(store);
  const { lot } = await receive(store, { part_id: part });
  return { store, part, lot };
}

const meanings = (store: Store, record: StoredRecord) =>
  signaturesOf({ records: store.records, sql: store.database.reader }, record).map(({ meaning }) => meaning);

const corrections = (store: Store) =>
  [...store.records.all('correction')].map(({ fields: { subject, path, status, lots } }) => ({
    subject,
    path,
    status,
    lots,
  }));

function locks(store: Store, lot: number): string[] {
  const reads = { records: store.records, sql: store.database.reader };
  const record = store.records.get('inventory', lot);
  return record ? locksOf(reads, record).map(({ lock }) => lock) : [];
}

describe('a lab result that a person enters', () => {
  it('is signed, and counts', async () => {
    const { store, lot } = await site();
    const body = { ...measured, inventory_id: lot };
    await expect(put(store, null, body)).rejects.toMatchObject({
      errors: { esignature_password: [expect.stringContaining('a lab result')] },
    });
    const record = await put(store, null, body, { signing: BY_IDA });
    expect(meanings(store, record)).toEqual(['result']);
    expect(corrections(store)).toEqual([]);
    expect(locks(store, lot)).toEqual([]);
  });

  it('is signed when it is measured, and when it is given to goods', async () => {
    const { store, lot } = await site();
    const { id } = await put(store, null, { testing_id: 'T-1', batch_number: 'L' });
    await expect(put(store, id, measured)).rejects.toMatchObject({ code: 'validation_failed' });
    await put(store, id, measured, { signing: BY_IDA });
    await expect(put(store, id, { inventory_id: lot })).rejects.toMatchObject({ code: 'validation_failed' });
    const record = await put(store, id, { inventory_id: lot }, { signing: BY_IDA });
    expect(meanings(store, record)).toEqual(['result', 'result']);
  });

  it('is corrected with a signature and a reason', async () => {
    const { store, lot } = await site();
    const { id } = await put(store, null, { ...measured, inventory_id: lot }, { signing: BY_IDA });
    const change = { lab_data: '{"THC": "2"}' };
    const reason = 'Misread.';
    await expect(put(store, id, change, { reason, signing: BY_IDA })).rejects.toMatchObject({
      errors: { esignature_reason: [expect.any(String)] },
    });
    const record = await put(store, id, change, { reason, signing: { ...BY_IDA, reason } });
    expect(meanings(store, record)).toEqual(['result', 'correction']);
    expect(corrections(store)).toMatchObject([{ path: 'lab_data', status: 'recorded' }]);
    expect(locks(store, lot)).toEqual([]);
  });

  it('waits for another person where the site asks for a second one', async () => {
    const byAnother = { is_signed: true, needs_reason: false, needs_second_person: true };
    const { store, lot } = await site({ result: byAnother, correction: byAnother });
    const record = await put(store, null, { ...measured, inventory_id: lot }, { signing: BY_IDA });
    expect(meanings(store, record)).toEqual(['result']);
    expect(corrections(store)).toEqual([
      { subject: record.key, path: 'lab_data', status: 'awaiting', lots: [lot] },
    ]);
    expect(locks(store, lot)).toEqual(['correction']);
    await put(store, record.id, { lab_data: '{"THC": "2"}' }, { reason: 'Misread.', signing: BY_IDA });
    expect(corrections(store)).toMatchObject([{ status: 'awaiting' }, { status: 'awaiting' }]);
  });
});

describe.each([
  ['a program', PROGRAM],
  ['an import', IMPORT],
])('a lab result that %s brings', (_, actor) => {
  it('is taken, and its lot waits for quality', async () => {
    const { store, lot } = await site();
    const record = await put(store, null, { ...measured, inventory_id: lot, batch_number: 'L' }, { actor });
    expect(meanings(store, record)).toEqual([]);
    expect(corrections(store)).toEqual([
      { subject: record.key, path: 'lab_data', status: 'awaiting', lots: [lot] },
    ]);
    expect(locks(store, lot)).toEqual(['correction']);
  });

  it('waits by its number, also for the lot that comes later', async () => {
    const { store, part, lot } = await site();
    await put(store, null, { ...measured, batch_number: 'L' }, { actor });
    expect(locks(store, lot)).toEqual(['correction']);
    await put(store, null, { ...measured, batch_number: 'M' }, { actor });
    const later = await receive(store, { part_id: part, serial_number: 'M' });
    expect(locks(store, later.lot)).toEqual(['correction']);
  });

  it('of one lot record holds no other of its number', async () => {
    const { store, part, lot } = await site();
    const other = await receive(store, { part_id: part, expiry_date: '2090-01-01' });
    await put(store, null, { ...measured, inventory_id: lot, batch_number: 'L' }, { actor });
    expect([locks(store, lot), locks(store, other.lot)]).toEqual([['correction'], []]);
  });

  it('waits for nothing while it is about no goods, and once it is given to some', async () => {
    const { store, lot } = await site();
    const { id } = await put(store, null, measured, { actor });
    expect(corrections(store)).toEqual([]);
    await put(store, id, { inventory_id: lot }, { actor });
    expect(corrections(store)).toMatchObject([{ path: 'inventory_id', status: 'awaiting' }]);
    expect(locks(store, lot)).toEqual(['correction']);
  });

  it('waits as well where it replaces what a person signed', async () => {
    const { store, lot } = await site();
    const { id } = await put(store, null, { ...measured, inventory_id: lot }, { signing: BY_IDA });
    const record = await put(store, id, { lab_data: '{"THC": "2"}', testing_date: '2026-06-01' }, { actor });
    expect(signaturesOf({ records: store.records, sql: store.database.reader }, record)).toMatchObject([
      { meaning: 'result', is_superseded: true },
    ]);
    expect(corrections(store)).toMatchObject([{ path: 'lab_data', status: 'awaiting' }]);
    expect(locks(store, lot)).toEqual(['correction']);
  });

  it('counts at once where the site wants no signature of it', async () => {
    const nothing = { is_signed: false, needs_reason: false, needs_second_person: false };
    const { store, lot } = await site({ result: nothing });
    await put(store, null, { ...measured, inventory_id: lot }, { actor });
    await update(store, 'setting', 1, { esignature_policy: 'none', esignature_deviations: null });
    await put(store, null, { ...measured, inventory_id: lot }, { actor });
    expect(corrections(store)).toEqual([]);
    expect(locks(store, lot)).toEqual([]);
  });
});
