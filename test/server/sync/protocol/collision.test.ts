import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../server/store/changes.ts';
import { issueAgain, placeToIssueAgain } from '../../../../server/sync/protocol/collision.ts';
import { holdEntry, WITHDRAWN } from '../../../../server/sync/protocol/decide-in-log.ts';
import { chainOf, change, entry } from './commits.ts';

const [created, beside, edited, further, alone] = chainOf('a.0', {
  created: [entry('part:1', change('name', 'One')), entry('part:2', change('name', 'Two', ['c']))],
  beside: [entry('part:5', change('name', 'Five', ['c']))],
  edited: [
    entry('part:2', change('notes', 'N', ['c', 'created'])),
    entry('part:3', change('name', 'E', ['x'])),
  ],
  further: [entry('part:3', change('name', 'F', ['edited']))],
  alone: [entry('part:6', change('name', 'Six', ['c']))],
});

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('It is not there.');
  return value;
}

const move = (one: Entry): Entry => ({ ...one, subject: one.subject === 'part:1' ? 'part:11' : one.subject });

it('what is over a commit that is issued again goes along, with what follows it, where it is of another record by now', () => {
  const [first, over, follows] = chainOf('a.0', {
    first: [entry('part:7', change('name', 'One', ['gone']))],
    over: [entry('part:17', change('name', 'Two', ['first']))],
    follows: [entry('part:17', change('notes', 'N', ['over']))],
  });
  const again = issueAgain(
    given(first),
    [over, follows].map(given),
    id => `${id} again`,
    one => one,
  );
  expect(again.map(({ commit_id }) => commit_id)).toEqual(['first again', 'over again', 'follows again']);
  expect(again[1]?.entries).toEqual([entry('part:17', change('name', 'Two', ['first again']))]);
});

it('of what was issued again before and is held as well, the last is issued again: it has the name that the former one would get', () => {
  const commits = chainOf('a.0', {
    first: [entry('part:7', change('name', 'One', ['gone']))],
    former: [entry('part:7', change('notes', 'N', ['lost']))],
    'former again': [
      holdEntry('former', WITHDRAWN),
      holdEntry('elsewhere', WITHDRAWN),
      entry('part:17', change('notes', 'N', ['found'])),
    ],
    over: [entry('part:17', change('notes', 'M', ['former', 'former again']))],
  });
  const [first, ...later] = commits;
  const again = issueAgain(
    given(first),
    later,
    id => `${id} again`,
    one => one,
  );
  expect(again.map(({ commit_id }) => commit_id)).toEqual([
    'first again',
    'former again again',
    'over again',
  ]);
  expect(again[0]?.entries.slice(0, 4)).toEqual(
    commits.map(({ commit_id }) => holdEntry(commit_id, WITHDRAWN)),
  );
  expect(again[1]?.entries).toEqual([
    holdEntry('elsewhere', WITHDRAWN),
    entry('part:17', change('notes', 'N', ['found'])),
  ]);
  expect(again[2]?.entries).toEqual([entry('part:17', change('notes', 'M', ['former again again']))]);
});

describe('what a station issues again', () => {
  const again = issueAgain(
    given(created),
    [beside, edited, further, alone].map(given),
    id => `${id} again`,
    move,
  );

  it('is the creation and what shares a record with it, or with what does, and nothing beside', () => {
    expect(again.map(({ commit_id }) => commit_id)).toEqual([
      'created again',
      'edited again',
      'further again',
    ]);
  });

  it('withdraws first all that is issued again', () => {
    expect(again[0]?.entries.slice(0, 3)).toEqual([
      holdEntry('created', WITHDRAWN),
      holdEntry('edited', WITHDRAWN),
      holdEntry('further', WITHDRAWN),
    ]);
    expect(
      again
        .slice(1)
        .flatMap(({ entries }) => entries)
        .map(({ subject }) => subject),
    ).toEqual(['part:2', 'part:3', 'part:3']);
  });

  it('says the same with the other id, over the new commits where it was over the former', () => {
    expect(again[0]?.entries.slice(3)).toEqual([
      entry('part:11', change('name', 'One')),
      entry('part:2', change('name', 'Two', ['c'])),
    ]);
    expect(again[1]?.entries).toEqual([
      entry('part:2', change('notes', 'N', ['c', 'created again'])),
      entry('part:3', change('name', 'E', ['x'])),
    ]);
    expect(again[2]?.entries).toEqual([entry('part:3', change('name', 'F', ['edited again']))]);
  });
});

it('the first commit whose id is taken is issued again, unless a later one withdraws it', () => {
  const open = [beside, created, edited].map(given);
  const reasonOf = (id: string) => ({ beside: 'schema', created: 'id_taken', edited: 'id_taken' })[id];
  expect(placeToIssueAgain(open, reasonOf)).toBe(1);
  const withdrawing = { ...given(alone), entries: [holdEntry('created', WITHDRAWN)] };
  expect(placeToIssueAgain([...open, withdrawing], reasonOf)).toBe(2);
  expect(placeToIssueAgain(open, () => 'follows')).toBe(-1);
});

it('what releases or withdraws a commit is one change of it, over it', () => {
  expect(holdEntry('c1', WITHDRAWN)).toEqual({
    subject: 'hold:c1',
    changes: [{ path: 'withdrawn', old: null, new: true, over: ['c1'] }],
  });
});
