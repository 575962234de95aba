import { describe, expect, it } from 'vitest';
import { type Correction, isTakenBack, recordCorrection } from '../../../server/rules/corrections.ts';
import type { Store } from '../../../server/store/store.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { create, itemIds } from '../store/temporary-store.ts';
import { correctionsOf, locks, person, program } from './people.ts';
import { addPart, lineOf, openSite, receive } from './site.ts';

const WHY = 'read it again';

/** The lots, or the lot number alone, that corrections of the record speak of; oldest first. */
const spokenOf = (store: Store, subject: string) =>
  correctionsOf(store, subject).map(({ lots, batch_number }) => batch_number ?? lots);

/** Keeps what these say of one record, in one commit of a person of quality. */
async function keep(
  store: Store,
  record: StoredRecord,
  ...said: Pick<Correction, 'path' | 'old' | 'new' | 'isAwaiting'>[]
): Promise<Record<string, unknown>[]> {
  const [user] = store.records.findBy('user', 'login', 'quinn');
  await store.gate.commit({
    actor: { user: 'quinn', userId: user?.id, rights: { kind: 'person', roles: ['quality'] } },
    reason: WHY,
    work: work => {
      for (const one of said) recordCorrection(work, { before: record, record, ...one });
      return record;
    },
    answer: () => null,
  });
  return correctionsOf(store, record.key);
}

describe('a correction', () => {
  it('keeps what stood, what came in its place, who put it there, when and why', async () => {
    const store = await openSite();
    await create(store, 'user', { name: 'Quinn', login: 'quinn' }, { id: 9 });
    const { lot } = await receive(store, { part_id: await addPart(store) });
    const record = store.records.get('inventory', lot);
    if (!record) throw new Error('There is no lot.');
    const found = await keep(
      store,
      record,
      { path: 'expiry_date', old: '2026-07-01', new: '2026-08-01', isAwaiting: false },
      { path: 'batch_number', old: null, new: undefined, isAwaiting: true },
    );
    const common = {
      subject: `inventory:${lot}`,
      author: 'quinn',
      author_id: 9,
      at: expect.stringMatching(/^2026-06-15T12:\d\d:\d\d\.000Z$/),
      reason: WHY,
      lots: [lot],
    };
    expect(found).toEqual([
      {
        ...common,
        path: 'expiry_date',
        old_value: '2026-07-01',
        new_value: '2026-08-01',
        status: 'recorded',
      },
      { ...common, path: 'batch_number', status: 'awaiting' },
    ]);
  });

  it('of one value in one commit is one, and waits when any of what was said of it does', async () => {
    const store = await openSite();
    const record = await create(store, 'supplier', { name: 'Acme' });
    const said = (isAwaiting: boolean) => ({ path: 'name', old: 'Acme', new: 'Acne', isAwaiting });
    const statuses = async (...all: boolean[]) =>
      (await keep(store, record, ...all.map(said))).map(({ status }) => status);
    expect(await statuses(false, true)).toEqual(['awaiting']);
    expect(await statuses(true, false)).toEqual(['awaiting', 'awaiting']);
    expect(await statuses(false, false)).toEqual(['awaiting', 'awaiting', 'recorded']);
    const other = { path: 'notes', old: null, new: 'N', isAwaiting: true };
    expect((await keep(store, record, said(false), other)).slice(3)).toMatchObject([
      { path: 'name', status: 'recorded' },
      { path: 'notes', status: 'awaiting' },
    ]);
  });

  it('of two records in one commit is one of each', async () => {
    const store = await openSite();
    const records = [await create(store, 'supplier', {}), await create(store, 'supplier', {})];
    await store.gate.commit({
      actor: { user: 'quinn', rights: { kind: 'person', roles: ['quality'] } },
      reason: WHY,
      work: work => {
        for (const record of records)
          recordCorrection(work, { before: record, record, path: 'name', old: 1, new: 2, isAwaiting: false });
        return null;
      },
      answer: () => null,
    });
    expect(records.map(({ key }) => correctionsOf(store, key).length)).toEqual([1, 1]);
  });
});

describe('a correction speaks of', () => {
  it('the lot of the receipt line alone, as it was and as it is', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { receipt, item, lot } = await receive(store, { part_id });
    const robot = program(store, 'inspector');
    const body = { items: [{ part_id, serial_number: 'M', quantity_accepted: 1 }] };
    await robot.update('receiving-inspection', receipt, body);
    await receive(store, { part_id, quantity_accepted: 1 });
    const change = { items: [{ id: item, serial_number: 'N' }] };
    const record = await robot.update('receiving-inspection', receipt, change);
    const moved = Number(lineOf(record, item).inventory_id);
    expect(moved).not.toBe(lot);
    expect(spokenOf(store, `receiving-inspection:${receipt}`)).toEqual([[lot, moved].sort((a, b) => a - b)]);
  });

  it('all lots of a receipt where it is of the receipt', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { receipt, lot } = await receive(store, { part_id }, { is_quarantined: true });
    const quinn = person(store, 'quinn', 'quality');
    const body = { items: [{ part_id, serial_number: 'M', quantity_accepted: 1 }, { part_id }] };
    const record = await quinn.update('receiving-inspection', receipt, body);
    const [, second = 0] = itemIds(record, 'items');
    await quinn.update('receiving-inspection', receipt, { is_quarantined: false }, WHY);
    const lots = [lot, Number(lineOf(record, second).inventory_id)];
    expect(spokenOf(store, `receiving-inspection:${receipt}`)).toEqual([lots.sort((a, b) => a - b)]);
  });

  it('the lots that an inspection was and is of', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const first = (await receive(store, { part_id })).lot;
    const second = (await receive(store, { part_id, serial_number: 'M' })).lot;
    const { id } = await create(store, 'inspection', { inventory_id: second });
    const ilse = person(store, 'ilse', 'inspector');
    await ilse.update('inspection', id, { inventory_id: first }, WHY);
    await ilse.update('inspection', id, { inspection_date: '2026-06-01' });
    await ilse.update('inspection', id, { inspection_date: '2026-06-02' }, WHY);
    expect(spokenOf(store, `inspection:${id}`)).toEqual([[first, second].sort((a, b) => a - b), [first]]);
  });

  it('the lots of the part that a lab result names by number, or its lot record alone', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { lot } = await receive(store, { part_id });
    const later = (await receive(store, { part_id, expiry_date: '2026-12-31' })).lot;
    const named = (await receive(store, { part_id, serial_number: 'M' })).lot;
    const { id } = await create(store, 'lab-result', { batch_number: 'L' });
    // Another part's lot of the same number is not what was measured.
    const lids = (await receive(store, { part_id: await addPart(store, { name: 'Lid' }) })).lot;
    const robot = program(store, 'inspector');
    await robot.update('lab-result', id, { testing_date: '2026-06-01' });
    await robot.update('lab-result', id, { testing_date: '2026-06-02' });
    await robot.update('lab-result', id, { batch_number: '' }, WHY);
    await robot.update('lab-result', id, { batch_number: 'L' });
    await robot.update('lab-result', id, { testing_date: '2026-06-03' });
    await robot.update('lab-result', id, { inventory_id: named });
    await robot.update('lab-result', id, { testing_date: '2026-06-04' });
    const found = correctionsOf(store, `lab-result:${id}`);
    expect(found.filter(one => 'batch_number' in one)).toEqual([]);
    const of = (path: string) => found.flatMap(one => (one.path === path ? [one.lots] : []));
    // The second time the number is given it names two parts: which of them was measured is not known.
    expect(of('testing_date')).toEqual([[lot, later], [lot, later, lids], [named]]);
  });

  it('a lot number that no lot has yet: the first that is received is locked', async () => {
    const store = await openSite();
    const specification_id = (await create(store, 'specification', {})).id;
    const { id } = await create(store, 'lab-result', { batch_number: 'L', specification_id });
    await program(store, 'inspector').update('lab-result', id, { specification_id: null });
    expect(spokenOf(store, `lab-result:${id}`)).toEqual(['L']);
    const { lot } = await receive(store, { part_id: await addPart(store) });
    expect(locks(store, lot)).toEqual(['correction']);
  });

  it('the line that its path names, among many', async () => {
    const store = await openSite();
    const receipt = await create(store, 'receiving-inspection', {});
    const items = { 1: { inventory_id: 6 }, 12: { inventory_id: 5 }, 123: { inventory_id: 7 } };
    const record = { ...receipt, fields: { items } };
    const said = { path: 'items.12.expiry_date', old: '2026-07-01', new: null, isAwaiting: true };
    expect(await keep(store, record, said)).toMatchObject([{ lots: [5] }]);
  });

  it('no lot where its record has no say in any', async () => {
    const store = await openSite();
    await receive(store, { part_id: await addPart(store) });
    const complaint = await create(store, 'complaint', {
      complaint_number: 'C-1',
      complaint_date: '2026-06-01',
      batch_number: 'L',
    });
    const quality = person(store, 'quinn', 'quality');
    await quality.update('complaint', complaint.id, { complaint_date: '2026-06-02' }, WHY);
    expect(correctionsOf(store, complaint.key)).toMatchObject([{ path: 'complaint_date', lots: [] }]);
    expect(correctionsOf(store, complaint.key)[0]).not.toHaveProperty('batch_number');
    const part = await create(store, 'part', { name: 'Jar', sampling_aql: '1' });
    await person(store, 'quinn', 'quality').update('part', part.id, { sampling_aql: '2.5' }, WHY);
    expect(correctionsOf(store, part.key)).toMatchObject([{ path: 'sampling_aql', old_value: '1' }]);
    expect(correctionsOf(store, part.key)[0]).not.toHaveProperty('batch_number');
    expect(spokenOf(store, part.key)).toEqual([[]]);
  });
});

describe('a verdict that nothing was measured for', () => {
  /** What is to pass: an inspection of a lot by an approved template. */
  async function prepared() {
    const store = await openSite();
    const { lot } = await receive(store, { part_id: await addPart(store) });
    const characteristics = [{ name: 'Height', dimensions: '10', tolerance: '±1' }];
    const { id } = await create(store, 'specification', { is_approved: true, characteristics });
    return { store, lot, body: { inventory_id: lot, drawing_id: id, passed: true } };
  }

  it('is somebody’s word also where the inspection is made with it', async () => {
    const { store, lot, body } = await prepared();
    const { key } = await person(store, 'ilse', 'inspector').create('inspection', body, WHY);
    expect(correctionsOf(store, key)).toMatchObject([
      { path: 'passed', new_value: true, status: 'awaiting' },
    ]);
    expect(correctionsOf(store, key)[0]).not.toHaveProperty('old_value');
    expect(locks(store, lot)).toEqual(['correction']);
  });

  it('is no word of quality by a program, whatever its role and reason', async () => {
    const { store, lot, body } = await prepared();
    await program(store, 'administrator').create('inspection', body, WHY);
    expect(locks(store, lot)).toEqual(['correction']);
  });

  it('is a word of quality by a person only with a reason', async () => {
    for (const [reason, expected] of [
      [undefined, ['correction']],
      [WHY, []],
    ] as const) {
      const { store, lot, body } = await prepared();
      await person(store, 'quinn', 'quality').create('inspection', body, reason);
      expect(locks(store, lot)).toEqual(expected);
    }
  });

  it('is nobody’s where the server gives it', async () => {
    const { store, lot, body } = await prepared();
    const { key } = await create(store, 'inspection', body);
    expect(correctionsOf(store, key)).toEqual([]);
    expect(locks(store, lot)).toEqual([]);
  });
});

describe('what waits is taken back', () => {
  const waiting = (fields: object): StoredRecord => ({
    key: 'correction:1',
    family: 'correction',
    id: 1,
    version: 1,
    state: '',
    fields: { status: 'awaiting', path: 'name', old_value: { a: 1, b: null }, ...fields },
    field_set: 1,
    created_at: '',
    updated_at: '',
    station: '',
    user: '',
    creator: '',
    writers: {},
    folded: 0,
  });

  it.each<[string, object, string, unknown, boolean]>([
    ['by the value that stood', {}, 'name', { a: 1 }, true],
    ['by no other value', {}, 'name', { a: 2 }, false],
    ['by no value where one stood', {}, 'name', null, false],
    ['by none where none stood', { old_value: undefined }, 'name', undefined, true],
    ['by nothing said of another value', {}, 'notes', { a: 1 }, false],
    ['not once it counts', { status: 'recorded' }, 'name', { a: 1 }, false],
    ['not once it was accepted', { status: 'accepted' }, 'name', { a: 1 }, false],
  ])('%s', (_, fields, path, value, expected) => {
    expect(isTakenBack(waiting(fields), path, value)).toBe(expected);
  });

  it('of that value alone, and the others wait on', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { receipt, item, lot } = await receive(store, {
      part_id,
      expiry_date: '2026-07-01',
      quantity_rejected: 5,
    });
    const robot = program(store, 'inspector');
    const change = (fields: object) =>
      robot.update('receiving-inspection', receipt, { items: [{ id: item, ...fields }] });
    await change({ expiry_date: '2026-08-01', quantity_rejected: 4 });
    await change({ quantity_rejected: 5 });
    const found = correctionsOf(store, `receiving-inspection:${receipt}`);
    expect(found.map(({ path, status }) => [String(path).split('.').at(-1), status])).toEqual(
      expect.arrayContaining([
        ['expiry_date', 'awaiting'],
        ['quantity_rejected', 'recorded'],
      ]),
    );
    expect(locks(store, lot)).toEqual(['correction']);
  });
});
