import { expect, it } from 'vitest';
import { readAnswer, readRequest } from '../../../../server/sync/protocol/read-message.ts';
import { answerSchema, requestSchema } from '../../../../server/sync/protocol/wire-schemas.ts';

const change = { path: 'name', old: null, new: 'Acme', over: [] };
const entry = { subject: 'supplier:1', changes: [change] };
const commit = {
  chain: 'dock.1',
  number: 1,
  commit_id: 'c1',
  at: '2026-06-15T12:00:00.000Z',
  clock_offset: null,
  user: 'ann',
  reason: null,
  entries: [entry],
  previous_hash: '',
  hash: 'h',
};
const cursor = { epoch: 'e', sequence: 0, hash: '', countersignature: '' };
const push = {
  kind: 'push',
  request: 'r',
  station: 'dock',
  protocol: 1,
  cursor,
  offers: [],
  commits: [commit],
};
const { hash: _, ...unhashed } = commit;
const page = {
  kind: 'page',
  request: 'r',
  epoch: 'e',
  last: 2,
  heads: [],
  from: { sequence: 0, hash: '' },
  entries: [],
  packed: [
    { commit: unhashed, countersignature: 's' },
    { known: { chain: 'dock.1', number: 2 }, countersignature: 's' },
  ],
  to: cursor,
};

/** Each in the place of the first member of the kind. */
const changes = [
  { ...change, path: '' },
  { ...change, path: 'x'.repeat(500) },
  { ...change, path: 'x'.repeat(501) },
  { ...change, over: [1] },
  { ...change, over: [''] },
  { path: 'name', old: null, new: 1 },
  { ...change, further: 1 },
  null,
  'text',
];
const commits = [
  { ...commit, number: 0 },
  { ...commit, number: 1.5 },
  { ...commit, chain: '' },
  { ...commit, user: 'x'.repeat(201) },
  { ...commit, clock_offset: '0' },
  { ...commit, reason: 1 },
  { ...commit, hash: '' },
  { ...commit, entries: {} },
  { ...commit, entries: [{ ...entry, subject: '' }] },
  { ...commit, entries: [{ ...entry, further: [] }] },
  { ...commit, further: true },
  { ...commit, user: undefined },
  [],
  ...changes.map(one => ({ ...commit, entries: [{ ...entry, changes: [one] }] })),
];

function outcomeOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
}

it.each(
  [push, ...commits.map(one => ({ ...push, commits: [commit, one] }))].map(one => [JSON.stringify(one), one]),
)('reads a push as its schema does: %s', (_text, input) => {
  const read = () => readRequest(input, one => requestSchema.parse(one));
  expect(outcomeOf(read)).toEqual(outcomeOf(() => requestSchema.parse(input)));
});

it('takes sound commits as they are, and leaves too many of them to the schema', () => {
  const request = readRequest(push, one => requestSchema.parse(one));
  expect(request.kind === 'push' && request.commits[0]).toBe(commit);
  const many = { ...push, commits: Array.from({ length: 1_001 }, () => commit) };
  expect(() => readRequest(many, one => requestSchema.parse(one))).toThrow();
});

const packed = [
  ...commits.map(one => ({ commit: one, countersignature: 's' })),
  { commit: { ...unhashed, previous_hash: 1 }, countersignature: 's' },
  { known: { chain: '', number: 1 }, countersignature: 's' },
  { known: { chain: 'dock.1', number: 1, further: 1 }, countersignature: 's' },
  { commit: unhashed, countersignature: 's', further: 1 },
  { commit: unhashed, countersignature: 1 },
  { commit: unhashed, countersignature: 's', decisions: [] },
  { countersignature: 's' },
];

it.each(
  [page, ...packed.map(one => ({ ...page, packed: [...page.packed, one] }))].map(one => [
    JSON.stringify(one),
    one,
  ]),
)('reads a page as its schema does: %s', (_text, input) => {
  const read = () => readAnswer(input, one => answerSchema.parse(one));
  expect(outcomeOf(read)).toEqual(outcomeOf(() => answerSchema.parse(input)));
});
