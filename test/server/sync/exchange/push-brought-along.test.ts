import { expect, it } from 'vitest';
import { newPrivateKey, publicKeyOf, signText } from '../../../../server/keys/ed25519.ts';
import { signedText } from '../../../../server/keys/signature-proof.ts';
import { authorProofs } from '../../../../server/rules/author-proof.ts';
import { signaturesOf } from '../../../../server/rules/signing.ts';
import type { Commit } from '../../../../server/store/changes.ts';
import { newCommitId } from '../../../../server/store/commit-id.ts';
import { CHAIN_START, hashOfCommit, wasHeldFirst } from '../../../../server/store/history.ts';
import { BLOCK_SIZE } from '../../../../server/store/ids.ts';
import { wasIssuedAtJoining } from '../../../../server/store/moved.ts';
import { stationTables } from '../../../../server/store/station-table.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { START, update } from '../../store/temporary-store.ts';
import { letBring } from './fleet.ts';
import { heldOf, type Story, story } from './push-story.ts';

type Values = Record<string, Record<string, unknown>>;

/** The station's own block. */
const OWN = BLOCK_SIZE;
const MOVED = { [`moved:${OWN + 1}`]: { former_chains: { 'x.1': { number: 1_000 } } } };
const TEMPLATE = { [`specification:${OWN + 700}`]: { name: 'Mine', is_approved: true } };
const NOT = expect.stringMatching(/^not_permitted: /);

/** Pushes a chain that the station begins, of which it says that it brings it along; Ian is an inspector. */
async function bring(
  { a, central }: Story,
  commits: readonly Values[],
  name = 'aa',
  over: string[] = [],
  former: readonly Commit[] = [],
): Promise<Commit[]> {
  const { station } = a.store;
  const chain = `${station}.${name}`;
  let previous_hash = former.at(-1)?.hash ?? CHAIN_START.hash;
  const chained = commits.map((values, place) => {
    const entries = Object.entries(values).map(([subject, fields]) => ({
      subject,
      changes: Object.entries(fields).map(([path, value]) => ({ path, old: null, new: value, over })),
    }));
    const about = { commit_id: newCommitId(), at: START, clock_offset: null, user: 'ian', reason: null };
    const commit = { chain, number: former.length + place + 1, ...about, entries, previous_hash };
    previous_hash = hashOfCommit(commit);
    return { ...commit, hash: previous_hash };
  });
  const cursor = new StationStore(a.store, syncRules, a.store.database).cursor();
  await central.answer({
    kind: 'push',
    request: 'r',
    station,
    protocol: 1,
    cursor,
    offers: [],
    commits: chained,
  });
  return chained;
}

const whyHeld = (site: Story) => heldOf(site).map(({ reason }) => reason);

it('what an installation says to have brought along is judged like anything else, unless its code let it', async () => {
  const site = await story();
  await bring(site, [MOVED, TEMPLATE]);
  expect(whyHeld(site)).toEqual([NOT]);
  const let_in = await story();
  await letBring(let_in.central, let_in.a.store, 1);
  await bring(let_in, [MOVED, TEMPLATE]);
  expect(whyHeld(let_in)).toEqual([]);
});

it('no longer than for a week', async () => {
  const site = await story();
  const { central, a } = site;
  await letBring(central, a.store, 1);
  const { pending } = stationTables(central.store.database);
  await central.store.gate.applyRemote(() => {
    const [code] = pending.codes();
    const use = { at: START, by: a.store.station, block: 1, until: '2026-06-15T11:59:59.000Z' };
    pending.noteUse({ id: code?.id ?? 0, uses: 1 }, use);
    return { result: undefined };
  });
  await bring(site, [MOVED, TEMPLATE]);
  expect(whyHeld(site)).toEqual([NOT]);
});

it('in no later chain, and no more than it said at first', async () => {
  const site = await story();
  await letBring(site.central, site.a.store, 1);
  await bring(site, [{ [`supplier:${OWN + 1}`]: { name: 'Before' } }]);
  await bring(site, [MOVED, TEMPLATE], 'zz');
  expect(whyHeld(site)).toEqual([NOT]);
  const short = await story();
  await letBring(short.central, short.a.store, 1);
  const one = { [`moved:${OWN + 1}`]: { former_chains: { 'x.1': { number: 1 } } } };
  await bring(short, [one, { [`supplier:${OWN + 1}`]: { name: 'Before' } }, TEMPLATE]);
  expect(whyHeld(short)).toEqual([NOT]);
});

it.each<[string, (site: Story) => Values]>([
  [
    'adjusts a lot',
    ({ lot }) => ({ [`adjustment:${OWN + 1}`]: { inventory_id: lot, quantity: 5, reason: 'Found' } }),
  ],
  ['makes a record of another block', () => ({ 'specification:700': { name: 'Mine', is_approved: true } })],
  [
    'issues a certificate of a lot',
    ({ lot }) => ({ [`certificate:${OWN + 1}`]: { inventory_id: lot, issuer: 'ian', issued_at: START } }),
  ],
  [
    'signs a report',
    ({ ncr }) => ({ [`signature:${OWN + 1}`]: { subject: `ncr:${ncr}`, at: START, meaning: 'closing' } }),
  ],
  [
    'signs as somebody',
    ({ central }) => ({
      [`signature:${OWN + 1}`]: {
        subject: `ncr:${OWN + 1}`,
        user_id: [...central.store.records.all('user')][0]?.id,
        at: START,
      },
    }),
  ],
  [
    'settles an inspection',
    ({ inspection }) => ({ [`ncr:${OWN + 1}`]: { inspection_id: inspection, disposition: 'use-as-is' } }),
  ],
])('nothing of others comes with it: %s', async (_, values) => {
  const site = await story();
  await letBring(site.central, site.a.store, 1);
  await bring(site, [MOVED, values(site)]);
  expect(whyHeld(site)).toEqual([NOT]);
});

it('nothing is brought along over what somebody else made of it since', async () => {
  const site = await story();
  const { central, a } = site;
  await letBring(central, a.store, 1);
  const former = await bring(site, [MOVED, TEMPLATE]);
  const [key = ''] = Object.keys(TEMPLATE);
  const id = OWN + 700;
  const changed = { is_approved: false };
  const { writers } = await update(central.store, 'specification', id, changed, {
    user: 'quinn',
    reason: 'No.',
  });
  await bring(site, [{ [key]: { is_approved: true } }], 'aa', [String(writers.is_approved)], former);
  expect(central.store.records.getByKey(key)?.fields.is_approved).toBe(false);
  expect(whyHeld(site)).toEqual([NOT]);
});

it('history says of it that whom it names is the installation’s word, and of what comes after that it is from before keys', async () => {
  const site = await story();
  const { central, a } = site;
  await letBring(central, a.store, 1);
  const former = { [`moved:${OWN + 1}`]: { former_chains: { 'x.1': { number: 1 } } } };
  const later = { [`supplier:${OWN + 701}`]: { name: 'Acme' } };
  const commits = await bring(site, [former, TEMPLATE, later]);
  expect(whyHeld(site)).toEqual([]);
  const { records, database } = central.store;
  const proofs = authorProofs(
    records,
    commit => wasHeldFirst(database.reader, commit),
    commit => wasIssuedAtJoining(database.reader, commit),
  );
  expect(commits.map(proofs)).toEqual(['brought', 'brought', 'unsigned']);
});

it('a signature of there is by a key of that installation, not by the own key of who is called so here', async () => {
  const site = await story();
  const { central, a } = site;
  await letBring(central, a.store, 1);
  const key = newPrivateKey();
  const about = { user_name: 'Ian', at: START, meaning: 'closing', reason: null, version: 1 };
  const signed = signedText({ ...about, subject: 'ncr:17', user_id: 7, state: 'ab' });
  const record = `ncr:${OWN + 700}`;
  const fields = { ...about, subject: record, user_id: OWN + 7, state: 'cd' };
  const proof = { signed, proof: signText(key, signed), key: publicKeyOf(key) };
  const report = { ncr_number: 'N-9', source: 'internal' };
  await bring(site, [MOVED, { [record]: report, [`signature:${OWN + 701}`]: { ...fields, ...proof } }]);
  expect(whyHeld(site)).toEqual([]);
  const stored = central.store.records.getByKey(record);
  if (!stored) throw new Error('It is not there.');
  const reads = { records: central.store.records, sql: central.store.database.reader };
  expect(signaturesOf(reads, stored)).toMatchObject([{ proof: 'brought', key_from: null }]);
});
