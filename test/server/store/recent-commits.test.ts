import { expect, it } from 'vitest';
import { type CommitHead, HEAD_AFTER, RecentCommits } from '../../../server/store/recent-commits.ts';
import { atOnce } from '../../../server/store/yield-to-event-loop.ts';
import { createAll, temporaryStore } from './temporary-store.ts';

it('a commit is parsed once; of more than some megabytes those that were asked for longest ago are let go', async () => {
  const store = await temporaryStore();
  const notes = 'x'.repeat(9_900);
  const suppliers = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `S ${n}`, notes }));
  for (let n = 0; n < 5; n += 1) await createAll(store, 'supplier', suppliers(100));
  const { reader } = store.database;
  const commits = new RecentCommits(reader);
  const of = (head: CommitHead) => atOnce(commits.reading(head)).commit;
  const heads = reader.all<CommitHead>('SELECT sequence, hash, seal FROM history ORDER BY sequence');
  const read = () => heads.map(head => of(head));
  const [first, ...others] = read();
  expect(first?.entries).toHaveLength(100);
  const last = heads.at(-1);
  expect(last && of(last)).toBe(others.at(-1));
  expect(heads[0] && of(heads[0])).not.toBe(first);
  expect(heads[0] && of(heads[0])).toEqual(first);
});

it('a row that holds another commit than it did is read', async () => {
  const store = await temporaryStore();
  await createAll(store, 'supplier', [{ name: 'One' }]);
  const { reader } = store.database;
  const commits = new RecentCommits(reader);
  const of = (head: CommitHead) => atOnce(commits.reading(head)).commit;
  const head = reader.get<CommitHead>(HEAD_AFTER, 0);
  if (!head) throw new Error('Nothing was written.');
  const commit = of({ ...head, hash: 'f'.repeat(64) });
  expect(of(head)).not.toBe(commit);
  expect(of(head)).toEqual(commit);
});
