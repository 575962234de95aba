import { describe, expect, it } from 'vitest';
import { mapOf } from '../../../../server/store/changes.ts';
import { readHistory } from '../../../../server/store/history.ts';
import type { Store } from '../../../../server/store/store.ts';
import { readPutBack } from '../../../../server/sync/central/put-back.ts';
import { readConflicts } from '../../../../server/sync/log/conflicts.ts';
import { create, itemIds, update } from '../../store/temporary-store.ts';
import { areSame, type Fleet, faultsOf, fleet, shown, writeOdd } from './fleet.ts';
import { idsTwice } from './ids-twice.ts';
import { beginAgain, fleetWithSupplier } from './two-places.ts';

async function expectSound({ central, stations, stores }: Fleet): Promise<void> {
  expect(areSame(stores())).toBe(true);
  for (const { engine } of stations) {
    expect(engine.digests()).toEqual(central.exchange.digests());
    expect(engine.state()).toMatchObject({ unsent: 0, stuck: null });
  }
  for (const store of stores()) expect(await faultsOf(store)).toEqual([]);
}

describe('an earlier copy put back without a word', () => {
  it('of a station: what it had sent comes back, and what it writes is kept', async () => {
    const made = await fleetWithSupplier();
    const [a, b] = made.stations;
    if (!a || !b) throw new Error();
    const copy = await a.copy();
    await update(a.store, 'supplier', made.id, { primary_name: 'sent and lost here' });
    await made.settle();
    await a.putBack(copy);
    await update(a.store, 'supplier', made.id, { primary_email: 'written after@example.com' });
    await create(a.store, 'supplier', { name: 'New' });
    await made.settle();
    await expectSound(made);
    expect(shown(b.store)[`supplier:${made.id}`]?.fields).toMatchObject({
      primary_name: 'sent and lost here',
      primary_email: 'written after@example.com',
    });
  });

  it('of central and of the station that wrote it: what that one issues again stands once, also at those that had it before', async () => {
    const made = await fleetWithSupplier();
    const [a, b] = made.stations;
    if (!a || !b) throw new Error();
    await update(a.store, 'supplier', made.id, { primary_name: 'from a' });
    const [ofCentral, ofStation] = [await made.central.copy(), await a.copy()];
    await made.settle();
    await made.central.putBack(ofCentral);
    await a.putBack(ofStation);
    await beginAgain(a);
    await made.settle();
    await made.settle();
    await expectSound(made);
    for (const store of made.stores()) {
      const { commits } = readHistory(
        store.database.reader,
        store.records.subjectNumber('supplier', made.id),
        0,
        10,
      );
      expect(commits.filter(({ entries }) => JSON.stringify(entries).includes('from a'))).toHaveLength(1);
    }
  });

  it('of central: the stations give back what it lacks', async () => {
    const made = await fleetWithSupplier();
    const [a, b] = made.stations;
    if (!a || !b) throw new Error();
    const copy = await made.central.copy();
    await update(a.store, 'supplier', made.id, { primary_name: 'from a' });
    await made.settle();
    await update(b.store, 'supplier', made.id, { primary_email: 'b@example.com' });
    await made.settle();
    await made.central.putBack(copy);
    await create(b.store, 'supplier', { name: 'Meanwhile' });
    await made.settle();
    await made.settle();
    await expectSound(made);
    expect(shown(made.central.store)[`supplier:${made.id}`]?.fields).toMatchObject({
      primary_name: 'from a',
      primary_email: 'b@example.com',
    });
    expect(Object.keys(shown(made.central.store))).toHaveLength(2);
  });
});

describe('an earlier copy of central put back without a word, which works on', () => {
  it('gets back what it lost beside what it wrote: ids and places that it gave twice are told apart', async () => {
    const made = await fleetWithSupplier();
    const { central } = made;
    const [a, b] = made.stations;
    if (!a || !b) throw new Error();
    const copy = await central.copy();
    const lost = await create(central.store, 'part', { name: 'Lost' });
    await update(central.store, 'supplier', made.id, { primary_name: 'lost' });
    await made.settle();
    await create(a.store, 'order', { items: [{ part_id: lost.id, quantity: 3 }] });
    await update(b.store, 'part', lost.id, { identification: 'L-1' });
    await made.settle();
    await central.putBack(copy);
    const other = await create(central.store, 'part', { name: 'Other' });
    await update(central.store, 'supplier', made.id, { primary_name: 'other' });
    expect(other.id).toBe(lost.id);
    await made.settle();
    await made.settle();
    await expectSound(made);
    const parts = Object.values(shown(central.store)).filter(({ family }) => family === 'part');
    expect(parts.map(({ fields }) => fields.name).sort()).toEqual(['Lost', 'Other']);
    const again = parts.find(({ fields }) => fields.name === 'Lost');
    expect(again?.fields.identification).toBe('L-1');
    // What was ordered is what was meant.
    const [order] = Object.values(shown(b.store)).filter(({ family }) => family === 'order');
    expect(JSON.stringify(order?.fields.items)).toContain(`"part_id":${again?.id}`);
    // Two wrote the same field without having seen each other's value: a person decides.
    const conflicts = readConflicts(central.store.database.reader, { isOpen: true, offset: 0, limit: 10 });
    expect(conflicts.conflicts.map(({ path }) => path)).toEqual(['primary_name']);
    // It goes on with ids and in a chain that nobody knows.
    const next = await create(central.store, 'part', { name: 'Next' });
    await made.settle();
    await expectSound(made);
    expect([lost.id, other.id, again?.id]).not.toContain(next.id);
    expect(readPutBack(central.store.database)).toMatchObject({ returned: 4 });
  });
});

describe('items of an earlier copy of central put back without a word, which works on', () => {
  const line = (part_id: number, serial_number: string) => ({ part_id, quantity: 1, serial_number });
  const linesOf = (store: Store) =>
    Object.values(shown(store))
      .filter(({ family }) => family === 'order')
      .map(({ fields }) => Object.values(mapOf(fields.items)).map(item => mapOf(item).serial_number))
      .sort();

  it('are told apart where their records are, and what was changed of them since is theirs', async () => {
    const made = await fleetWithSupplier();
    const { central } = made;
    const [a] = made.stations;
    if (!a) throw new Error();
    const part = await create(central.store, 'part', { name: 'Jar' });
    await made.settle();
    const copy = await central.copy();
    const lost = await create(central.store, 'order', { items: [line(part.id, 'lost')] });
    await made.settle();
    const items = itemIds(lost, 'items').map(id => ({ id, serial_number: 'lost, and changed' }));
    await update(a.store, 'order', lost.id, { items });
    await made.settle();
    await central.putBack(copy);
    await create(central.store, 'order', { items: [line(part.id, 'since')] });
    for (let round = 0; round < 3; round += 1) await made.settle();
    await expectSound(made);
    for (const store of made.stores()) {
      expect(linesOf(store)).toEqual([['lost, and changed'], ['since']]);
      expect(idsTwice(store)).toEqual([]);
    }
  });

  it('that came into the same record under the same id both stand', async () => {
    const made = await fleetWithSupplier();
    const { central } = made;
    const part = await create(central.store, 'part', { name: 'Jar' });
    const order = await create(central.store, 'order', { items: [line(part.id, 'first')] });
    await made.settle();
    const copy = await central.copy();
    const items = itemIds(order, 'items').map(id => ({ id }));
    await update(central.store, 'order', order.id, { items: [...items, line(part.id, 'lost')] });
    await made.settle();
    await central.putBack(copy);
    await update(central.store, 'order', order.id, { items: [...items, line(part.id, 'since')] });
    for (let round = 0; round < 3; round += 1) await made.settle();
    await expectSound(made);
    for (const store of made.stores()) {
      expect(linesOf(store).map(lines => lines.sort())).toEqual([['first', 'lost', 'since']]);
      expect(idsTwice(store)).toEqual([]);
    }
  });
});

describe('answers that are lost', () => {
  it('change nothing: what was sent is sent again, and has effect once', async () => {
    const made = await fleetWithSupplier();
    const [a] = made.stations;
    if (!a) throw new Error();
    const carry = a.carry;
    for (let turn = 0; turn < 6; turn += 1) {
      await update(a.store, 'supplier', made.id, { primary_name: `turn ${turn}` });
      a.carry = async request => {
        await carry(request);
        throw new TypeError('the answer is lost');
      };
      a.engine.notify();
      await expect(a.engine.step()).rejects.toThrow('lost');
      a.carry = carry;
      if (turn % 2 === 0) await a.settle();
    }
    await made.settle();
    await expectSound(made);
    expect(shown(made.central.store)[`supplier:${made.id}`]).toMatchObject({
      version: 7,
      fields: { primary_name: 'turn 5' },
    });
  });
});

it.each([
  ['central', false],
  ['the station itself', true],
])('a record of %s whose change was held and withdrawn stays when central loses both', async (_, isOwn) => {
  const made = await fleet(2);
  const [a] = made.stations;
  if (!a) throw new Error();
  const { id } = await create(isOwn ? a.store : made.central.store, 'supplier', { name: 'Acme' });
  await made.settle();
  const copy = await made.central.copy();
  const commit = await writeOdd(a, id);
  await made.settle();
  const about = { user: 'ann', reason: 'No.', at: '2026-06-15T12:00:00.000Z' };
  await made.central.exchange.decideHeld({ commit, decision: 'withdrawn', ...about });
  await made.settle();
  await made.central.putBack(copy);
  await a.settle();
  expect(shown(a.store)[`supplier:${id}`]?.fields.name).toBe('Acme');
  await made.settle();
  await made.settle();
  await expectSound(made);
  expect(shown(a.store)[`supplier:${id}`]?.fields.name).toBe('Acme');
});
