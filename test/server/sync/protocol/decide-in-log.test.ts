import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../server/store/changes.ts';
import { stationOf } from '../../../../server/store/history.ts';
import {
  decidingInLog,
  holdEntry,
  holdFault,
  RELEASED,
  WITHDRAWN,
} from '../../../../server/sync/protocol/decide-in-log.ts';
import { centralReader, writeAtCentral } from './central-machine.ts';
import { change, commitOf, entry } from './commits.ts';
import { centralAfter, control, lastDecisions, nameOf, pushed, pushedBy, type Sent } from './held-central.ts';
import type { Central } from './machines.ts';
import { UNPLACED } from './model.ts';
import { protocol, rules, terms } from './protocol-table.ts';

/** Held for its values; it touches two parts. */
const BAD: Sent = [
  'bad',
  entry('part:1', change('name', 'bad', ['z0'])),
  entry('part:2', change('name', 'B', ['z0'])),
];
/** Held because its record is not there. */
const ASTRAY: Sent = ['astray', entry('part:9', change('name', 'N', ['x']))];

const writtenAt = (central: Central, ...[commit_id, ...entries]: Sent) =>
  writeAtCentral(central, { ...UNPLACED, commit_id, entries }, protocol);
const heldBy = (central: Central) =>
  central.held.map(({ commit, reason }) => `${commit.commit_id} ${reason}`);

describe('a commit follows', () => {
  it('a held one when they share any record', () => {
    const both: Sent = [
      'both',
      entry('part:7', change('name', 'new')),
      entry('part:2', change('notes', 'N', ['z0'])),
    ];
    expect(lastDecisions(centralAfter(BAD, both))).toEqual(['both held follows']);
  });

  it('one that it is compared with in steps, where it is of thousands of records', () => {
    const many = Array.from({ length: 10_000 }, (_, n) => entry(`part:${n + 100}`, change('name', 'new')));
    const read = centralReader(centralAfter(BAD));
    const stepsOf = (entries: Entry[]) => {
      const deciding = decidingInLog(commitOf('next', entries, { chain: 'a.0' }), read, rules);
      let steps = 0;
      for (;;) {
        const { done, value } = deciding.next();
        if (done) return { steps, decided: value.map(({ outcome, reason }) => `${outcome} ${reason}`) };
        steps += 1;
      }
    };
    const last = entry('part:2', change('notes', 'N', ['z0']));
    const whole = stepsOf([...many, last]);
    expect(whole.decided).toEqual(['held follows']);
    expect(whole.steps).toBeGreaterThan(stepsOf([last]).steps + 4);
  });

  it('none when both only say something of the same held commit', () => {
    const central = centralAfter(
      BAD,
      ['mine', holdEntry('bad', RELEASED)],
      ['then', holdEntry('bad', WITHDRAWN)],
    );
    expect(lastDecisions(central)).toEqual(['then applied', 'bad withdrawn']);
  });

  it('none that it withdraws itself, so that it may correct it', () => {
    const fix: Sent = ['fix', holdEntry('bad', WITHDRAWN), entry('part:1', change('name', 'good', ['z0']))];
    const central = centralAfter(BAD, fix);
    expect(lastDecisions(central)).toEqual(['fix applied', 'bad withdrawn']);
    expect(nameOf(central, 'part:1')).toBe('good');
    const worse: Sent = ['worse', entry('part:1', change('notes', 'bad too', ['z0']))];
    expect(lastDecisions(centralAfter(BAD, worse, fix))).toEqual(['fix held follows']);
  });
});

describe('a release', () => {
  it('of what is not held changes nothing', () => {
    expect(lastDecisions(control(centralAfter(), 'z0', RELEASED))).toEqual(['released z0 applied']);
    expect(lastDecisions(control(centralAfter(), 'unheard', RELEASED))).toEqual(['released unheard applied']);
  });

  it('lets through what was held for following alone', () => {
    const other: Sent = ['other', entry('part:3', change('name', 'bad too'))];
    const central = control(centralAfter(BAD, other, ASTRAY), 'bad', RELEASED);
    expect(lastDecisions(central)).toEqual(['released bad applied', 'bad applied']);
    expect(heldBy(central)).toEqual(['other schema: The value is bad.', 'astray unknown_target']);
  });

  it('stops at the first that is held again', () => {
    const first: Sent = ['first', entry('part:2', change('name', 'bad too', ['bad']))];
    const second: Sent = ['second', entry('part:2', change('name', 'S', ['first']))];
    const central = control(centralAfter(BAD, first, second), 'bad', RELEASED);
    expect(lastDecisions(central)).toEqual([
      'released bad applied',
      'bad applied',
      'first held schema: The value is bad.',
    ]);
    expect(heldBy(central)).toEqual(['first schema: The value is bad.', 'second follows']);
  });

  it('decides by what stands now: values that came meanwhile stay beside it, and items are found', () => {
    const item: Sent = ['z1', entry('part:1', change('items.7', { quantity: 1 }, ['z0']))];
    const edit: Sent = [
      'edit',
      entry('part:1', change('name', 'bad', ['z0']), change('items.7.quantity', 5, ['z1'])),
    ];
    const held = pushed(writtenAt(centralAfter(), ...item), edit);
    const meanwhile = writtenAt(held, 'z2', entry('part:1', change('name', 'Z', ['z0'])));
    const read = centralReader(control(meanwhile, 'edit', RELEASED));
    expect(read.siblings('part:1', 'name')).toEqual([
      { commit: 'edit', value: 'bad' },
      { commit: 'z2', value: 'Z' },
    ]);
    expect(read.value('part:1', 'items.7.quantity')).toBe(5);
  });

  it('is a word on what its author may not write', () => {
    const central = centralAfter(['may not', entry('part:1', change('name', 'forbidden', ['z0']))]);
    expect(heldBy(central)).toEqual(['may not not_permitted: it is forbidden.']);
    expect(lastDecisions(control(central, 'may not', RELEASED))).toEqual([
      'released may not applied',
      'may not applied',
    ]);
  });
});

describe('a withdrawal', () => {
  it('by another station is not allowed, nor one that releases as well', () => {
    const central = centralAfter(BAD);
    expect(lastDecisions(pushedBy('b', central, ['theirs', holdEntry('bad', WITHDRAWN)]))).toEqual([
      'theirs held not_allowed',
    ]);
    const both = entry('hold:bad', change(WITHDRAWN, true, ['bad']), change(RELEASED, true, ['bad']));
    expect(lastDecisions(pushed(central, ['both', both]))).toEqual(['both held not_allowed']);
  });

  it('is what central does where it says both, and the loss of a second one', () => {
    const both: Sent = [
      'both',
      entry('hold:bad', change(RELEASED, true, ['bad']), change(WITHDRAWN, true, ['bad'])),
    ];
    const central = writtenAt(centralAfter(BAD), ...both);
    expect(lastDecisions(central)).toEqual(['both applied', 'bad withdrawn']);
    const [, ...entries] = both;
    expect(lastDecisions(writtenAt(central, 'twice', ...entries))).toEqual(['twice lost nothing_held']);
    expect(holdFault(entries[0] ?? entry(''), centralReader(centralAfter(BAD)), rules)).toBeUndefined();
  });

  it('said twice in one commit is done once', () => {
    const twice = [holdEntry('bad', WITHDRAWN), holdEntry('bad', WITHDRAWN)];
    expect(lastDecisions(writtenAt(centralAfter(BAD), 'twice', ...twice))).toEqual([
      'twice applied',
      'bad withdrawn',
    ]);
  });

  it('that says nothing, or what this version does not know, lets in nothing', () => {
    const central = centralAfter(BAD);
    expect(lastDecisions(pushed(central, ['empty', entry('hold:bad')]))).toEqual(['empty held not_allowed']);
    const later = writtenAt(central, 'later', entry('hold:bad', change('later', true, ['bad'])));
    expect(lastDecisions(later)).toEqual(['later applied']);
    expect(heldBy(later)).toEqual(heldBy(central));
  });

  it('may be of what follows another, and has no fault then', () => {
    const central = centralAfter(BAD, ['follower', entry('part:2', change('name', 'F', ['bad']))]);
    expect(holdFault(holdEntry('follower', WITHDRAWN), centralReader(central), rules)).toBeUndefined();
  });

  it('in a commit that lost a verdict has no effect', () => {
    const passed = writtenAt(centralAfter(ASTRAY), 'z1', entry('part:1', change('passed', true, ['z0'])));
    const central = pushed(passed, [
      'late',
      holdEntry('astray', WITHDRAWN),
      entry('part:1', change('passed', false, ['z0'])),
    ]);
    expect(lastDecisions(central)).toEqual(['late lost']);
    expect(heldBy(central)).toEqual(['astray unknown_target']);
  });

  it('beside a release of what followed decides each of them once', () => {
    const after: Sent = ['after', entry('part:9', change('notes', 'N', ['astray']))];
    const both = [holdEntry('astray', WITHDRAWN), holdEntry('after', RELEASED)];
    expect(lastDecisions(writtenAt(centralAfter(ASTRAY, after), 'both', ...both))).toEqual([
      'both applied',
      'astray withdrawn',
      'after held unknown_target',
    ]);
  });

  it('by a commit that was held itself decides each once that followed', () => {
    const fix: Sent = ['fix', holdEntry('astray', WITHDRAWN), entry('part:2', change('notes', 'N', ['z0']))];
    const over: Sent = ['over', entry('part:9', change('notes', 'N', ['astray']))];
    const central = control(centralAfter(BAD, ASTRAY, fix, over), 'bad', RELEASED);
    expect(lastDecisions(central)).toEqual([
      'released bad applied',
      'bad applied',
      'fix applied',
      'astray withdrawn',
      'over held over_withdrawn',
    ]);
  });
});

describe('what an author may not write', () => {
  const forbidden = entry('part:1', change('name', 'forbidden', ['z0']));

  it('is held also where it would be lost, and for what is wrong with it first', () => {
    const passed = writtenAt(centralAfter(), 'z1', entry('part:1', change('passed', true, ['z0'])));
    const late = entry('part:1', change('passed', 'forbidden', ['z0']));
    expect(lastDecisions(pushed(passed, ['late', late]))).toEqual([
      'late held not_permitted: it is forbidden.',
    ]);
    const wrong: Sent = ['wrong', forbidden, entry('part:9', change('name', 'N', ['x']))];
    expect(lastDecisions(centralAfter(wrong))).toEqual(['wrong held unknown_target']);
  });

  it('is held as well when it follows what a lost log had released', () => {
    const follower: Sent = ['follower', entry('part:2', change('name', 'forbidden', ['bad']))];
    const before = centralAfter(BAD, follower);
    const released = control(before, 'bad', RELEASED).log.at(-1);
    if (!released) throw new Error('There is no release.');
    const again = protocol.receiveOffer(released, centralReader(before), terms);
    if (again.kind !== 'append') throw new Error(again.kind);
    const outcomes = again.entry.decisions.map(one => `${one.commit_id} ${one.outcome} ${one.reason}`);
    expect(outcomes).toEqual([
      'released bad applied null',
      'bad applied null',
      'follower held not_permitted: it is forbidden.',
    ]);
  });

  it('central itself may', () => {
    expect(lastDecisions(writtenAt(centralAfter(), 'own', forbidden))).toEqual(['own applied']);
  });
});

it.each([
  ['dock.01h', 'dock'],
  ['dock.2.01h', 'dock.2'],
  ['dock', ''],
])('the chain %s is of the station "%s"', (chain, station) => {
  expect(stationOf(chain)).toBe(station);
});
