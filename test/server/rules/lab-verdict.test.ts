import { describe, expect, it } from 'vitest';
import type { Store } from '../../../server/store/store.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import { families } from '../../../shared/families/registry.ts';
import { create, update } from '../store/temporary-store.ts';
import { correctionsOf, person, program } from './people.ts';
import { addPart, lotOf, openNameless, openSite, receive, ship } from './site.ts';

function addTemplate(store: Store): Promise<{ id: number }> {
  return create(store, 'specification', {
    characteristics: [
      { name: 'lead', tolerance: 'max 0.1' },
      { name: 'alcohol', tolerance: 'min 5' },
      { name: 'pH', dimensions: '3.5', tolerance: '±0.2' },
      { name: 'smell', tolerance: 'fruity' },
    ],
  });
}

const locked = (store: Store, lot: number) => lotOf(store, lot).is_locked;

it('what is read and sent back keeps the values that the answer leaves out, and its lock', async () => {
  const store = await openSite();
  const { lot } = await receive(store, { part_id: await addPart(store) });
  const { id: specification_id } = await addTemplate(store);
  const lab_data = { lead: '>5', pH: '3.50' };
  const { id, fields } = await create(store, 'lab-result', { specification_id, inventory_id: lot, lab_data });
  expect(locked(store, lot)).toBe(true);
  await update(store, 'lab-result', id, { lab_data: { pH: 3.5 }, notes: 'Read and sent back.' });
  const after = store.records.get('lab-result', id)?.fields;
  expect([after?.lab_data, after?.notes]).toEqual([fields.lab_data, 'Read and sent back.']);
  expect(locked(store, lot)).toBe(true);
});

describe('a lab result fails (decisions, 5.3)', () => {
  it.each([
    [{ pH: '3.7' }, []],
    [{ pH: 3.70001 }, ['pH']],
    [{ lead: '0.1', alcohol: '5' }, []],
    [{ lead: '0.11', alcohol: '4.9', pH: '3.5' }, ['lead', 'alcohol']],
    [{ smell: '1', colour: '999' }, []],
    // Below a limit of quantification every value passes the upper limit …
    [{ lead: '<0.05' }, []],
    // … or it may pass, so that it does not fail …
    [{ lead: '<0.5' }, []],
    [{ alcohol: '<5.1' }, []],
    // … or none does.
    [{ alcohol: '<5' }, ['alcohol']],
    [{ alcohol: '< 4' }, ['alcohol']],
    [{ lead: '>0.1' }, ['lead']],
    [{ lead: '>0.05' }, []],
    [{ alcohol: '>100' }, []],
    [{ lead: 'ND', alcohol: 'ND' }, []],
  ])('%j in %j', async (lab_data, failed) => {
    const store = await openSite();
    const { id: specification_id } = await addTemplate(store);
    const record = await create(store, 'lab-result', { specification_id, lab_data });
    expect(record.fields.failed_measurements ?? []).toEqual(failed);
  });

  it('by no limit that its template has no more', async () => {
    const store = await openSite();
    const { id: specification_id } = await addTemplate(store);
    await update(store, 'specification', specification_id, { characteristics: [{ name: 'pH' }] });
    const lab_data = { lead: '5' };
    const { fields } = await create(store, 'lab-result', { specification_id, lab_data });
    expect(fields).not.toHaveProperty('failed_measurements');
  });
});

describe('a failing lab result', () => {
  it('locks its lot until it is corrected', async () => {
    const store = await openSite();
    const { id: specification_id } = await addTemplate(store);
    const part_id = await addPart(store);
    const { lot } = await receive(store, { part_id });
    const failing = { specification_id, inventory_id: lot, lab_data: { lead: '5' } };
    const { id } = await create(store, 'lab-result', failing);
    expect(locked(store, lot)).toBe(true);
    await expect(ship(store, { part_id, quantity: 1 })).rejects.toThrow(/a lab result of it failed/);
    await update(store, 'lab-result', id, { lab_data: { lead: '0.05' } });
    expect(locked(store, lot)).toBe(false);
    await ship(store, { part_id, quantity: 1 });
  });

  it('by lot number locks every lot that the number names, those that arrive later too', async () => {
    const store = await openSite();
    const { id: specification_id } = await addTemplate(store);
    const part_id = await addPart(store);
    const first = await receive(store, { part_id, expiry_date: '2026-12-31' });
    const { id } = await create(store, 'lab-result', {
      specification_id,
      batch_number: 'L',
      lab_data: { lead: '5' },
    });
    const second = await receive(store, { part_id, expiry_date: '2027-12-31' });
    const other = await receive(store, { part_id, serial_number: 'M' });
    expect([first, second, other].map(({ lot }) => locked(store, lot))).toEqual([true, true, false]);
    await update(store, 'lab-result', id, { batch_number: 'M' });
    expect([first, second, other].map(({ lot }) => locked(store, lot))).toEqual([false, false, true]);
  });

  it("by lot number is not lifted by another part's lot of that number that arrives later", async () => {
    const store = await openSite();
    const { id: specification_id } = await addTemplate(store);
    const first = await receive(store, { part_id: await addPart(store) });
    const failing = { specification_id, batch_number: 'L', lab_data: { lead: '5' } };
    await create(store, 'lab-result', failing);
    const second = await receive(store, { part_id: await addPart(store, { name: 'Lid' }) });
    expect([first, second].map(({ lot }) => locked(store, lot))).toEqual([true, false]);
  });

  it('by a lot number that names lots of two parts locks none of them, by the lot it does', async () => {
    const store = await openSite();
    const { id: specification_id } = await addTemplate(store);
    const parts = [await addPart(store), await addPart(store, { name: 'Lid' })];
    const lots = [];
    for (const part_id of parts) lots.push((await receive(store, { part_id })).lot);
    const failing = { specification_id, batch_number: 'L', lab_data: { lead: '5' } };
    const { id } = await create(store, 'lab-result', failing);
    expect(lots.map(lot => locked(store, lot))).toEqual([false, false]);
    await ship(store, { part_id: parts[0], quantity: 1, serial_number: 'L' });
    await update(store, 'lab-result', id, { inventory_id: lots[1] });
    expect(lots.map(lot => locked(store, lot))).toEqual([false, true]);
  });
});

describe('a failing lab result of a lot number that is given to one lot record', () => {
  const WHY = 'known since';

  /** Gives the result of the number L to a lot record; whether that waits for quality. */
  async function given(store: Store, result: number, inventory_id: number): Promise<boolean> {
    await person(store, 'ilse', 'inspector').update('lab-result', result, { inventory_id }, WHY);
    const words = correctionsOf(store, `lab-result:${result}`).filter(({ path }) => path === 'inventory_id');
    return words.some(({ status }) => status === 'awaiting');
  }

  async function failing(store: Store, fields: object = { batch_number: 'L' }): Promise<number> {
    const { id: specification_id } = await addTemplate(store);
    const body = { specification_id, lab_data: { lead: '5' }, ...fields };
    return (await create(store, 'lab-result', body)).id;
  }

  it('waits for quality where the number names others, and not where it names that one only', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { lot } = await receive(store, { part_id });
    const { lot: other } = await receive(store, { part_id, serial_number: 'M' });
    expect(await given(store, await failing(store), lot)).toBe(false);
    expect(await given(store, await failing(store), other)).toBe(true);
    const { lot: second } = await receive(store, { part_id, expiry_date: '2027-01-31' });
    expect(await given(store, await failing(store), lot)).toBe(true);
    expect(await given(store, await failing(store), second)).toBe(true);
    expect(await given(store, await failing(store, { batch_number: 'N' }), other)).toBe(true);
  });

  it('waits for nothing where it named no number, was given already, was settled or stays', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const { lot } = await receive(store, { part_id });
    const { lot: second } = await receive(store, { part_id, expiry_date: '2027-01-31' });
    expect(await given(store, await failing(store, {}), lot)).toBe(false);
    const own = await failing(store, { batch_number: 'L', inventory_id: second });
    expect(await given(store, own, second)).toBe(false);
    const noted = await failing(store);
    await person(store, 'ilse', 'inspector').update('lab-result', noted, { notes: 'n' }, WHY);
    expect(correctionsOf(store, `lab-result:${noted}`)).toEqual([]);
    const settled = await failing(store);
    await store.gate.commit({
      actor: { rights: BY_SERVER, user: 'tester' },
      reason: null,
      work: work => {
        const { fields } = work.require('lab-result', settled);
        return work.set(families['lab-result'], settled, { ...fields, is_settled: true });
      },
      answer: () => null,
    });
    expect(await given(store, settled, lot)).toBe(false);
  });

  it('waits as a passing one, too, where it is made one, and says of what', async () => {
    const store = await openSite();
    await receive(store, { part_id: await addPart(store) });
    const id = await failing(store);
    const body = { lab_data: { lead: '0.05' }, notes: 'n' };
    await program(store, 'inspector').update('lab-result', id, body);
    expect(correctionsOf(store, `lab-result:${id}`)).toMatchObject([
      { path: 'lab_data', status: 'awaiting', author: 'integration' },
    ]);
  });
});

it('a lab result that an import put back with nothing that failed stays a passing one', async () => {
  const store = await openSite();
  await receive(store, { part_id: await addPart(store) });
  const { id } = await store.gate.commit({
    actor: { rights: BY_SERVER, user: 'tester' },
    reason: null,
    work: work =>
      work.restore(families['lab-result'], 1, { batch_number: 'L', failed_measurements: [], lab_data: {} }),
    answer: record => record,
  });
  await program(store, 'inspector').update('lab-result', id, { notes: 'n' });
  expect(correctionsOf(store, `lab-result:${id}`)).toEqual([]);
});

describe('the part that a lot number named', () => {
  it('stays that of the result, whatever has the number afterwards', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    const opened = await create(store, 'inventory', { part_id, batch_number: 'L', opening_quantity: 1 });
    const { id } = await create(store, 'lab-result', { batch_number: 'L' });
    await update(store, 'inventory', opened.id, { batch_number: 'M' });
    await receive(store, { part_id: await addPart(store, { name: 'Lid' }) });
    const { fields } = await update(store, 'lab-result', id, { notes: 'n' });
    expect(fields.batch_part_id).toBe(part_id);
  });

  it('is none for a result without a number, though there is stock without one', async () => {
    const store = await openSite();
    const part_id = await addPart(store);
    await openNameless(store, { part_id, opening_quantity: 1 });
    const { fields } = await create(store, 'lab-result', { batch_number: ' ' });
    expect(fields).not.toHaveProperty('batch_part_id');
  });
});
