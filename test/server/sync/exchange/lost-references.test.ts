import { expect, it } from 'vitest';
import { Past } from '../../../../server/past/past.ts';
import { mapOf } from '../../../../server/store/changes.ts';
import { newCommitId, reissuedId } from '../../../../server/store/commit-id.ts';
import { tableOf } from '../../../../server/store/sqlite/documents.ts';
import type { Store } from '../../../../server/store/store.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { create, itemIds, START, update } from '../../store/temporary-store.ts';
import { areSame, employ, type Fleet, faultsOf, fleet, Peer, shown, writeOdd } from './fleet.ts';

async function expectSound({ central, stations, stores }: Fleet): Promise<void> {
  expect(central.exchange.reader().heldCommits.all()).toEqual([]);
  expect(areSame(stores())).toBe(true);
  for (const { engine } of stations) expect(engine.state()).toMatchObject({ unsent: 0, stuck: null });
  for (const store of stores()) expect(await faultsOf(store)).toEqual([]);
}

const partNamed = (store: Store, name: string) =>
  Object.values(shown(store)).find(({ family, fields }) => family === 'part' && fields.name === name)?.id;

/** The parts that records beside the parts name, by family. */
function partsNamed(store: Store): Record<string, readonly number[]> {
  const records = Object.values(shown(store)).filter(({ family }) => family !== 'part');
  const named = records.map(({ family, fields }) => {
    const found = JSON.stringify(fields).matchAll(/"part_id":(\d+)/g);
    return [family, [...new Set([...found].map(([, id]) => Number(id)))]] as const;
  });
  return Object.fromEntries(named.filter(([, parts]) => parts.length > 0));
}

const WRITTEN: Record<string, (store: Store, part: number) => Promise<unknown>> = {
  'an order': (store, part) =>
    create(store, 'order', { items: [{ part_id: part, quantity: 3, serial_number: 'S' }] }),
  'a receipt with its lot': (store, part) =>
    create(store, 'receiving-inspection', {
      items: [{ part_id: part, serial_number: 'L', quantity_accepted: 5 }],
    }),
  'a complaint': (store, part) =>
    create(store, 'complaint', { complaint_number: 'C', complaint_date: '2026-06-01', part_id: part }),
  'a lot': (store, part) =>
    create(store, 'inventory', { part_id: part, batch_number: 'O', opening_quantity: 9 }),
};

interface Lost extends Fleet {
  a: Peer;
  b: Peer;
  part: number;
  /** The commit that made the part. */
  creator: string;
  /** An image of before the part was made takes central's place. */
  putBack(): Promise<void>;
  /** The same, and its id is given to another. */
  lose(): Promise<void>;
}

async function lostPart(isSigned: boolean): Promise<Lost> {
  const made = await fleet(2, { isSigned });
  const { central } = made;
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  await create(central.store, 'company', { name: 'Ours' });
  if (!isSigned) await employ(central.store, 'tester');
  await made.settle();
  const image = await central.copy();
  const { id, creator } = await create(central.store, 'part', { name: 'Lost' });
  await made.settle();
  const putBack = () => central.putBack(image);
  const lose = async () => {
    await putBack();
    const other = await create(central.store, 'part', { name: 'Other' });
    expect(other.id).toBe(id);
  };
  return { ...made, a, b, part: id, creator, putBack, lose };
}

const ways = Object.keys(WRITTEN).flatMap(what =>
  [true, false].flatMap(isSigned => (['a', 'b'] as const).map(first => ({ what, isSigned, first }))),
);

it.each(ways)(
  '$what, written offline (signed: $isSigned), is of the part that was meant after central lost it, given back by $first',
  async ({ what, isSigned, first }) => {
    const made = await lostPart(isSigned);
    const { central, a, b, part } = made;
    await WRITTEN[what]?.(b.store, part);
    await made.lose();
    await (first === 'a' ? a : b).settle();
    await made.settle();
    await made.settle();
    const now = partNamed(central.store, 'Lost');
    expect(now).not.toBe(part);
    const named = Object.values(partsNamed(central.store));
    expect(named.length).toBeGreaterThan(0);
    for (const parts of named) expect(parts).toEqual([now]);
    await expectSound(made);
  },
);

it('what is said to be of what was lost is held where its author had read no log that central lost', async () => {
  const made = await lostPart(true);
  const { central, b, part } = made;
  await made.lose();
  await made.settle();
  await made.settle();
  const lost = partNamed(central.store, 'Lost');
  const order = await create(b.store, 'order', {
    items: [{ part_id: part, quantity: 3, serial_number: 'S' }],
  });
  const [item] = itemIds(order, 'items');
  await b.settle();
  // As an altered station sends it.
  const changes = [{ path: `items.${item}.part_id`, old: part, new: lost, over: [order.creator] }];
  const about = { commit_id: newCommitId(), at: START, clock_offset: null, user: 'signer', reason: null };
  await new StationStore(b.store, syncRules, b.store.database).writeOwn(() => [
    { ...about, entries: [{ subject: `order:${order.id}`, changes }] },
  ]);
  await made.settle();
  expect(central.exchange.reader().heldCommits.all()).toMatchObject([
    { commit: { commit_id: about.commit_id }, reason: expect.stringContaining('not_proved') },
  ]);
  expect(partsNamed(central.store)).toEqual({ order: [part] });
});

it.each([
  ['the name of what was lost', (creator: string) => creator],
  ['the name to be issued again under', reissuedId],
] as const)(
  'another part that an altered station sends under %s is not what was meant',
  async (_, nameOf) => {
    const made = await lostPart(false);
    const { central, b, part, creator } = made;
    await WRITTEN['an order']?.(b.store, part);
    await made.putBack();
    const altered = await Peer.join(central.answer, 3);
    const id = altered.store.ids.next('part', () => false);
    const changes = [{ path: 'name', old: null, new: 'Of another', over: [] }];
    const about = { at: START, clock_offset: null, user: 'tester', reason: null };
    await new StationStore(altered.store, syncRules, altered.store.database).writeOwn(() => [
      { ...about, commit_id: nameOf(creator), entries: [{ subject: `part:${id}`, changes }] },
    ]);
    // What is held is why the others look whether anything was issued again.
    await writeOdd(altered, id, 'part');
    await altered.settle();
    expect(partNamed(central.store, 'Of another')).toBe(id);
    // It reads all that, and gives nothing back yet.
    const { carry } = b;
    let isAway = true;
    b.carry = async (request, unsent) => {
      if (isAway && request.kind === 'push') throw new TypeError('later');
      return carry(request, unsent);
    };
    await b.settle().catch(() => undefined);
    await b.settle().catch(() => undefined);
    expect(partNamed(b.store, 'Of another')).toBe(id);
    expect(partsNamed(b.store)).toEqual({ order: [part] });
    isAway = false;
    await made.settle();
    await made.settle();
    for (const store of made.stores()) expect(partsNamed(store)).toEqual({ order: [part] });
    if (nameOf === reissuedId) expect(partNamed(central.store, 'Lost')).toBe(part);
  },
);

it('what an altered station says that another meant is not its own part, which no lost log had', async () => {
  const made = await lostPart(false);
  const { central, b, part } = made;
  const altered = await Peer.join(central.answer, 3);
  const { creator } = await order(b.store, part, 'Lost');
  await b.settle();
  await altered.settle();
  await made.lose();
  const mine = newCommitId();
  const { carry } = altered;
  altered.carry = async (request, unsent) => {
    if (request.kind !== 'push') return carry(request, unsent);
    const offers = request.offers.map(offer =>
      offer.commit.commit_id === creator ? { ...offer, means: { [`part:${part}`]: mine } } : offer,
    );
    return carry({ ...request, offers }, unsent);
  };
  const changes = [{ path: 'name', old: null, new: 'Of another', over: [] }];
  const about = { at: START, clock_offset: null, user: 'tester', reason: null };
  await new StationStore(altered.store, syncRules, altered.store.database).writeOwn(() => [
    { ...about, commit_id: mine, entries: [{ subject: `part:${part}`, changes }] },
  ]);
  await altered.settle();
  await made.settle();
  expect(partNamed(central.store, 'Of another')).not.toBe(part);
  expect(partsNamed(central.store)).toEqual({ order: [part] });
});

it('what two stations give back of two logs that central lost is of the part that each log had', async () => {
  const made = await fleet(2);
  const { central } = made;
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  await made.settle();
  const image = await central.copy();
  const written: [Peer, string][] = [
    [a, 'Of the first log'],
    [b, 'Of the second log'],
  ];
  const ids = new Set<number>();
  for (const [peer, name] of written) {
    const { id } = await create(central.store, 'part', { name });
    ids.add(id);
    await peer.settle();
    await create(peer.store, 'order', { items: [{ part_id: id, quantity: 3, serial_number: name }] });
    await peer.settle();
    await central.putBack(image);
  }
  ids.add((await create(central.store, 'part', { name: 'Other' })).id);
  expect(ids.size).toBe(1);
  for (let round = 0; round < 3; round += 1) await made.settle();
  await expectSound(made);
  const orders = Object.values(shown(central.store)).filter(({ family }) => family === 'order');
  const items = orders.flatMap(({ fields }) => Object.values(mapOf(fields.items)).map(mapOf));
  expect(items.map(({ serial_number: name, part_id: id }) => [name, id]).sort()).toEqual(
    written.map(([, name]) => [name, partNamed(central.store, name)]),
  );
});

it('a station that has given up what is held, and could not send that, goes on after central was put back', async () => {
  const made = await lostPart(false);
  const { central, b, part } = made;
  const commit = await writeOdd(b, part, 'part');
  await b.settle();
  await b.engine.withdraw({ commit, user: 'ann', reason: 'No.', at: START });
  await made.lose();
  for (let round = 0; round < 3; round += 1) await made.settle();
  expect(partNamed(central.store, 'Lost')).not.toBe(part);
  await expectSound(made);
});

/** What the orders, and what identifies parts, say of the parts that they mean. */
function meantIn(store: Store): [meant: unknown, is: unknown][] {
  const records = Object.values(shown(store));
  const nameOf = (id: unknown) =>
    records.find(one => one.family === 'part' && one.id === id)?.fields.name ?? id;
  return records.flatMap(({ fields }): [unknown, unknown][] => [
    ...Object.values(mapOf(fields.items)).map((item): [unknown, unknown] => {
      const { serial_number: meant, part_id: id } = mapOf(item);
      return [meant, nameOf(id)];
    }),
    ...(fields.identification ? [[fields.identification, fields.name] as [unknown, unknown]] : []),
  ]);
}

async function expectMeant(made: Fleet, count: number): Promise<void> {
  const meant = meantIn(made.central.store);
  expect(meant.filter(([name, is]) => name !== is)).toEqual([]);
  expect(meant).toHaveLength(count);
  await expectSound(made);
}

const order = (store: Store, part: number, name: string) =>
  create(store, 'order', { items: [{ part_id: part, quantity: 3, serial_number: name }] });

it.each([
  { isSigned: true, isTaken: true },
  { isSigned: false, isTaken: true },
  { isSigned: false, isTaken: false },
])(
  'what is made over what was issued again is of that after central lost it twice, whose first loss alone the first station knows (signed: $isSigned, its id is given a third time: $isTaken)',
  async ({ isSigned, isTaken }) => {
    const made = await lostPart(isSigned);
    const { central, a, b, part } = made;
    await order(b.store, part, 'Lost');
    await made.lose();
    await a.settle();
    const again = partNamed(a.store, 'Lost') ?? 0;
    expect(again).not.toBe(part);
    await order(a.store, again, 'Lost');
    await a.settle();
    await order(a.store, again, 'Lost');
    await update(a.store, 'part', again, { identification: 'Lost' });
    await made.putBack();
    if (isTaken) await create(central.store, 'part', { name: 'Third' });
    await b.settle();
    for (let round = 0; round < 3; round += 1) await made.settle();
    await expectMeant(made, 4);
  },
);

it('what central issues again has the same id each time', async () => {
  const made = await lostPart(false);
  const ids: unknown[] = [];
  // The second one knows the first log alone.
  for (const peer of made.stations) {
    await made.lose();
    await peer.settle();
    ids.push(partNamed(made.central.store, 'Lost'));
  }
  expect(ids[1]).toBe(ids[0]);
});

it.each([false, true])(
  'what a station names that took records in place of the log is of what was meant, whose part is issued again (before it joined: %s)',
  async isAgainBefore => {
    const made = await lostPart(false);
    const { central, a, part } = made;
    if (isAgainBefore) {
      await made.lose();
      await a.settle();
    }
    const far = await Peer.join(central.answer, 3, { farBehind: 1 });
    await far.settle();
    expect(far.engine.state()).toMatchObject({ stuck: null });
    const known = partNamed(far.store, 'Lost') ?? 0;
    await order(far.store, known, 'Lost');
    await made.putBack();
    // Where it was issued again, it comes back as it was.
    if (!isAgainBefore) await create(central.store, 'part', { name: 'Other' });
    await (isAgainBefore ? made.b : a).settle();
    for (let round = 0; round < 3; round += 1) for (const one of [far, a, made.b]) await one.settle();
    expect(partNamed(central.store, 'Lost') === part).toBe(isAgainBefore);
    const all = { ...made, stations: [...made.stations, far], stores: () => [...made.stores(), far.store] };
    await expectMeant(all, 1);
  },
);

it('a station that took records in place of the log follows what was issued again before', async () => {
  const made = await lostPart(false);
  const { central, a, b, part } = made;
  const far = await Peer.join(central.answer, 3, { farBehind: 1 });
  await far.settle();
  await update(far.store, 'part', part, { identification: 'Lost' });
  await made.lose();
  for (let round = 0; round < 2; round += 1) for (const one of [a, b, far]) await one.settle();
  const all = { ...made, stations: [...made.stations, far], stores: () => [...made.stores(), far.store] };
  await expectMeant(all, 1);
});

it.each([
  ['unsent', false],
  ['that was sent, and taken with the records', true],
] as const)(
  'what was written over a lost record that is known as a record alone, %s, waits for it, whoever has its id meanwhile',
  async (_, isSent) => {
    const made = await lostPart(false);
    const { central, a, b, part } = made;
    const far = await Peer.join(central.answer, 3, { farBehind: 1 });
    await far.settle();
    await update(far.store, 'part', part, { identification: 'Lost' });
    await update(far.store, 'part', part, { unit_type: 'Mass' });
    await order(far.store, part, 'Lost');
    if (isSent) {
      await far.settle();
      expect(far.engine.reader.pendingCommits.count()).toBe(0);
    }
    await made.lose();
    const other = shown(central.store)[`part:${part}`]?.fields;
    await far.settle();
    await update(far.store, 'part', part, { name: 'Another' });
    await far.settle();
    const held = central.exchange.reader().heldCommits.all();
    expect(held.map(({ reason }) => reason)).toEqual(['unknown_target', 'follows', 'follows']);
    // Nobody's word makes it one of the other.
    const commit = held[0]?.commit.commit_id ?? '';
    const word = { commit, user: 'ann', reason: 'Yes.', at: START } as const;
    await expect(central.exchange.decideHeld({ ...word, decision: 'released' })).rejects.toThrow(
      'unknown_target',
    );
    expect(shown(central.store)[`part:${part}`]?.fields).toEqual(other);
    for (let round = 0; round < 2; round += 1) for (const one of [a, b, far]) await one.settle();
    const all = { ...made, stations: [...made.stations, far], stores: () => [...made.stores(), far.store] };
    await expectMeant(all, 2);
    expect(shown(central.store)[`part:${part}`]?.fields).toEqual({ ...other, name: 'Another' });
    const lost = shown(central.store)[`part:${partNamed(central.store, 'Lost')}`];
    expect(lost?.fields).toMatchObject({ identification: 'Lost', unit_type: 'Mass' });
    const left = 'SELECT 1 FROM meant_record';
    expect(central.store.database.reader.get(left)).toBeUndefined();
  },
);

it('what waits for two lost records and is issued again over the first still waits for the other', async () => {
  const made = await fleet(2);
  const { central } = made;
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  await employ(central.store, 'tester');
  await made.settle();
  const image = await central.copy();
  const lost = [await create(central.store, 'part', { name: 'Lost' })];
  await a.settle();
  lost.push(await create(central.store, 'part', { name: 'Lost too' }));
  await b.settle();
  const far = await Peer.join(central.answer, 3, { farBehind: 1 });
  await far.settle();
  await central.putBack(image);
  for (const { id } of lost) expect((await create(central.store, 'part', { name: 'Other' })).id).toBe(id);
  const about = { commit_id: newCommitId(), at: START, clock_offset: null, user: 'tester', reason: null };
  const entries = lost.map(({ id, creator, fields }) => ({
    subject: `part:${id}`,
    changes: [{ path: 'identification', old: null, new: fields.name, over: [creator] }],
  }));
  await new StationStore(far.store, syncRules, far.store.database).writeOwn(() => [{ ...about, entries }]);
  for (const one of [far, a, far]) await one.settle();
  expect(meantIn(central.store)).toEqual([]);
  for (let round = 0; round < 2; round += 1) for (const one of [b, far, a]) await one.settle();
  const all = { ...made, stations: [...made.stations, far], stores: () => [...made.stores(), far.store] };
  await expectMeant(all, 2);
});

/** Reads what central has, and gives nothing back yet. */
async function readAlone(peer: Peer): Promise<void> {
  const { carry } = peer;
  peer.carry = async (request, unsent) => {
    if (request.kind === 'push') throw new TypeError('later');
    return carry(request, unsent);
  };
  for (let round = 0; round < 2; round += 1) await peer.settle().catch(() => undefined);
  peer.carry = carry;
}

it.each([
  ['unsent', false],
  ['that was sent', true],
] as const)(
  'what was written over a lost part, %s, is not shown on another that has its id meanwhile, and is of the one that was meant once that is back',
  async (_, isSent) => {
    const made = await lostPart(false);
    const { central, a, b, part } = made;
    await update(b.store, 'part', part, { identification: 'Lost' });
    if (isSent) await b.settle();
    await update(b.store, 'part', part, { unit_type: 'Mass' });
    await order(b.store, part, 'Lost');
    await made.lose();
    await readAlone(b);
    const key = `part:${part}`;
    const other = shown(central.store)[key];
    if (!other) throw new Error('There is another.');
    expect(shown(b.store)[key]).toEqual({ ...other, folded: expect.any(Number) });
    expect(await faultsOf(b.store)).toEqual([]);
    // It is another in what was, too.
    const { database, collection, station } = b.store;
    const past = new Past({ sql: database.reader, table: tableOf(collection), station });
    expect(past.at(key, { kind: 'moment', at: '2999-01-01T00:00:00.000Z' })?.fields).toEqual(other.fields);
    await update(b.store, 'part', part, { identification: 'Other' });
    expect(shown(b.store)[key]?.fields).toEqual({ ...other.fields, identification: 'Other' });
    expect(await faultsOf(b.store)).toEqual([]);
    await b.putBack(await b.copy());
    await readAlone(b);
    expect(shown(b.store)[key]?.fields).toEqual({ ...other.fields, identification: 'Other' });
    await a.settle();
    await readAlone(b);
    expect(shown(b.store)[key]?.fields).toEqual({ ...other.fields, identification: 'Other' });
    expect(await faultsOf(b.store)).toEqual([]);
    for (let round = 0; round < 3; round += 1) await made.settle();
    await expectMeant(made, 3);
    expect(shown(central.store)[key]?.fields).toEqual({ ...other.fields, identification: 'Other' });
    const lost = shown(central.store)[`part:${partNamed(central.store, 'Lost')}`];
    expect(lost?.fields).toMatchObject({ identification: 'Lost', unit_type: 'Mass' });
  },
);

it('what was changed of a lost line of an order is not shown on another that has its id meanwhile', async () => {
  const made = await fleet(1);
  const { central } = made;
  const [b] = made.stations;
  if (!b) throw new Error();
  const { id: part } = await create(central.store, 'part', { name: 'Lost' });
  const { id } = await create(central.store, 'order', { notes: 'Kept' });
  await made.settle();
  const image = await central.copy();
  const add = async (names: readonly string[]) => {
    const items = names.map(name => ({ part_id: part, quantity: 3, serial_number: name }));
    return itemIds(await update(central.store, 'order', id, { items }), 'items');
  };
  const lost = await add(['Lost 1', 'Lost 2']);
  await made.settle();
  await update(b.store, 'order', id, {
    items: [{ id: lost[0], part_id: part, quantity: 7, serial_number: 'Lost 1' }],
  });
  await central.putBack(image);
  expect(await add(['Other 1', 'Other 2'])).toEqual(lost);
  await readAlone(b);
  const key = `order:${id}`;
  expect(shown(b.store)[key]?.fields).toEqual(shown(central.store)[key]?.fields);
  expect(await faultsOf(b.store)).toEqual([]);
  for (let round = 0; round < 3; round += 1) await made.settle();
  await expectSound(made);
  const lines = Object.values(mapOf(shown(central.store)[key]?.fields.items)).map(mapOf);
  expect(lines.map(one => `${one.serial_number}: ${one.quantity}`).sort()).toEqual([
    'Lost 1: 7',
    'Lost 2: 3',
    'Other 1: 3',
    'Other 2: 3',
  ]);
});

it('what was changed of an own line of a lost order is shown there once both are back', async () => {
  const made = await fleet(2);
  const { central } = made;
  const [a, b] = made.stations;
  if (!a || !b) throw new Error();
  const { id: part } = await create(central.store, 'part', { name: 'Kept' });
  await made.settle();
  const image = await central.copy();
  const { id } = await create(central.store, 'order', { notes: 'Lost' });
  await made.settle();
  const line = { part_id: part, quantity: 3, serial_number: 'Own' };
  const [own] = itemIds(await update(b.store, 'order', id, { items: [line] }), 'items');
  await made.settle();
  await update(b.store, 'order', id, { items: [{ ...line, id: own, quantity: 7 }] });
  await central.putBack(image);
  await readAlone(b);
  await a.settle();
  await readAlone(b);
  const quantities = ({ store }: Pick<Peer, 'store'>) =>
    Object.values(mapOf(shown(store)[`order:${id}`]?.fields.items)).map(item => mapOf(item).quantity);
  expect(quantities(central)).toEqual([3]);
  expect(quantities(b)).toEqual([7]);
  for (let round = 0; round < 2; round += 1) await made.settle();
  expect(quantities(central)).toEqual([7]);
  await expectSound(made);
});

it('what a station that took records in place of the log changed of a lost line is not shown on another that has its id meanwhile', async () => {
  const { central } = await fleet(0);
  const { id: part } = await create(central.store, 'part', { name: 'Kept' });
  const { id } = await create(central.store, 'order', { notes: 'Kept' });
  const image = await central.copy();
  const add = async (name: string) => {
    const items = [{ part_id: part, quantity: 3, serial_number: name }];
    return itemIds(await update(central.store, 'order', id, { items }), 'items');
  };
  const lost = await add('Lost');
  const far = await Peer.join(central.answer, 3, { farBehind: 1 });
  await far.settle();
  await update(far.store, 'order', id, {
    items: [{ id: lost[0], part_id: part, quantity: 7, serial_number: 'Lost' }],
  });
  await central.putBack(image);
  expect(await add('Other')).toEqual(lost);
  await readAlone(far);
  const key = `order:${id}`;
  expect(shown(far.store)[key]?.fields).toEqual(shown(central.store)[key]?.fields);
  expect(await faultsOf(far.store)).toEqual([]);
});
