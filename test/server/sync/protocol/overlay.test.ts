import { describe, expect, it } from 'vitest';
import type { Commit } from '../../../../server/store/changes.ts';
import { connected, overlay } from '../../../../server/sync/protocol/overlay.ts';
import { change, commitOf, entry } from './commits.ts';
import { type Records, readerOf } from './machines.ts';
import { rules } from './protocol-table.ts';

const records: Records = {
  'part:1': { creator: 'c', paths: { name: [{ commit: 'c', value: 'old' }] }, folded: 1 },
};

function shownOf(...commits: Commit[]) {
  const { shown, decisions } = overlay(commits, readerOf(records, []), rules);
  const outcomes = decisions.map(one => [one.commit_id, one.outcome, one.reason].filter(Boolean).join(' '));
  return { outcomes, name: (subject: string) => shown.value(subject, 'name') };
}

describe('what a station shows of its own commits', () => {
  it('builds on what it shows already', () => {
    const { outcomes, name } = shownOf(
      commitOf('a', [entry('part:2', change('name', 'Two'))]),
      commitOf('b', [entry('part:2', change('name', 'Second', ['a']))]),
    );
    expect(outcomes).toEqual(['a applied', 'b applied']);
    expect(name('part:2')).toBe('Second');
    expect(name('part:1')).toBe('old');
  });

  it('is what their author wrote, also where it may be a fault of the schema to central', () => {
    const { outcomes, name } = shownOf(commitOf('a', [entry('part:1', change('name', 'bad', ['c']))]));
    expect(outcomes).toEqual(['a applied']);
    expect(name('part:1')).toBe('bad');
  });

  it('leaves out what has no record, and takes what builds on it along', () => {
    const { outcomes, name } = shownOf(
      commitOf('a', [
        entry('part:9', change('name', 'Nine', ['x'])),
        entry('part:3', change('name', 'Three')),
      ]),
      commitOf('b', [entry('part:1', change('name', 'over it', ['a']))]),
      commitOf('d', [entry('part:1', change('name', 'beside', ['c']))]),
    );
    expect(outcomes).toEqual(['a held unknown_target', 'b held over_withdrawn', 'd applied']);
    expect(name('part:1')).toBe('beside');
    expect(name('part:3')).toBeUndefined();
  });

  it('leaves records that only central writes as they are decided', () => {
    const eve = commitOf('a', [entry('user:1', change('name', 'Eve'))]);
    const { shown, decisions } = overlay([eve], readerOf(records, []), rules);
    expect(decisions).toEqual([{ commit_id: 'a', outcome: 'held', reason: 'central_decides', effects: [] }]);
    expect(shown.value('user:1', 'name')).toBeUndefined();
  });
});

describe('what has to be shown anew together', () => {
  const commits = [
    commitOf('a', [entry('part:1', change('name', 'A')), entry('part:2', change('name', 'A'))], {
      number: 1,
    }),
    commitOf('b', [entry('part:2', change('name', 'B')), entry('part:3', change('name', 'B'))], {
      number: 2,
    }),
    commitOf('d', [entry('part:4', change('name', 'D'))], { number: 3 }),
    commitOf('w', [entry('hold:h', change('withdrawn', true)), entry('part:3', change('name', 'W'))], {
      number: 4,
    }),
    commitOf('v', [entry('hold:h', change('withdrawn', true)), entry('part:5', change('name', 'V'))], {
      number: 5,
    }),
  ];
  const asked: string[] = [];
  const undecidedOf = (subject: string) => {
    asked.push(subject);
    return commits.filter(({ entries }) => entries.some(one => one.subject === subject));
  };

  it('is connected by the records of commits, in the order of writing, and by nothing else', () => {
    // Asked from the end: what is found last was written first.
    const group = connected(['part:3'], undecidedOf, ({ number }) => number);
    expect([...group.subjects].sort()).toEqual(['part:1', 'part:2', 'part:3']);
    expect(group.commits.map(({ commit_id }) => commit_id)).toEqual(['a', 'b', 'w']);
    expect(asked.filter(subject => subject.startsWith('hold:'))).toEqual([]);
  });

  it('is a record alone that no open commit touches', () => {
    const group = connected(['part:8'], undecidedOf, ({ number }) => number);
    expect([...group.subjects]).toEqual(['part:8']);
    expect(group.commits).toEqual([]);
  });

  it('asks the place of each commit once', () => {
    const places: string[] = [];
    connected(['part:1', 'part:2', 'part:3'], undecidedOf, ({ commit_id, number }) => {
      places.push(commit_id);
      return number;
    });
    expect(places.sort()).toEqual(['a', 'b', 'w']);
  });
});
