import { describe, expect, it } from 'vitest';
import type { Change, Commit } from '../../../../server/store/changes.ts';
import type { Decision } from '../../../../server/sync/protocol/decide.ts';
import { LOG_START, logEntry } from '../../../../server/sync/protocol/log.ts';
import { commitSize, entrySize } from '../../../../server/sync/protocol/message-size.ts';
import { packEntries, plainDecisions } from '../../../../server/sync/protocol/packed-entries.ts';

const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`;

const commit: Commit = {
  chain: 'dock.01900000-0000-7000-8000-000000000001',
  number: 4711,
  commit_id: id(1),
  at: '2026-06-15T12:00:00.000Z',
  clock_offset: 120,
  user: 'ann',
  reason: 'counted twice',
  entries: [],
  previous_hash: 'a'.repeat(64),
  hash: 'b'.repeat(64),
};

const change: Change = { path: 'name', old: 'Bolt M6', new: 'Bolt M6 × 40', over: [id(2)] };
const withChanges = (...changes: Change[]): Commit => ({
  ...commit,
  entries: [{ subject: 'part:1048601', changes }],
});

/** Room for what the estimate does not look at: the digits of numbers, a comma more or less. */
const ABOUT = 12;

describe('the size of a commit is about that of its JSON', () => {
  const changes: [string, Change[]][] = [
    ['with a text changed', [change]],
    ['with a text set', [{ ...change, old: null, over: [] }]],
    ['with a long text', [{ ...change, new: 'x'.repeat(5_000) }]],
    ['with a number', [{ ...change, new: 12.5, old: 12 }]],
    ['with an object', [{ ...change, new: { name: 'x'.repeat(300), sizes: [1, 2, 3] } }]],
    ['with an object removed', [{ ...change, old: { name: 'x'.repeat(300) }, new: null }]],
    ['with a long path', [{ ...change, path: `items.1048601.${'x'.repeat(400)}` }]],
    ['over three commits', [{ ...change, over: [id(2), id(3), id(4)] }]],
    ['over none', [{ ...change, over: [] }]],
    ['with two changes', [change, { ...change, path: 'notes' }]],
  ];

  it.each([
    ['without entries', commit],
    ['without a reason', { ...commit, reason: null }],
    ['with a long reason', { ...commit, reason: 'x'.repeat(3_000) }],
    ...changes.map(([name, list]): [string, Commit] => [name, withChanges(...list)]),
  ])('%s', (_, one) => {
    const room = ABOUT * (1 + (one.entries[0]?.changes.length ?? 0));
    expect(Math.abs(commitSize(one) - JSON.stringify(one).length)).toBeLessThanOrEqual(room);
  });
});

describe('the size of an entry of the log', () => {
  const written = withChanges({ ...change, over: [] });

  it('is that of its commit where nothing else is sent', () => {
    const entry = logEntry(LOG_START, written, plainDecisions(written), String);
    expect(entrySize({ ...entry, countersignature: 's' })).toBe(commitSize(written));
  });

  it('is that of its place where the station has the commit', () => {
    const entry = { ...logEntry(LOG_START, written, plainDecisions(written), String), countersignature: 's' };
    const signed = { ...entry, countersignature: 's'.repeat(43) };
    const [packed] = packEntries([signed], () => true);
    expect(Math.abs(entrySize(signed, () => true) - JSON.stringify(packed).length)).toBeLessThanOrEqual(40);
    const { sequence, hash, countersignature, commit } = signed;
    const unread = {
      sequence,
      hash,
      countersignature,
      known: { chain: commit.chain, number: commit.number },
    };
    expect(entrySize(unread)).toBe(entrySize(signed, () => true));
    const decisions: Decision[] = [{ commit_id: 'a', outcome: 'held', reason: 'follows', effects: [] }];
    expect(entrySize({ ...unread, decisions })).toBe(entrySize(unread) + JSON.stringify(decisions).length);
  });

  it('has its decisions besides where they do not follow from the commit', () => {
    const held: Decision = { commit_id: written.commit_id, outcome: 'held', reason: 'follows', effects: [] };
    const entry = logEntry(LOG_START, written, [held], String);
    expect(entrySize({ ...entry, countersignature: 's' })).toBe(
      commitSize(written) + JSON.stringify([held]).length,
    );
  });
});
