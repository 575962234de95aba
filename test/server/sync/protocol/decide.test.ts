import { describe, expect, it } from 'vitest';
import type { Change, Commit, Entry } from '../../../../server/store/changes.ts';
import { decide, type Rules } from '../../../../server/sync/protocol/decide.ts';
import {
  isConflict,
  siblingsOf,
  writersInConflict,
  writersShown,
} from '../../../../server/sync/protocol/siblings.ts';
import { type Records, readerOf, withEntry } from './machines.ts';

const rules: Rules = {
  isVerdict: (_, path) => path === 'passed',
  isForCentral: () => false,
  formFault: () => undefined,
  schemaFault: ({ changes }) => (changes.some(change => change.new === 'bad') ? 'bad value' : undefined),
};

const PART = 'part:1';

function commit(id: string, ...entries: Entry[]): Commit {
  const rest = { at: '', clock_offset: null, user: '', reason: null, previous_hash: '', hash: '' };
  return { chain: 'a.0', number: 1, commit_id: id, entries, ...rest };
}

function change(path: string, value: unknown, over: string[]): Change {
  return { path, old: null, new: value, over };
}

/** A commit that changes one part. */
function edit(id: string, ...changes: Change[]): Commit {
  return commit(id, { subject: PART, changes });
}

const created = edit('c', change('name', 'old', []), change('items.7', { quantity: 1 }, []));

/** Decides commits in order, the part's creation first. */
function decideAll(...commits: Commit[]) {
  let records: Records = {};
  const outcomes = [created, ...commits].map((one, index) => {
    const decision = decide(one, readerOf(records, []), rules);
    records = withEntry(records, { sequence: index + 1, decisions: [decision] });
    return decision.reason === null ? decision.outcome : `${decision.outcome}: ${decision.reason}`;
  });
  const reader = readerOf(records, []);
  return {
    outcomes: outcomes.slice(1),
    value: (path: string) => reader.value(PART, path) ?? null,
    siblings: (path: string) => siblingsOf(reader, PART, path),
    isOpen: (path: string) => isConflict(siblingsOf(reader, PART, path)),
  };
}

describe('two commits over the same creation', () => {
  it('merge when they change different fields', () => {
    const after = decideAll(edit('a', change('name', 'A', ['c'])), edit('b', change('notes', 'B', ['c'])));
    expect(after.outcomes).toEqual(['applied', 'applied']);
    expect([after.value('name'), after.value('notes')]).toEqual(['A', 'B']);
    expect([after.isOpen('name'), after.isOpen('notes')]).toEqual([false, false]);
  });

  it('of one field leave the later one standing and the other in an open conflict', () => {
    const after = decideAll(edit('a', change('name', 'A', ['c'])), edit('b', change('name', 'B', ['c'])));
    expect(after.value('name')).toBe('B');
    expect(after.siblings('name')).toEqual([
      { commit: 'b', value: 'B' },
      { commit: 'a', value: 'A' },
    ]);
    expect(after.isOpen('name')).toBe(true);
  });

  it('of one field that say the same are no conflict', () => {
    const after = decideAll(
      edit('a', change('name', { x: 1, y: null }, ['c'])),
      edit('b', change('name', { x: 1 }, ['c'])),
    );
    expect(after.isOpen('name')).toBe(false);
    expect(writersShown(after.siblings('name'))).toEqual(['b', 'a']);
  });

  it('that clear and set a field are in conflict, a missing field being null', () => {
    const after = decideAll(edit('a', change('notes', null, ['c'])), edit('b', change('notes', 'B', ['c'])));
    expect(after.isOpen('notes')).toBe(true);
  });

  it('of one item merge field by field', () => {
    const after = decideAll(
      edit('a', change('items.7.quantity', 5, ['c'])),
      edit('b', change('items.7.note', 'B', ['c'])),
      edit('d', change('items.7.quantity', 6, ['c'])),
    );
    expect(after.outcomes).toEqual(['applied', 'applied', 'applied']);
    expect(after.value('items.7.note')).toBe('B');
    expect(after.siblings('items.7.quantity').map(one => one.value)).toEqual([6, 5]);
    expect(after.isOpen('items.7.note')).toBe(false);
  });
});

describe('an added item', () => {
  const adding = edit('a', change('items.8', { quantity: 2 }, ['c']));

  it('is the writer of its fields until they are changed', () => {
    expect(decideAll(adding).siblings('items.8.quantity')).toEqual([{ commit: 'a', value: 2 }]);
    const after = decideAll(adding, edit('b', change('items.8.quantity', 3, ['a'])));
    expect(after.siblings('items.8.quantity')).toEqual([{ commit: 'b', value: 3 }]);
    expect(after.siblings('items.8.note')).toEqual([{ commit: 'a', value: null }]);
  });

  it('stands beside another one', () => {
    const after = decideAll(adding, edit('b', change('items.9', { quantity: 3 }, ['c'])));
    expect(after.outcomes).toEqual(['applied', 'applied']);
  });

  it('meets nothing, whatever its author had seen of the record', () => {
    const after = decideAll(
      edit('b', change('name', 'B', ['c'])),
      edit('a', change('items.8', { quantity: 2 }, ['b'])),
    );
    expect(after.siblings('items.8')).toEqual([{ commit: 'a', value: { quantity: 2 } }]);
  });

  it('may be added and changed by one commit', () => {
    const both = edit(
      'a',
      change('items.8', { quantity: 2 }, ['c']),
      change('items.8.parts.1', { n: 1 }, ['c']),
    );
    expect(decideAll(both).outcomes).toEqual(['applied']);
  });
});

describe('a resolution', () => {
  const conflict = [edit('a', change('name', 'A', ['c'])), edit('b', change('name', 'B', ['c']))];

  it('over all siblings closes the conflict', () => {
    const over = writersInConflict(decideAll(...conflict).siblings('name'));
    const after = decideAll(...conflict, edit('r', change('name', 'R', over)));
    expect(after.siblings('name')).toEqual([{ commit: 'r', value: 'R' }]);
  });

  it('leaves open what came meanwhile', () => {
    const after = decideAll(
      ...conflict,
      edit('d', change('name', 'D', ['c'])),
      edit('r', change('name', 'R', ['a', 'b'])),
    );
    expect(after.value('name')).toBe('R');
    expect(after.siblings('name').map(one => one.commit)).toEqual(['r', 'd']);
    expect(after.isOpen('name')).toBe(true);
  });

  it('is more than an edit of the value that is shown', () => {
    const after = decideAll(...conflict, edit('e', change('name', 'E', ['b'])));
    expect(after.siblings('name').map(one => one.commit)).toEqual(['e', 'a']);
    expect(after.isOpen('name')).toBe(true);
  });

  it('by the author whose value lost, editing on, replaces his own', () => {
    const after = decideAll(...conflict, edit('a2', change('name', 'A2', ['a'])));
    expect(after.siblings('name')).toEqual([
      { commit: 'a2', value: 'A2' },
      { commit: 'b', value: 'B' },
    ]);
  });
});

describe('a verdict', () => {
  const first = edit('a', change('passed', true, ['c']));

  it('stands against a later one whose author had not seen it, which loses whole and is a conflict', () => {
    const after = decideAll(first, edit('b', change('passed', false, ['c']), change('name', 'B', ['c'])));
    expect(after.outcomes).toEqual(['applied', 'lost']);
    expect([after.value('passed'), after.value('name')]).toEqual([true, 'old']);
    expect(after.siblings('passed')).toEqual([
      { commit: 'a', value: true },
      { commit: 'b', value: false },
    ]);
    expect(after.siblings('name').map(one => one.value)).toEqual(['old', 'B']);
    expect([after.isOpen('passed'), after.isOpen('name')]).toEqual([true, true]);
  });

  it('that says the same is applied with the rest of its commit, and the first stays the first', () => {
    const after = decideAll(first, edit('b', change('passed', true, ['c']), change('name', 'B', ['c'])));
    expect(after.outcomes).toEqual(['applied', 'applied']);
    expect(after.siblings('passed').map(one => one.commit)).toEqual(['a', 'b']);
    expect(after.value('name')).toBe('B');
  });

  it('is taken back by who has seen it, while a lost one stays in conflict', () => {
    const after = decideAll(
      first,
      edit('b', change('passed', false, ['c'])),
      edit('r', change('passed', null, ['a'])),
    );
    expect(after.outcomes).toEqual(['applied', 'lost', 'applied']);
    expect(after.siblings('passed')).toEqual([
      { commit: 'r', value: null },
      { commit: 'b', value: false },
    ]);
  });

  it('does not fall to a chain of edits that began before it was seen', () => {
    const after = decideAll(
      first,
      edit('b', change('passed', false, ['c'])),
      edit('b2', change('passed', null, ['b'])),
    );
    expect(after.outcomes).toEqual(['applied', 'lost', 'lost']);
    expect(after.siblings('passed').map(one => one.commit)).toEqual(['a', 'b2']);
  });

  it('that lost creates and adds nothing, and begins no record', () => {
    const losing = commit(
      'b',
      { subject: PART, changes: [change('passed', false, ['c']), change('items.8', { quantity: 2 }, ['c'])] },
      { subject: 'part:2', changes: [change('name', 'N', [])] },
      { subject: 'part:3', changes: [change('items.8', { quantity: 2 }, ['d'])] },
    );
    const other = commit('d', { subject: 'part:3', changes: [change('name', 'Three', [])] });
    const siblings = [
      { commit: 'a', value: true },
      { commit: 'b', value: false },
    ];
    expect(decide(losing, readerOf(recordsAfter(created, first, other), []), rules)).toEqual({
      commit_id: 'b',
      outcome: 'lost',
      reason: null,
      effects: [{ subject: PART, isNew: false, paths: [{ path: 'passed', value: true, siblings }] }],
    });
  });

  it('that lost stands beside what lost before it, unless its author had seen that', () => {
    const after = decideAll(
      first,
      edit('b', change('passed', false, ['c'])),
      edit('d', change('passed', null, ['c'])),
      edit('b2', change('passed', null, ['b'])),
    );
    expect(after.outcomes).toEqual(['applied', 'lost', 'lost', 'lost']);
    expect(after.siblings('passed').map(one => one.commit)).toEqual(['a', 'd', 'b2']);
  });

  it('is a verdict of a new record too, which nobody can have given before', () => {
    const decision = decide(
      commit('a', { subject: 'part:2', changes: [change('passed', true, [])] }),
      readerOf(recordsAfter(created), []),
      rules,
    );
    expect(decision.outcome).toBe('applied');
  });
});

it('a change over nothing beside one over a write is no creation', () => {
  const after = decideAll(edit('a', change('name', 'A', ['c']), change('notes', 'N', [])));
  expect(after.outcomes).toEqual(['applied']);
  expect(after.value('name')).toBe('A');
});

describe('a commit is held', () => {
  it.each([
    ['for a fault of the schema', edit('a', change('name', 'bad', ['c'])), 'schema: bad value'],
    [
      'for a record that is not there',
      commit('a', { subject: 'part:5', changes: [change('name', 'A', ['x'])] }),
      'unknown_target',
    ],
    ['for an item that is not there', edit('a', change('items.9.quantity', 1, ['c'])), 'unknown_target'],
    ['for a record that another commit created', edit('a', change('name', 'A', [])), 'id_taken'],
    ['for an item that another commit added', edit('a', change('items.7', {}, ['c'])), 'id_taken'],
  ])('whole %s', (_, held, reason) => {
    const also = { subject: 'part:3', changes: [change('name', 'new', [])] };
    const both = { ...held, entries: [also, ...held.entries] };
    expect(decideAll(both).outcomes).toEqual([`held: ${reason}`]);
    expect(decideAll(both).value('name')).toBe('old');
  });

  it('when any of it builds on a commit that was withdrawn', () => {
    const read = readerOf(recordsAfter(created), ['w']);
    expect(decide(edit('a', change('name', 'A', ['w'])), read, rules).reason).toBe('over_withdrawn');
    const partly = edit('a', change('notes', 'N', ['c']), change('name', 'A', ['c', 'w']));
    expect(decide(partly, read, rules)).toEqual({
      commit_id: 'a',
      outcome: 'held',
      reason: 'over_withdrawn',
      effects: [],
    });
  });
});

function recordsAfter(...commits: Commit[]): Records {
  let records: Records = {};
  for (const [index, one] of commits.entries()) {
    const decision = decide(one, readerOf(records, []), rules);
    records = withEntry(records, { sequence: index + 1, decisions: [decision] });
  }
  return records;
}
