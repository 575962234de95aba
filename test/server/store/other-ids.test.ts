import { expect, it } from 'vitest';
import { noteOtherIds, otherIdOf } from '../../../server/store/other-ids.ts';
import { temporaryStore } from './temporary-store.ts';

it('follows a record that was given another id more than once', async () => {
  const { gate, database } = await temporaryStore();
  for (const [from, to] of [
    [5, 9],
    [9, 12],
  ] as const) {
    await gate.applyRemote(() => {
      noteOtherIds(database, [{ family: 'part', from, to }]);
      return { result: undefined };
    });
  }
  const now = [5, 9, 12].map(id => otherIdOf(database.reader, 'part', id));
  expect(now).toEqual([12, 12, undefined]);
  expect(otherIdOf(database.reader, 'order', 5)).toBeUndefined();
});
