import { expect, it } from 'vitest';
import { keptEvents } from '../../../../server/audit/kept-events.ts';
import { createTrail, type Trail } from '../../../../server/audit/trail.ts';
import { readWaiting } from '../../../../server/audit/waiting.ts';
import { inputOf } from '../../../../server/rules/input-of.ts';
import { newCommitId } from '../../../../server/store/commit-id.ts';
import { BLOCK_SIZE } from '../../../../server/store/ids.ts';
import type { Store } from '../../../../server/store/store.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { joinCentral } from '../../../../server/sync/station/join.ts';
import { PushPullLoop } from '../../../../server/sync/station/push-pull-loop.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { temporaryStore } from '../../store/temporary-store.ts';
import { areSame, faultsOf } from './fleet.ts';
import { heldOf, story } from './push-story.ts';

function trailOf(store: Store): Trail {
  const lost = (error: unknown) => {
    throw error;
  };
  return createTrail({ store, kept: keptEvents(store.database.folder), onLost: lost, onFault: lost });
}

const eventsOf = (store: Store) =>
  [...store.records.all('audit-event')].map(({ fields, station }) => ({ ...fields, at: fields.at, station }));

it("a station's events reach central, whoever they are about, as that station's", async () => {
  const s = await story();
  const { a, central } = s;
  const before = eventsOf(central.store).length;
  await trailOf(a.store).note({ kind: 'signed_in', author: 'vera', address: '10.0.0.7', subject: 'user:1' });
  await s.settle();
  const arrived = eventsOf(central.store).slice(-1);
  expect(eventsOf(central.store)).toHaveLength(before + 1);
  expect(arrived).toMatchObject([{ kind: 'signed_in', author: 'vera', station: a.store.station }]);
  expect(heldOf(s)).toEqual([]);
  expect(areSame([central.store, a.store])).toBe(true);
  expect(await faultsOf(central.store)).toEqual([]);
});

it('what an altered station changes of an event is held, whoever it says has done so', async () => {
  const s = await story();
  const { a, central } = s;
  await trailOf(a.store).note({ kind: 'signed_in', author: 'vera', subject: 'user:1' });
  await s.settle();
  const [event] = [...central.store.records.all('audit-event')].slice(-1);
  const station = new StationStore(a.store, syncRules, a.store.database);
  const about = { at: '2026-06-15T12:00:00.000Z', clock_offset: null, reason: 'Nobody was here.' };
  for (const user of ['quinn', 'audit-trail', 'boss']) {
    const change = { path: 'author', old: 'vera', new: user, over: [event?.creator ?? ''] };
    const entries = [{ subject: event?.key ?? '', changes: [change] }];
    await station.writeOwn(() => [{ commit_id: newCommitId(), user, ...about, entries }]);
  }
  await s.settle();
  expect(heldOf(s)).toHaveLength(3);
  expect(central.store.records.getByKey(event?.key ?? '')?.fields.author).toBe('vera');
});

it('a fresh installation that joins brings what it noted, under ids of its block', async () => {
  const store = await temporaryStore();
  await store.gate.commit({
    actor: { rights: BY_SERVER, user: 'setup' },
    reason: null,
    work: work => work.create(families.company, inputOf({ name: 'My company' })),
    answer: () => undefined,
  });
  const trail = trailOf(store);
  await trail.note({ kind: 'token_created', author: 'boss', details: { token: 'Scale' } });
  const [first] = eventsOf(store);
  await joinCentral(store, 3);
  const transport = { exchange: () => Promise.reject(new Error('There is no network.')) };
  new PushPullLoop({ store, transport, clock: () => new Date(0) });
  expect([eventsOf(store), store.records.total('company')]).toEqual([[], 0]);
  await trail.note({ kind: 'signed_in', author: 'boss' });
  expect(eventsOf(store)).toMatchObject([
    { kind: 'token_created', at: first?.at, details: { token: 'Scale' } },
    { kind: 'signed_in' },
  ]);
  expect([...store.records.all('audit-event')][0]?.id).toBe(3 * BLOCK_SIZE + 1);
  expect(readWaiting(store.database)).toEqual([]);
  expect(await faultsOf(store)).toEqual([]);
});

it('without ids an act is done all the same, and noted once there are some', async () => {
  const store = await temporaryStore();
  await joinCentral(store, 3);
  // As after a restore: ids of its former block may be in use.
  store.database.transaction(() => store.database.run('DELETE FROM block'));
  const trail = trailOf(store);
  let acts = 0;
  const count = () => {
    acts += 1;
  };
  await trail.with([{ kind: 'signed_in', author: 'ann' }], count);
  await trail.with([{ kind: 'signed_out', author: 'ann' }], count);
  expect([acts, eventsOf(store), readWaiting(store.database).length]).toEqual([2, [], 2]);
  await store.gate.applyRemote(() => {
    store.ids.adopt(5, false);
    return { result: undefined };
  });
  await trail.with([{ kind: 'signed_in', author: 'bob' }], count);
  expect(eventsOf(store)).toMatchObject([
    { kind: 'signed_in', author: 'ann' },
    { kind: 'signed_out' },
    { kind: 'signed_in', author: 'bob' },
  ]);
  expect([acts, readWaiting(store.database)]).toEqual([3, []]);
});

it('an act that fails leaves no event', async () => {
  const store = await temporaryStore();
  const failing = trailOf(store).with([{ kind: 'token_created', author: 'boss' }], () => {
    throw new Error('The name is taken.');
  });
  await expect(failing).rejects.toThrow('The name is taken.');
  expect(eventsOf(store)).toEqual([]);
});
