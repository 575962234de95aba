import { describe, expect, it } from 'vitest';
import {
  followedBy,
  NEW_PROTOCOL_STATE,
  type OutgoingReader,
  type ProtocolState,
  whatNext,
} from '../../../../server/sync/protocol/protocol-state.ts';
import { NEW_SNAPSHOT } from '../../../../server/sync/protocol/wire.ts';
import { chainOf, commitOf } from './commits.ts';

const cursor = { epoch: 'e1', sequence: 4, hash: 'h4', countersignature: '~' };
const reader: OutgoingReader = {
  station: 'a',
  cursor: () => cursor,
  snapshot: () => undefined,
  offersAfter: () => [],
  ownAfter: () => [],
  chainInDoubt: () => undefined,
  hashAt: () => undefined,
};
const heard: ProtocolState = { ...NEW_PROTOCOL_STATE, heads: {}, isNotified: false };
const asking = { request: 'r', station: 'a', protocol: 1, cursor };
const offer = (place: number) => ({ place, commit: commitOf(`o${place}`), countersignature: '~' });
const own = chainOf('a.0', { a1: [], a2: [], a3: [] });

describe('a station asks', () => {
  it('for the log when it was told of news, or has not heard of its heads', () => {
    const pull = { ...asking, kind: 'pull', limit: 5, packed: [] };
    const told = whatNext('down', { ...heard, isNotified: true }, reader, 'r', 5);
    expect(told).toEqual({ request: pull, state: { ...heard, down: { request: 'r' } } });
    expect(whatNext('down', { ...heard, heads: null }, reader, 'r', 5)?.request).toEqual(pull);
    expect(whatNext('down', heard, reader, 'r', 5)).toBeUndefined();
  });

  it('and says what it has of its chains, as far as its own history goes', () => {
    const heads = { 'a.0': 2, 'a.1': 7 };
    const hashAt = (chain: string, number: number) => (chain === 'a.0' ? `${chain} ${number}` : undefined);
    expect(
      whatNext('down', { ...heard, heads, isNotified: true }, { ...reader, hashAt }, 'r')?.request,
    ).toMatchObject({ packed: [{ chain: 'a.0', number: 2, hash: 'a.0 2' }] });
  });

  it('for the place where the logs part before anything else, and still for the news after it', () => {
    const state = { ...heard, probe: { low: 1, high: 4 }, isNotified: true };
    const taking = { ...reader, snapshot: () => NEW_SNAPSHOT };
    expect(whatNext('down', state, taking, 'r')).toEqual({
      request: { ...asking, kind: 'prefix', low: 1, high: 4 },
      state: { ...state, down: { request: 'r' } },
    });
  });

  it('for the records of a snapshot from where it is, and still for the news after it', () => {
    const state = { ...heard, isNotified: true };
    const at = { ...cursor, sequence: 3, hash: 'h3' };
    const next = (snapshot: OutgoingReader['snapshot']) =>
      whatNext('down', state, { ...reader, snapshot }, 'r');
    expect(next(() => NEW_SNAPSHOT)?.request).toEqual({ ...asking, kind: 'snapshot', at: null, after: null });
    expect(next(() => ({ at, after: 'part:7', start: null }))).toEqual({
      request: { ...asking, kind: 'snapshot', at: { sequence: 3, hash: 'h3' }, after: 'part:7' },
      state: { ...state, down: { request: 'r' } },
    });
  });
});

describe('a station pushes', () => {
  it('as many commits as there is room for beside the offers, beyond the heads that it heard of', () => {
    const asked: unknown[] = [];
    const read: OutgoingReader = {
      ...reader,
      offersAfter: (place, limit) => [offer(3), offer(5)].filter(one => one.place > place).slice(0, limit),
      ownAfter: (...of) => {
        asked.push(of);
        return own.slice(0, 1);
      },
      chainInDoubt: () => 'a.0',
    };
    const next = whatNext('up', { ...heard, heads: { 'a.0': 9 } }, read, 'r', 3);
    expect(asked).toEqual([[{ 'a.0': 9 }, 1]]);
    expect(next?.request).toEqual({
      ...asking,
      kind: 'push',
      offers: [offer(3), offer(5)].map(({ commit, countersignature }) => ({ commit, countersignature })),
      commits: own.slice(0, 1),
    });
    expect(next?.state.up).toEqual({ request: 'r', offered: 5, end: null });
  });

  it('offers alone when there are more than enough, whatever it wrote itself', () => {
    const read = { ...reader, offersAfter: () => [offer(3), offer(5)], ownAfter: () => own };
    expect(whatNext('up', heard, read, 'r', 2)?.request).toMatchObject({ commits: [] });
  });

  it('and may go on before the answer only in the chain with which a full push ended', () => {
    const end = (limit: number, ...commits: typeof own) =>
      whatNext(
        'up',
        heard,
        { ...reader, ownAfter: () => commits, chainInDoubt: () => commits[0]?.chain },
        'r',
        limit,
      )?.state.up?.end;
    expect(end(3, ...own)).toEqual({ chain: 'a.0', number: 3 });
    expect(end(4, ...own)).toBeNull();
    expect(end(4, commitOf('f', [], { chain: 'a.former' }), ...own)).toBeNull();
  });
});

describe('after a push was answered', () => {
  const up = { request: 'r1', offered: 0, end: { chain: 'a.0', number: 2 } };
  const ahead = { request: 'r2', end: null };
  it.each<[string, Partial<ProtocolState>, number, ProtocolState['up']]>([
    ['the one that follows is waited for', { up, ahead }, 2, { ...ahead, offered: 6 }],
    ['none is when central has less', { up, ahead }, 1, null],
    ['none is when none followed', { up, ahead: null }, 2, null],
    ['none is when none might follow', { up: { ...up, end: null }, ahead: null }, 2, null],
  ])('%s', (_, state, number, expected) => {
    expect(followedBy({ ...heard, offered: 6, ...state }, { 'a.0': number })).toEqual(expected);
  });
});
