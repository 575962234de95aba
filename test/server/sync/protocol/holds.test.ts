import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../server/store/changes.ts';
import { issueAgain, placeToIssueAgain } from '../../../../server/sync/protocol/collision.ts';
import { holdEntry, holdFault, RELEASED, WITHDRAWN } from '../../../../server/sync/protocol/decide-in-log.ts';
import { LOG_START } from '../../../../server/sync/protocol/log.ts';
import { type Answer, commitText } from '../../../../server/sync/protocol/wire.ts';
import { centralReader, writeAtCentral } from './central-machine.ts';
import { change, entry } from './commits.ts';
import { centralAfter, control, EMPTY, lastDecisions, nameOf, pushed, type Sent } from './held-central.ts';
import type { Central } from './machines.ts';
import { UNPLACED } from './model.ts';
import { protocol, rules, terms } from './protocol-table.ts';

function answerOf(central: Central): Answer {
  const read = centralReader(central);
  const cursor = protocol.cursorAt(central.log.at(-1) ?? LOG_START, read, terms);
  const asking = { request: 'r', station: 'a', protocol: 1, cursor };
  return protocol.pageAnswer({ kind: 'pull', ...asking, limit: 1 }, [], read, terms);
}

function raise(): never {
  throw new Error('It is not there.');
}

const BAD: Sent = [
  'bad',
  entry('part:1', change('name', 'bad', ['z0'])),
  entry('part:2', change('name', 'B', ['z0'])),
];
const FOLLOWER: Sent = ['follower', entry('part:2', change('name', 'F', ['bad']))];
const BESIDE: Sent = ['beside', entry('part:3', change('name', 'new'))];

describe('a hold', () => {
  it('holds what shares a record with it, and nothing else', () => {
    const central = centralAfter(BAD, FOLLOWER, BESIDE);
    expect(central.held.map(({ commit, reason }) => `${commit.commit_id} ${reason}`)).toEqual([
      'bad schema: The value is bad.',
      'follower follows',
    ]);
    expect([nameOf(central, 'part:2'), nameOf(central, 'part:3')]).toEqual(['old', 'new']);
  });

  it('is released with what follows it, in order and in one entry of the log', () => {
    const central = control(centralAfter(BAD, FOLLOWER), 'bad', RELEASED);
    expect(lastDecisions(central)).toEqual(['released bad applied', 'bad applied', 'follower applied']);
    expect(central.held).toEqual([]);
    expect([nameOf(central, 'part:1'), nameOf(central, 'part:2')]).toEqual(['bad', 'F']);
  });

  it('is withdrawn, and what was written over it stays held for a person', () => {
    const central = control(centralAfter(BAD, FOLLOWER), 'bad', WITHDRAWN);
    expect(lastDecisions(central)).toEqual([
      'withdrawn bad applied',
      'bad withdrawn',
      'follower held over_withdrawn',
    ]);
    expect(lastDecisions(control(central, 'follower', RELEASED))).toEqual([
      'released follower applied',
      'follower applied',
    ]);
  });

  it('is withdrawn, and what only shares a record with it goes on', () => {
    const beside: Sent = ['notes', entry('part:2', change('notes', 'N', ['z0']))];
    const central = control(centralAfter(BAD, beside), 'bad', WITHDRAWN);
    expect(lastDecisions(central)).toEqual(['withdrawn bad applied', 'bad withdrawn', 'notes applied']);
  });

  it('cannot be released before what it follows, or when it is not there', () => {
    const central = centralAfter(BAD, FOLLOWER);
    const fault = (id: string) => holdFault(holdEntry(id, RELEASED), centralReader(central), rules);
    expect(fault('bad')).toBeUndefined();
    expect(fault('follower')).toMatch(/^Commit bad .* held before it/);
    expect(fault('beside')).toBe('Commit beside is not held.');
    expect(lastDecisions(control(central, 'follower', RELEASED))).toEqual(['released follower applied']);
  });

  it('stays when its record is not there', () => {
    const central = centralAfter(['lost', entry('part:9', change('name', 'N', ['x']))]);
    expect(holdFault(holdEntry('lost', RELEASED), centralReader(central), rules)).toMatch(/unknown_target/);
    expect(lastDecisions(control(central, 'lost', RELEASED))).toEqual([
      'released lost applied',
      'lost held unknown_target',
    ]);
  });

  describe('of a record that only central writes', () => {
    const MADE: Sent = [
      'made',
      entry('user:7', change('name', 'Eve')),
      entry('part:5', change('name', 'beside')),
    ];
    const PROMOTED: Sent = ['promoted', entry('user:7', change('roles', 'all', ['made']))];
    const PART: Sent = ['part', entry('part:5', change('notes', 'N', ['made']))];

    it('holds each such commit alone, and besides only what shares a record with it', () => {
      const central = centralAfter(MADE, PROMOTED, PART, BESIDE);
      expect(central.held.map(({ commit, reason }) => `${commit.commit_id} ${reason}`)).toEqual([
        'made central_decides',
        'promoted central_decides',
        'part follows',
      ]);
      expect([nameOf(central, 'user:7'), nameOf(central, 'part:3')]).toEqual([undefined, 'new']);
    });

    it('lets each through by a word of its own, and none along with another', () => {
      const central = control(centralAfter(MADE, PROMOTED, PART), 'made', RELEASED);
      expect(lastDecisions(central)).toEqual(['released made applied', 'made applied', 'part applied']);
      expect(lastDecisions(control(central, 'promoted', RELEASED))).toEqual([
        'released promoted applied',
        'promoted applied',
      ]);
    });

    it('is not about what central itself writes', () => {
      const own = { ...UNPLACED, commit_id: 'own', entries: [entry('user:1', change('name', 'Ann'))] };
      expect(lastDecisions(writeAtCentral(EMPTY, own, protocol))).toEqual(['own applied']);
    });

    it('is not got round by a restore of central: what it had held it holds again, wherever it stands', () => {
      const { receiveOffer } = protocol;
      const [before, central] = [centralAfter(BESIDE), centralAfter(BESIDE, MADE)];
      const { commit, countersignature } = central.log.at(-1) ?? raise();
      const again = receiveOffer({ commit, countersignature }, centralReader(before), terms);
      expect(again).toMatchObject({ entry: { decisions: [{ reason: 'central_decides' }] } });
      // The chain went on otherwise meanwhile: the commit goes under central's own.
      const otherwise = centralReader(pushed(before, ['other', entry('part:4', change('name', 'D'))]));
      expect(receiveOffer({ commit, countersignature }, otherwise, terms)).toMatchObject({
        entry: { commit: { chain: 'z.0' }, decisions: [{ reason: 'central_decides' }] },
      });
      const { heads } = answerOf(central);
      const signed = heads.find(({ chain }) => chain === 'a.0') ?? raise();
      const forged = receiveOffer({ commit, countersignature: signed.countersignature }, otherwise, terms);
      expect(forged.kind).toBe('unverified');
    });

    it('passes again what central had applied before it was restored', () => {
      const read = centralReader(EMPTY);
      const { commit } = centralAfter(['made', entry('user:7', change('name', 'Eve'))]).log.at(-1) ?? raise();
      const countersignature = terms.countersign(commitText(commit.hash));
      expect(protocol.receiveOffer({ commit, countersignature }, read, terms)).toMatchObject({
        entry: { decisions: [{ commit_id: 'made', outcome: 'applied' }] },
      });
    });

    it('lets no known id carry it past', () => {
      const central = centralAfter(BESIDE, ['beside', entry('user:7', change('name', 'Eve'))]);
      expect(lastDecisions(central)).toEqual(['beside repeated']);
      const { commit, countersignature } = central.log.at(-1) ?? raise();
      const again = protocol.receiveOffer({ commit, countersignature }, centralReader(EMPTY), terms);
      expect(again.kind).not.toBe('unverified');
      expect(again).not.toMatchObject({ entry: { decisions: [{ outcome: 'applied' }] } });
    });
  });

  it('is not released by the station itself', () => {
    const central = centralAfter(BAD, ['mine', holdEntry('bad', RELEASED)]);
    expect(lastDecisions(central)).toEqual(['mine held not_allowed']);
  });
});

describe('a creation whose id is taken', () => {
  const CREATED: Sent = ['mine', entry('part:2', change('name', 'M'))];
  const EDITED: Sent = ['edit', entry('part:2', change('name', 'E', ['mine']))];
  const held = centralAfter(CREATED, EDITED);
  const open = held.held.map(({ commit }) => commit);
  const reasonOf = (id: string) => held.held.find(({ commit }) => commit.commit_id === id)?.reason;
  const move = (one: Entry) => ({ ...one, subject: one.subject.replace('part:2', 'part:22') });

  it('is issued again with what follows it', () => {
    const place = placeToIssueAgain(open, reasonOf);
    const [first] = open;
    expect(place).toBe(0);
    if (!first) return;
    const again = issueAgain(first, open.slice(1), id => `${id} again`, move);
    const commits = again.map<Sent>(one => [one.commit_id, ...one.entries]);
    const central = pushed(held, ...commits);
    expect(central.held).toEqual([]);
    expect([nameOf(central, 'part:2'), nameOf(central, 'part:22')]).toEqual(['old', 'E']);

    const twice = pushed(central, ...commits.map<Sent>(([id, ...rest]) => [`${id} twice`, ...rest]));
    expect(twice.log.at(-2)?.decisions).toMatchObject([{ outcome: 'lost', reason: 'nothing_held' }]);
    expect(nameOf(twice, 'part:22')).toBe('E');
  });

  it('is issued again once', () => {
    const [first] = open;
    const withdrawing = first && { ...first, commit_id: 'again', entries: [holdEntry('mine', WITHDRAWN)] };
    expect(placeToIssueAgain([...open, ...(withdrawing ? [withdrawing] : [])], reasonOf)).toBe(-1);
  });
});
