import { cpSync } from 'node:fs';
import { expect, it } from 'vitest';
import { signaturesOf } from '../../../../server/rules/signing.ts';
import { readHistory } from '../../../../server/store/history.ts';
import { BLOCK_SIZE } from '../../../../server/store/ids.ts';
import { ImportKeys } from '../../../../server/store/import-keys.ts';
import { readMoved } from '../../../../server/store/moved.ts';
import type { Store } from '../../../../server/store/store.ts';
import { joinCentral } from '../../../../server/sync/station/join.ts';
import { parseInput } from '../../../../shared/contract/parse-input.ts';
import { families } from '../../../../shared/families/registry.ts';
import { recordsOf, stockOf } from '../../../server/store/audit.ts';
import { temporaryFolder } from '../../../server/store/sqlite/temporary-folder.ts';
import { create, itemIds, temporaryStore, update } from '../../../server/store/temporary-store.ts';
import { areSame, faultsOf, fleet, letBring, Peer, shown } from '../../../server/sync/exchange/fleet.ts';
import { danglingIn, fill, freshInstallation, withoutIds } from './stand-alone.ts';

const BY = { further: [], user: 'boss', at: '2026-06-20T00:00:00.000Z', reason: 'joined' };
const OFFSET = 3 * BLOCK_SIZE;
const nothing = () => {};

function ownOf(store: Store) {
  return recordsOf(store).filter(
    ({ family, key }) => !['moved', 'setting', 'user'].includes(family) && key !== 'company:1',
  );
}

it('moves records, what refers to them and what is derived from them, and says so in history', async () => {
  const store = await freshInstallation();
  const made = await fill(store);
  const [before, stock] = [ownOf(store), stockOf(store)];
  const [chain, settings] = [store.gate.chain, store.records.get('setting', 1)?.fields];

  const report = await joinCentral(store, 3, nothing, BY);
  expect(report).toMatchObject({ records: before.length, blocks: [{ from: 0, to: 3 }] });
  expect(await faultsOf(store)).toEqual([]);
  const after = ownOf(store);
  expect(after.every(({ id }) => Math.floor(id / BLOCK_SIZE) === 3)).toBe(true);
  const signed = ({ family }: { family: string }) => family === 'signature';
  expect(
    withoutIds(
      after.filter(one => !signed(one)),
      OFFSET,
    ),
  ).toEqual(
    withoutIds(
      before.filter(one => !signed(one)),
      0,
    ),
  );
  // Of users central decides.
  expect(store.pending.total('user')).toBe(0);
  const awaited = /(company_id 1|user_id \d+)$/;
  expect(danglingIn(store).every(text => awaited.test(text))).toBe(true);
  const moveStock = (row: string) => row.replaceAll(/(?<=^|@)[1-9]\d*/g, id => String(Number(id) + OFFSET));
  expect(stockOf(store)).toEqual(stock.map(moveStock));

  // Where ids stand in other places than references and items.
  const inspection = store.records.get('inspection', OFFSET + made.inspection)?.fields;
  const bores = { [OFFSET + made.bore]: { name: 'Bore' } };
  const results = { [OFFSET + made.bore]: { value: 12, passed: true } };
  expect(inspection).toMatchObject({
    entity_id: OFFSET + made.part,
    template: { characteristics: bores },
    samples: { [OFFSET + made.sample]: { results } },
  });
  const keys = Object.keys(Object(inspection?.template).characteristics).map(Number);
  expect(keys).toEqual([OFFSET + made.bore, OFFSET + made.bore + 1]);
  const [shipped] = Object.values(store.records.get('shipment', OFFSET + made.shipment)?.fields.items ?? {});
  expect(shipped).toMatchObject({ taken: [{ inventory_id: OFFSET + made.lot, quantity: 3 }] });
  const { lab_data, batch_part_id } = after.find(({ family }) => family === 'lab-result')?.fields ?? {};
  expect([JSON.parse(String(lab_data)), batch_part_id]).toEqual([{ '5': 5, id: 7 }, OFFSET + made.part]);

  // Signatures hold as they did.
  const ncr = store.records.get('ncr', OFFSET + made.ncr);
  if (!ncr) throw new Error();
  expect(signaturesOf({ records: store.records, sql: store.database.reader }, ncr)).toMatchObject([
    { is_superseded: false, user_id: OFFSET + made.user },
  ]);

  const moved = readMoved(store.database.reader);
  expect(moved).toMatchObject({ former_settings: settings, isCompanyReplaced: true });
  expect(Object.keys(moved?.former ?? {})).toEqual([chain]);
  const subject = store.records.subjectNumber('order', OFFSET + made.order);
  const { commits } = readHistory(store.database.reader, subject, 0, 10);
  expect(commits.map(({ user, reason }) => [user, reason])).toEqual([
    ['tester', null],
    ['anna', 'more'],
  ]);
  expect(commits[1]?.entries[0]?.changes).toMatchObject([
    { path: `items.${OFFSET + made.item}.quantity`, old: 2, new: 3, over: [commits[0]?.commit_id] },
  ]);

  expect(new ImportKeys(store.database).find('erp', 'part', '["7"]')).toBe(OFFSET + made.part);
  const answer = store.answers.find(1, 'key');
  expect(answer?.headers).toEqual({ Location: `/api/v2/orders/${OFFSET + made.order}` });
  expect(JSON.parse(answer?.body ?? '')).toEqual({
    data: {
      id: OFFSET + made.order,
      customer_id: null,
      items: [{ id: OFFSET + made.item, part_id: OFFSET + made.part }],
    },
  });
  // Ids go on where they were, numbers with the station's new code.
  const next = await create(store, 'order', { items: [{ part_id: OFFSET + made.part, quantity: 1 }] });
  expect(next).toMatchObject({ id: OFFSET + made.order + 1, fields: { order_number: 'OR-3-000001' } });
});

it('corrections go on to speak of the same values and lots', async () => {
  const store = await freshInstallation();
  const made = await fill(store);
  const other = await create(store, 'part', { name: 'Other' });
  const receipt = await create(store, 'receiving-inspection', {
    items: [{ part_id: made.part, serial_number: 'C', quantity_accepted: 5, expiry_date: '2030-01-01' }],
  });
  const [line = 0] = itemIds(receipt, 'items');
  const program = { user: 'scale', rights: { kind: 'integration' as const, roles: ['inspector'] } };
  for (const change of [{ expiry_date: '2031-01-01' }, { part_id: other.id }]) {
    await store.gate.commit({
      actor: program,
      reason: null,
      work: work => {
        const items = [{ id: line, ...change }];
        const { 'receiving-inspection': family } = families;
        return work.update(family, receipt.id, parseInput(family, { items }, { mode: 'patch' }));
      },
      answer: () => undefined,
    });
  }
  const before = store.records.findBy('correction', 'subject', receipt.key);
  expect(before.length).toBeGreaterThan(1);
  await joinCentral(store, 3, nothing, BY);
  expect(await faultsOf(store)).toEqual([]);
  const after = store.records.findBy('correction', 'subject', `receiving-inspection:${OFFSET + receipt.id}`);
  const moved = (value: unknown) => (typeof value === 'number' ? OFFSET + value : value);
  expect(after.map(({ fields }) => fields)).toEqual(
    before.map(({ fields }) => ({
      ...fields,
      subject: `receiving-inspection:${OFFSET + receipt.id}`,
      path: String(fields.path).replace(`items.${line}`, `items.${OFFSET + line}`),
      old_value: moved(fields.old_value),
      new_value: moved(fields.new_value),
      lots: (fields.lots as number[]).map(moved),
    })),
  );
  const lots = after.flatMap(({ fields }) => fields.lots as number[]);
  expect(lots.every(id => store.records.get('inventory', id))).toBe(true);
});

it.each([
  ['the log', undefined],
  ['records', 1],
])(
  'becomes the same everywhere, beside what other stations have, which comes as %s',
  async (_, farBehind) => {
    const { central, stations, settle } = await fleet(2);
    const [lab] = stations;
    if (!lab) throw new Error();
    await create(central.store, 'company', { name: 'Ours' });
    await create(central.store, 'part', { name: 'Of central' });
    await create(lab.store, 'part', { name: 'Of the lab' });
    await settle();

    const folder = temporaryFolder();
    const alone = await freshInstallation(folder);
    const made = await fill(alone);
    await letBring(central, alone, 3);
    await joinCentral(alone, 3, nothing, BY);
    await alone.close();
    const dock = await Peer.open(
      request => central.answer(request),
      folder,
      farBehind === undefined ? {} : { farBehind },
    );
    await update(dock.store, 'order', OFFSET + made.order, { notes: 'before the first exchange' });
    await dock.settle();
    await settle();
    await dock.settle();

    const stores = [central.store, dock.store, ...stations.map(({ store }) => store)];
    expect(areSame(stores)).toBe(true);
    for (const store of stores) expect(danglingIn(store)).toEqual([expect.stringContaining('user_id')]);
    const [handed, ...others] = central.exchange.reader().heldCommits.all();
    expect([handed?.reason, others]).toEqual(['central_decides', []]);
    const commit = handed?.commit.commit_id ?? '';
    await central.exchange.decideHeld({
      commit,
      decision: 'released',
      user: 'root',
      reason: 'One of us.',
      at: BY.at,
    });
    await settle();
    await dock.settle();
    expect(areSame(stores)).toBe(true);
    expect(dock.store.records.get('user', OFFSET + made.user)?.fields).toMatchObject({ login: 'anna' });
    for (const store of stores) {
      expect(await faultsOf(store)).toEqual([]);
      expect(danglingIn(store)).toEqual([]);
      expect(stockOf(store)).toEqual(stockOf(dock.store));
    }
    expect(dock.engine.digests()).toEqual(central.exchange.digests());
    expect(dock.engine.state()).toMatchObject({ unsent: 0, stuck: null });
    expect(central.store.records.get('company', 1)?.fields).toMatchObject({ name: 'Ours' });
    expect(central.store.records.get('order', OFFSET + made.order)).toMatchObject({
      version: 3,
      user: 'tester',
    });
  },
);

it('a company that was changed moves as a second one, and settings of the station give way to those of central', async () => {
  const store = await freshInstallation();
  await update(store, 'company', 1, { name: 'Dock Ltd' });
  const { id } = await create(store, 'part', { name: 'Jar', company_id: 1 });
  await joinCentral(store, 3, nothing, BY);
  expect(await faultsOf(store)).toEqual([]);
  expect(store.records.get('company', 1)).toBeUndefined();
  expect(store.records.get('company', OFFSET + 1)?.fields).toMatchObject({ name: 'Dock Ltd' });
  expect(store.records.get('part', OFFSET + id)?.fields).toMatchObject({ company_id: OFFSET + 1 });
});

it('several blocks move to as many; one that central happens to give stays where it is', async () => {
  const store = await freshInstallation();
  await store.gate.applyRemote(() => {
    store.ids.reserve('part', BLOCK_SIZE - 2);
    return { result: undefined };
  });
  const ids: number[] = [];
  for (const name of ['Last of the first', 'First of the second', 'Next']) {
    ids.push((await create(store, 'part', { name })).id);
  }
  expect(ids).toEqual([BLOCK_SIZE - 1, BLOCK_SIZE + 1, BLOCK_SIZE + 2]);
  const few = joinCentral(store, 1, nothing, BY);
  await expect(few).rejects.toMatchObject({ code: 'conflict' });
  await joinCentral(store, 1, nothing, { ...BY, further: [5] });
  expect(await faultsOf(store)).toEqual([]);
  const kept = recordsOf(store).filter(({ family }) => family === 'part');
  expect(kept.map(({ id }) => id).sort((a, b) => a - b)).toEqual([
    BLOCK_SIZE + 1,
    BLOCK_SIZE + 2,
    6 * BLOCK_SIZE - 1,
  ]);
  expect((await create(store, 'part', { name: 'New' })).id).toBe(BLOCK_SIZE + 3);
});

it('stands alone as before whenever it is cut off, and moves when it is tried again', async () => {
  const store = await freshInstallation();
  await fill(store);
  const before = shown(store);
  const copies: string[] = [];
  // As a kill leaves it: at each step of the transaction, the files as they are.
  const copy = () => {
    const folder = temporaryFolder();
    cpSync(store.database.folder, folder, { recursive: true });
    copies.push(folder);
  };
  const { applyRemoteInParts } = store.gate;
  store.gate.applyRemoteInParts = work =>
    applyRemoteInParts.call(store.gate, put =>
      work(async part => {
        await put(part);
        copy();
      }),
    ) as never;
  const failing = joinCentral(
    store,
    3,
    () => {
      copy();
      throw new Error('The disk is full.');
    },
    BY,
  );
  await expect(failing).rejects.toThrow('The disk is full.');
  expect(shown(store)).toEqual(before);
  expect(await faultsOf(store)).toEqual([]);
  expect(copies.length).toBeGreaterThan(20);
  await store.close();
  for (const folder of [copies[0], copies[copies.length >> 1], copies.at(-1)]) {
    const again = await temporaryStore({ folder: folder ?? '' });
    expect(again.selfCheck.findings).toEqual([]);
    expect(shown(again)).toEqual(before);
    expect(await faultsOf(again)).toEqual([]);
    await joinCentral(again, 3, nothing, BY);
    expect(await faultsOf(again)).toEqual([]);
    await again.close();
  }
});

it('verify finds a commit that was not issued again as it was', async () => {
  const store = await freshInstallation();
  await fill(store);
  await joinCentral(store, 3, nothing, BY);
  const moved = readMoved(store.database.reader);
  if (!moved) throw new Error();
  await store.gate.applyRemote(() => {
    const other = JSON.stringify({ ...moved, blocks: [{ from: 0, to: 4 }] });
    store.database.run("UPDATE local SET value = ? WHERE name = 'moved'", other);
    return { result: undefined };
  });
  expect(await faultsOf(store)).toEqual([
    expect.stringContaining('does not say what was moved'),
    expect.stringContaining('was not issued again as it was'),
  ]);
});
