import { hash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  basisOf,
  digestOf,
  issuedContent,
  labResultsOf,
  standingOf,
  withdrawalOf,
} from '../../../server/rules/certificates.ts';
import { inputOf } from '../../../server/rules/input-of.ts';
import type { Store } from '../../../server/store/store.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { CertificateContent } from '../../../shared/families/certificate.ts';
import { families } from '../../../shared/families/registry.ts';
import { create, update } from '../store/temporary-store.ts';
import { locks } from './people.ts';
import { addPart, contextOf, lock, openSite, receive } from './site.ts';

type Fields = Record<string, unknown>;

const QUINN = { user: 'quinn', rights: BY_SERVER };
const PAPER: CertificateContent['paper'] = {
  language: 'en',
  company: 'Ours',
  title: 'Certificate of analysis',
  number: 'COA-0-000001',
  link: 'COA-0-000001',
  identity: '',
  printed: '',
  pageOf: '',
  replaced: '',
  at: '2026-06-15T12:00:00.000Z',
  blocks: [],
};

let store: Store;
let part_id: number;
let lot: number;
beforeEach(async () => {
  store = await openSite();
  part_id = await addPart(store);
  lot = (await receive(store, { part_id })).lot;
});

function read(family: string, id: number): StoredRecord {
  const record = store.records.get(family, id);
  if (!record) throw new Error(`There is no ${family} ${id}.`);
  return record;
}

/** A certificate of the lot, as it is issued; `other` afterwards, past its digest. */
function issue(other: Fields = {}): Promise<StoredRecord> {
  return store.gate.commit({
    actor: QUINN,
    reason: null,
    work: work => {
      const reads = { records: work.records, sql: work.sql };
      const basis = basisOf(reads, work.require('inventory', lot));
      const made = work.create(families.certificate, inputOf({ inventory_id: lot, basis }));
      const said: CertificateContent = {
        number: String(made.fields.number),
        language: 'en',
        time_zone: 'UTC',
        issued_at: work.at,
        issuer: 'quinn',
        issuer_name: 'Quinn',
        paper: PAPER,
      };
      const fields = { ...made.fields, ...said, digest: digestOf(said), ...other };
      return work.set(families.certificate, made.id, fields);
    },
    answer: record => record,
  });
}

function withdraw(certificate_id: number, fields: Fields): Promise<StoredRecord> {
  return store.gate.commit({
    actor: QUINN,
    reason: null,
    work: work => work.create(families['certificate-withdrawal'], inputOf({ certificate_id, ...fields })),
    answer: record => record,
  });
}

const standing = ({ id }: StoredRecord) => standingOf(contextOf(store), read('certificate', id));
const result = (fields: Fields) => create(store, 'lab-result', fields);

describe('a certificate is of the results', () => {
  const resultsOf = (id: number) => labResultsOf(store, read('inventory', id)).map(found => found.id);

  it('of the lot itself and of its number, in the order in which they were written', async () => {
    const byNumber = await result({ batch_number: 'L' });
    const own = await result({ inventory_id: lot });
    const later = await result({ batch_number: 'L' });
    await result({ batch_number: 'M' });
    expect(resultsOf(lot)).toEqual([byNumber.id, own.id, later.id]);
  });

  it('of no other lot record or part of that number', async () => {
    const second = (await receive(store, { part_id, expiry_date: '2027-01-31' })).lot;
    await result({ batch_number: 'L', inventory_id: second });
    const measured = await result({ batch_number: 'L' });
    const lid = await addPart(store, { name: 'Lid' });
    const lids = (await receive(store, { part_id: lid })).lot;
    expect(resultsOf(lot)).toEqual([measured.id]);
    expect(resultsOf(lids)).toEqual([]);
  });

  it.each([null, ''])('of the lot itself alone where its number is %j', async serial_number => {
    const { lot: unnumbered } = await receive(store, { part_id, serial_number });
    const record = read('inventory', unnumbered);
    const nameless = { ...record, fields: { ...record.fields, batch_number: serial_number ?? undefined } };
    await result({ batch_number: '', inventory_id: null });
    const own = await result({ inventory_id: unnumbered });
    expect(labResultsOf(store, nameless).map(({ id }) => id)).toEqual([own.id]);
  });
});

it('a certificate rests on its lot, its results, inspections and reports, each as it stood', async () => {
  const measured = await result({ inventory_id: lot });
  const inspection = await create(store, 'inspection', { inventory_id: lot });
  const ncr = await create(store, 'ncr', { ncr_number: 'N-1', source: 'internal', inventory_id: lot });
  await update(store, 'lab-result', measured.id, { notes: 'n' });
  const now = read('lab-result', measured.id);
  const record = read('inventory', lot);
  expect(basisOf(store, record)).toEqual([
    { subject: record.key, version: record.version, at: record.updated_at },
    { subject: now.key, version: 2, at: now.updated_at },
    { subject: inspection.key, version: 1, at: inspection.updated_at },
    { subject: ncr.key, version: 1, at: ncr.updated_at },
  ]);
});

describe('an issued certificate', () => {
  it('is what its digest was made of, a SHA-256', async () => {
    const certificate = await issue();
    const content = issuedContent(certificate);
    expect(content).toMatchObject({ issuer_name: 'Quinn', paper: PAPER });
    expect(certificate.fields.digest).toBe(digestOf(content ?? Object()));
    expect(digestOf({ number: 'A' } as never)).toBe(hash('sha256', '{"number":"A"}'));
  });

  it.each<[string, Fields]>([
    ['says something else', { issuer_name: 'Ada' }],
    ['says it on another paper', { paper: { ...PAPER, company: 'Theirs' } }],
    ['cannot be read', { language: 'fr' }],
    ['has no digest', { digest: undefined }],
  ])('that %s is damaged, whatever else is true of it', async (_, other) => {
    const certificate = await issue(other);
    await withdraw(certificate.id, { at: '2026-06-15T12:00:00.000Z' });
    expect(issuedContent(certificate)).toBeUndefined();
    expect(standing(certificate).state).toBe('damaged');
  });

  it('is valid until something of the lot changes', async () => {
    const certificate = await issue();
    const nobody = { withdrawn_at: null, withdrawn_by: null, withdrawal_reason: null };
    expect(standing(certificate)).toEqual({ state: 'valid', changed: [], ...nobody });
    const measured = await result({ inventory_id: lot });
    expect(standing(certificate)).toEqual({ state: 'changed', changed: [measured.key], ...nobody });
  });

  it('has changed where a record that it rests on has another version, another moment, or is no more', async () => {
    const measured = await result({ inventory_id: lot });
    const other = await result({ inventory_id: lot });
    const [first, second] = [await issue(), await issue()];
    const { lot: elsewhere } = await receive(store, { part_id, serial_number: 'M' });
    await update(store, 'lab-result', measured.id, { inventory_id: elsewhere }, { reason: 'mixed up' });
    await update(store, 'lab-result', other.id, { notes: 'n' });
    expect(standing(first)).toMatchObject({ state: 'changed', changed: [measured.key, other.key] });
    const basis = [
      {
        subject: `inventory:${lot}`,
        version: read('inventory', lot).version,
        at: '2026-06-01T00:00:00.000Z',
      },
      { subject: other.key, version: 1, at: read('lab-result', other.id).updated_at },
    ];
    const altered = { ...second, fields: { ...second.fields, basis } };
    expect(standingOf(contextOf(store), altered).changed).toEqual([`inventory:${lot}`, other.key]);
  });

  it('has changed while its lot is locked, by what locks it, named once', async () => {
    const { id: specification_id } = await create(store, 'specification', {
      characteristics: [{ name: 'pH', tolerance: '3-4' }],
    });
    await result({ inventory_id: lot, specification_id, lab_data: { pH: 9 } });
    const early = await issue();
    expect(locks(store, lot)).toEqual(['lab_failed']);
    const [failed] = store.records.findBy('lab-result', 'inventory_id', lot);
    expect(standing(early)).toMatchObject({ state: 'changed', changed: [failed?.key] });
    await lock(store, lot, true);
    expect(standing(early).changed).toEqual([`inventory:${lot}`, failed?.key]);
  });

  it('rests on nothing that is there where its lot or its basis is unknown', async () => {
    const certificate = await issue();
    const known = [`inventory:${lot}`];
    const standingWith = (fields: Fields) =>
      standingOf(contextOf(store), { ...certificate, fields: { ...certificate.fields, ...fields } });
    expect(standingWith({ inventory_id: undefined }).changed).toEqual(known);
    expect(standingWith({ inventory_id: 999 }).changed).toEqual(known);
    expect(standingWith({ basis: 'none' }).changed).toEqual(known);
    expect(standingWith({ basis: [], inventory_id: undefined }).changed).toEqual([]);
  });

  it.each<[string, (record: StoredRecord) => StoredRecord]>([
    ['by another person', record => ({ ...record, user: 'importer' })],
    ['at another time', record => ({ ...record, created_at: '2026-07-01T00:00:00.000Z' })],
  ])('that was written %s than it says was imported, though its lot changed', async (_, written) => {
    const certificate = await issue();
    await lock(store, lot, true);
    expect(standingOf(contextOf(store), written(certificate))).toMatchObject({
      state: 'imported',
      changed: [`inventory:${lot}`],
    });
  });
});

describe('a withdrawn certificate', () => {
  const at = '2026-06-20T10:00:00.000Z';

  it('says when, by whom and why, before anything else', async () => {
    const certificate = await issue();
    await withdraw(certificate.id, { at, reason: 'Wrong lot', withdrawer: 'ada', withdrawer_name: 'Ada' });
    await lock(store, lot, true);
    const imported = { ...read('certificate', certificate.id), user: 'importer' };
    expect(standingOf(contextOf(store), imported)).toEqual({
      state: 'withdrawn',
      changed: [`inventory:${lot}`],
      withdrawn_at: at,
      withdrawn_by: 'Ada',
      withdrawal_reason: 'Wrong lot',
    });
  });

  it('names who withdrew it by the login where there is no name', async () => {
    const certificate = await issue();
    await withdraw(certificate.id, { at, withdrawer: 'ada' });
    expect(standing(certificate)).toMatchObject({ withdrawn_by: 'ada', withdrawal_reason: null });
  });

  it('of two stations is that of the first one', async () => {
    const certificate = await issue();
    await withdraw(certificate.id, { at });
    const first = await withdraw(certificate.id, { at: '2026-06-19T10:00:00.000Z' });
    await withdraw(certificate.id, { at: '2026-06-21T10:00:00.000Z' });
    expect(withdrawalOf(store, certificate)?.id).toBe(first.id);
    const other = await issue();
    const same = await withdraw(other.id, { at });
    await withdraw(other.id, { at });
    expect(withdrawalOf(store, other)?.id).toBe(same.id);
  });
});
