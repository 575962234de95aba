import { expect, it } from 'vitest';
import { ChangedIds } from '../../../server/store/changed-ids.ts';
import { temporaryDatabase } from './sqlite/temporary-folder.ts';

function noted() {
  const database = temporaryDatabase();
  return { database, changes: new ChangedIds(database) };
}

it('tells what has changed since, each once, of one family', () => {
  const { database, changes } = noted();
  const start = changes.position;
  database.transaction(() => {
    changes.note(1, 7);
    changes.note(2, 8);
    expect(changes.since(1, start), 'before it can be read').toEqual([]);
  });
  const middle = changes.position;
  database.transaction(() => {
    changes.note(1, 9);
    changes.note(1, 9);
  });
  expect(changes.since(1, start)?.sort()).toEqual([7, 9]);
  expect(changes.since(1, middle)).toEqual([9]);
  expect(changes.since(2, start)).toEqual([8]);
  expect(changes.since(2, middle)).toEqual([]);
  expect(changes.since(3, start)).toEqual([]);
});

it('keeps what a savepoint after it has undone, and forgets what a transaction has', () => {
  const { database, changes } = noted();
  const start = changes.position;
  const undo = (work: () => void) =>
    expect(() =>
      database.transaction(() => {
        work();
        throw new Error('Undone.');
      }),
    ).toThrow('Undone.');
  undo(() => changes.note(1, 1));
  database.transaction(() => {
    undo(() => changes.note(1, 2));
    changes.note(1, 3);
  });
  expect(changes.since(1, start)?.sort()).toEqual([2, 3]);
});

it('says that it does not know, of what is long ago and of all that may have changed', () => {
  const { database, changes } = noted();
  const start = changes.position;
  database.transaction(() => {
    for (let id = 0; id < 40_000; id += 1) changes.note(1, id);
    changes.note(2, 1);
  });
  expect(changes.since(1, start)).toBeUndefined();
  expect(changes.since(2, start)).toEqual([1]);
  expect(changes.since(1, changes.position)).toEqual([]);
  const before = changes.position;
  database.transaction(() => {
    changes.note(1, 1);
    changes.noteAll();
    changes.note(1, 2);
  });
  expect(changes.since(1, before)).toBeUndefined();
  expect(changes.since(2, before)).toBeUndefined();
  expect(changes.since(2, changes.position)).toEqual([]);
});
