import { expect, it } from 'vitest';
import type { Commit, Entry } from '../../../../server/store/changes.ts';
import { isMovedFrom } from '../../../../server/sync/central/moved-commit.ts';
import type { AuthorReader } from '../../../../server/sync/central/pushed.ts';
import { isSignedOver } from '../../../../server/sync/central/reissued-ids.ts';
import type { RecordReader } from '../../../../server/sync/protocol/siblings.ts';

const AT = '2026-06-15T12:00:00.000Z';

function commit(id: string, entries: Entry[]): Commit {
  const about = { at: AT, clock_offset: null, user: 'program', reason: null };
  return { commit_id: id, chain: 'dock.1', number: 1, previous_hash: '', hash: id, ...about, entries };
}

/** Creates an order with a line, and says something of it. */
function order(id: number, item: number, over: string, fields: object = {}): Entry[] {
  const line = { part_id: 7, quantity: 3, serial_number: 'S', ...fields };
  return [
    { subject: `order:${id}`, changes: [{ path: `items.${item}`, old: null, new: line, over: [] }] },
    { subject: `order:${id}`, changes: [{ path: 'is_closed', old: false, new: true, over: [over] }] },
  ];
}

const withdrawal: Entry = {
  subject: 'hold:former',
  changes: [{ path: 'withdrawn', old: null, new: true, over: [] }],
};

/** Whether what is signed over the one is said of the other's order of that id. */
function isOfWhatStands(former: Entry[], standing: Entry[], to: number): boolean {
  const authors = {
    commit: (id: string) => (id === 'former' ? commit('former', former) : undefined),
    standingFor: (id: string) => (id === 'former' ? commit('standing', standing) : undefined),
    taken: () => undefined,
  } as Partial<AuthorReader> as AuthorReader;
  const changes = [{ path: 'is_closed', old: true, new: false, over: ['former'] }];
  const ids = { from: { counter: 'order', id: '5' }, to: { counter: 'order', id: String(to) } };
  return isSignedOver(ids.from, ids.to, [{ subject: 'order:5', changes }], authors);
}

it.each([
  ['says the same under other ids', true, order(9, 11, 'again'), 9],
  ['says the same, and gives the former one up', true, [withdrawal, ...order(9, 11, 'again')], 9],
  ['refers to what has another id by now', true, order(9, 11, 'again', { part_id: 12 }), 9],
  ['has another value in one field', false, order(9, 11, 'again', { quantity: 4 }), 9],
  ['has one field more', false, order(9, 11, 'again', { note: 'more' }), 9],
  ['says less', false, order(9, 11, 'again').slice(0, 1), 9],
  ['is of another record than is said', false, order(9, 11, 'again'), 10],
])('what is signed over a commit is of what stands for it, where that %s: %s', (_, isSigned, entries, to) => {
  expect(isOfWhatStands(order(5, 6, 'before'), entries, to)).toBe(isSigned);
});

it('what is signed over a commit of a family that this version does not know refuses nothing', () => {
  const unknown = [{ subject: 'gadget:1', changes: [{ path: 'name', old: null, new: 'G', over: [] }] }];
  const former = [...order(5, 6, 'before'), ...unknown];
  expect(isOfWhatStands(former, order(9, 11, 'again'), 9)).toBe(false);
});

it.each([
  ['what stands for both', true, ['standing']],
  ['what stands for the one, and a third', false, ['standing', 'another']],
  ['what stands for neither', false, ['another']],
])('what is signed over two names of one commit is what is sent over %s: %s', (_, isMoved, over) => {
  const names = new Map([
    ['former', commit('former', order(5, 6, 'before'))],
    ['again', commit('again', [withdrawal, ...order(5, 6, 'before')])],
    ['standing', commit('standing', order(9, 11, 'before'))],
    ['another', { ...commit('another', order(9, 12, 'before')), chain: 'lab.1' }],
  ]);
  const authors = {
    commit: id => names.get(id),
    standingFor: id => names.get(id === 'another' ? id : 'standing'),
    taken: () => undefined,
    hasReadLost: () => false,
  } as Partial<AuthorReader> as AuthorReader;
  const read = { creator: () => 'standing' } as Partial<RecordReader> as RecordReader;
  const close = (id: number, over: string[]): Entry => ({
    subject: `order:${id}`,
    changes: [{ path: 'is_closed', old: true, new: false, over }],
  });
  const sent = commit('sent', [close(9, over)]);
  const original = { ...sent, commit_id: 'signed', entries: [close(5, ['again', 'former'])] };
  expect(isMovedFrom({ original, seen: null }, sent, read, authors)).toBe(isMoved);
});
