import { expect, it } from 'vitest';
import { ChangeFeed, changesBeginAnew, type FeedPlace } from '../../../server/store/change-feed.ts';
import type { Store } from '../../../server/store/store.ts';
import { atOnce } from '../../../server/store/yield-to-event-loop.ts';
import { temporaryFolder } from './sqlite/temporary-folder.ts';
import { create, temporaryStore, update } from './temporary-store.ts';

const feedOf = (store: Store) => new ChangeFeed(store.database.reader, () => store.gate.chain);
const START: FeedPlace = { sequence: 0, number: 0, entry: 0 };

/** The records of the next steps: of commits, and in brackets of what has none. */
function next(store: Store, place = START): string[] {
  return atOnce(feedOf(store).after(place)).map(({ commit, subject }) =>
    commit
      ? commit.entries.map(entry => entry.subject).join()
      : `(${store.records.keyOfSubject(subject ?? 0)})`,
  );
}

it('has commits in their order, and in between what sync changed without one', async () => {
  const store = await temporaryStore();
  const part = await create(store, 'part', { name: 'Before' });
  const other = await create(store, 'part', { name: 'Other' });
  const inStore = store.records.getByKey(part.key);
  expect(inStore).toBeDefined();
  if (!inStore) return;
  const decided = {
    ...inStore,
    version: 2,
    state: 'f'.repeat(64),
    fields: { ...inStore.fields, name: 'Decided' },
  };
  await store.gate.applyRemote(() => ({ puts: [decided], result: null }));
  // As it stands already: nobody needs to hear of it.
  await store.gate.applyRemote(() => ({ puts: [{ ...decided, folded: 7 }], result: null }));
  await update(store, 'part', other.id, { name: 'After' });
  const all = [part.key, other.key, `(${part.key})`, other.key];
  expect(next(store)).toEqual(all);
  expect(next(store, { ...START, sequence: 1 })).toEqual(all.slice(1));
  expect(next(store, { sequence: 2, number: 1, entry: 0 })).toEqual(all.slice(3));
  expect(next(store, feedOf(store).end())).toEqual([]);
});

it('tells of a record that is there no more, and not of one whose commit arrives with it', async () => {
  const store = await temporaryStore();
  const { key } = await create(store, 'part', { name: 'Goes' });
  const before = feedOf(store).end();
  await store.gate.applyRemote(() => ({ removals: [key], result: null }));
  expect(next(store, before)).toEqual([`(${key})`]);
  expect(store.records.getByKey(key)).toBeUndefined();
});

it('knows its own places, also after the store was opened again, and none of another history', async () => {
  const folder = temporaryFolder();
  const store = await temporaryStore({ folder });
  await create(store, 'part', { name: 'A' });
  const place = feedOf(store).end();
  const cursor = feedOf(store).cursorOf(place);
  await store.close();
  const again = await temporaryStore({ folder });
  const feed = feedOf(again);
  expect(feed.placeOf(cursor)).toEqual(place);
  expect(feed.cursorOf(place)).toBe(cursor);
  const restored = new ChangeFeed(again.database.reader, () => 'dock.0badcafe');
  expect(restored.placeOf(cursor)).toBe('reset');
  // An image of the folder was put back, and written on: the same place, another commit.
  expect(feed.placeOf(cursor.replace(/\w{8}$/, '01234567'))).toBe('reset');
  expect(feed.placeOf('no cursor')).toBeUndefined();
  again.database.transaction(() => changesBeginAnew(again.database));
  expect(feed.placeOf(cursor)).toBe('reset');
  expect(feed.placeOf(feed.cursorOf(place))).toEqual(place);
});
