import { expect, it } from 'vitest';
import { type CommitHead, HEADS_AFTER, RecentCommits } from '../../../server/store/recent-commits.ts';
import { createAll, temporaryStore } from './temporary-store.ts';

it('a commit is parsed once; of more than some megabytes those that were asked for longest ago are let go', async () => {
  const store = await temporaryStore();
  const notes = 'x'.repeat(9_900);
  const suppliers = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `S ${n}`, notes }));
  for (let n = 0; n < 5; n += 1) await createAll(store, 'supplier', suppliers(100));
  const { reader } = store.database;
  const commits = new RecentCommits(reader);
  const heads = reader.all<CommitHead>(HEADS_AFTER, 0, 100);
  const read = () => heads.map(head => commits.of(head).commit);
  const [first, ...others] = read();
  expect(first?.entries).toHaveLength(100);
  const last = heads.at(-1);
  expect(last && commits.of(last).commit).toBe(others.at(-1));
  expect(heads[0] && commits.of(heads[0]).commit).not.toBe(first);
  expect(heads[0] && commits.of(heads[0]).commit).toEqual(first);
});

it('a row that holds another commit than it did is read', async () => {
  const store = await temporaryStore();
  await createAll(store, 'supplier', [{ name: 'One' }]);
  const { reader } = store.database;
  const commits = new RecentCommits(reader);
  const [head] = reader.all<CommitHead>(HEADS_AFTER, 0, 1);
  if (!head) throw new Error('Nothing was written.');
  const { commit } = commits.of({ ...head, hash: 'f'.repeat(64) });
  expect(commits.of(head).commit).not.toBe(commit);
  expect(commits.of(head).commit).toEqual(commit);
});
