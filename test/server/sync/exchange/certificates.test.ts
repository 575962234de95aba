import { expect, it } from 'vitest';
import { issueCertificate, issuedPaper } from '../../../../server/print/certificates.ts';
import { digestOf, standingOf } from '../../../../server/rules/certificates.ts';
import { signaturesOf } from '../../../../server/rules/signing.ts';
import { newCommitId } from '../../../../server/store/commit-id.ts';
import { BLOCK_SIZE } from '../../../../server/store/ids.ts';
import type { Store } from '../../../../server/store/store.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { joinCentral } from '../../../../server/sync/station/join.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import type { StoredRecord } from '../../../../shared/contract/present.ts';
import { certificateContentSchema } from '../../../../shared/families/certificate.ts';
import { contextOf } from '../../rules/site.ts';
import { create, temporaryStore, update } from '../../store/temporary-store.ts';
import { areSame, type Fleet, fleet, type Peer } from './fleet.ts';

/** A lot with a passing result. */
async function testedLot(store: Store): Promise<number> {
  const { id: part_id } = await create(store, 'part', { name: 'Oil', unit_of_measure: 'gal' });
  const lot = await create(store, 'inventory', { part_id, batch_number: 'L', opening_quantity: 9 });
  await create(store, 'lab-result', { inventory_id: lot.id, lab_data: '{"pH": 7}' });
  return lot.id;
}

function issue(store: Store, lot: number, user: { id: number; login: string }): Promise<StoredRecord> {
  return store.gate.commit({
    actor: { user: user.login, userId: user.id, rights: { kind: 'person', roles: ['quality'] } },
    reason: null,
    signing: { signer: { id: user.id, name: user.login }, reason: 'Seen' },
    work: work => issueCertificate(work, work.require('inventory', lot), 'en'),
    answer: record => record,
  });
}

const paperIn = (store: Store, id: number) => {
  const record = store.records.get('certificate', id);
  if (!record) throw new Error(`There is no certificate ${id}.`);
  return { record, paper: issuedPaper(contextOf(store), record), ...standingOf(contextOf(store), record) };
};

interface Story extends Fleet {
  a: Peer;
  b: Peer;
  lot: number;
  quinn: { id: number; login: string };
  ian: { id: number; login: string };
}

async function story(): Promise<Story> {
  const made = await fleet(2);
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  const { store } = made.central;
  const person = async (login: string, role: string) => ({
    id: (await create(store, 'user', { login, name: login, roles: [role] })).id,
    login,
  });
  const [quinn, ian] = [await person('quinn', 'quality'), await person('ian', 'inspector')];
  await create(store, 'company', { name: 'Ours' });
  const lot = await testedLot(store);
  await made.settle();
  return { ...made, a, b, lot, quinn, ian };
}

it('two stations that do not see each other issue under numbers of their own; each is printed everywhere', async () => {
  const { central, a, b, lot, quinn, settle } = await story();
  const [one, other] = [await issue(a.store, lot, quinn), await issue(b.store, lot, quinn)];
  expect(one.fields.number).not.toBe(other.fields.number);
  const papers = [paperIn(a.store, one.id).paper, paperIn(b.store, other.id).paper];
  await settle();
  expect(areSame([central.store, a.store, b.store])).toBe(true);
  expect(central.exchange.reader().heldCommits.all()).toEqual([]);
  for (const { store } of [central, a, b]) {
    const shown = [paperIn(store, one.id), paperIn(store, other.id)];
    expect(shown.map(({ paper }) => paper)).toEqual(papers);
    expect(shown.map(({ state }) => state)).toEqual(['valid', 'valid']);
  }
});

it.each([
  ['takes one that another wrote the results of', 'ian', false],
  ['holds one whose issuer wrote a result of it last', 'quinn', true],
])('where the site asks for a second person, central %s', async (_, author, isHeld) => {
  const { central, a, lot, quinn, settle } = await story();
  const certificate = { is_signed: true, needs_reason: true, needs_second_person: true };
  const [result] = central.store.records.findBy('lab-result', 'inventory_id', lot);
  await update(central.store, 'lab-result', result?.id ?? 0, { notes: 'Again' }, { user: author });
  await create(central.store, 'setting', { esignature_policy: 'gxp' }, { id: 1 });
  await settle();
  const issued = await issue(a.store, lot, quinn);
  // The station has not heard of this yet.
  await update(central.store, 'setting', 1, { esignature_deviations: { certificate } });
  await settle();
  const [held] = central.exchange.reader().heldCommits.all();
  expect(held?.reason.startsWith('not_signed') ?? false).toBe(isHeld);
  expect(central.store.records.get('certificate', issued.id) === undefined).toBe(isHeld);
});

const RAW_AT = '2026-06-15T12:00:00.000Z';

/** Past the write gate altogether, as an altered station would. */
async function raw(at: Peer, subject: string, fields: object, user: string, over: string[] = []) {
  const station = new StationStore(at.store, syncRules, at.store.database);
  const changes = Object.entries(fields).map(([path, value]) => ({ path, old: null, new: value, over }));
  const about = { commit_id: newCommitId(), at: RAW_AT, clock_offset: null, user };
  await station.writeOwn(() => [{ ...about, reason: null, entries: [{ subject, changes }] }]);
}

it.each<[what: string, author: 'ian' | 'quinn' | 'scale', subject: (id: number) => string, fields: object]>([
  ['a certificate of an inspector', 'ian', id => `certificate:${id + 1}`, { number: 'COA-9-000001' }],
  ['a certificate of an integration', 'scale', id => `certificate:${id + 1}`, { number: 'COA-9-000001' }],
  [
    'other words in an issued one, of quality too',
    'quinn',
    id => `certificate:${id}`,
    { issuer_name: 'Ada' },
  ],
  ['a withdrawal by an inspector', 'ian', id => `certificate-withdrawal:${id}`, { certificate_id: 1 }],
])('central holds %s', async (_, author, subject, fields) => {
  const { central, a, b, lot, quinn, settle } = await story();
  const certificate = await issue(a.store, lot, quinn);
  await settle();
  const said = paperIn(b.store, certificate.id).paper;
  const over = subject(certificate.id) === certificate.key ? [certificate.creator] : [];
  await raw(a, subject(certificate.id), fields, author, over);
  await settle();
  const [held] = central.exchange.reader().heldCommits.all();
  expect(held?.reason).toMatch(/^not_permitted/);
  for (const { store } of [central, b]) {
    expect(paperIn(store, certificate.id)).toMatchObject({ paper: said, state: 'valid' });
    expect(store.records.get('certificate', certificate.id + 1)).toBeUndefined();
    expect(store.records.total('certificate-withdrawal')).toBe(0);
  }
});

it('what an altered station sends in the name of quality is not taken for issued by somebody else, nor breaks a page', async () => {
  const { central, a, b, lot, quinn, settle } = await story();
  const { id, fields } = await issue(a.store, lot, quinn);
  const forged = { ...fields, number: 'COA-9-000009', issued_at: RAW_AT, issuer: 'ada', issuer_name: 'Ada' };
  const digest = digestOf(certificateContentSchema.parse(forged));
  await raw(a, `certificate:${id + 1}`, { ...forged, digest }, 'quinn');
  await raw(a, `certificate:${id + 2}`, { ...forged, digest: fields.digest }, 'quinn');
  await raw(a, `certificate:${id + 3}`, { number: 5 }, 'quinn');
  await raw(a, `certificate-withdrawal:${id}`, { certificate_id: id, at: RAW_AT }, 'quinn');
  await raw(a, `certificate-withdrawal:${id + 1}`, { certificate_id: id, at: 'never' }, 'quinn');
  await settle();
  const held = central.exchange.reader().heldCommits.all();
  expect(held.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^schema: number/),
    expect.stringMatching(/^schema: at/),
  ]);
  for (const { store } of [central, b]) {
    expect(paperIn(store, id + 1).state).toBe('imported');
    expect(() => paperIn(store, id + 2)).toThrow(/does not match its digest any more/);
    expect(paperIn(store, id)).toMatchObject({ state: 'withdrawn', withdrawn_at: RAW_AT });
  }
});

it('a stand-alone installation that joins keeps its certificates, word for word and signed', async () => {
  const store = await temporaryStore();
  await create(store, 'company', { name: 'My company' }, { user: 'setup' });
  const { id } = await create(store, 'user', { login: 'quinn', name: 'quinn', roles: ['quality'] });
  await create(store, 'setting', { esignature_policy: 'gxp' }, { id: 1 });
  const lot = await testedLot(store);
  const certificate = await issue(store, lot, { id, login: 'quinn' });
  const { paper } = paperIn(store, certificate.id);
  await joinCentral(store, 3, () => {}, {
    further: [],
    user: 'boss',
    at: '2026-06-20T00:00:00.000Z',
    reason: 'joined',
  });
  const moved = paperIn(store, certificate.id + 3 * BLOCK_SIZE);
  // Whether its installation had keys by then is its own word, which the signature's line does not repeat.
  const told = JSON.parse(JSON.stringify(paper).replace('"Before keys"', '"Without a key"'));
  expect(told).not.toEqual(paper);
  expect(moved).toMatchObject({ paper: told, state: 'valid', changed: [] });
  expect(moved.record.fields).toMatchObject({
    inventory_id: lot + 3 * BLOCK_SIZE,
    basis: expect.arrayContaining([
      expect.objectContaining({ subject: `inventory:${lot + 3 * BLOCK_SIZE}` }),
    ]),
  });
  expect(signaturesOf({ records: store.records, sql: store.database.reader }, moved.record)).toMatchObject([
    { is_superseded: false },
  ]);
});
