import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../../server/sync/protocol/decide.ts';
import { commitHash, LOG_START, type LogEntry, logEntry } from '../../../../server/sync/protocol/log.ts';
import { beginAgain, cut, logChanges } from '../../../../server/sync/protocol/received-log.ts';
import { chainOf, change, commitOf, entry } from './commits.ts';
import { shortHash } from './machines.ts';

function decision(commit_id: string, outcome: Decision['outcome'], reason: string | null = null): Decision {
  const effects =
    outcome === 'applied'
      ? [{ subject: `part:${commit_id}`, isNew: true, paths: [{ path: 'name', value: 'N' }] }]
      : [];
  return { commit_id, outcome, reason, effects };
}

/** Entries of the log, each with what it decides; the first decision is of its commit. */
function logOf(...decided: Decision[][]): LogEntry[] {
  const log: LogEntry[] = [];
  for (const decisions of decided) {
    const commit = commitOf(decisions[0]?.commit_id ?? '');
    log.push(logEntry(log.at(-1) ?? LOG_START, commit, decisions, shortHash));
  }
  return log;
}

const changesOf = (log: LogEntry[], ...held: string[]) => logChanges(log, id => held.includes(id));

describe('entries of the log', () => {
  it('settle what is applied, lost or withdrawn, and touch the records of their effects', () => {
    const log = logOf(
      [decision('a', 'applied')],
      [decision('b', 'lost')],
      [decision('w', 'applied'), decision('h', 'withdrawn')],
    );
    expect(changesOf(log, 'h')).toEqual({
      effects: [
        { commit_id: 'a', outcome: 'applied', effects: decision('a', 'applied').effects },
        { commit_id: 'w', outcome: 'applied', effects: decision('w', 'applied').effects },
      ],
      subjects: new Set(['part:a', 'part:w']),
      settled: ['a', 'b', 'w', 'h'],
      withdrawn: ['h'],
      held: [],
    });
  });

  it('hold for the last reason that they say, until one of them applies it', () => {
    const held = logOf(
      [decision('h', 'held', 'follows')],
      [decision('r', 'lost'), decision('h', 'held', 'schema')],
    );
    expect(changesOf(held)).toMatchObject({ settled: ['r'], held: [{ commit_id: 'h', reason: 'schema' }] });
    const applied = logOf(
      [decision('h', 'held', 'follows')],
      [decision('r', 'lost'), decision('h', 'applied')],
    );
    expect(changesOf(applied)).toMatchObject({ settled: ['h', 'r'], held: [] });
  });

  describe('that repeat a commit', () => {
    const again = [decision('a', 'repeated')];

    it('settle what was not held', () => {
      expect(changesOf(logOf(again))).toMatchObject({ settled: ['a'], held: [] });
      expect(changesOf(logOf([decision('a', 'applied')], again), 'a')).toMatchObject({
        settled: ['a'],
        held: [],
      });
    });

    it('leave what is held as it is', () => {
      expect(changesOf(logOf(again), 'a')).toMatchObject({ settled: [], held: [] });
      expect(changesOf(logOf([decision('a', 'held', 'schema')], again))).toMatchObject({
        settled: [],
        held: [{ commit_id: 'a', reason: 'schema' }],
      });
    });
  });
});

it('what is cut is offered again, in the order of the log, and all that it said is said no more', () => {
  const log = logOf([decision('a', 'applied')], [decision('r', 'lost'), decision('h', 'applied')]);
  const signed = log.map(one => ({ ...one, countersignature: `~${one.sequence}` }));
  const to = { epoch: 'e2', sequence: 0, hash: '', countersignature: '~' };
  expect(cut(to, signed)).toEqual({
    cursor: to,
    offers: signed.map(({ commit, countersignature }) => ({ commit, countersignature })),
    subjects: new Set(['part:a', 'part:h']),
    commits: new Set(['a', 'r', 'h']),
  });
});

describe('a station that begins again', () => {
  const former = chainOf('a.0', {
    a1: [entry('part:1', change('name', 'One'))],
    a2: [entry('part:2', change('name', 'Two'))],
    a3: [entry('part:3', change('name', 'Three'))],
  });

  it('issues in a new chain, by the same ids, what the log does not know', () => {
    const again = beginAgain(former, id => id === 'a2', 'a.1', shortHash);
    expect(again.map(({ chain, number, commit_id }) => [chain, number, commit_id])).toEqual([
      ['a.1', 1, 'a1'],
      ['a.1', 2, 'a3'],
    ]);
    expect(again.map(({ entries }) => entries)).toEqual([former[0]?.entries, former[2]?.entries]);
    expect(again.map(({ previous_hash }) => previous_hash)).toEqual(['', again[0]?.hash]);
    for (const commit of again) expect(commit.hash).toBe(commitHash(commit, shortHash));
  });

  it('issues nothing when the log knows everything', () => {
    expect(beginAgain(former, () => true, 'a.1', shortHash)).toEqual([]);
  });
});
