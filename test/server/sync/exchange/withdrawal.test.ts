import { expect, it } from 'vitest';
import { create, update } from '../../store/temporary-store.ts';
import { areSame, faultsOf, fleet, type Peer, shown, writeOdd, writePast } from './fleet.ts';

const AT = '2026-06-15T12:00:00.000Z';

/** What a station sends of these kinds is lost on its way, until the line is mended. */
function losing(station: Peer, isLost: (kind: string) => boolean): () => void {
  const { carry } = station;
  station.carry = async (request, unsent) => {
    if (isLost(request.kind)) throw new TypeError('It is lost on its way.');
    return carry(request, unsent);
  };
  return () => {
    station.carry = carry;
  };
}

it('who wrote a held commit gives it up at his station, without a connection, and central hears of it', async () => {
  const { central, stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  const { id } = await create(a.store, 'supplier', { name: 'Acme' });
  await settle();
  const commit = await writeOdd(a, id);
  await settle();
  await update(a.store, 'supplier', id, { name: 'Follows' });
  await settle();
  expect(a.engine.reader.held.heldOf(a.store.station).map(({ reason }) => reason)).toEqual([
    'schema: Odd is no path of a record.',
    'follows',
  ]);
  const decision = { commit, user: 'ann', reason: 'Written by mistake.', at: AT };
  await expect(b.engine.withdraw(decision)).rejects.toMatchObject({ code: 'conflict' });
  await expect(a.engine.withdraw({ ...decision, commit: 'nothing' })).rejects.toMatchObject({
    code: 'not_found',
  });

  const { carry } = a;
  a.carry = () => Promise.reject(new TypeError('There is no network.'));
  expect(a.engine.isGivenUp(commit)).toBe(false);
  await a.engine.withdraw(decision);
  expect(a.engine.isGivenUp(commit)).toBe(true);
  await expect(a.engine.withdraw(decision)).rejects.toMatchObject({ code: 'conflict' });
  await expect(a.engine.step()).rejects.toThrow('no network');
  expect(await faultsOf(a.store)).toEqual([]);
  // What he goes on to write is taken once he has given up what held it.
  await update(a.store, 'supplier', id, { notes: 'after it' });

  a.carry = carry;
  await settle();
  expect(central.exchange.reader().heldCommits.all()).toEqual([]);
  expect(a.engine.isGivenUp(commit)).toBe(false);
  expect(areSame(stores())).toBe(true);
  expect(shown(b.store)[`supplier:${id}`]?.fields).toEqual({ name: 'Follows', notes: 'after it' });
  const decided = central.store.database.reader.get<{ user: string; reason: string }>(
    "SELECT user, reason FROM history WHERE entries LIKE '%hold:%'",
  );
  expect(decided).toEqual({ user: 'ann', reason: 'Written by mistake.' });
  for (const store of stores()) expect(await faultsOf(store)).toEqual([]);
});

it('what is held is listed at a station in the order in which it arrived, also what came on one page', async () => {
  const { stations, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  const { id } = await create(a.store, 'supplier', { name: 'Acme' });
  await settle();
  const commits: string[] = [];
  for (let count = 0; count < 9; count += 1) commits.push(await writeOdd(a, id));
  await settle();
  for (const { held } of [a.engine.reader, b.engine.reader])
    expect(held.heldOf(a.store.station).map(({ commit }) => commit.commit_id)).toEqual(commits);
});

it('what was given up here and released at central meanwhile stays released', async () => {
  const { central, stations, stores, settle } = await fleet(1);
  const [a] = stations;
  if (!a) throw new Error();
  const { id } = await create(a.store, 'supplier', { name: 'Acme' });
  await settle();
  const commit = await writeOdd(a, id);
  await settle();
  const about = { commit, user: 'ann', reason: 'Decided.', at: AT };
  await a.engine.withdraw(about);
  await central.exchange.decideHeld({ ...about, decision: 'released' });
  await settle();
  expect(areSame(stores())).toBe(true);
  expect(a.engine.state().unsent).toBe(0);
  expect(shown(a.store)[`supplier:${id}`]?.fields).toMatchObject({ Odd: 'odd' });
  for (const store of stores()) expect(await faultsOf(store)).toEqual([]);
});

it('what was written at one station over what another gives up is not shown any more, and waits for a person', async () => {
  const { central, stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  const { id } = await create(a.store, 'supplier', { name: 'Acme' });
  await settle();
  const commit = await writeOdd(b, id);
  await settle();
  await writePast(a, `supplier:${id}`, { notes: 'over it' }, [commit]);
  const mend = losing(a, kind => kind === 'push');
  await b.engine.withdraw({ commit, user: 'ann', reason: 'Written by mistake.', at: AT });
  await b.settle();
  await expect(a.settle()).rejects.toThrow('lost on its way');
  expect(shown(a.store)[`supplier:${id}`]?.fields).toEqual({ name: 'Acme' });
  expect(await faultsOf(a.store)).toEqual([]);

  mend();
  await settle();
  const held = central.exchange.reader().heldCommits.all();
  expect(held.map(({ reason }) => reason)).toEqual(['over_withdrawn']);
  expect(areSame(stores())).toBe(true);
  for (const store of stores()) expect(await faultsOf(store)).toEqual([]);
});

it('what was written over what was given up is shown again once central has lost that it was', async () => {
  const { central, stations, stores, settle } = await fleet(2);
  const [a, b] = stations;
  if (!a || !b) throw new Error();
  const { id } = await create(a.store, 'supplier', { name: 'Acme' });
  await settle();
  const commit = await writeOdd(b, id);
  await settle();
  const image = await central.copy();
  await b.engine.withdraw({ commit, user: 'ann', reason: 'Written by mistake.', at: AT });
  await settle();
  await writePast(a, `supplier:${id}`, { notes: 'over it' }, [commit]);
  expect(shown(a.store)[`supplier:${id}`]?.fields).toEqual({ name: 'Acme' });
  await central.putBack(image);
  const mend = losing(a, kind => kind !== 'pull');
  await expect(a.settle()).rejects.toThrow('lost on its way');
  expect(shown(a.store)[`supplier:${id}`]?.fields).toEqual({ name: 'Acme', notes: 'over it' });
  expect(await faultsOf(a.store)).toEqual([]);

  mend();
  await settle();
  expect(areSame(stores())).toBe(true);
  for (const store of stores()) expect(await faultsOf(store)).toEqual([]);
});
