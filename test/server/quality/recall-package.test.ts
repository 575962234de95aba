import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { fingerprintOfKey, newPrivateKey, publicKeyOf, signText } from '../../../server/keys/ed25519.ts';
import { recallPackage, sha256Of } from '../../../server/quality/recall-package.ts';
import { tracePart } from '../../../server/quality/trace.ts';
import { verifyPackage } from '../../../server/quality/verify-package.ts';
import { postCount } from '../../../server/rules/counting.ts';
import type { Store } from '../../../server/store/store.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import type { FamilyName } from '../../../shared/families/registry.ts';
import type { RecallPackage } from '../../../shared/operations/recall-package.ts';
import { Verifier } from '../../system/trust/verifier.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';
import { create, itemIds, temporaryStore, update } from '../store/temporary-store.ts';
import { fleet } from '../sync/exchange/fleet.ts';
import { LaterStation } from '../sync/exchange/later-station.ts';

async function packageOf({ records, database, gate, station }: Store, part: number) {
  const reads = { records, sql: database.reader, now: gate.now() };
  return recallPackage(reads, await tracePart(reads, part), { station, user: 'quinn', authority: AUTHORITY });
}

const KEY = newPrivateKey();
const AUTHORITY = { key: publicKeyOf(KEY), sign: (text: string) => signText(KEY, text) };
const SIGNED = (station: string) =>
  `Signed by installation ${station}, key SHA-256 ${fingerprintOfKey(AUTHORITY.key)}.`;

const [own, second] = [Verifier.own(), Verifier.second()];
afterAll(() => Promise.all([own.close(), second.close()]));

/** By the verifier that needs nothing else; the second one has to come to the same. */
async function verified(text: string, ...words: string[]): Promise<{ code: number; output: string }> {
  const file = join(temporaryFolder(), 'recall.json');
  writeFileSync(file, text);
  const [one, other] = await Promise.all([own, second].map(by => by.verify(file, ...words)));
  expect(other?.code, `${one?.output}\n${other?.output}`).toBe(one?.code);
  return one ?? { code: 2, output: '' };
}

it('is signed by the installation, which both verifiers check: who alters it makes hashes and no signature', async () => {
  const store = await temporaryStore();
  const { id } = await create(store, 'part', { name: 'Bolt', unit_of_measure: 'units' });
  await update(store, 'part', id, { name: 'Bolt, long' });
  const made = await packageOf(store, id);
  expect(verifyPackage(JSON.stringify(made))).toMatchObject({ faults: 0, notes: [SIGNED(store.station)] });
  const whole = await verified(JSON.stringify(made), '--key', fingerprintOfKey(AUTHORITY.key));
  expect(whole.output).toMatch(/Nothing is wrong with .*: 1 records, 2 commits, of part:1/);
  expect(whole.code).toBe(0);
  expect((await verified(JSON.stringify(made), '--key', 'ab'.repeat(32))).output).toContain('another key');
  const sealed = (
    change: (copy: RecallPackage) => void,
    further: (copy: RecallPackage) => void = () => {},
  ) => {
    const copy = structuredClone(made);
    change(copy);
    for (const one of [copy.trace, copy.records, copy.history]) one.sha256 = sha256Of(one.content);
    further(copy);
    const { package_sha256: _, ...rest } = copy;
    return JSON.stringify({ ...rest, package_sha256: sha256Of(rest) });
  };
  const signedAnew = (copy: RecallPackage) => {
    const { package_sha256: _, signed, ...content } = copy;
    if (signed) signed.sha256 = sha256Of(content);
  };
  const renamed = (copy: RecallPackage) => {
    copy.title = 'Bolt, short';
  };
  for (const text of [sealed(renamed), sealed(renamed, signedAnew)]) {
    expect(verifyPackage(text).findings).toMatchObject([{ where: 'signed' }]);
    const { code, output } = await verified(text);
    expect(output).toContain('it is not what the key in it has signed');
    expect(code).toBe(1);
  }
  const altered = await verified(
    sealed(copy => {
      const [commit] = copy.history.content;
      if (commit) commit.user = 'somebody';
      const [record] = copy.records.content;
      if (record) record.fields.name = 'Bolt, short';
    }, signedAnew),
  );
  for (const what of ['is not what its hash says', 'record part:1']) expect(altered.output).toContain(what);
  // Of a former version, or taken off: it is told.
  const { signed: _, ...unsigned } = made;
  const { package_sha256: __, ...rest } = unsigned;
  const bare = JSON.stringify({ ...rest, package_sha256: sha256Of(rest) });
  expect(verifyPackage(bare)).toMatchObject({ faults: 0, notes: [expect.stringContaining('is not signed')] });
  expect((await verified(bare)).output).toContain('Ask: the package is not signed');
  expect(await verified(bare, '--key', fingerprintOfKey(AUTHORITY.key))).toMatchObject({ code: 1 });
});

it('has what the goods came by: the order, the plan, the pallet and where it stands, the count that corrected them', async () => {
  const store = await temporaryStore();
  const id = async (family: FamilyName, fields: object) => (await create(store, family, { ...fields })).id;
  await id('company', { name: 'Ours' });
  const dock = await id('location', { name: 'Dock', kind: 'receiving' });
  const part = await id('part', { name: 'Bolt', unit_of_measure: 'units' });
  await id('inspection-plan', { name: 'Bolts', part_id: part, sampling: 'fixed', sample_count: 2 });
  const items = [{ part_id: part, quantity: 10 }];
  const purchase_order_id = await id('purchase-order', { po_number: 'PO-1', items });
  const line = { part_id: part, serial_number: 'L-1', quantity_accepted: 10, sscc: '340123450000000000' };
  await id('receiving-inspection', { purchase_order_id, items: [line] });
  const [lot = 0] = store.records.idsBy('inventory', 'part_id', part, 1);
  const [pallet = 0] = store.records.idsBy('location', 'name', line.sscc, 1);
  expect(store.records.get('location', pallet)?.fields.within_id).toBe(dock);
  const counted = await create(store, 'stock-count', {
    location_id: pallet,
    items: [{ inventory_id: lot, quantity_counted: 9 }],
    is_finished: true,
  });
  const again = itemIds(counted, 'items').map(item => ({ id: item, quantity_recounted: 9, reason: 'lost' }));
  await update(store, 'stock-count', counted.id, { items: again, is_finished: true });
  await store.gate.commit({
    actor: { rights: BY_SERVER, user: 'poster' },
    reason: null,
    work: work => postCount(work, counted.id),
    answer: record => record,
  });
  const made = await packageOf(store, part);
  const keys = made.records.content.map(({ key }) => key);
  for (const key of [
    `purchase-order:${purchase_order_id}`,
    'inspection-plan:1',
    `location:${pallet}`,
    `location:${dock}`,
    `stock-count:${counted.id}`,
  ])
    expect(keys).toContain(key);
  expect(verifyPackage(JSON.stringify(made))).toMatchObject({ faults: 0 });
});

it('says of which record it has the newest commits only, and is sound all the same', async () => {
  const store = await temporaryStore();
  const { id } = await create(store, 'part', { name: 'Bolt 0', unit_of_measure: 'units' });
  for (let n = 1; n <= 500; n += 1) await update(store, 'part', id, { name: `Bolt ${n}` });
  const made = await packageOf(store, id);
  expect(made.left_out).toEqual([`history of part:${id}: the newest 500 of 501 commits are here`]);
  expect(made.history.count).toBe(500);
  expect(made.history.content.at(-1)?.entries[0]?.changes[0]?.new).toBe('Bolt 500');
  const { faults, notes } = verifyPackage(JSON.stringify(made));
  expect({ faults, notes }).toEqual({ faults: 0, notes: [...made.left_out, SIGNED(store.station)] });
});

it('has what a later version said in a commit, an entry and a change: else their hashes would be of something else', async () => {
  const { central, settle } = await fleet(1);
  const later = new LaterStation(request => central.answer(request));
  const id = 5 * 2 ** 20 + 1;
  const over: string[] = [];
  const given = (path: string, value: unknown) => ({ path, old: null, new: value, over, unit: ['x'] });
  const changes = [given('name', 'Bolt'), given('unit_of_measure', 'units'), given('rating', { a: [1] })];
  const refused = await later.push({
    witness: { of: 'it' },
    entries: [{ subject: `part:${id}`, why: { not: 'known' }, changes }],
  });
  expect(refused).toBeNull();
  await settle();
  const made = await packageOf(central.store, id);
  const { hash } = later.sent[0] ?? {};
  expect(made.history.content.map(commit => commit.hash)).toEqual([hash]);
  expect(made.history.content[0]).toMatchObject({
    witness: { of: 'it' },
    entries: [{ why: { not: 'known' } }],
  });
  expect(made.records.content[0]?.fields).toMatchObject({ rating: { a: [1] } });
  expect(verifyPackage(JSON.stringify(made))).toMatchObject({ faults: 0 });
});
