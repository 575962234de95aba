import { expect, it } from 'vitest';
import { SharedPages, type TextPage } from '../../../server/http/shared-pages.ts';
import { create, temporaryStore } from '../store/temporary-store.ts';

/** Pages that count how often they were made. */
function counted() {
  const pages = new SharedPages<TextPage>();
  const made: string[] = [];
  const making = (name: string, rows: string[] = [name]) => {
    return async () => {
      made.push(name);
      return { rows };
    };
  };
  return { pages, made, making };
}

it('a page is made once for all who ask at the same state, and anew after a write', async () => {
  const store = await temporaryStore();
  const { pages, made, making } = counted();
  const ask = (name: string) => pages.of(store, name, making(name));
  const asked = await Promise.all([ask('a'), ask('a'), ask('b')]);
  expect(asked.map(({ rows }) => rows)).toEqual([['a'], ['a'], ['b']]);
  await ask('a');
  expect(made).toEqual(['a', 'b']);
  await create(store, 'supplier', { name: 'Written' });
  await ask('a');
  expect(made).toEqual(['a', 'b', 'a']);
  // What has no commit counts, too.
  store.database.run("INSERT INTO local (name, value) VALUES ('other', '1')");
  await ask('a');
  expect(made).toEqual(['a', 'b', 'a', 'a']);
});

it('a page that could not be made is tried again', async () => {
  const store = await temporaryStore();
  const { pages, made, making } = counted();
  const failing = async (): Promise<TextPage> => {
    throw new Error('Not now.');
  };
  await expect(pages.of(store, 'a', failing)).rejects.toThrow('Not now.');
  expect((await pages.of(store, 'a', making('a'))).rows).toEqual(['a']);
  expect(made).toEqual(['a']);
});

it('no more is kept than some megabytes: the oldest page goes first', async () => {
  const store = await temporaryStore();
  const { pages, made, making } = counted();
  const ask = (name: string) => pages.of(store, name, making(name, ['x'.repeat(1024 * 1024)]));
  for (const name of ['a', 'b', 'c', 'd', 'e']) await ask(name);
  await ask('e');
  await ask('a');
  expect(made).toEqual(['a', 'b', 'c', 'd', 'e', 'a']);
});
