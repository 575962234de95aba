import { describe, expect, it } from 'vitest';
import type { Commit } from '../../../../server/store/changes.ts';
import {
  type CentralReader,
  cursorUnknown,
  pushAnswer,
  receiveCommit,
  receiveOffer,
} from '../../../../server/sync/protocol/central.ts';
import { commitText, notedText, type Request } from '../../../../server/sync/protocol/wire.ts';
import { centralReader } from './central-machine.ts';
import { change, commitOf, entry } from './commits.ts';
import { EMPTY, pushed } from './held-central.ts';
import { protocol, terms } from './protocol-table.ts';

const central = pushed(
  EMPTY,
  ['a1', entry('part:1', change('name', 'One'))],
  ['a2', entry('part:2', change('name', 'Two'))],
);
const read = centralReader(central);
const [first, second] = central.log.map(({ commit }) => commit);
if (!first || !second) throw new Error('There are two commits.');
const fork = commitOf('fork', [entry('part:3', change('name', 'Three'))], { number: 1 });
const third = commitOf('a3', [], { number: 3, previous_hash: second.hash });

function refusal({ chain, number }: Commit, reason: string) {
  return { kind: 'refused', refusal: { chain, number, reason } };
}

describe('central takes a pushed commit', () => {
  it('that follows the head of its chain', () => {
    expect(receiveCommit(third, 'a', read, terms)).toMatchObject({
      kind: 'append',
      entry: { commit: third },
    });
  });

  it('and countersigns that it applied it, or only that it stands in its log', () => {
    const signed = (commit: Commit) => {
      const received = receiveCommit(commit, 'a', read, terms);
      return received.kind === 'append' ? received.countersignature : undefined;
    };
    expect(signed(third)).toBe(terms.countersign(commitText(third.hash)));
    const held = [entry('part:9', change('name', 'N', ['x']))];
    const astray = commitOf('a3', held, { number: 3, previous_hash: second.hash });
    expect(signed(astray)).toBe(terms.countersign(notedText(astray.hash)));
  });

  it('once: what it has it leaves as it is', () => {
    for (const commit of [first, second]) {
      expect(receiveCommit(commit, 'a', read, terms)).toEqual({ kind: 'present' });
    }
  });

  it('not when it has another of the number, whether it is the last or one before', () => {
    expect(receiveCommit(fork, 'a', read, terms)).toEqual(refusal(fork, 'fork'));
    const last = commitOf('other', [], { number: 2, previous_hash: first.hash });
    expect(receiveCommit(last, 'a', read, terms)).toEqual(refusal(last, 'fork'));
  });
});

describe('central takes an offer', () => {
  const offer = (commit: Commit, text = commitText) =>
    receiveOffer({ commit, countersignature: terms.countersign(text(commit.hash)) }, read, terms);

  it('at its place, where that follows the head of its chain', () => {
    expect(offer(third)).toMatchObject({ kind: 'append', entry: { commit: third } });
    expect(offer(third, notedText)).toMatchObject({ kind: 'append', entry: { commit: third } });
  });

  it('once: what it has, at its place or by its id, it leaves as it is', () => {
    expect(offer(first)).toEqual({ kind: 'present' });
    expect(offer(commitOf('a1', [], { number: 7, previous_hash: 'x' }))).toEqual({ kind: 'present' });
  });

  it('under its own chain, where the chain went on otherwise', () => {
    expect(offer(fork)).toMatchObject({
      kind: 'append',
      entry: {
        commit: { chain: 'z.0', number: 1, previous_hash: '', commit_id: 'fork', entries: fork.entries },
      },
    });
  });

  it('only as it was countersigned', () => {
    const countersignature = terms.countersign(commitText(third.hash));
    const edited = { ...third, user: 'other' };
    expect(receiveOffer({ commit: edited, countersignature }, read, terms)).toEqual({ kind: 'unverified' });
    expect(offer(third, hash => `other:${hash}`)).toEqual({ kind: 'unverified' });
  });
});

it('the answer to a push names the offers that stand in the log up to the cursor', () => {
  const offered = (commit_id: string) => ({ commit: commitOf(commit_id), countersignature: '' });
  const cursor = protocol.cursorAt({ sequence: 1, hash: first.hash }, read, terms);
  const offers = ['a1', 'a2', 'unheard'].map(offered);
  const asking = { request: 'r', station: 'a', protocol: 1, cursor };
  expect(pushAnswer({ kind: 'push', ...asking, offers, commits: [] }, null, ['u'], read, terms)).toEqual({
    kind: 'push',
    request: 'r',
    epoch: 'e0',
    last: 2,
    heads: protocol.pageAnswer({ kind: 'pull', ...asking, limit: 1 }, [], read, terms).heads,
    refused: null,
    unverified: ['u'],
    known: ['a1'],
  });
});

describe('the places that central names where logs part', () => {
  const reader: CentralReader = {
    ...read,
    place: () => ({ sequence: 1_000, hash: 'h1000' }),
    logHashAt: sequence => (sequence === 0 ? '' : sequence > 1_000 ? undefined : `h${sequence}`),
  };
  const asking = { request: 'r', station: 'a', protocol: 1 };
  const cursorOf = (sequence: number) => ({ epoch: 'lost', sequence, hash: 'x', countersignature: '' });
  const prefix = (low: number, high: number): Request => ({
    kind: 'prefix',
    ...asking,
    cursor: cursorOf(1_000),
    low,
    high,
  });
  const placesFor = (request: Request) =>
    cursorUnknown(request, reader, terms).rungs.map(({ sequence }) => sequence);

  it.each([
    [0, 1_000],
    [0, 993],
    [0, 64],
    [0, 34],
    [0, 33],
    [0, 32],
    [17, 400],
    [998, 1_000],
  ])('lie between %i and the one before %i, evenly and at most 33', (low, high) => {
    const places = placesFor(prefix(low, high));
    expect(places[0]).toBe(low);
    expect(places.at(-1)).toBe(high - 1);
    expect(places.length).toBeLessThanOrEqual(33);
    const steps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
    expect(Math.min(...steps)).toBeGreaterThan(0);
    expect(new Set(steps.slice(0, -1)).size).toBeLessThanOrEqual(1);
    // No step is longer than it must be.
    expect(Math.max(...steps)).toBeLessThanOrEqual(Math.ceil((high - 1 - low) / 31));
  });

  it('end where its log ends, and are one where nothing lies between', () => {
    expect(placesFor(prefix(900, 1_500)).at(-1)).toBe(1_000);
    expect(placesFor(prefix(999, 1_000))).toEqual([999]);
    expect(placesFor(prefix(0, 0))).toEqual([0]);
  });

  it('are of the whole log up to the cursor for any other request, as cursors of the present epoch', () => {
    const pull: Request = { kind: 'pull', ...asking, cursor: cursorOf(3), limit: 1 };
    const answer = cursorUnknown(pull, reader, terms);
    expect(answer.rungs).toEqual(
      [0, 1, 2, 3].map(sequence =>
        protocol.cursorAt({ sequence, hash: sequence === 0 ? '' : `h${sequence}` }, reader, terms),
      ),
    );
    expect(answer).toMatchObject({ kind: 'cursor_unknown', request: 'r', epoch: 'e0', last: 1_000 });
  });
});
