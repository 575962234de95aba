import { describe, expect, it } from 'vitest';
import { verifyDependencies } from '../../../../server/backup/verify-dependencies.ts';
import type { Change, Commit } from '../../../../server/store/changes.ts';
import { readCommitsAfter } from '../../../../server/store/history.ts';
import { backUp } from '../../../../server/store/restore/backup.ts';
import { restore } from '../../../../server/store/restore/restore.ts';
import { readConflicts } from '../../../../server/sync/log/conflicts.ts';
import { resolutionInput } from '../../../../server/sync/resolution-input.ts';
import { exportedRecord } from '../../../../server/transfer/exported-record.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { temporaryFolder } from '../../store/sqlite/temporary-folder.ts';
import { create, START, update } from '../../store/temporary-store.ts';
import { areSame, faultsOf, fleet, Peer, shown } from './fleet.ts';
import { type LaterCommit, LaterStation } from './later-station.ts';

const ID = 5 * 2 ** 20 + 1;
const ITEM = ID + 6;
const [SUPPLIER, GAUGE, ORDER] = [`supplier:${ID}`, `gauge:${ID}`, `order:${ID}`];

/** What no version between may understand, and none may lose: null, nested lists, keys in no order. */
const ANYTHING = { z: 1, a: null, list: [null, { b: [] }], 7: 'seven', text: 'ß\u2028' };

const set = (path: string, value: unknown, over: string[] = [], further: object = {}): Change => ({
  path,
  old: null,
  new: value,
  over,
  ...further,
});

const made = (subject: string, ...changes: Change[]): LaterCommit => ({
  commit_id: 'made',
  entries: [{ subject, changes }],
});

const changed = (subject: string, path: string, value: unknown): LaterCommit => ({
  entries: [{ subject, changes: [set(path, value, ['made'])] }],
});

/** Each with the fields that the record has afterwards, whatever the version. */
const places: [place: string, LaterCommit[], key: string, fields: object][] = [
  [
    'a commit',
    [{ ...made(SUPPLIER, set('name', 'S')), witness: ANYTHING, none: null, entries_digest: 'x' }],
    SUPPLIER,
    { name: 'S' },
  ],
  [
    'an entry',
    [{ entries: [{ subject: SUPPLIER, why: ANYTHING, none: null, changes: [set('name', 'S')] }] }],
    SUPPLIER,
    { name: 'S' },
  ],
  [
    'a change',
    [made(SUPPLIER, set('name', 'S', [], { unit: ANYTHING, none: null }))],
    SUPPLIER,
    { name: 'S' },
  ],
  [
    'a record',
    [made(SUPPLIER, set('name', 'S'), set('rating', ANYTHING))],
    SUPPLIER,
    { name: 'S', rating: ANYTHING },
  ],
  [
    'an item',
    [
      made(ORDER, set('order_number', 'O'), set(`items.${ITEM}`, { order: 1, tint: 'red', mark: ANYTHING })),
      changed(ORDER, `items.${ITEM}.tint`, 'blue'),
    ],
    ORDER,
    { items: { [ITEM]: { order: 1, tint: 'blue', mark: ANYTHING } } },
  ],
  [
    'a collection, item by item',
    [
      made(
        SUPPLIER,
        set('name', 'S'),
        set(`certificates.${ITEM}`, { kind: 'ISO', pages: { 3: { of: 4 } } }),
        set(`certificates.${ITEM + 1}`, { kind: 'EN' }),
      ),
      changed(SUPPLIER, `certificates.${ITEM}.kind`, 'DIN'),
      changed(SUPPLIER, `certificates.${ITEM}.pages.3.of`, 5),
    ],
    SUPPLIER,
    { certificates: { [ITEM]: { kind: 'DIN', pages: { 3: { of: 5 } } }, [ITEM + 1]: { kind: 'EN' } } },
  ],
  [
    'a collection that was given whole',
    [
      made(SUPPLIER, set('name', 'S'), set('certificates', { 5: { kind: 'ISO' }, 6: { kind: 'EN' } })),
      changed(SUPPLIER, 'certificates.5.kind', 'DIN'),
    ],
    SUPPLIER,
    { certificates: { 5: { kind: 'DIN' }, 6: { kind: 'EN' } } },
  ],
  [
    'a family',
    [
      made(GAUGE, set('name', 5), set(`points.${ITEM}`, { v: 1, sub: { 3: { x: 1 } } })),
      changed(GAUGE, `points.${ITEM}.v`, 2),
    ],
    GAUGE,
    { name: 5, points: { [ITEM]: { v: 2, sub: { 3: { x: 1 } } } } },
  ],
];

async function story() {
  const one = await fleet(1);
  const [a] = one.stations;
  if (!a) throw new Error();
  await create(one.central.store, 'company', { name: 'Ours' });
  const later = new LaterStation(request => one.central.answer(request));
  return { ...one, a, later };
}

type Story = Awaited<ReturnType<typeof story>>;

async function expectSound({ central, a, stores }: Story): Promise<void> {
  expect(areSame(stores())).toBe(true);
  expect(a.engine.digests()).toEqual(central.exchange.digests());
  for (const store of stores()) expect(await faultsOf(store)).toEqual([]);
}

/** As text, so that members that are null and their order count. */
function textOf(commits: readonly Commit[]): string[] {
  const sorted = (commit: Commit) => Object.entries(commit).sort(([one], [other]) => (one < other ? -1 : 1));
  return commits.map(commit => JSON.stringify(sorted(commit)));
}

describe('a member that this version does not know', () => {
  it.each(places)('in %s: is kept as it came and folds to the same', async (_, commits, key, fields) => {
    const its = await story();
    const { central, a, later } = its;
    const before = await central.copy();
    expect(await later.push(...commits)).toBeNull();
    await its.settle();
    await expectSound(its);
    expect(shown(a.store)[key]?.fields).toMatchObject(fields);

    // Read from what is stored, and not from what was just said.
    await central.copy();
    await a.copy();
    const another = new LaterStation(request => central.answer(request));
    const { entries } = await another.pull();
    const back = entries.filter(({ commit }) => commit.chain === later.chain);
    expect(textOf(back.map(({ commit }) => commit))).toEqual(textOf(later.sent));
    expect(back.map(({ decisions }) => decisions.map(({ outcome }) => outcome))).toEqual(
      commits.map(() => ['applied']),
    );
    const kept = readCommitsAfter(a.store.database.reader, 0, 99).map(({ commit }) => commit);
    expect(textOf(kept.filter(({ chain }) => chain === later.chain))).toEqual(textOf(later.sent));

    // A station that takes the records in the place of the log.
    const far = await Peer.join(request => central.answer(request), 7, { farBehind: 1 });
    await far.settle();
    expect(shown(far.store)[key]).toEqual(shown(central.store)[key]);
    expect(far.engine.digests()).toEqual(central.exchange.digests());
    expect(await faultsOf(far.store)).toEqual([]);

    // A central that lost all of it gets it back from its station.
    await central.putBack(before);
    expect(shown(central.store)[key]).toBeUndefined();
    await its.settle();
    await its.settle();
    await expectSound(its);
    expect(shown(central.store)[key]?.fields).toMatchObject(fields);
    const again = (await another.pull()).entries.map(({ commit }) => commit);
    const offered = again.filter(({ commit_id }) => later.sent.some(one => one.commit_id === commit_id));
    expect(textOf(offered)).toEqual(textOf(later.sent));
  });

  it.each(places)('in %s: is in a backup, and there again once that is restored', async (_, commits, key) => {
    const its = await story();
    const { central, a, later } = its;
    await later.push(...commits);
    await its.settle();
    const [folder, target] = [temporaryFolder(), temporaryFolder()];
    const data = a.store.database.folder;
    const { file } = await backUp({ data, folder, keep: 1, at: START }, verifyDependencies);
    await restore({ folder: target, file, ...verifyDependencies, clock: () => new Date(START) });
    const back = await Peer.open(request => central.answer(request), target);
    expect(shown(back.store)[key]).toEqual(shown(a.store)[key]);
    const kept = readCommitsAfter(back.store.database.reader, 0, 99).map(({ commit }) => commit);
    expect(textOf(kept.filter(({ chain }) => chain === later.chain))).toEqual(textOf(later.sent));
    await back.settle();
    expect(back.engine.digests()).toEqual(central.exchange.digests());
    expect(await faultsOf(back.store)).toEqual([]);
  });

  it('stays where a record is exported and written again from that, as an import does', async () => {
    const its = await story();
    const { a, later } = its;
    await later.push(made(SUPPLIER, set('name', 'S'), set('rating', ANYTHING)));
    await its.settle();
    const record = a.store.records.getByKey(SUPPLIER);
    if (!record) throw new Error();
    const { id, ...exported } = exportedRecord(families.supplier, record);
    expect(exported).not.toHaveProperty('rating');
    await update(a.store, 'supplier', id, { ...exported, name: 'From a file' });
    await its.settle();
    await expectSound(its);
    expect(shown(its.central.store)[SUPPLIER]?.fields).toEqual({ name: 'From a file', rating: ANYTHING });
  });

  it('stays in a record, and in its items, that are changed here', async () => {
    const its = await story();
    const { a, later } = its;
    await later.push({
      entries: [
        { subject: SUPPLIER, changes: [set('name', 'S'), set('certificates.5', { kind: 'ISO' })] },
        {
          subject: ORDER,
          changes: [set('order_number', 'O'), set(`items.${ITEM}`, { order: 1, tint: 'red' })],
        },
      ],
    });
    await its.settle();
    await update(a.store, 'supplier', ID, { name: 'T', notes: 'more' });
    await update(a.store, 'order', ID, { items: [{ id: ITEM, serial_number: 'L7' }] });
    await its.settle();
    await expectSound(its);
    expect(shown(its.central.store)[SUPPLIER]?.fields).toMatchObject({
      name: 'T',
      certificates: { 5: { kind: 'ISO' } },
    });
    expect(shown(its.central.store)[ORDER]?.fields.items).toMatchObject({
      [ITEM]: { tint: 'red', serial_number: 'L7' },
    });
    const { entries } = await later.pull();
    const said = entries.at(-1)?.commit.entries.flatMap(({ changes }) => changes.map(({ path }) => path));
    expect(said).toEqual([`items.${ITEM}.serial_number`]);
  });

  it('keeps what is null in it, at the station that changes the record as well', async () => {
    const its = await story();
    const { a, central, later } = its;
    await later.push(made(SUPPLIER, set('name', 'S'), set('rating', ANYTHING)));
    await its.settle();
    await update(a.store, 'supplier', ID, { name: 'T' });
    const stored = ({ store }: { store: Story['a']['store'] }) => shown(store)[SUPPLIER]?.fields;
    expect(stored(a)).toEqual({ name: 'T', rating: ANYTHING });
    await its.settle();
    for (const at of [a, central]) expect(stored(at)).toEqual({ name: 'T', rating: ANYTHING });
  });

  it('is in conflict where two wrote it unseen, and a person of this version can choose one of the values', async () => {
    const its = await story();
    const { a, central, later } = its;
    await later.push(made(SUPPLIER, set('name', 'S'), set('certificates.5', { kind: 'ISO' })));
    const other = new LaterStation(request => central.answer(request));
    const both = (value: string): LaterCommit => ({
      entries: [
        {
          subject: SUPPLIER,
          changes: [set('certificates.5.kind', value, ['made']), set('rating', value, ['made'])],
        },
      ],
    });
    await later.push(both('DIN'));
    await other.push(both('EN'));
    await its.settle();
    await expectSound(its);
    const open = () => readConflicts(a.store.database.reader, { isOpen: true, offset: 0, limit: 9 });
    expect(open().conflicts.map(({ path, siblings }) => [path, siblings.map(({ value }) => value)])).toEqual(
      expect.arrayContaining([
        ['certificates.5.kind', ['EN', 'DIN']],
        ['rating', ['EN', 'DIN']],
      ]),
    );
    for (const conflict of open().conflicts)
      await a.store.gate.commit({
        actor: { rights: BY_SERVER, user: 'ann' },
        reason: 'The first was right.',
        work(work) {
          const record = work.require('supplier', ID);
          const input = resolutionInput(families.supplier, record, conflict, 'DIN');
          return work.resolve(families.supplier, ID, conflict.path, input);
        },
        answer: () => undefined,
      });
    await its.settle();
    expect(open().total).toBe(0);
    expect(shown(central.store)[SUPPLIER]?.fields).toMatchObject({
      name: 'S',
      rating: 'DIN',
      certificates: { 5: { kind: 'DIN' } },
    });
    await expectSound(its);
  });
});

it('a conflict keeps what is null within its values, open and closed, wherever it is known', async () => {
  const its = await story();
  const { a, central, later } = its;
  await later.push(made(SUPPLIER, set('name', 'S')));
  const other = new LaterStation(request => central.answer(request));
  const both = (value: unknown): LaterCommit => ({
    entries: [{ subject: SUPPLIER, changes: [set('rating', value, ['made'])] }],
  });
  const second = { ...ANYTHING, z: 2 };
  await later.push(both(ANYTHING));
  await other.push(both(second));
  await its.settle();
  // One that takes the records in the place of the log, and one that reads the log.
  const join = (block: number, farBehind: number) =>
    Peer.join(request => central.answer(request), block, { farBehind });
  const machines = [central, a, await join(7, 1), await join(8, 100)];
  const settle = async () => {
    for (const machine of machines) if (machine instanceof Peer) await machine.settle();
  };
  const conflictsAt = (isOpen: boolean) =>
    machines.map(
      ({ store }) => readConflicts(store.database.reader, { isOpen, offset: 0, limit: 9 }).conflicts,
    );
  await settle();
  for (const [conflict, ...further] of conflictsAt(true)) {
    expect(further).toEqual([]);
    expect(conflict?.siblings.map(({ value }) => JSON.stringify(value))).toEqual(
      [second, ANYTHING].map(value => JSON.stringify(value)),
    );
  }

  // A person chooses one, as the interface shows it to programs that leave out what is null.
  const [[conflict] = []] = conflictsAt(true);
  if (!conflict) throw new Error();
  const { a: _, ...chosen } = ANYTHING;
  await a.store.gate.commit({
    actor: { rights: BY_SERVER, user: 'ann' },
    reason: 'The first was right.',
    work(work) {
      const input = resolutionInput(
        families.supplier,
        work.require('supplier', ID),
        { ...conflict, path: 'rating' },
        chosen,
      );
      return work.resolve(families.supplier, ID, 'rating', input);
    },
    answer: () => undefined,
  });
  await settle();
  machines.push(await join(9, 1));
  await settle();
  for (const [closed] of conflictsAt(false))
    expect(JSON.stringify(closed?.outcome)).toBe(JSON.stringify(ANYTHING));
  expect(areSame(machines.map(({ store }) => store))).toBe(true);
  for (const { store } of machines) {
    expect(shown(store)[SUPPLIER]?.fields).toEqual({ name: 'S', rating: ANYTHING });
    expect(await faultsOf(store)).toEqual([]);
  }
});

it.each(['toString', 'valueOf', 'constructor'])(
  'a value named %s in a collection that this version does not know is left as it is by a local write',
  async name => {
    const its = await story();
    const { central, a, later } = its;
    const gizmo = { [name]: { 5: { in: 1 } } };
    await later.push(made(SUPPLIER, set('name', 'S'), set('gizmos.7', gizmo)));
    await its.settle();
    await update(central.store, 'supplier', ID, { name: 'Of central' });
    await its.settle();
    await update(a.store, 'supplier', ID, { notes: 'Of a station' });
    await its.settle();
    expect(shown(central.store)[SUPPLIER]?.fields).toMatchObject({
      name: 'Of central',
      notes: 'Of a station',
      gizmos: { 7: gizmo },
    });
    await expectSound(its);
  },
);

describe('records of families that this version does not know', () => {
  it('are counted by name, and cannot use up the numbers of families', async () => {
    const its = await story();
    const { central, a, later } = its;
    const numbers = () => central.store.database.all('SELECT * FROM family_number');
    const before = numbers();
    const nameOf = (place: number) =>
      `gauge-${String.fromCharCode(97 + (place % 26), 97 + Math.floor(place / 26))}`;
    for (let begun = 0; begun < 600; begun += 100) {
      const made = Array.from({ length: 100 }, (_, place) => ({
        entries: [{ subject: `${nameOf(begun + place)}:${ID}`, changes: [set('name', 'G')] }],
      }));
      await later.push(...made);
    }
    const next = await create(central.store, 'supplier', { name: 'Acme' });
    await its.settle();
    await expectSound(its);
    expect(numbers()).toEqual(before);
    expect(a.store.records.get('supplier', next.id)?.fields.name).toBe('Acme');
    const known = a.store.records.unknownFamilies(20);
    expect(known).toHaveLength(20);
    expect(known[0]).toEqual({ family: 'gauge-aa', records: 1 });
    expect(a.store.records.unknownFamilies(1_000)).toHaveLength(600);
  });

  it('are written by nobody who may write nothing', async () => {
    const its = await story();
    await create(its.central.store, 'user', { login: 'vera', name: 'Vera', roles: ['viewer'] });
    await its.later.push({ ...made(GAUGE, set('name', 'G')), user: 'vera' });
    const [entry] = (await its.later.pull()).entries.slice(-1);
    expect(entry?.decisions).toMatchObject([
      { outcome: 'held', reason: `not_permitted: ${GAUGE} needs the role operator.` },
    ]);
  });
});
