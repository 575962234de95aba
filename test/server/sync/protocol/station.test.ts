import { describe, expect, it } from 'vitest';
import type { Commit } from '../../../../server/store/changes.ts';
import { LOG_START, logEntry } from '../../../../server/sync/protocol/log.ts';
import { plainDecisions, type SignedEntry } from '../../../../server/sync/protocol/packed-entries.ts';
import { NEW_PROTOCOL_STATE, type ProtocolState } from '../../../../server/sync/protocol/protocol-state.ts';
import { isRestored, receiveAnswer, type StationReader } from '../../../../server/sync/protocol/station.ts';
import {
  type Answer,
  type Cursor,
  NEW_SNAPSHOT,
  type Page,
  type PushAnswer,
  type SnapshotPage,
} from '../../../../server/sync/protocol/wire.ts';
import { chainOf, change, commitOf, entry } from './commits.ts';
import { shortHash } from './machines.ts';

const own = chainOf('a.0', {
  a1: [entry('part:1', change('name', 'One'))],
  a2: [entry('part:2', change('name', 'Two'))],
});
const theirs = commitOf('b1', [entry('part:3', change('name', 'Three'))], { chain: 'b.0' });

function logOf(...commits: Commit[]): SignedEntry[] {
  const log: SignedEntry[] = [];
  for (const commit of commits) {
    const placed = logEntry(log.at(-1) ?? LOG_START, commit, plainDecisions(commit), shortHash);
    log.push({ ...placed, countersignature: '~' });
  }
  return log;
}

const log = logOf(...own, theirs);
const cursorAt = ({ sequence, hash }: { sequence: number; hash: string }): Cursor => ({
  epoch: 'e1',
  sequence,
  hash,
  countersignature: '~',
});
const start = cursorAt(LOG_START);

/** A station that has the first commit of its own chain, and of the log nothing. */
const reader: StationReader = {
  cursor: () => start,
  logStart: () => 0,
  snapshot: () => undefined,
  snapshotUntil: () => undefined,
  farBehind: () => 100,
  logHashAt: sequence => (sequence === 0 ? '' : undefined),
  ownChain: () => 'a.0',
  isOwn: chain => chain.startsWith('a.'),
  head: () => ({ number: own.length, hash: own.at(-1)?.hash ?? '' }),
  hashAt: (chain, number) => (chain === 'a.0' ? own[number - 1]?.hash : undefined),
  commitAt: () => undefined,
};
const head = (number: number, hash: string, chain = 'a.0') => ({
  chain,
  number,
  hash,
  countersignature: '~',
});
const answering = { request: 'r', epoch: 'e1', last: 3, heads: [head(2, own[1]?.hash ?? '')] };
const waiting: ProtocolState = {
  ...NEW_PROTOCOL_STATE,
  heads: { 'a.0': 1 },
  down: { request: 'r' },
  isNotified: false,
};
const answered: ProtocolState = { ...waiting, heads: { 'a.0': 2 }, down: null };

const receive = (answer: Answer, read: Partial<StationReader> = {}, state = waiting) =>
  receiveAnswer(answer, state, { ...reader, ...read }, shortHash);

describe('a page of the log', () => {
  const page: Page = {
    ...answering,
    kind: 'page',
    from: { sequence: 0, hash: '' },
    entries: log,
    to: cursorAt(log[2] ?? LOG_START),
  };

  it('is taken, and tells the heads', () => {
    expect(receive(page)).toEqual({ state: answered, act: { kind: 'take', entries: log, cursor: page.to } });
  });

  it('is followed by another while there is more, and settles the offers when there is not', () => {
    const offered = { ...waiting, offered: 4 };
    expect(receive({ ...page, last: 4 }, {}, offered).state).toEqual({
      ...answered,
      offered: 4,
      isNotified: true,
    });
    expect(receive(page, {}, offered).state).toEqual(answered);
    expect(receive(page, {}, { ...offered, isNotified: true }).state).toEqual({
      ...answered,
      isNotified: true,
    });
  });

  it('says nothing of the heads where a push was answered meanwhile, unless nothing else does', () => {
    const overtaken: ProtocolState = { ...waiting, down: { request: 'r', isOvertaken: true } };
    expect(receive(page, {}, overtaken).state.heads).toEqual({ 'a.0': 1 });
    expect(receive(page, {}, { ...overtaken, heads: null }).state.heads).toEqual({ 'a.0': 2 });
  });

  it.each<[string, Partial<Cursor>, Partial<Page>]>([
    ['of another place', { sequence: 1, hash: '' }, {}],
    ['of another log', { hash: 'other' }, {}],
    ['of another epoch', { epoch: 'e2' }, {}],
  ])('is not taken at a cursor %s, and is asked for anew', (_, at) => {
    expect(receive(page, { cursor: () => ({ ...start, ...at }) })).toEqual({
      state: { ...waiting, down: null, isNotified: true },
      act: { kind: 'none', why: 'The page does not begin at the cursor.' },
    });
  });

  it('is not taken when it does not match its hashes', () => {
    const [first, ...rest] = log;
    const broken = { ...page, entries: first ? [{ ...first, hash: 'other' }, ...rest] : rest };
    expect(receive(broken)).toEqual({
      state: { ...waiting, down: null },
      act: { kind: 'stuck', why: 'Entry 1 does not match its hash.' },
    });
  });

  it('is not taken when it ends elsewhere than it says', () => {
    const why = 'The page does not end at its cursor.';
    for (const to of [
      { ...page.to, sequence: 2 },
      { ...page.to, hash: 'other' },
    ]) {
      expect(receive({ ...page, to }).act).toEqual({ kind: 'stuck', why });
    }
    expect(receive({ ...page, entries: [] }).act).toEqual({ kind: 'stuck', why });
    expect(receive({ ...page, entries: [], to: start }).act.kind).toBe('take');
  });

  it('that is packed is not taken when an entry of it decides another commit', () => {
    const { hash: _, ...commit } = theirs;
    for (const decisions of [[], plainDecisions(own[0] ?? theirs)]) {
      const packed = [{ commit, decisions, countersignature: '~' }];
      const to = logEntry(LOG_START, theirs, decisions, shortHash);
      expect(receive({ ...page, entries: [], packed, to: cursorAt(to) }).act).toEqual({
        kind: 'stuck',
        why: 'Entry 1 does not decide its commit.',
      });
    }
  });

  it('that is packed with a commit that is not here is asked for whole', () => {
    const packed = [{ known: { chain: 'a.0', number: 1 }, countersignature: '~' }];
    expect(receive({ ...page, entries: [], packed })).toEqual({
      state: { ...waiting, down: null, heads: null, isNotified: true },
      act: { kind: 'none', why: 'A commit that central takes for known is not here.' },
    });
  });

  it('begins a snapshot when there is more than it is quick to take', () => {
    const begun = { state: { ...waiting, down: null }, act: { kind: 'begin_snapshot' } };
    expect(receive({ ...page, last: 101 })).toEqual(begun);
    expect(receive({ ...page, last: 100 }).act.kind).toBe('take');
    // What counts is how much is missing, not how long the log is.
    const [first, ...rest] = log;
    const later = { ...page, from: { sequence: 1, hash: first?.hash ?? '' }, entries: rest, last: 101 };
    expect(receive(later, { cursor: () => cursorAt(first ?? LOG_START) }).act.kind).toBe('take');
  });

  it('begins a snapshot again when the records of the last are of another log', () => {
    const until = (hash: string) => ({ snapshotUntil: () => ({ sequence: 2, hash }) });
    expect(receive(page, until(log[1]?.hash ?? '')).act.kind).toBe('take');
    expect(receive(page, until('other'))).toEqual({
      state: { ...waiting, down: null },
      act: { kind: 'begin_snapshot' },
    });
  });

  describe('with a commit of an own chain', () => {
    const lacking = { hashAt: () => undefined, commitAt: () => undefined };
    const withoutHeads = { ...page, heads: [] };
    const again = { state: NEW_PROTOCOL_STATE, act: { kind: 'begin_again' } };

    it('that the own chain does not have leads into a new one: the station was restored', () => {
      expect(receive(withoutHeads, lacking)).toEqual(again);
      expect(receive(withoutHeads, { hashAt: () => 'other' })).toEqual(again);
    });

    it('is taken when it is of a former chain, unless that has another there', () => {
      const former = { ...lacking, ownChain: () => 'a.1' };
      expect(receive(withoutHeads, former).act.kind).toBe('take');
      expect(receive(withoutHeads, { ...former, hashAt: () => 'other' })).toEqual(again);
    });

    it('is nothing of that when the chain is of another station', () => {
      const other = { ...lacking, isOwn: () => false };
      expect(receive(withoutHeads, other).act.kind).toBe('take');
    });
  });
});

describe('the heads that central names', () => {
  const restored = (heads: ReturnType<typeof head>[], read: Partial<StationReader> = {}) =>
    isRestored({ heads }, { ...reader, ...read });

  it('show that a station was restored when its history has less, or another commit', () => {
    expect(restored([head(2, own[1]?.hash ?? '')])).toBe(false);
    expect(restored([head(3, 'later')])).toBe(true);
    expect(restored([head(2, 'other')])).toBe(true);
    expect(restored([head(1, own[0]?.hash ?? ''), head(2, 'other')])).toBe(true);
  });

  it('show nothing of a chain that central does not have yet, nor of a former one with less', () => {
    expect(restored([head(0, '')], { hashAt: () => undefined })).toBe(false);
    expect(restored([head(7, 'later', 'a.former')])).toBe(false);
    expect(restored([head(7, 'later', 'a.former')], { hashAt: () => 'other' })).toBe(true);
  });

  it('lead into a new chain with any answer', () => {
    const answer: PushAnswer = {
      ...answering,
      kind: 'push',
      heads: [head(3, 'later')],
      refused: null,
      unverified: [],
      known: [],
    };
    expect(receive(answer, {}, { ...waiting, up: { request: 'r', offered: 0, end: null } })).toEqual({
      state: NEW_PROTOCOL_STATE,
      act: { kind: 'begin_again' },
    });
  });
});

describe('the answer to a push', () => {
  const answer: PushAnswer = { ...answering, kind: 'push', refused: null, unverified: ['u'], known: ['k'] };
  const up = { request: 'r', offered: 3, end: null };
  const pushing: ProtocolState = { ...waiting, up, down: { request: 'pull' } };
  const refused = (reason: 'fork' | 'gap' | 'hash' | 'foreign') => ({
    ...answer,
    refused: { chain: 'a.0', number: 2, reason },
  });

  it('says what became of the offers, and leaves older word of the heads behind', () => {
    const next = {
      ...pushing,
      up: null,
      down: { request: 'pull', isOvertaken: true },
      heads: { 'a.0': 2 },
      isNotified: true,
      offered: 3,
    };
    const act = { kind: 'heads', unverified: ['u'], known: ['k'] };
    expect(receive(answer, {}, pushing)).toEqual({ state: next, act });
    expect(receive(answer, {}, { ...pushing, offered: 5 }).state.offered).toBe(5);
    expect(receive(answer, {}, { ...pushing, down: null }).state.down).toBeNull();
    // What is missing before a commit is pushed next.
    expect(receive(refused('gap'), {}, pushing)).toEqual({ state: next, act });
  });

  it('that refuses a fork leads into a new chain', () => {
    expect(receive(refused('fork'), {}, pushing)).toEqual({
      state: NEW_PROTOCOL_STATE,
      act: { kind: 'begin_again' },
    });
  });

  it.each([
    ['another station is to issue something again under that', true, 3, 'begin_again'],
    ['the log is not read that may tell so', false, 0, 'none'],
    ['the whole log does not tell so', false, 3, 'stuck'],
  ])('that refuses a commit for its name leads on where %s', (_, isNameOfAnother, sequence, kind) => {
    const named = { ...theirs, commit_id: '01234567-89ab-8cde-8f01-23456789abcd' };
    const read = {
      commitAt: () => named,
      cursor: () => ({ ...start, sequence }),
      isNameOfAnother: () => isNameOfAnother,
    };
    const { state, act } = receive(refused('foreign'), read, pushing);
    expect(act.kind).toBe(kind);
    // Nothing is pushed before a page says more.
    if (kind === 'none') expect(state).toMatchObject({ heads: null, isNotified: true, up: null });
  });

  it.each(['hash', 'foreign'] as const)('that refuses for a %s is a person’s', reason => {
    expect(receive(refused(reason), {}, pushing)).toEqual({
      state: { ...pushing, up: null },
      act: { kind: 'stuck', why: `Central refuses commit 2 of chain a.0: ${reason}.` },
    });
  });

  it('that came before the one to the push before it is passed over, and asked about', () => {
    const ahead = { request: 'r', end: null };
    const both: ProtocolState = { ...pushing, up: { ...up, request: 'before' }, ahead };
    expect(receive(answer, {}, both)).toEqual({
      state: { ...both, ahead: null, isNotified: true },
      act: { kind: 'none', why: 'The answer came before the one to the push before it.' },
    });
  });
});

describe('a page of records', () => {
  const page: SnapshotPage = {
    ...answering,
    kind: 'snapshot',
    at: cursorAt(log[2] ?? LOG_START),
    until: { sequence: 3, hash: log[2]?.hash ?? '' },
    records: [{ any: 1 }],
    after: 'part:1',
    start: { heads: [], held: [], withdrawn: [] },
  };
  const begun = { ...NEW_SNAPSHOT, at: page.at };
  const taken = { state: { ...answered, isNotified: true }, act: { kind: 'records', page } };

  it('is taken as the first, or as the next of the same snapshot', () => {
    expect(receive(page, { snapshot: () => NEW_SNAPSHOT })).toEqual(taken);
    expect(receive(page, { snapshot: () => begun })).toEqual(taken);
  });

  it('of another snapshot, or without its beginning, begins one anew', () => {
    const anew = { state: { ...waiting, down: null }, act: { kind: 'begin_snapshot' } };
    expect(receive({ ...page, start: null }, { snapshot: () => NEW_SNAPSHOT })).toEqual(anew);
    expect(receive({ ...page, at: { ...page.at, hash: 'other' } }, { snapshot: () => begun })).toEqual(anew);
  });

  it('is passed over when none is taken any more', () => {
    expect(receive(page)).toEqual({
      state: { ...waiting, down: null },
      act: { kind: 'none', why: 'No snapshot is being taken.' },
    });
  });
});

describe('the places that central names', () => {
  const has = { cursor: () => cursorAt({ sequence: 40, hash: 'h40' }) };
  const shared = (end: number) => ({
    ...has,
    logHashAt: (sequence: number) =>
      sequence === 0 ? '' : sequence <= end ? `h${sequence}` : `mine${sequence}`,
  });
  const unknown = (...sequences: number[]): Answer => ({
    ...answering,
    kind: 'cursor_unknown',
    rungs: sequences.map(sequence => cursorAt({ sequence, hash: sequence === 0 ? '' : `h${sequence}` })),
  });

  it('narrow down where the logs part, whatever the heads are', () => {
    const heads = [head(9, 'other')];
    expect(receive({ ...unknown(0, 10, 20, 30), heads }, shared(14))).toEqual({
      state: { ...waiting, down: null, probe: { low: 10, high: 20 } },
      act: { kind: 'none', why: 'The logs part between two known places.' },
    });
  });

  it('end the search when they are next to each other', () => {
    expect(receive(unknown(13, 14, 15), shared(14))).toEqual({
      state: NEW_PROTOCOL_STATE,
      act: { kind: 'cut', to: cursorAt({ sequence: 14, hash: 'h14' }), isAnew: false, heads: { 'a.0': 2 } },
    });
  });

  it('end it where one of the logs does', () => {
    expect(receive(unknown(20, 30), shared(40)).act).toMatchObject({ kind: 'cut', to: { sequence: 30 } });
    const short = { ...shared(40), cursor: () => cursorAt({ sequence: 30, hash: 'h30' }) };
    expect(receive(unknown(20, 30), short).act).toMatchObject({ kind: 'cut', to: { sequence: 30 } });
  });

  it('begin the records anew where those cannot be folded from the log', () => {
    const isAnew = true;
    expect(receive(unknown(14, 15), { ...shared(14), logStart: () => 3 }).act).toMatchObject({ isAnew });
    expect(receive(unknown(14, 15), { ...shared(14), snapshot: () => NEW_SNAPSHOT }).act).toMatchObject({
      isAnew,
    });
  });

  it('are asked for again, of the whole log, when none of them is here', () => {
    const state = { ...waiting, probe: { low: 20, high: 30 } };
    expect(receive(unknown(20, 25, 30), shared(14), state)).toEqual({
      state: { ...waiting, down: null, isNotified: true },
      act: { kind: 'none', why: 'The places asked for are gone.' },
    });
  });

  it('are never none', () => {
    expect(receive(unknown())).toEqual({
      state: { ...waiting, down: null },
      act: { kind: 'stuck', why: 'Central names no place of its log.' },
    });
  });
});
