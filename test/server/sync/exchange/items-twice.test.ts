import { describe, expect, it } from 'vitest';
import { mapOf } from '../../../../server/store/changes.ts';
import { newChain } from '../../../../server/store/history.ts';
import type { Store } from '../../../../server/store/store.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import type { Request } from '../../../../server/sync/protocol/wire.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { create, itemIds, update } from '../../store/temporary-store.ts';
import { areSame, type Fleet, faultsOf, fleet, Peer, shown } from './fleet.ts';
import { idsTwice } from './ids-twice.ts';

interface Ordering extends Fleet {
  a: Peer;
  b: Peer;
  /** Two orders with a line each. */
  one: number;
  other: number;
  /** Adds a line to one that stands. */
  add(store: Store, order: number, text: string): Promise<unknown>;
}

async function ordering(options = {}): Promise<Ordering> {
  const made = await fleet(2, options);
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  const part = await create(made.central.store, 'part', { name: 'Jar' });
  const line = (serial_number: string) => ({ part_id: part.id, quantity: 1, serial_number });
  const one = await create(made.central.store, 'order', { items: [line('one')] });
  const other = await create(made.central.store, 'order', { items: [line('other')] });
  await made.settle();
  return {
    ...made,
    a,
    b,
    one: one.id,
    other: other.id,
    add(store, order, text) {
      const standing = store.records.get('order', order);
      if (!standing) throw new Error(`There is no order ${order}.`);
      const items = itemIds(standing, 'items').map(id => ({ id }));
      return update(store, 'order', order, { items: [...items, line(text)] });
    },
  };
}

/** By the lines' texts, of each order. */
function lines(store: Store): unknown[] {
  return Object.values(shown(store))
    .filter(({ family }) => family === 'order')
    .map(({ fields }) =>
      Object.values(mapOf(fields.items))
        .map(item => mapOf(item).serial_number)
        .sort(),
    );
}

async function expectLines(made: Fleet, expected: readonly string[][]): Promise<void> {
  for (let round = 0; round < 3; round += 1) await made.settle();
  expect(areSame(made.stores())).toBe(true);
  for (const { engine } of made.stations) {
    expect(engine.digests()).toEqual(made.central.exchange.digests());
    expect(engine.state()).toMatchObject({ unsent: 0, stuck: null });
  }
  expect(made.central.exchange.reader().heldCommits.all()).toEqual([]);
  for (const store of made.stores()) {
    expect(lines(store)).toEqual(expected);
    expect(idsTwice(store)).toEqual([]);
    expect(await faultsOf(store)).toEqual([]);
  }
}

/** As a machine does that was put back, and that an administrator has chosen. */
async function beginAgain(peer: Peer): Promise<void> {
  const { store } = peer;
  await new StationStore(store, syncRules, store.database).beginAgain(newChain(store.station));
  // With a process that knows nothing of what was sent before.
  await peer.copy();
}

describe("an item that comes alone into a record under the id of another record's item", () => {
  it('of central, which was put back in between: one of them gets another id', async () => {
    const made = await ordering();
    const { central, a, one, other, add } = made;
    const image = await central.copy();
    await add(central.store, one, 'lost');
    await made.settle();
    const lost = Object.keys(mapOf(shown(a.store)[`order:${one}`]?.fields.items)).at(-1);
    await update(a.store, 'order', one, {
      items: [{ id: Number(lost), serial_number: 'lost, and changed' }],
    });
    await made.settle();
    await central.putBack(image);
    await add(central.store, other, 'since');
    await expectLines(made, [
      ['lost, and changed', 'one'],
      ['other', 'since'],
    ]);
  });

  it('of a station that was put back and wrote before it had read the whole log', async () => {
    const made = await ordering();
    const { a, one, other, add } = made;
    const image = await a.copy();
    await add(a.store, one, 'sent and lost here');
    await made.settle();
    await a.putBack(image);
    await beginAgain(a);
    await add(a.store, other, 'since');
    await update(a.store, 'order', other, { notes: 'since' });
    await expectLines(made, [
      ['one', 'sent and lost here'],
      ['other', 'since'],
    ]);
  });

  it('is seen by a central that took the other one as an earlier version', async () => {
    const made = await ordering();
    const { central, a, one, other, add } = made;
    const image = await a.copy();
    await add(a.store, one, 'sent and lost here');
    await made.settle();
    await central.store.gate.applyRemote(() => {
      central.store.database.exec('DELETE FROM given_item');
      central.store.database.run("DELETE FROM local WHERE name = 'items_given'");
      return { result: undefined };
    });
    await central.copy();
    await a.putBack(image);
    await beginAgain(a);
    await add(a.store, other, 'since');
    await expectLines(made, [
      ['one', 'sent and lost here'],
      ['other', 'since'],
    ]);
    await central.store.gate.applyRemote(() => {
      central.store.database.exec('DELETE FROM given_item WHERE first = 1');
      return { result: undefined };
    });
    expect(await faultsOf(central.store)).toContain(
      'item:order-item 1 is not noted as given. record order:1',
    );
  });

  it('of a station that was put back, as central was, so that others give back what it had written', async () => {
    const made = await ordering();
    const { central, a, b, one, other, add } = made;
    const [ofCentral, ofStation] = [await central.copy(), await a.copy()];
    await add(a.store, one, 'lost');
    await made.settle();
    await central.putBack(ofCentral);
    await a.putBack(ofStation);
    await beginAgain(a);
    await a.settle();
    await add(a.store, other, 'since');
    await a.settle();
    await b.settle();
    await expectLines(made, [
      ['lost', 'one'],
      ['other', 'since'],
    ]);
  });
});

describe('what a station forgot, having been put back, and central holds', () => {
  it('is issued again over what central issued again, with what the station wrote of the record before it had read that', async () => {
    const made = await ordering();
    const { central, a, b, one, other, add } = made;
    const witness = await Peer.join(central.answer, 9);
    const image = await central.copy();
    await add(central.store, one, 'lost');
    await made.settle();
    const ofStation = await a.copy();
    const lost = Object.keys(mapOf(shown(a.store)[`order:${one}`]?.fields.items)).at(-1);
    await update(a.store, 'order', one, {
      items: [{ id: Number(lost), serial_number: 'lost, and changed' }],
    });
    for (const peer of [a, witness]) await peer.settle();
    await central.putBack(image);
    await add(central.store, other, 'since');
    // The first one gives back the line alone: it has another id before what was changed of it is back.
    for (const peer of [b, witness]) await peer.settle();
    await a.putBack(ofStation);
    await update(a.store, 'order', one, { notes: 'since' });
    await expectLines(made, [
      ['lost, and changed', 'one'],
      ['other', 'since'],
    ]);
    expect(shown(central.store)[`order:${one}`]?.fields.notes).toBe('since');
  });

  it.each([
    ['the log', {}],
    ['records in place of the log', { farBehind: 1 }],
  ])(
    'is issued again, because its id was given again, with what it wrote of the record before it had read %s',
    async (_, options) => {
      const made = await ordering(options);
      const { central, a, b, one, other, add } = made;
      const [ofCentral, ofStation] = [await central.copy(), await a.copy()];
      await add(a.store, one, 'lost');
      await made.settle();
      await central.putBack(ofCentral);
      await a.putBack(ofStation);
      await beginAgain(a);
      await add(a.store, other, 'since');
      await a.settle();
      await b.settle();
      await update(a.store, 'order', one, { notes: 'since' });
      await expectLines(made, [
        ['lost', 'one'],
        ['other', 'since'],
      ]);
      expect(shown(central.store)[`order:${one}`]?.fields.notes).toBe('since');
    },
  );

  it('takes nothing along that the station wrote of what has the id by now', async () => {
    const made = await ordering();
    const { central, a, b } = made;
    const [ofCentral, ofStation] = [await central.copy(), await a.copy()];
    const { id } = await create(a.store, 'part', { name: 'Lost' });
    await made.settle();
    await central.putBack(ofCentral);
    await a.putBack(ofStation);
    await beginAgain(a);
    expect(await create(a.store, 'part', { name: 'Other' })).toMatchObject({ id });
    await a.settle();
    await b.settle();
    await update(a.store, 'part', id, { identification: 'Other' });
    await create(a.store, 'order', { items: [{ part_id: id, quantity: 1, serial_number: 'of the other' }] });
    await expectLines(made, [['one'], ['other'], ['of the other']]);
    const records = Object.values(shown(central.store));
    const parts = records.filter(({ family, fields }) => family === 'part' && fields.name !== 'Jar');
    expect(parts.map(({ fields }) => fields)).toMatchObject([
      { name: 'Other', identification: 'Other' },
      { name: 'Lost' },
    ]);
    const named = records.flatMap(({ fields }) => Object.values(mapOf(fields.items)).map(mapOf));
    expect(named.find(item => item.serial_number === 'of the other')?.part_id).toBe(id);
  });

  it('is issued again beside what the station gave the same ids meanwhile, and each line keeps what was said of it', async () => {
    const made = await ordering();
    const { central, a, b, one, other, add } = made;
    const [ofCentral, ofStation] = [await central.copy(), await a.copy()];
    for (const text of ['lost', 'lost too']) await add(a.store, one, text);
    await made.settle();
    await central.putBack(ofCentral);
    await a.putBack(ofStation);
    await beginAgain(a);
    await add(a.store, other, 'since');
    await a.settle();
    await b.settle();
    await add(a.store, one, 'since too');
    const [given] = Object.keys(mapOf(shown(a.store)[`order:${one}`]?.fields.items)).slice(-1);
    await update(a.store, 'order', one, { items: [{ id: Number(given), quantity: 7 }] });
    await expectLines(made, [
      ['lost', 'lost too', 'one', 'since too'],
      ['other', 'since'],
    ]);
    const items = Object.values(mapOf(shown(central.store)[`order:${one}`]?.fields.items)).map(mapOf);
    const changed = items.filter(({ quantity }) => quantity !== 1);
    expect(changed).toMatchObject([{ serial_number: 'since too', quantity: 7 }]);
  });
});

it('a commit that stands at two places of a station, which central lost both, is issued again once', async () => {
  const made = await ordering();
  const { central, a, one, add } = made;
  const image = await central.copy();
  const late: Request[] = [];
  const { carry } = a;
  await add(a.store, one, 'twice');
  a.carry = request => {
    if (request.kind === 'push') late.push(request);
    return request.kind === 'push' ? Promise.reject(new TypeError('slow')) : carry(request);
  };
  await expect(a.settle()).rejects.toThrow('slow');
  a.carry = carry;
  await beginAgain(a);
  // What was long on its way arrives after all, and then the same again.
  for (const request of late) await central.answer(request);
  await made.settle();
  await central.putBack(image);
  const offline = () => Promise.reject(new TypeError('offline'));
  a.carry = request => (request.kind === 'push' ? offline() : carry(request));
  await expect(a.settle()).rejects.toThrow('offline');
  a.carry = carry;
  await beginAgain(a);
  await expectLines(made, [['one', 'twice'], ['other']]);
});

describe('what central holds because another has its id', () => {
  it('is issued again once, where two machines with one disk both do so', async () => {
    const made = await ordering();
    const { central, a, one, other, add } = made;
    const image = await a.copy();
    await add(a.store, one, 'sent and lost here');
    await made.settle();
    await a.putBack(image);
    await beginAgain(a);
    await add(a.store, other, 'since');
    await add(a.store, other, 'and after');
    const { carry } = a;
    // Held, and not yet issued again: the other machine gets the disk then.
    await pushAlone(a);
    const disk = await a.copy();
    a.carry = request =>
      request.kind === 'push' ? Promise.reject(new TypeError('offline')) : carry(request);
    await expect(a.settle()).rejects.toThrow('offline');
    a.carry = carry;
    const former = await a.copy();
    await a.putBack(disk);
    await a.settle();
    expect(central.exchange.reader().heldCommits.all()).toEqual([]);
    // The former machine goes on after all, with what it had issued again and not sent.
    await a.putBack(former);
    await beginAgain(a);
    await expectLines(made, [
      ['one', 'sent and lost here'],
      ['and after', 'other', 'since'],
    ]);
  });

  it('takes along what another station changed of it before it heard of that', async () => {
    const made = await ordering();
    const { central, a, b, one, other, add } = made;
    const [ofCentral, ofStation] = [await central.copy(), await a.copy()];
    await add(a.store, one, 'lost');
    await made.settle();
    const lost = Object.keys(mapOf(shown(b.store)[`order:${one}`]?.fields.items)).at(-1);
    await update(b.store, 'order', one, { items: [{ id: Number(lost), serial_number: 'changed by b' }] });
    await central.putBack(ofCentral);
    await a.putBack(ofStation);
    await beginAgain(a);
    await a.settle();
    await add(a.store, other, 'since');
    await a.settle();
    // It gives back what the other one had written, with what it changed of that.
    await b.settle();
    await expectLines(made, [
      ['changed by b', 'one'],
      ['other', 'since'],
    ]);
  });
});

/** Sends what it has, and reads nothing of what became of it. */
async function pushAlone(peer: Peer): Promise<void> {
  const { carry } = peer;
  peer.carry = async request => {
    const answer = await carry(request);
    if (request.kind === 'push') peer.carry = () => Promise.reject(new TypeError('offline'));
    return answer;
  };
  await expect(peer.settle()).rejects.toThrow('offline');
  peer.carry = carry;
}
