import { describe, expect, it } from 'vitest';
import type { Commit, Entry } from '../../../server/store/changes.ts';
import { columnsOf, type HistoryRow, hashOfCommit, toCommit } from '../../../server/store/history.ts';
import { readingCommit, readingEntries } from '../../../server/store/reading-commit.ts';
import type { Steps } from '../../../server/store/yield-to-event-loop.ts';
import { temporaryStore } from './temporary-store.ts';

const NAMES = [
  ...['chain', 'number', 'commit_id', 'at', 'clock_offset', 'user', 'reason', 'entries'],
  ...['previous_hash', 'hash', 'seal'],
];

/** The row of a commit with these entries. */
function rowOf(entries: unknown[], further: object = {}): HistoryRow {
  const content = {
    ...{ chain: 'c.1', number: 1, commit_id: 'one', at: '2026-06-15T12:00:00.000Z', clock_offset: null },
    ...{ user: 'u', reason: null, previous_hash: '', entries: entries as Entry[] },
    ...further,
  };
  const commit: Commit = { ...content, hash: hashOfCommit(content) };
  const columns = columnsOf(commit);
  return { sequence: 1, ...Object.fromEntries(NAMES.map((name, at) => [name, columns[at]])) } as HistoryRow;
}

const change = (value: unknown) => ({ path: 'notes', old: null, new: value, over: [] });
const many = (count: number, value: (n: number) => unknown) =>
  Array.from({ length: count }, (_, n) => ({ subject: `supplier:${n}`, changes: [change(value(n))] }));

const shapes: [string, () => HistoryRow][] = [
  ['of one short entry', () => rowOf(many(1, () => 'x'))],
  ['of many entries', () => rowOf(many(2_000, n => `Notes ${n}`))],
  [
    'of many entries with their members in another order',
    () => rowOf(many(2_000, n => `Notes ${n}`).map(({ subject, changes }) => ({ changes, subject }))),
  ],
  [
    'signed, and with members that this version does not know',
    () =>
      rowOf(
        many(2_000, n => `Notes ${n}`),
        { authorship: { of: ['"entries":[]'] }, later: 'zz' },
      ),
  ],
  [
    'whose values look like entries',
    () =>
      rowOf(many(40, n => Array.from({ length: 60 }, () => ({ subject: `,{"subject":"${n}`, changes: [] })))),
  ],
  [
    'whose values are lists of what looks like entries, in one of them',
    () => rowOf(many(2, n => Array.from({ length: 9_000 }, (_, m) => ({ subject: `s:${n}`, changes: [m] })))),
  ],
  ['with signs of more than one unit', () => rowOf(many(2_000, n => `😀 ä ${n} "\\ \ud800`))],
  ['with the mark that stands for entries in a value', () => rowOf(many(2_000, () => '\u0000entries'))],
  ['with numbers for names and none', () => rowOf(many(2_000, n => ({ 7: n, b: null, a: [null, 1.5] })))],
];

function read(reader: Parameters<typeof readingCommit>[0], row: HistoryRow) {
  const { count, result } = taken(readingCommit(reader, row));
  return { count, commit: result };
}

function taken<Result>(steps: Steps<Result>): { count: number; result: Result } {
  for (let count = 0; ; count += 1) {
    const { done, value } = steps.next();
    if (done) return { count, result: value };
  }
}

describe('a commit that is read in steps', () => {
  it.each(shapes)('is what it is when it is read at once: %s', async (_, make) => {
    const { reader } = (await temporaryStore()).database;
    const row = make();
    const { commit, count } = read(reader, row);
    expect(commit).toEqual(toCommit(reader, row));
    expect(count > 0).toBe(row.entries.length > 32 * 1024);
    const entries = taken(readingEntries(row.entries));
    expect(entries.result).toEqual(commit.entries);
    // A value that is larger than a piece is read at once.
    if (commit.entries.length > 1_000) expect(entries.count).toBeGreaterThan(row.entries.length / 40_000);
    expect(taken(readingEntries(row.entries.slice(0, -1))).result).toEqual([]);
  });

  it.each<[string, (row: HistoryRow) => Partial<HistoryRow>]>([
    ['a letter of a value', ({ entries }) => ({ entries: entries.replace('Notes 1234', 'Notes 1235') })],
    [
      'its last entry',
      ({ entries }) => ({ entries: `${entries.slice(0, entries.lastIndexOf(',{"subject"'))}]` }),
    ],
    ['its checksum', ({ seal }) => ({ seal: seal + 1 })],
    ['its hash', () => ({ hash: 'f'.repeat(64) })],
    ['its author', () => ({ user: 'another' })],
    ['the type of its text', ({ entries }) => ({ entries: Buffer.from(entries) as unknown as string })],
  ])('is refused with %s altered', async (_, alter) => {
    const { reader } = (await temporaryStore()).database;
    const row = rowOf(many(2_000, n => `Notes ${n}`));
    expect(() => read(reader, { ...row, ...alter(row) })).toThrow(/is not what was written/);
  });
});
