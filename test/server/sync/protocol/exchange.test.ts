import { describe, expect, it } from 'vitest';
import type { Commit } from '../../../../server/store/changes.ts';
import { cursorUnknown, receiveCommit, receiveOffer } from '../../../../server/sync/protocol/central.ts';
import { commitHash, LOG_START } from '../../../../server/sync/protocol/log.ts';
import {
  abandon,
  NEW_PROTOCOL_STATE,
  notify,
  type OutgoingReader,
  type ProtocolState,
  whatNext,
} from '../../../../server/sync/protocol/protocol-state.ts';
import { ownAtSnapshot, snapshotPage } from '../../../../server/sync/protocol/snapshot.ts';
import { receiveAnswer } from '../../../../server/sync/protocol/station.ts';
import {
  commitText,
  FIRST_CURSOR,
  NEW_SNAPSHOT,
  type Request,
  type SnapshotState,
} from '../../../../server/sync/protocol/wire.ts';
import { answerSchema, requestSchema } from '../../../../server/sync/protocol/wire-schemas.ts';
import { answerRequest, centralReader, writeAtCentral } from './central-machine.ts';
import { type Central, type Station, shortHash } from './machines.ts';
import { UNPLACED } from './model.ts';
import { protocol, terms } from './protocol-table.ts';
import { stationReader } from './station-machine.ts';

const empty: Central = {
  epoch: 'e1',
  formers: ['e0'],
  chain: 'z.0',
  log: [],
  records: {},
  held: [],
  withdrawn: [],
  machines: {},
};
const central = ['one', 'two'].reduce((before, commit_id) => {
  const changes = [{ path: 'name', old: null, new: commit_id, over: [] }];
  const entries = [{ subject: `part:${commit_id}`, changes }];
  return writeAtCentral(before, { ...UNPLACED, commit_id, entries }, protocol);
}, empty);
const read = centralReader(central);
const end = protocol.cursorAt(read.place(), read, terms);

function placed(chain: string, number: number, previous_hash: string, commit_id = 'c'): Commit {
  const commit: Commit = { ...UNPLACED, commit_id, entries: [], chain, number, previous_hash, hash: '' };
  return { ...commit, hash: commitHash(commit, shortHash) };
}

const asking = { request: 'r', station: 'a', protocol: 1, cursor: end };
const pull: Request = { ...asking, kind: 'pull', limit: 10 };

describe('central checks a cursor', () => {
  it.each([
    ['its end', end, 'known'],
    ['the start', { ...FIRST_CURSOR, epoch: 'e1' }, 'known'],
    ['a station that never heard of it', FIRST_CURSOR, 'unknown'],
    ['a former epoch', { ...end, epoch: 'e0' }, 'unknown'],
    ['another hash that it did not countersign', { ...end, hash: 'other' }, 'unknown'],
    ['a place beyond its end that it countersigned', signed('e1', 9), 'restored'],
    ['an epoch that it lost', signed('e2', 1), 'restored'],
    ['an epoch that somebody made up', { ...end, epoch: 'e2' }, 'unknown'],
  ])('%s', (_, cursor, expected) => {
    expect(protocol.checkCursor(cursor, read, terms)).toBe(expected);
  });

  function signed(epoch: string, sequence: number) {
    return protocol.cursorAt({ sequence, hash: 'lost' }, { ...read, epoch: () => epoch }, terms);
  }
});

describe('central refuses', () => {
  const first = placed('a.0', 1, '');
  it.each([
    ['a commit that is not what its hash says', { ...first, user: 'other' }, 'hash'],
    ['a commit of another station', placed('b.0', 1, ''), 'foreign'],
    ['a commit with others missing before it', placed('a.0', 2, first.hash), 'gap'],
    ['a commit that follows another', placed('a.0', 1, 'other'), 'fork'],
  ])('%s', (_, commit, reason) => {
    const refusal = { chain: commit.chain, number: commit.number, reason };
    expect(receiveCommit(commit, 'a', read, terms)).toEqual({ kind: 'refused', refusal });
  });

  it('an offer that it did not countersign, and takes one that it did', () => {
    const countersignature = terms.countersign(commitText(first.hash));
    expect(receiveOffer({ commit: first, countersignature: 'made up' }, read, terms).kind).toBe('unverified');
    expect(receiveOffer({ commit: first, countersignature }, read, terms).kind).toBe('append');
  });

  it('no offer whose chain went on otherwise: it goes under its own chain with its id', () => {
    const fork = placed('z.0', 1, '', 'forked');
    const countersignature = terms.countersign(commitText(fork.hash));
    const received = receiveOffer({ commit: fork, countersignature }, read, terms);
    expect(received).toMatchObject({
      kind: 'append',
      entry: { commit: { chain: 'z.0', number: 3, commit_id: 'forked' } },
    });
  });
});

describe('the common prefix', () => {
  it.each([
    [0, 20_000, 20_000],
    [1, 7, 20_000],
    [13_337, 20_000, 20_000],
    [19_999, 20_000, 20_000],
    [20_000, 20_000, 30_000],
    [500, 500, 40],
    [40, 500, 40],
  ])('of %i entries is found in logs of %i here and %i there', (common, here, there) => {
    const hashAt = (end: number, side: string) => (sequence: number) =>
      sequence === 0
        ? ''
        : sequence > end
          ? undefined
          : sequence <= common
            ? `${sequence}`
            : `${side}${sequence}`;
    const station = {
      ...stationReader(plainStation()),
      cursor: () => ({ epoch: 'e0', sequence: here, hash: 'h', countersignature: '' }),
      logHashAt: hashAt(here, 'here'),
    };
    const place = { sequence: there, hash: 't' };
    const reader = { ...read, place: () => place, logHashAt: hashAt(there, 'there') };
    let state: ProtocolState = { ...NEW_PROTOCOL_STATE };
    const outgoing: OutgoingReader = {
      station: 'a',
      cursor: station.cursor,
      snapshot: () => undefined,
      offersAfter: () => [],
      ownAfter: () => [],
      chainInDoubt: () => undefined,
      hashAt: () => undefined,
    };
    for (let round = 1; round <= 5; round += 1) {
      const next = whatNext('down', state, outgoing, `r${round}`);
      if (!next) throw new Error('Nothing is asked.');
      const answer = cursorUnknown(next.request, reader, terms);
      const received = receiveAnswer(answer, next.state, station, shortHash);
      if (received.act.kind === 'cut') {
        expect(received.act.to).toMatchObject({ epoch: 'e1', sequence: Math.min(common, here, there) });
        return;
      }
      state = received.state;
    }
    throw new Error('It was not found in five rounds.');
  });
});

describe('a station sends', () => {
  const offer = { place: 4, commit: placed('b.0', 1, ''), countersignature: '' };
  const own = placed('a.0', 1, '');
  const outgoing: OutgoingReader = {
    station: 'a',
    cursor: () => end,
    snapshot: () => undefined,
    offersAfter: place => (place < 4 ? [offer] : []),
    ownAfter: () => [own],
    chainInDoubt: () => 'a.0',
    hashAt: () => undefined,
  };

  it('nothing up before it heard of its heads', () => {
    expect(whatNext('up', NEW_PROTOCOL_STATE, outgoing, 'r')).toBeUndefined();
    expect(whatNext('down', NEW_PROTOCOL_STATE, outgoing, 'r')?.request.kind).toBe('pull');
  });

  it('offers before own commits, and its own alone when the log holds the offers', () => {
    const known = { ...NEW_PROTOCOL_STATE, heads: {} };
    expect(whatNext('up', known, outgoing, 'r', 1)?.request).toMatchObject({ offers: [{}], commits: [] });
    expect(whatNext('up', known, outgoing, 'r')?.request).toMatchObject({ offers: [{}], commits: [{}] });
    const later = { ...outgoing, offersAfter: () => [] };
    expect(whatNext('up', known, later, 'r')?.request).toMatchObject({ offers: [], commits: [{}] });
  });

  it('nothing that builds on what was answered and is not in the log yet', () => {
    const known = { ...NEW_PROTOCOL_STATE, heads: {} };
    expect(whatNext('up', { ...known, offered: 4 }, outgoing, 'r')).toBeUndefined();
    const inDoubt = { ...outgoing, offersAfter: () => [], chainInDoubt: () => 'a.former' };
    expect(whatNext('up', known, inDoubt, 'r')).toBeUndefined();
  });

  it('one request of a kind at a time', () => {
    const known = { ...NEW_PROTOCOL_STATE, heads: {} };
    const pushing = whatNext('up', known, outgoing, 'r1')?.state ?? NEW_PROTOCOL_STATE;
    expect(whatNext('up', pushing, outgoing, 'r2')).toBeUndefined();
    const both = whatNext('down', pushing, outgoing, 'r3')?.state ?? NEW_PROTOCOL_STATE;
    expect(whatNext('down', both, outgoing, 'r4')).toBeUndefined();
  });

  it('what follows a full push before that is answered, in the same chain and once', () => {
    const chain = [1, 2, 3].map(number => placed('a.0', number, ''));
    const former = placed('a.former', 1, '');
    const own = (commits: readonly Commit[]): OutgoingReader => ({
      ...outgoing,
      offersAfter: () => [],
      ownAfter: (heads, limit) =>
        commits.filter(({ chain: of, number }) => number > (heads[of] ?? 0)).slice(0, limit),
    });
    const known = { ...NEW_PROTOCOL_STATE, heads: {} };
    const state = whatNext('up', known, own(chain), 'r1', 1)?.state ?? NEW_PROTOCOL_STATE;
    const next = whatNext('ahead', state, own(chain), 'r2', 1);
    expect(next?.request).toMatchObject({ kind: 'push', offers: [], commits: [{ number: 2 }] });
    expect(whatNext('ahead', next?.state ?? state, own(chain), 'r3', 1)).toBeUndefined();
    // Nothing without one before it, after one that was not full, of another chain, or after offers.
    expect(whatNext('ahead', known, own(chain), 'r2', 1)).toBeUndefined();
    const short = whatNext('up', known, own(chain.slice(0, 1)), 'r1', 2)?.state ?? NEW_PROTOCOL_STATE;
    expect(whatNext('ahead', short, own(chain), 'r2', 2)).toBeUndefined();
    const other = [...chain.slice(0, 1), former];
    expect(whatNext('ahead', state, own(other), 'r2', 1)).toBeUndefined();
    const offering = whatNext('up', known, { ...own(chain), offersAfter: () => [offer] }, 'r1', 1)?.state;
    expect(whatNext('ahead', offering ?? state, own(chain), 'r2', 1)).toBeUndefined();
  });

  it('and waits for what it sent ahead only when central took all that it follows', () => {
    const station = stationReader(plainStation());
    const up = { request: 'r1', offered: 0, end: { chain: 'a.0', number: 2 } };
    const ahead = { request: 'r2', end: { chain: 'a.0', number: 4 } };
    const state: ProtocolState = { ...NEW_PROTOCOL_STATE, heads: {}, up, ahead };
    const answered = (request: string, number: number) =>
      receiveAnswer(
        {
          kind: 'push',
          request,
          epoch: 'e0',
          last: 2,
          heads: [{ chain: 'a.0', number, hash: '', countersignature: '' }],
          refused: null,
          unverified: [],
          known: [],
        },
        state,
        { ...station, hashAt: () => '' },
        shortHash,
      ).state;
    expect(answered('r1', 2)).toMatchObject({ heads: { 'a.0': 2 }, up: ahead, ahead: null });
    expect(answered('r1', 1)).toMatchObject({ heads: { 'a.0': 1 }, up: null, ahead: null });
    expect(answered('r2', 4)).toMatchObject({ heads: {}, up, ahead: null });
    expect(abandon('up', state)).toMatchObject({ up: null, ahead: null });
    expect(abandon('ahead', state)).toMatchObject({ up, ahead: null });
    expect(abandon('down', state)).toMatchObject({ up, ahead, down: null });
  });

  it('another pull when it was notified while it waited for a page', () => {
    const { answer } = answerRequest(central, pull, protocol, 1);
    if (!answer) throw new Error('There is no answer.');
    const { log } = central;
    const station = stationReader({ ...plainStation(), cursor: end, log });
    const asked = whatNext('down', notify(NEW_PROTOCOL_STATE), outgoing, 'r')?.state ?? NEW_PROTOCOL_STATE;
    const quiet = receiveAnswer(answer, asked, station, shortHash).state;
    expect(whatNext('down', quiet, outgoing, 'r2')).toBeUndefined();
    const notified = receiveAnswer(answer, notify(asked), station, shortHash).state;
    expect(whatNext('down', notified, outgoing, 'r2')?.request.kind).toBe('pull');
  });

  it('and throws the answer to another request away', () => {
    const { answer } = answerRequest(central, pull, protocol, 1);
    if (!answer) throw new Error('There is no answer.');
    const station = stationReader(plainStation());
    const state = { ...NEW_PROTOCOL_STATE, down: { request: 'another' } };
    expect(receiveAnswer(answer, state, station, shortHash)).toEqual({
      state,
      act: { kind: 'none', why: 'The request was abandoned.' },
    });
  });

  it('a page that was changed on its way is not taken', () => {
    const { answer } = answerRequest(
      central,
      { ...pull, cursor: protocol.cursorAt({ sequence: 0, hash: '' }, read, terms) },
      protocol,
      1,
    );
    if (answer?.kind !== 'page') throw new Error('There is no page.');
    const station = stationReader(plainStation());
    const state = { ...NEW_PROTOCOL_STATE, down: { request: 'r' } };
    expect(receiveAnswer(answer, state, station, shortHash).act.kind).toBe('take');
    const [first, ...rest] = answer.entries;
    const changed = { ...answer, entries: first ? [{ ...first, decisions: [] }, ...rest] : rest };
    expect(receiveAnswer(changed, state, station, shortHash).act.kind).toBe('stuck');
    expect(receiveAnswer({ ...answer, entries: rest }, state, station, shortHash).act.kind).toBe('stuck');
  });
});

describe('a snapshot', () => {
  it('is asked for page by page and says what became of own commits', () => {
    let snapshot: SnapshotState = NEW_SNAPSHOT;
    const station = { ...stationReader(plainStation()), snapshot: () => snapshot };
    const outgoing: OutgoingReader = {
      station: 'a',
      cursor: () => end,
      snapshot: () => snapshot,
      offersAfter: () => [],
      ownAfter: () => [placed('a.0', 1, '')],
      chainInDoubt: () => 'a.0',
      hashAt: () => undefined,
    };
    const first = whatNext('down', NEW_PROTOCOL_STATE, outgoing, 'r1');
    if (first?.request.kind !== 'snapshot') throw new Error('No snapshot is asked for.');
    const parts = {
      ...read,
      recordsAfter: () => ({ records: [1], after: 'part:1' }),
      allHeld: () => [],
      withdrawn: () => [],
    };
    const page = snapshotPage(first.request, parts, terms);
    expect(page).toMatchObject({ at: { sequence: 2 }, until: { sequence: 2 }, start: { held: [] } });
    const second = receiveAnswer(page, first.state, station, shortHash);
    expect(second.act.kind).toBe('records');
    snapshot = { at: page.at, after: page.after, start: page.start };
    expect(whatNext('up', second.state, outgoing, 'r2')).toBeUndefined();
    const next = whatNext('down', second.state, outgoing, 'r2');
    expect(next?.request).toMatchObject({ at: { sequence: 2 }, after: 'part:1' });
    if (next?.request.kind !== 'snapshot') throw new Error('No snapshot is asked for.');
    expect(snapshotPage(next.request, parts, terms).start).toBeNull();
    const lost = { ...next.request, at: { sequence: 2, hash: 'lost' } };
    const again = snapshotPage(lost, parts, terms);
    expect(again.start).not.toBeNull();

    const open = [
      placed('a.0', 1, '', 'decided'),
      placed('a.0', 2, '', 'held'),
      placed('a.0', 3, '', 'later'),
    ];
    const start = {
      heads: [{ chain: 'a.0', number: 2, hash: '', countersignature: '' }],
      held: [{ commit: placed('a.0', 2, '', 'held'), reason: 'follows' }],
      withdrawn: [],
      machines: {},
    };
    const after = [placed('a.0', 3, '', 'later'), placed('a.0', 4, '', 'forgotten')];
    const own = ownAtSnapshot(start, open, after);
    expect(own.settled).toEqual(['decided']);
    expect(own.opened.map(({ commit_id }) => commit_id)).toEqual(['forgotten']);
  });
});

describe('the schemas of the wire', () => {
  it('take what is sent as it is, with what this version does not know', () => {
    const commit = { ...placed('a.0', 1, ''), later: 'kept' };
    const push: Request = {
      ...asking,
      kind: 'push',
      offers: [{ commit, countersignature: '' }],
      commits: [commit],
    };
    for (const request of [push, pull]) expect(requestSchema.parse(request)).toEqual(request);
    for (const cursor of [end, FIRST_CURSOR]) {
      const { answer } = answerRequest(central, { ...pull, cursor }, protocol, 1);
      expect(answerSchema.parse(JSON.parse(JSON.stringify(answer)))).toEqual(answer);
    }
  });

  it.each([
    ['no cursor', { ...pull, cursor: null }, 'cursor'],
    ['a limit of none', { ...pull, limit: 0 }, 'limit'],
    ['a commit without entries', { ...asking, kind: 'push', offers: [], commits: [{}] }, 'commits'],
  ])('refuse %s and name it', (_, request, path) => {
    expect(requestSchema.safeParse(request).error?.issues[0]?.path[0]).toBe(path);
  });
});

function plainStation(): Station {
  return {
    machine: 'a',
    proving: null,
    name: 'a',
    chain: 'a.0',
    chains: ['a.0'],
    own: [],
    cursor: { epoch: 'e1', sequence: 0, hash: '', countersignature: '' },
    log: [],
    offers: [],
    known: [],
    start: LOG_START,
    base: {},
    heads: {},
    until: null,
    snapshot: null,
    nextPlace: 1,
    records: {},
    settled: [],
    withdrawn: [],
    held: {},
    shown: {},
    exchange: NEW_PROTOCOL_STATE,
  };
}
