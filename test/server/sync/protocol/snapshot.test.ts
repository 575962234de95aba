import { describe, expect, it } from 'vitest';
import { signedHeads } from '../../../../server/sync/protocol/central.ts';
import { isDisproved, ownAtSnapshot, snapshotPage } from '../../../../server/sync/protocol/snapshot.ts';
import type { SnapshotRequest } from '../../../../server/sync/protocol/wire.ts';
import { centralReader, writeAtCentral } from './central-machine.ts';
import { change, commitOf, entry } from './commits.ts';
import type { Central } from './machines.ts';
import { UNPLACED } from './model.ts';
import { protocol, terms } from './protocol-table.ts';

const empty: Central = {
  epoch: 'e1',
  formers: [],
  chain: 'z.0',
  log: [],
  records: {},
  held: [],
  withdrawn: [],
  machines: {},
};
const central = ['one', 'two', 'three'].reduce((before, commit_id) => {
  const entries = [entry(`part:${commit_id}`, change('name', commit_id))];
  return writeAtCentral(before, { ...UNPLACED, commit_id, entries }, protocol);
}, empty);
const read = centralReader(central);
const placeAt = (sequence: number) => ({ sequence, hash: read.logHashAt(sequence) ?? '' });
const held = [{ commit: commitOf('h'), reason: 'schema' }];
const reader = {
  ...read,
  recordsAfter: (key: string | null) => ({ records: [`after ${key}`], after: 'part:9' }),
  allHeld: () => held,
  withdrawn: () => ['w'],
};

function pageOf(asked: Partial<SnapshotRequest>) {
  const cursor = protocol.cursorAt(read.place(), read, terms);
  const asking = { request: 'r', station: 'z', protocol: 1, cursor, at: null, after: null };
  return snapshotPage({ kind: 'snapshot', ...asking, ...asked }, reader, terms);
}

describe('a page of a snapshot', () => {
  it('begins at the end of the log, and says what the log says beside its records', () => {
    const heads = signedHeads('z', read, terms);
    expect(pageOf({ after: 'part:5' })).toEqual({
      kind: 'snapshot',
      request: 'r',
      epoch: 'e1',
      last: 3,
      heads,
      at: protocol.cursorAt(placeAt(3), read, terms),
      until: placeAt(3),
      records: ['after null'],
      after: 'part:9',
      start: { heads, held, withdrawn: ['w'] },
    });
    expect(heads).toMatchObject([{ chain: 'z.0', number: 3 }]);
  });

  it('goes on where it was begun, though the log has gone on', () => {
    expect(pageOf({ at: placeAt(1), after: 'part:5' })).toMatchObject({
      at: protocol.cursorAt(placeAt(1), read, terms),
      until: placeAt(3),
      records: ['after part:5'],
      start: null,
    });
  });

  it('begins anew where the log does not have the place', () => {
    for (const at of [
      { sequence: 1, hash: 'other' },
      { sequence: 4, hash: 'lost' },
    ]) {
      expect(pageOf({ at, after: 'part:5' })).toMatchObject({
        at: { sequence: 3 },
        records: ['after null'],
        start: { withdrawn: ['w'] },
      });
    }
  });
});

describe('the records of a snapshot', () => {
  const until = { sequence: 5, hash: 'h5' };
  const entries = [4, 5, 6].map(sequence => ({ sequence, hash: `h${sequence}` }));
  it.each([
    ['hold while the log has not come so far', 9, [], false],
    ['hold when the log ends at their place', 5, [], false],
    ['hold when the log has their place', 6, entries, false],
    ['are of another log when it ends before', 4, [], true],
    [
      'are of another log when it has another entry there',
      6,
      entries.map(one => ({ ...one, hash: 'other' })),
      true,
    ],
    ['hold when only another place differs', 6, [{ sequence: 6, hash: 'other' }], false],
  ])('%s', (_, last, log, expected) => {
    expect(isDisproved({ last }, log, until)).toBe(expected);
  });
});

describe('own commits at a snapshot', () => {
  const own = (commit_id: string, number: number, chain = 'a.0') =>
    commitOf(commit_id, [], { chain, number });
  const start = {
    heads: [{ chain: 'a.0', number: 2, hash: '', countersignature: '' }],
    held: [{ commit: own('held', 2), reason: 'follows' }],
    withdrawn: [],
    machines: {},
  };

  it('are settled up to the head of their chain, but for the held ones', () => {
    const open = [own('one', 1), own('two', 2), own('held', 2), own('three', 3), own('elsewhere', 1, 'a.1')];
    expect(ownAtSnapshot(start, open, []).settled).toEqual(['one', 'two']);
  });

  it('are open beyond it, also those that were taken for decided', () => {
    const after = [own('three', 3), own('four', 4)];
    expect(ownAtSnapshot(start, [own('three', 3)], after).opened).toEqual([own('four', 4)]);
  });
});
