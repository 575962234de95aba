import { describe, expect, it } from 'vitest';
import { parseBody } from '../../../../server/http/handlers/parse-body.ts';
import { atOnce } from '../../../../server/store/yield-to-event-loop.ts';
import * as steps from '../../../../server/sync/protocol/read-message.ts';
import { PAGE_LIMIT } from '../../../../server/sync/protocol/wire.ts';
import { answerSchema, requestSchema } from '../../../../server/sync/protocol/wire-schemas.ts';
import { AppError } from '../../../../shared/contract/errors.ts';

const readRequest = (...asked: Parameters<typeof steps.readRequest>) => atOnce(steps.readRequest(...asked));
const readAnswer = (...asked: Parameters<typeof steps.readAnswer>) => atOnce(steps.readAnswer(...asked));

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
  { ...commit, authorship: { session: { key: 'k' }, seen: null, proof: 'p' } },
  { ...commit, authorship: 5 },
  { ...commit, authorship: null },
  { ...commit, clock_at_least: '2026-06-15T12:00:00.000Z', authorship: {} },
  { ...commit, clock_at_least: null, further: 1 },
  { ...commit, entries: [entry, { ...entry, subject: 'supplier:2' }] },
  { ...commit, entries: [entry, { ...entry, subject: 'supplier:2' }, entry] },
  { ...commit, user: undefined },
  [],
  ...changes.map(one => ({ ...commit, entries: [{ ...entry, changes: [one] }] })),
];

function outcomeOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.errors;
  }
}

it.each(
  [push, ...commits.map(one => ({ ...push, commits: [commit, one] }))].map(one => [JSON.stringify(one), one]),
)('reads a push as its schema does: %s', (_text, input) => {
  const read = () => readRequest(input, one => parseBody(requestSchema, one));
  expect(outcomeOf(read)).toEqual(outcomeOf(() => parseBody(requestSchema, input)));
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
  const read = () => readAnswer(input, one => parseBody(answerSchema, one));
  expect(outcomeOf(read)).toEqual(outcomeOf(() => parseBody(answerSchema, input)));
});

/** Reads a push, or a page: what the schema was given, and what came of it. */
function read(input: object): { given: unknown[]; result: unknown } {
  const given: unknown[] = [];
  const noted = <Result>(parse: (one: unknown) => Result) => {
    return (one: unknown) => {
      given.push(one);
      return parse(one);
    };
  };
  const result = outcomeOf(() =>
    Reflect.get(input, 'kind') === 'page'
      ? readAnswer(
          input,
          noted(one => parseBody(answerSchema, one)),
        )
      : readRequest(
          input,
          noted(one => parseBody(requestSchema, one)),
        ),
  );
  return { given, result };
}

/** Whether the last one of its list is. */
function isLeftToSchema(input: object): boolean {
  const name = Reflect.get(input, 'kind') === 'page' ? 'packed' : 'commits';
  const last: unknown = Reflect.get(input, name).at(-1);
  return read(input).given.some(one => Reflect.get(Object(one), name).includes(last));
}

const many = (count: number, one: unknown) => Array.from({ length: count }, () => one);
const withChange = (one: unknown) => ({ ...commit, entries: [{ ...entry, changes: [change, one] }] });
const named = (length: number) => 'x'.repeat(length);

/** Of exactly the members that this version knows, each within the bounds of the schema. */
const sound = {
  'as it is': commit,
  'without entries': { ...commit, entries: [] },
  'with two entries': { ...commit, entries: [entry, { subject: named(200), changes: [] }] },
  'with texts of any length that the schema takes': {
    ...commit,
    chain: named(200),
    at: '',
    user: '',
    previous_hash: named(200),
    reason: named(10_000),
  },
  'with a clock that is off': { ...commit, clock_offset: -12.5 },
  'with a path of 500 characters': withChange({ ...change, path: named(500) }),
  'with what its author has signed': { ...commit, authorship: { session: {}, seen: null, proof: 'p' } },
  'with a clock that was not believed': { ...commit, clock_at_least: '2026-06-15T12:00:00.000Z' },
  'with both of these': { ...commit, clock_at_least: 1, authorship: null },
  'with a change over two commits': withChange({ ...change, over: ['c1', 'c2'] }),
};

/** Each in one respect other than those. */
const unsound = {
  'that is null': null,
  'that is a text': 'text',
  'that is a list': [],
  'with a member more': { ...commit, further: 1 },
  'with a member less': { ...commit, user: undefined },
  'with a member less and what its author has signed': { ...commit, user: undefined, authorship: {} },
  'in which a record stands twice': { ...commit, entries: [entry, entry] },
  'without a chain': { ...commit, chain: '' },
  'of a chain with too long a name': { ...commit, chain: named(201) },
  'without a number': { ...commit, number: 0 },
  'with a broken number': { ...commit, number: 1.5 },
  'without an id': { ...commit, commit_id: '' },
  'with a time that is no text': { ...commit, at: 1 },
  'with a clock that is a text': { ...commit, clock_offset: '0' },
  'with a clock that is out of all bounds': { ...commit, clock_offset: Number.POSITIVE_INFINITY },
  'with a user that is no text': { ...commit, user: null },
  'with a reason that is no text': { ...commit, reason: 1 },
  'with entries that are no list': { ...commit, entries: {} },
  'with a sound entry and one that is null': { ...commit, entries: [entry, null] },
  'with an entry of nothing': { ...commit, entries: [{ ...entry, subject: '' }] },
  'with an entry without changes': { ...commit, entries: [{ ...entry, changes: undefined }] },
  'with a member more in an entry': { ...commit, entries: [{ ...entry, further: 1 }] },
  'with a change that is null': withChange(null),
  'with a member more in a change': withChange({ ...change, further: 1 }),
  'with a member in the place of the old value': withChange({ path: 'name', other: 1, new: 1, over: [] }),
  'with a member in the place of the new value': withChange({ path: 'name', old: 1, other: 1, over: [] }),
  'with a change of nothing': withChange({ ...change, path: '' }),
  'with a path of 501 characters': withChange({ ...change, path: named(501) }),
  'with a change over what is no list': withChange({ ...change, over: 'c1' }),
  'with a change over a commit and a nameless one': withChange({ ...change, over: ['c1', ''] }),
};

const alone = {
  'without a hash': { ...commit, hash: '' },
  'with a previous hash that is no text': { ...commit, previous_hash: null },
};

describe('a push with a commit', () => {
  it.each(Object.entries(sound))('%s is taken as it is', (_, one) => {
    const input = { ...push, commits: [commit, one] };
    const { given, result } = read(input);
    expect(given).toEqual([{ ...push, commits: [] }]);
    for (const [place, one] of input.commits.entries())
      expect(Reflect.get(Object(result), 'commits')[place]).toBe(one);
    expect(result).toEqual(requestSchema.parse(input));
  });

  it.each(Object.entries({ ...unsound, ...alone }))('%s is left to the schema', (_, one) => {
    expect(isLeftToSchema({ ...push, commits: [commit, one] })).toBe(true);
  });
});

describe('a packed page with a commit', () => {
  const { hash: _, previous_hash: __, ...following } = commit;
  const paged = (one: unknown, ...rest: unknown[]) => ({
    ...page,
    packed: [...page.packed, { commit: one, countersignature: 's' }, ...rest],
  });
  /** Without what a page leaves out: the hash, and the previous one. */
  const shortened = (one: unknown) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one;
    const { hash: _, previous_hash: __, ...rest } = { ...commit, ...one };
    return rest;
  };

  it.each(Object.entries(sound))('%s is taken as it is', (_, one) => {
    const { hash: _hash, ...unhashed } = one;
    for (const input of [paged(unhashed), paged(shortened(one))]) {
      const { given, result } = read(input);
      expect(given).toEqual([{ ...page, packed: [] }]);
      for (const [place, one] of input.packed.entries())
        expect(Reflect.get(Object(result), 'packed')[place]).toBe(one);
      expect(result).toEqual(answerSchema.parse(input));
    }
  });

  it.each(Object.entries(unsound))('%s is left to the schema', (_, one) => {
    expect(isLeftToSchema(paged(shortened(one)))).toBe(true);
  });

  it('with its hash, or with a previous one that is no text, is left to the schema', () => {
    expect(isLeftToSchema(paged({ ...following, hash: 'h' }))).toBe(true);
    expect(isLeftToSchema(paged(commit))).toBe(true);
    expect(isLeftToSchema(paged({ ...following, previous_hash: 1 }))).toBe(true);
  });

  it.each([
    ['with decisions', { commit: following, countersignature: 's', decisions: [] }],
    ['with a member more', { commit: following, countersignature: 's', further: 1 }],
    ['without a countersignature', { commit: following, further: 1 }],
    ['without a commit', { further: 1, countersignature: 's' }],
    ['that names a place and a commit', { known: { chain: 'a.0', number: 1 }, commit: following }],
    ['of a chain without a name', { known: { chain: '', number: 1 }, countersignature: 's' }],
    ['of no number', { known: { chain: 'a.0', number: 0 }, countersignature: 's' }],
    ['with more than a place', { known: { chain: 'a.0', number: 1, further: 1 }, countersignature: 's' }],
    ['with a place that is null', { known: null, countersignature: 's' }],
    ['that is null', null],
  ])('beside an entry %s is left to the schema', (_, other) => {
    expect(isLeftToSchema(paged(following, other))).toBe(true);
  });
});

describe('the schema reads alone', () => {
  it.each([
    ['nothing', null],
    ['a text', 'push'],
    ['a list', []],
  ])('what is no message: %s', (_, input) => {
    const refuse = (one: unknown): never => {
      throw new Error(`Refused: ${JSON.stringify(one)}`);
    };
    expect(() => readRequest(input, refuse)).toThrow(`Refused: ${JSON.stringify(input)}`);
    expect(() => readAnswer(input, refuse)).toThrow(`Refused: ${JSON.stringify(input)}`);
  });

  it('a message of another kind that has a list of the same name', () => {
    for (const [input, schema] of [
      [{ ...push, kind: 'pull' }, requestSchema],
      [{ ...page, kind: 'push' }, answerSchema],
    ] as const) {
      const given: unknown[] = [];
      const parse = (one: unknown) => {
        given.push(one);
        throw new Error('It is not read.');
      };
      const reading = () => (schema === requestSchema ? readRequest(input, parse) : readAnswer(input, parse));
      expect(reading).toThrow('It is not read.');
      expect(given).toEqual([input]);
    }
  });

  it('a list that is longer than a message may be, or is none', () => {
    expect(isLeftToSchema({ ...push, commits: many(PAGE_LIMIT, commit) })).toBe(false);
    expect(isLeftToSchema({ ...push, commits: many(PAGE_LIMIT + 1, commit) })).toBe(true);
    const input = { ...push, commits: { length: 1 } };
    expect(read(input).given).toEqual([input]);
  });

  it('one after the other those that it has to read, and names the place of a fault', () => {
    const odd = { ...commit, further: 1 };
    const { given, result } = read({ ...push, commits: [commit, odd, { ...commit, number: 0 }] });
    expect(given.map(one => Reflect.get(Object(one), 'commits').length)).toEqual([0, 1, 1]);
    expect(result).toEqual({ 'commits.2.number': [expect.any(String)] });
  });

  it('of a snapshot one record after the other', () => {
    const at = { ...cursor, epoch: 'e' };
    const { kind: _kind, from: _from, to: _to, entries: _entries, packed: _packed, ...rest } = page;
    const input = {
      ...rest,
      kind: 'snapshot',
      at,
      until: { sequence: 0, hash: '' },
      records: [1, { a: 2 }],
      after: null,
      start: null,
    };
    const reading = steps.readAnswer(input, one => parseBody(answerSchema, one));
    let count = 0;
    for (;;) {
      const { done, value } = reading.next();
      if (done) {
        expect(value).toEqual(answerSchema.parse(input));
        break;
      }
      count += 1;
    }
    expect(count).toBe(2);
  });
});
