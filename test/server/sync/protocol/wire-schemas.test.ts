import { describe, expect, it } from 'vitest';
import { PAGE_LIMIT } from '../../../../server/sync/protocol/wire.ts';
import { answerSchema, requestSchema } from '../../../../server/sync/protocol/wire-schemas.ts';

const cursor = { epoch: 'e', sequence: 0, hash: 'h', countersignature: 's' };
const place = { sequence: 3, hash: 'h' };
const head = { chain: 'dock.1', number: 2, hash: 'h', countersignature: 's' };
const commit = {
  chain: 'dock.1',
  number: 1,
  commit_id: 'c1',
  at: '2026-06-15T12:00:00.000Z',
  clock_offset: 12.5,
  user: 'ann',
  reason: 'counted',
  entries: [{ subject: 'part:1', changes: [{ path: 'name', old: null, new: { any: 1 }, over: ['c0'] }] }],
  previous_hash: 'p',
  hash: 'h',
};
const { hash: _, ...unhashed } = commit;
const decision = {
  commit_id: 'c1',
  outcome: 'held',
  reason: 'schema',
  effects: [
    {
      subject: 'part:1',
      isNew: true,
      paths: [{ path: 'name', value: 1, siblings: [{ commit: 'c0', value: null }] }],
    },
  ],
};
const asking = { request: 'r', station: 'dock', protocol: 1, cursor };
const answering = { request: 'r', epoch: 'e', last: 7, heads: [head] };

/** Every kind of message with every member that it may have. */
const messages: Record<string, { schema: typeof requestSchema | typeof answerSchema; message: object }> = {
  'request to push': {
    schema: requestSchema,
    message: { kind: 'push', ...asking, offers: [{ commit, countersignature: 's' }], commits: [commit] },
  },
  'request to pull': {
    schema: requestSchema,
    message: { kind: 'pull', ...asking, limit: 5, packed: [{ chain: 'dock.1', number: 2, hash: 'h' }] },
  },
  'request for places': { schema: requestSchema, message: { kind: 'prefix', ...asking, low: 1, high: 4 } },
  'request for records': {
    schema: requestSchema,
    message: { kind: 'snapshot', ...asking, at: place, after: 'part:1' },
  },
  'answer to a push': {
    schema: answerSchema,
    message: {
      kind: 'push',
      ...answering,
      refused: { chain: 'dock.1', number: 1, reason: 'fork' },
      unverified: ['c1'],
      known: ['c2'],
    },
  },
  page: {
    schema: answerSchema,
    message: {
      kind: 'page',
      ...answering,
      from: place,
      entries: [{ sequence: 4, commit, decisions: [decision], hash: 'h', countersignature: 's' }],
      packed: [
        { commit: unhashed, decisions: [decision], countersignature: 's' },
        { known: { chain: 'dock.1', number: 1 }, countersignature: 's' },
      ],
      to: cursor,
    },
  },
  'answer that names places': {
    schema: answerSchema,
    message: { kind: 'cursor_unknown', ...answering, rungs: [cursor] },
  },
  'page of records': {
    schema: answerSchema,
    message: {
      kind: 'snapshot',
      ...answering,
      at: cursor,
      until: place,
      records: [{ any: 1 }, null],
      after: 'part:9',
      start: { heads: [head], held: [{ commit, reason: 'schema' }], withdrawn: ['c3'] },
    },
  },
};

type Path = readonly (string | number)[];

/** Every place of a message, `commits.0.entries.0.subject` as a list. */
function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([name, member]) =>
    placesOf(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return path.length > 0 ? [path, ...below] : below;
}

const GONE = Symbol('gone');

function changed(message: object, path: Path, value: unknown): object {
  // Members that are the same object must not change together.
  const copy = JSON.parse(JSON.stringify(message));
  let holder: Record<string | number, unknown> = { ...copy };
  const whole = holder;
  for (const [depth, name] of path.entries()) {
    if (depth === path.length - 1) {
      if (value === GONE) delete holder[name];
      else holder[name] = value;
    } else holder = holder[name] as Record<string | number, unknown>;
  }
  return whole;
}

const last = (path: Path) => path.at(-1);
const shown = (path: Path) => path.join('.');

/** Values of records: whatever they are is a matter of holds. */
const isAnything = (path: Path) =>
  ['old', 'new', 'value', 'any'].includes(String(last(path))) || path[0] === 'records';
const isOptional = (path: Path) =>
  ['siblings', 'packed', 'decisions', 'previous_hash'].includes(String(last(path))) ||
  /^packed\.\d+\.(known|commit)$/.test(shown(path)) ||
  shown(path) === 'known';
/** Optional only where a page is packed. */
const isNeeded = (path: Path) =>
  /^(entries|commits|offers)\.\d+(\.commit)?\.(decisions|previous_hash)$/.test(shown(path)) ||
  /^start\.held\.\d+\.commit\.previous_hash$/.test(shown(path));

const isNamed = (path: Path) =>
  ['chain', 'commit_id', 'subject', 'path', 'commit', 'request', 'station'].includes(String(last(path))) ||
  /(over|unverified|known|withdrawn)\.\d+$/.test(shown(path)) ||
  /(commits|commit|entries)(\.\d+)?\.hash$/.test(shown(path));

describe.each(Object.entries(messages))('a %s', (_name, { schema, message }) => {
  const places = placesOf(message);
  const refusal = (input: object) => schema.safeParse(input).error?.issues[0]?.path;
  const at = (path: Path): unknown =>
    path.reduce<unknown>((value, name) => Reflect.get(Object(value), name), message);
  const texts = places.filter(path => typeof at(path) === 'string' && !isAnything(path));

  it('is taken as it is', () => {
    expect(schema.parse(message)).toEqual(message);
  });

  it.each(
    places
      .filter(path => typeof last(path) === 'string' && !isAnything(path))
      .map(path => [shown(path), path]),
  )('needs %s, unless it is optional', (_path, path) => {
    const input = changed(message, path, GONE);
    if (isOptional(path) && !isNeeded(path)) expect(refusal(input)).toBeUndefined();
    else expect(refusal(input)).toEqual(path);
  });

  it.each(places.filter(path => !isAnything(path)).map(path => [shown(path), path]))(
    'refuses in %s what is of another type',
    (_path, path) => {
      for (const wrong of [true, 7.5, 'other', { other: 1 }, [7.5]]) {
        const isSame = typeof wrong === typeof at(path) && Array.isArray(wrong) === Array.isArray(at(path));
        const isChoice = ['kind', 'outcome'].includes(String(last(path))) || shown(path) === 'refused.reason';
        if (isSame && !isChoice && typeof wrong !== 'object' && typeof wrong !== 'number') continue;
        if (last(path) === 'clock_offset' && wrong === 7.5) continue;
        expect(refusal(changed(message, path, wrong))?.slice(0, path.length)).toEqual(path);
      }
    },
  );

  it.each(texts.map(path => [shown(path), path]))('bounds the length of %s', (_path, path) => {
    const isChoice = ['kind', 'outcome'].includes(String(last(path))) || shown(path) === 'refused.reason';
    if (isChoice) return;
    const of = (length: number) => refusal(changed(message, path, 'x'.repeat(length)));
    const isEndless = last(path) === 'reason';
    const most = last(path) === 'path' ? 500 : 200;
    expect(of(most)).toBeUndefined();
    if (isEndless) expect(of(10_000)).toBeUndefined();
    else expect(of(most + 1)).toEqual(path);
    if (isNamed(path)) expect(of(0)).toEqual(path);
    else expect(of(0)).toBeUndefined();
  });

  it.each(
    places.filter(path => typeof at(path) === 'number' && !isAnything(path)).map(path => [shown(path), path]),
  )('bounds the number of %s', (_path, path) => {
    const of = (value: number) => refusal(changed(message, path, value));
    if (last(path) === 'clock_offset') {
      expect(of(-1.5)).toBeUndefined();
      return;
    }
    const isFromOne =
      last(path) === 'protocol' ||
      last(path) === 'limit' ||
      /^(refused|entries\.\d+)\.(number|sequence)$/.test(shown(path)) ||
      /(commit|known)\.number$|^commits\.\d+\.number$/.test(shown(path));
    const least = isFromOne ? 1 : 0;
    expect(of(least)).toBeUndefined();
    expect(of(least - 1)).toEqual(path);
    expect(of(1.5)).toEqual(path);
    if (last(path) === 'limit') {
      expect(of(PAGE_LIMIT)).toBeUndefined();
      expect(of(PAGE_LIMIT + 1)).toEqual(path);
    } else expect(of(5_000_000)).toBeUndefined();
  });

  it.each(
    places
      .filter(path => Array.isArray(at(path)) && !isAnything(path))
      .concat([['records']])
      .map(path => [shown(path), path]),
  )('bounds the length of the list %s', (_path, path) => {
    const list = at(path);
    if (!Array.isArray(list)) return;
    const of = (length: number) =>
      refusal(
        changed(
          message,
          path,
          Array.from({ length }, (_, index) => ofItsOwn(list[index % list.length], index)),
        ),
      );
    const isBounded = ['offers', 'commits', 'packed', 'records'].includes(String(last(path)));
    const isPage = shown(path) === 'entries';
    const most = last(path) === 'rungs' ? 100 : isBounded || isPage ? PAGE_LIMIT : null;
    if (most !== null) {
      expect(of(most)).toBeUndefined();
      expect(of(most + 1)).toEqual(path);
    } else expect(of(PAGE_LIMIT + 1)).toBeUndefined();
    const isNeverEmpty = ['rungs', 'decisions'].includes(String(last(path)));
    if (isNeverEmpty) expect(of(0)).toEqual(path);
    else expect(of(0)).toBeUndefined();
  });

  it('keeps what a hash covers, also what this version does not know, and nothing else', () => {
    for (const path of places) {
      const value = at(path);
      if (typeof value !== 'object' || value === null || Array.isArray(value) || isAnything(path)) continue;
      const further = { ...value, further: 1 };
      const input = changed(message, path, further);
      const kept = path.reduce<unknown>((of, name) => Reflect.get(Object(of), name), schema.parse(input));
      const isCovered =
        /(^|\.)(commit|commits\.\d+|changes\.\d+|effects\.\d+|paths\.\d+|siblings\.\d+|decisions\.\d+)$/.test(
          shown(path),
        ) || /entries\.\d+$/.test(shown(path));
      const isPacked = /^packed\.\d+\.commit$/.test(shown(path));
      expect('further' in Object(kept), shown(path)).toBe(isCovered || isPacked);
    }
  });
});

it.each([
  ['clock_offset', 'request to push', ['commits', 0, 'clock_offset']],
  ['reason of a commit', 'request to push', ['commits', 0, 'reason']],
  ['reason of a decision', 'page', ['entries', 0, 'decisions', 0, 'reason']],
  ['refusal', 'answer to a push', ['refused']],
  ['place', 'request for records', ['at']],
  ['key', 'request for records', ['after']],
  ['key', 'page of records', ['after']],
  ['start', 'page of records', ['start']],
] as const)('no %s in a %s is null', (_what, name, path) => {
  const { schema, message } = messages[name] ?? Object();
  const input = changed(message, path, null);
  expect(schema.parse(input)).toEqual(input);
});

it('an answer that says nothing of what is known knows nothing', () => {
  const { message } = messages['answer to a push'] ?? Object();
  expect(answerSchema.parse(changed(message, ['known'], GONE))).toEqual({ ...message, known: [] });
});

it.each(['applied', 'held', 'lost', 'repeated', 'withdrawn'])('a decision may be %s', outcome => {
  const { message } = messages.page ?? Object();
  const input = changed(message, ['entries', 0, 'decisions', 0, 'outcome'], outcome);
  expect(answerSchema.parse(input)).toEqual(input);
});

it.each(['fork', 'gap', 'hash', 'foreign'])('a refusal may be for a %s', reason => {
  const { message } = messages['answer to a push'] ?? Object();
  const input = changed(message, ['refused', 'reason'], reason);
  expect(answerSchema.parse(input)).toEqual(input);
});

/** A record stands once in a commit. */
function ofItsOwn(member: unknown, index: number): unknown {
  const isOfRecord = typeof member === 'object' && member !== null && 'subject' in member;
  return isOfRecord ? { ...member, subject: `part:${index + 1}` } : member;
}

it('a commit in which a record stands twice is no message', () => {
  const entries = [...commit.entries, ...commit.entries];
  const message = { kind: 'push', ...asking, offers: [], commits: [{ ...commit, entries }] };
  expect(requestSchema.safeParse(message).error?.issues[0]?.message).toMatch(/stands twice in a commit/);
});
