import { describe, expect, it } from 'vitest';
import {
  isConflict,
  isItem,
  itemOf,
  type RecordReader,
  type Sibling,
  siblingsOf,
  valueWithin,
  writersInConflict,
  writersShown,
} from '../../../../server/sync/protocol/siblings.ts';

/** One record that the commit `c` created with these values, and the lists that are kept of its paths. */
function record(values: Record<string, unknown>, lists: Record<string, Sibling[]> = {}): RecordReader {
  return {
    creator: subject => (subject === 'part:1' ? 'c' : undefined),
    siblings: (_, path) => lists[path],
    value: (_, path) => values[path],
    isWithdrawn: () => false,
  };
}

describe('the siblings of a path', () => {
  it('are those listed for it', () => {
    const listed = [
      { commit: 'b', value: 2 },
      { commit: 'a', value: 1 },
    ];
    expect(siblingsOf(record({ name: 2 }, { name: listed }), 'part:1', 'name')).toBe(listed);
  });

  it('are the creation of the record where none are listed, also within an item that it had', () => {
    const read = record({ name: 'One', 'items.7.quantity': 5 });
    expect(siblingsOf(read, 'part:1', 'name')).toEqual([{ commit: 'c', value: 'One' }]);
    expect(siblingsOf(read, 'part:1', 'notes')).toEqual([{ commit: 'c', value: null }]);
    expect(siblingsOf(read, 'part:1', 'items.7.quantity')).toEqual([{ commit: 'c', value: 5 }]);
  });

  it('are the adding of the innermost item that was added', () => {
    const items = (commit: string) => [{ commit, value: {} }];
    const read = record({}, { 'items.7': items('a'), 'items.7.results.3': items('b') });
    const writerOf = (path: string) => siblingsOf(read, 'part:1', path).map(({ commit }) => commit);
    expect(writerOf('items.7.quantity')).toEqual(['a']);
    expect(writerOf('items.7.results.2.value')).toEqual(['a']);
    expect(writerOf('items.7.results.3.value')).toEqual(['b']);
  });

  it('are none where there is no such record', () => {
    expect(siblingsOf(record({ name: 'One' }), 'part:2', 'name')).toEqual([]);
  });
});

describe('what is shown', () => {
  const siblings = [
    { commit: 'c', value: { x: 1 } },
    { commit: 'b', value: 2 },
    { commit: 'a', value: { x: 1, y: null } },
  ];

  it('was written by whoever wrote the standing value, and a conflict by all', () => {
    expect(writersShown(siblings)).toEqual(['c', 'a']);
    expect(writersShown([])).toEqual([]);
    expect(writersInConflict(siblings)).toEqual(['c', 'b', 'a']);
  });

  it('is in conflict when there is more than one value', () => {
    expect(isConflict(siblings)).toBe(true);
    expect(isConflict(siblings.filter(({ commit }) => commit !== 'b'))).toBe(false);
    expect(isConflict([])).toBe(false);
  });
});

it.each([
  ['name', false, undefined],
  ['items.7', true, undefined],
  ['items.7.quantity', false, 'items.7'],
  ['items.7.results.3', true, 'items.7'],
  ['items.7.results.3.value', false, 'items.7.results.3'],
])('%s is a whole item: %s, and lies in %s', (path, isWhole, within) => {
  expect(isItem(path)).toBe(isWhole);
  expect(itemOf(path)).toBe(within);
});

it('a value within an item is found by its path, and is nothing where the path leads nowhere', () => {
  const item = { quantity: 5, results: { 3: { value: 'ok' } }, note: null };
  expect(valueWithin(item, 'quantity')).toBe(5);
  expect(valueWithin(item, 'results.3.value')).toBe('ok');
  for (const path of ['missing', 'results.4.value', 'note.more', 'quantity.more', 'toString', 'results.at']) {
    expect(valueWithin(item, path), path).toBeUndefined();
  }
  expect(valueWithin(null, 'quantity')).toBeUndefined();
  expect(valueWithin('text', 'length')).toBeUndefined();
});
