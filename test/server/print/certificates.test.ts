import { describe, expect, it } from 'vitest';
import { newPrivateKey, publicKeyOf, signText } from '../../../server/keys/ed25519.ts';
import { issueCertificate, issuedPaper } from '../../../server/print/certificates.ts';
import type { Block } from '../../../server/print/paper.ts';
import { digestOf, standingOf } from '../../../server/rules/certificates.ts';
import { inputOf } from '../../../server/rules/input-of.ts';
import type { Store } from '../../../server/store/store.ts';
import type { Actor, Signing } from '../../../server/store/unit-of-work.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { certificateContentSchema } from '../../../shared/families/certificate.ts';
import { families } from '../../../shared/families/registry.ts';
import type { Language } from '../../../shared/operations/paper-operations.ts';
import { contextOf, lock } from '../rules/site.ts';
import { create, update } from '../store/temporary-store.ts';
import { type PaperSite, paperSite } from './paper-site.ts';
import { pdfText } from './pdf-text.ts';
import { recordIn, testPrinter } from './printed.ts';

const QUINN: Actor = { user: 'quinn', userId: 7, rights: { kind: 'person', roles: ['quality'] } };

interface CertificateSite extends PaperSite {
  issue: (language?: Language, actor?: Actor, signing?: Signing) => Promise<StoredRecord>;
  withdraw: (certificate: StoredRecord, reason: string) => Promise<unknown>;
}

async function certificateSite(): Promise<CertificateSite> {
  const site = await paperSite();
  const { store } = site;
  await create(store, 'user', { name: 'Quinn Quality', login: 'quinn' }, { id: 7 });
  return {
    ...site,
    issue: (language = 'en', actor = QUINN, signing) =>
      store.gate.commit({
        actor,
        reason: null,
        ...(signing && { signing }),
        work: work => issueCertificate(work, work.require('inventory', site.lot), language),
        answer: record => record,
      }),
    withdraw: ({ id }, reason) =>
      store.gate.commit({
        actor: QUINN,
        reason,
        work: work =>
          work.create(
            families['certificate-withdrawal'],
            inputOf({
              certificate_id: id,
              reason,
              at: work.at,
              withdrawn_by: 7,
              withdrawer: 'quinn',
              withdrawer_name: 'Quinn Quality',
            }),
          ),
        answer: () => undefined,
      }),
  };
}

const paperOf = (store: Store, { id }: StoredRecord) =>
  issuedPaper(contextOf(store), recordIn(store, 'certificate', id));
const standing = (store: Store, { id }: StoredRecord) =>
  standingOf(contextOf(store), recordIn(store, 'certificate', id));
const textOf = (blocks: readonly Block[]) => JSON.stringify(blocks);

describe('an issued certificate', () => {
  it('has a number of its own, and says when it was issued, by whom, and its digest', async () => {
    const { store, issue } = await certificateSite();
    const certificate = await issue();
    expect(certificate).toMatchObject({ version: 1, fields: { number: 'COA-0-000001', issuer: 'quinn' } });
    expect((await issue()).fields.number).toBe('COA-0-000002');
    const paper = paperOf(store, certificate);
    const digest = String(certificate.fields.digest);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    const code = digest.slice(0, 16).match(/.{4}/g)?.join('-');
    expect(paper).toMatchObject({
      title: 'Certificate of analysis',
      number: 'COA-0-000001',
      identity: `COA-0-000001 · digest ${code}`,
      printed: expect.stringMatching(
        /^Issued by Quinn Quality \(quinn\) on 15 Jun 2026, 14:\d\d:\d\d GMT\+02:00 \(Europe\/Berlin\)$/,
      ),
    });
    const said = textOf(paper.blocks);
    expect(said).toContain('["Issued by","Quinn Quality (quinn)"]');
    expect(said).toMatch(/\["Issued on","15 Jun 2026, 14:\d\d:\d\d GMT\+02:00"\]/);
    expect(said).toContain('["Carbon","0.351","0.32 – 0.38 (0.35 % 0.32 to 0.38)","within limits"]');
    expect(said).not.toContain('preview');
    expect(standing(store, certificate)).toEqual({
      state: 'valid',
      changed: [],
      withdrawn_at: null,
      withdrawn_by: null,
      withdrawal_reason: null,
    });
  });

  it('is printed with the same words, whatever happened to the lot, the site and its names since', async () => {
    const site = await certificateSite();
    const { store, issue, lot } = site;
    const printer = testPrinter();
    const certificate = await issue('de');
    const print = () => printer.print({ kind: 'paper', paper: paperOf(store, certificate) });
    const then = await print();
    await update(store, 'part', site.part, { name: 'Another bolt' });
    await update(store, 'user', 7, { name: 'Quinn Married' });
    await update(store, 'company', 1, { name: 'Theirs' });
    await update(store, 'setting', 1, { time_zone: 'Asia/Tokyo' });
    await lock(store, lot, true);
    const [result] = store.records.findBy('lab-result', 'inventory_id', lot);
    await update(store, 'lab-result', result?.id ?? 0, { lab_data: '{"Lead": 5}' }, { reason: 'Wrong' });
    const now = await print();
    expect(Buffer.from(now).equals(Buffer.from(then))).toBe(true);
    expect(pdfText(Buffer.from(now)).join('\n')).toMatch(/Analysenzertifikat[\s\S]*Hex bolt M8/);
    expect(standing(store, certificate)).toMatchObject({
      state: 'changed',
      changed: expect.arrayContaining([`inventory:${lot}`, result?.key]),
    });
  });

  it.each<[what: string, change: (site: CertificateSite) => Promise<unknown>, by: RegExp]>([
    ['a lock of its lot', ({ store, lot }) => lock(store, lot, true), /^inventory:/],
    [
      'a quarantine of its receipt',
      ({ store, receipt }) => update(store, 'receiving-inspection', receipt.id, { is_quarantined: true }),
      /^receiving-inspection:/,
    ],
    [
      'a further result',
      ({ store, lot }) => create(store, 'lab-result', { inventory_id: lot, lab_data: '{"Odour": 1}' }),
      /^lab-result:/,
    ],
    [
      'an inspection that is open again',
      ({ store, inspection }) =>
        update(store, 'inspection', inspection, { passed: null }, { reason: 'Look again' }),
      /^inspection:/,
    ],
    [
      'a report about the lot',
      ({ store, lot }) => create(store, 'ncr', { ncr_number: 'N', source: 'customer', inventory_id: lot }),
      /^ncr:/,
    ],
  ])('is changed since by %s', async (_, change, by) => {
    const site = await certificateSite();
    const certificate = await site.issue();
    await change(site);
    const { state, changed } = standing(site.store, certificate);
    expect([state, changed.some(key => by.test(key))]).toEqual(['changed', true]);
  });

  it('stays valid when goods of its lot are moved, and when the part’s price changes', async () => {
    const { store, issue, lot, part } = await certificateSite();
    const certificate = await issue();
    const { id: shelf } = await create(store, 'location', { name: 'Cellar' });
    await create(store, 'move', { inventory_id: lot, quantity: 1, to_location_id: shelf });
    await update(store, 'part', part, { reorder_point: 5 });
    expect(standing(store, certificate).state).toBe('valid');
  });

  it('is refused for a lot that gets none, and then has no number', async () => {
    const { store, issue, lot } = await certificateSite();
    await lock(store, lot, true);
    await expect(issue()).rejects.toThrow(/gets no certificate while it is locked/);
    await lock(store, lot, false);
    expect((await issue()).fields.number).toBe('COA-0-000001');
  });

  it('names who signed it, for what, and when, where it is signed', async () => {
    const { store, issue } = await certificateSite();
    await update(store, 'setting', 1, { esignature_policy: 'gxp' });
    await expect(issue()).rejects.toMatchObject({
      errors: { esignature_password: [expect.stringContaining('the issue of a certificate')] },
    });
    const signing = { signer: { id: 7, name: 'Quinn Quality' }, reason: 'All results seen.' };
    const paper = paperOf(store, await issue('en', QUINN, signing));
    expect(paper.blocks.at(-1)).toMatchObject({
      rows: [
        [
          'Quinn Quality (quinn)',
          'Issue of a certificate',
          'All results seen.',
          expect.stringContaining('GMT+02:00'),
          'valid',
          'Before keys',
        ],
      ],
    });
  });

  it.each([
    ['the signer’s own key', 'valid', 'By own key', 'sign-in'],
    ['a key of the signer’s own password', 'valid', 'By own key', 'own'],
    ['a key that somebody else gave', 'valid', 'By own key\nKey given by Ada Admin', 'ada'],
    ['a key that a program gave', 'valid', 'By own key\nKey given by setup script', 'setup script'],
    [
      'a key that is not the signer’s',
      { shape: 'cross', words: 'Not signed by this person' },
      'Key does not fit',
      'sign-in',
    ],
  ])('says that %s made the signature', async (who, valid, proof, giver) => {
    const { store, issue } = await certificateSite();
    await update(store, 'setting', 1, { esignature_policy: 'gxp' });
    const [own, other] = [newPrivateKey(), newPrivateKey()];
    const signer = await create(store, 'user', { login: 'own', name: 'Own' });
    await create(store, 'user', { login: 'ada', name: 'Ada Admin' });
    await store.gate.commit({
      actor: { user: giver, rights: BY_SERVER },
      reason: null,
      work: work => work.set(families.user, signer.id, { ...signer.fields, public_key: publicKeyOf(own) }),
      answer: () => undefined,
    });
    const key = who.endsWith('not the signer’s') ? other : own;
    const sign = (text: string) => ({ key: publicKeyOf(key), proof: signText(key, text) });
    const signing = { signer: { id: signer.id, name: 'Own', sign }, reason: 'All results seen.' };
    const paper = paperOf(store, await issue('en', QUINN, signing));
    const block = paper.blocks.at(-1);
    const row = block?.kind === 'table' ? block.rows[0] : [];
    expect(row?.slice(-2)).toEqual([
      typeof valid === 'string' ? valid : expect.objectContaining(valid),
      proof,
    ]);
  });

  it('is issued by another person than who wrote a result in it last, where the site asks for a second one', async () => {
    const { store, issue, lot } = await certificateSite();
    const certificate = { is_signed: true, needs_reason: false, needs_second_person: true };
    await update(store, 'setting', 1, { esignature_deviations: { certificate } });
    const signing = { signer: { id: 7, name: 'Quinn Quality' }, reason: null };
    const [result] = store.records.findBy('lab-result', 'inventory_id', lot);
    await update(store, 'lab-result', result?.id ?? 0, { notes: 'Again' }, { user: 'quinn' });
    await expect(issue('en', QUINN, signing)).rejects.toThrow(
      `needs a second person: another than who wrote ${result?.key} last, which is you`,
    );
    await create(store, 'user', { name: 'Ina', login: 'ina' });
    await update(store, 'lab-result', result?.id ?? 0, { notes: 'Read' }, { user: 'ina' });
    expect((await issue('en', QUINN, signing)).fields.number).toBe('COA-0-000001');
  });

  it('is issued and changed by no role below quality, and changed by nobody', async () => {
    const { store, issue } = await certificateSite();
    const inspector: Actor = { ...QUINN, rights: { kind: 'person', roles: ['inspector'] } };
    await expect(issue('en', inspector)).rejects.toThrow(/needs the role quality/);
    const { id } = await issue();
    const root: Actor = { ...QUINN, rights: { kind: 'person', roles: ['administrator'] } };
    const change = store.gate.commit({
      actor: root,
      reason: 'Better words',
      work: work => work.update(families.certificate, id, inputOf({ issuer_name: 'Somebody' })),
      answer: () => undefined,
    });
    await expect(change).rejects.toThrow(/is for nobody/);
  });
});

describe('a withdrawn certificate', () => {
  it('prints with the mark and the reason before all else, and is valid no more', async () => {
    const { store, issue, withdraw } = await certificateSite();
    const certificate = await issue('de');
    await withdraw(certificate, 'Probe verwechselt.');
    expect(paperOf(store, certificate).blocks[0]).toEqual({
      kind: 'notice',
      tone: 'wrong',
      text: expect.stringMatching(
        /^ZURÜCKGEZOGEN am .+GMT\+02:00 von Quinn Quality \(quinn\): Probe verwechselt\.$/,
      ),
    });
    expect(standing(store, certificate)).toMatchObject({
      state: 'withdrawn',
      withdrawn_by: 'Quinn Quality',
      withdrawal_reason: 'Probe verwechselt.',
    });
    expect(recordIn(store, 'certificate', certificate.id).version).toBe(1);
  });
});

describe('a certificate that is not what was issued', () => {
  const alter = (store: Store, { id, fields }: StoredRecord, changed: object) =>
    store.gate.commit({
      actor: { user: 'nobody', rights: BY_SERVER },
      reason: null,
      work: work => work.set(families.certificate, id, { ...fields, ...changed }),
      answer: record => record,
    });

  it.each<[what: string, changed: (fields: StoredRecord['fields']) => object]>([
    ['another word', ({ paper }) => ({ paper: JSON.parse(JSON.stringify(paper).replace('0.351', '0.350')) })],
    ['another number', () => ({ number: 'COA-0-000009' })],
    ['another day', () => ({ issued_at: '2026-01-01T00:00:00.000Z' })],
    ['another person', () => ({ issuer_name: 'Ada' })],
    ['no paper', () => ({ paper: undefined })],
    ['a paper of another kind', () => ({ paper: { blocks: 'none' } })],
  ])('is refused and said so: %s', async (_, changed) => {
    const { store, issue } = await certificateSite();
    const certificate = await issue();
    await alter(store, certificate, changed(certificate.fields));
    expect(() => paperOf(store, certificate)).toThrow(/does not match its digest any more/);
    expect(standing(store, certificate).state).toBe('damaged');
  });

  it('prints as imported where an import brought it, however well it was made', async () => {
    const { store, issue } = await certificateSite();
    const { fields } = await issue();
    const forged = { ...fields, number: 'COA-0-000900' };
    const content = certificateContentSchema.parse(forged);
    const imported = await store.gate.commit({
      actor: { user: 'quinn', userId: 7, rights: { kind: 'import', roles: ['administrator'] } },
      reason: 'import of a.jsonl',
      work: work => work.restore(families.certificate, 900, { ...forged, digest: digestOf(content) }),
      answer: record => record,
    });
    expect(standing(store, imported).state).toBe('imported');
    expect(paperOf(store, imported).blocks[0]).toMatchObject({
      tone: 'wrong',
      text: 'Imported: that it was issued as it says is not proved here.',
    });
    expect((await issue()).fields.number).toBe('COA-0-000901');
  });
});
