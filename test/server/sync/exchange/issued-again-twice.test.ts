import { expect, it } from 'vitest';
import { authoredText } from '../../../../server/keys/authorship.ts';
import { newCommitId } from '../../../../server/store/commit-id.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { create, createAll, START, update } from '../../store/temporary-store.ts';
import { areSame, type Fleet, faultsOf, fleet, Peer, shown } from './fleet.ts';
import { sessionAt } from './signing-people.ts';

interface Made extends Fleet {
  /** What has the ids first. */
  first: Peer;
  /** Whose creations come second, twice. */
  a: Peer;
  /** Who signs everything at the stations. */
  signer: { id: number; login: string };
  /** The part of A, as it is shown there after it was issued again once, and not sent. */
  part: number;
}

/** Two stations of one block, as when an image of central was put back before it gave the second one its own. */
async function issuedAgainOnce(): Promise<Made> {
  const made = await fleet(1, { isSigned: true });
  const [first] = made.stations;
  if (!first) throw new Error();
  const [user] = Object.values(shown(made.central.store)).filter(({ family }) => family === 'user');
  if (!user) throw new Error();
  const signer = { id: user.id, login: 'signer' };
  const a = await Peer.join((request, unsent) => made.central.answer(request, unsent), 1, { signer });
  const stations = [first, a];
  const all: Fleet = {
    ...made,
    stations,
    stores: () => [made.central.store, first.store, a.store],
    async settle() {
      for (let round = 0; round < 4; round += 1) for (const station of stations) await station.settle();
    },
  };
  await all.settle();
  const one = await create(first.store, 'part', { name: 'First', unit_of_measure: 'units' });
  await first.settle();
  const two = await create(a.store, 'part', { name: 'Mine', unit_of_measure: 'units' });
  expect(two.id).toBe(one.id);
  const { carry } = a;
  // Central's answers still come; nothing more is sent.
  let pushes = 0;
  a.carry = (request, unsent) => {
    if (request.kind === 'push') pushes += 1;
    if (pushes > 1) throw new Error('lost');
    return carry(request, unsent);
  };
  await a.settle().catch(() => undefined);
  a.carry = carry;
  const again = Object.values(shown(a.store)).find(({ fields }) => fields.name === 'Mine');
  if (!again || again.id === one.id) throw new Error('It was not issued again.');
  return { ...all, first, a, signer, part: again.id };
}

it('what was signed over what was issued again counts where that is issued again once more', async () => {
  const made = await issuedAgainOnce();
  const { first, a, part } = made;
  // Signed by whoever saw the second id, and no other one.
  await update(a.store, 'part', part, { identification: 'M-1' });
  await create(a.store, 'order', { items: [{ part_id: part, quantity: 3, serial_number: 'S' }] });
  const other = await create(first.store, 'part', { name: 'Other', unit_of_measure: 'units' });
  expect(other.id).toBe(part);
  await made.settle();
  expect(made.central.exchange.reader().heldCommits.all()).toEqual([]);
  expect(areSame(made.stores())).toBe(true);
  const records = shown(made.central.store);
  const mine = Object.values(records).find(({ fields }) => fields.name === 'Mine');
  expect(mine?.fields.identification).toBe('M-1');
  expect(mine?.id).not.toBe(part);
  const [order] = Object.values(records).filter(({ family }) => family === 'order');
  const items = Object.values((order?.fields.items ?? {}) as Record<string, { part_id: number }>);
  expect(items.map(({ part_id }) => part_id)).toEqual([mine?.id]);
  expect(records[`part:${part}`]?.fields).toMatchObject({ name: 'Other' });
  expect(records[`part:${part}`]?.fields.identification).toBeUndefined();
  for (const store of made.stores()) expect(await faultsOf(store)).toEqual([]);
});

it.each([
  ['had read it', true],
  ['had not read it', false],
])(
  "what is about another's record of that id is not said of one's own where its author %s",
  async (_, hasRead) => {
    const made = await issuedAgainOnce();
    const { first, a, central, part, signer } = made;
    const placeOf = ({ engine }: Peer) => {
      const { sequence, hash } = engine.reader.log.place();
      const epoch = made.central.exchange.reader().epoch();
      return { epoch, sequence, hash };
    };
    const before = placeOf(a);
    await create(first.store, 'part', { name: 'Other', unit_of_measure: 'units' });
    await made.settle();
    const seen = hasRead ? placeOf(a) : before;
    const records = Object.values(shown(central.store));
    const mine = records.find(({ fields }) => fields.name === 'Mine');
    const other = records.find(({ fields }) => fields.name === 'Other');
    if (!mine || !other) throw new Error();
    expect(other.id).toBe(part);
    const about = (id: number) => {
      const changes = [{ path: 'identification', old: null, new: 'X-9', over: [other.creator] }];
      return [{ subject: `part:${id}`, changes }];
    };
    const base = {
      commit_id: newCommitId(),
      at: START,
      clock_offset: null,
      user: signer.login,
      reason: null,
    };
    const said = { ...base, entries: about(part) };
    const authorship = sessionAt(a.store.station, signer)(said, seen);
    const signed = authoredText(said, authorship.session, seen);
    // As an altered station sends it.
    const station = new StationStore(a.store, syncRules, a.store.database);
    await station.writeOwn(() => [
      { ...base, entries: about(mine.id), authorship: { ...authorship, signed } },
    ]);
    await made.settle();
    const held = central.exchange.reader().heldCommits.all();
    const why = expect.stringContaining('says more than the author signed');
    expect(held).toEqual(hasRead ? [expect.objectContaining({ reason: why })] : []);
  },
);

it.each([
  ['of that alone', false],
  ["of another's beside it", true],
])(
  'what is signed over a commit %s counts for what that wrote, or is held, under an id that central was never sent',
  async (_, isBesides) => {
    const made = await fleet(1, { isSigned: true });
    const [a] = made.stations;
    const [user] = Object.values(shown(made.central.store)).filter(({ family }) => family === 'user');
    if (!a || !user) throw new Error();
    const signer = { id: user.id, login: 'signer' };
    await made.settle();
    const both = ['Mine', 'Other'].map(name => ({ name, unit_of_measure: 'units' }));
    await createAll(a.store, 'part', isBesides ? both : both.slice(0, 1));
    await made.settle();
    const mine = Object.values(shown(a.store)).find(({ fields }) => fields.name === 'Mine');
    if (!mine) throw new Error();
    const { sequence, hash } = a.engine.reader.log.place();
    const seen = { epoch: made.central.exchange.reader().epoch(), sequence, hash };
    const about = (id: number) => [
      {
        subject: `part:${id}`,
        changes: [{ path: 'identification', old: null, new: 'X-9', over: [mine.creator] }],
      },
    ];
    const base = {
      commit_id: newCommitId(),
      at: START,
      clock_offset: null,
      user: signer.login,
      reason: null,
    };
    // The id that the part had at a machine which issued it again twice, before anything of that was sent.
    const said = { ...base, entries: about(mine.id + 5_000) };
    const authorship = sessionAt(a.store.station, signer)(said, seen);
    const signed = authoredText(said, authorship.session, seen);
    const station = new StationStore(a.store, syncRules, a.store.database);
    await station.writeOwn(() => [
      { ...base, entries: about(mine.id), authorship: { ...authorship, signed } },
    ]);
    await made.settle();
    const held = made.central.exchange.reader().heldCommits.all();
    const why = expect.stringContaining('says more than the author signed');
    expect(held).toEqual(isBesides ? [expect.objectContaining({ reason: why })] : []);
    const { identification } = shown(made.central.store)[`part:${mine.id}`]?.fields ?? {};
    expect(identification).toBe(isBesides ? undefined : 'X-9');
  },
);
