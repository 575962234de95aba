import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../server/store/changes.ts';
import { type HeldCommit, HeldLine, HeldNow } from '../../../../server/sync/protocol/held-line.ts';
import { change, commitOf, entry } from './commits.ts';

const on = (...parts: number[]): Entry[] => parts.map(part => entry(`part:${part}`, change('name', 'N')));
const held = (id: string, reason: string, ...parts: number[]): HeldCommit => ({
  commit: commitOf(id, on(...parts)),
  reason,
});
const idOf = (one: HeldCommit | undefined) => one?.commit.commit_id;
const freeOf = (now: HeldNow) => {
  const ids: string[] = [];
  for (let next = now.takeFree(); next; next = now.takeFree()) {
    ids.push(next.commit.commit_id);
    now.remove(next.commit.commit_id);
  }
  return ids;
};

describe('what is held of a station', () => {
  const line = () =>
    new HeldLine([
      held('one', 'schema', 1),
      held('two', 'schema', 2),
      held('both', 'follows', 2, 1),
      held('third', 'follows', 3, 1),
      held('alone', 'schema', 4),
    ]);

  it('is held before a commit that shares a record with it: the earliest is named', () => {
    const now = new HeldNow(line());
    expect(idOf(now.before(commitOf('new', on(2, 1))))).toBe('one');
    expect(idOf(now.before(commitOf('third', on(3, 1))))).toBe('one');
    expect(now.before(commitOf('one', on(1)))).toBeUndefined();
    expect(now.before(commitOf('new', on(5)))).toBeUndefined();
    expect(idOf(now.before(commitOf('new', on(1)), new Set(['one', 'both'])))).toBe('third');
  });

  it('lets its followers go on in their order, once nothing before them holds them', () => {
    const now = new HeldNow(line());
    now.remove('one');
    expect(freeOf(now)).toEqual([]);
    now.remove('two');
    expect(freeOf(now)).toEqual(['both', 'third']);
    expect(now.get('both')).toBeUndefined();
  });

  it('lets none go on that is held again for another reason', () => {
    const now = new HeldNow(line());
    now.put(held('both', 'schema', 2, 1));
    now.remove('one');
    now.remove('two');
    expect(freeOf(now)).toEqual([]);
    expect(now.get('both')?.reason).toBe('schema');
  });

  it('stays as it is, whatever one entry decides on top', () => {
    const one = line();
    new HeldNow(one).remove('one');
    expect(idOf(new HeldNow(one).before(commitOf('new', on(1))))).toBe('one');
  });

  it('keeps its order when one is held again, and forgets what is removed', () => {
    const one = line();
    one.put(held('one', 'beyond_limit', 1));
    expect(idOf(new HeldNow(one).before(commitOf('new', on(1))))).toBe('one');
    one.remove('one');
    one.remove('nothing');
    expect(idOf(new HeldNow(one).before(commitOf('new', on(1))))).toBe('both');
  });

  it('has followers of what is held elsewhere: they go on once that is decided', () => {
    const one = line();
    one.put(held('loose', 'follows', 7));
    const waiting = new HeldNow(one);
    waiting.freeLoose(() => true);
    expect(freeOf(waiting)).toEqual([]);
    const free = new HeldNow(one);
    free.freeLoose(() => false);
    free.remove('one');
    free.remove('two');
    expect(freeOf(free)).toEqual(['both', 'third', 'loose']);
  });
});

it('takes a commit of thousands of records in steps', () => {
  const line = new HeldLine([]);
  const much = held('much', 'schema', ...Array.from({ length: 10_000 }, (_, part) => part));
  expect([...line.putting(much)].length).toBeGreaterThan(4);
  expect(idOf(new HeldNow(line).before(commitOf('new', on(9_999))))).toBe('much');
});
