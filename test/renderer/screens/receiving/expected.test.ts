import { describe, expect, it } from 'vitest';
import {
  announced,
  type Expected,
  type ExpectedLine,
  objectionTo,
} from '../../../../renderer/screens/receiving/expected.ts';
import { emptyLine, type Label, type Line } from '../../../../renderer/screens/receiving/line.ts';
import type { Reading } from '../../../../renderer/screens/receiving/read-label.ts';
import { type Answers, decide, type Standing } from '../../../../renderer/screens/receiving/take.ts';

const BOLT = 7;
const NUT = 8;
const SSCC = '106141412345678908';

const lineOf = (change: Partial<ExpectedLine> = {}): ExpectedLine => ({
  id: 1,
  part: BOLT,
  unit: 'EA',
  ordered: 100,
  received: 0,
  open: 100,
  lot: null,
  expiry: null,
  sscc: null,
  lotFormat: null,
  day: null,
  isClosed: false,
  ...change,
});
const expects = (...lines: Partial<ExpectedLine>[]): Expected => ({
  lines: lines.map(lineOf),
  isBlind: false,
});
const labelOf = (change: Partial<Label> = {}): Label => ({
  part: BOLT,
  unit: 'EA',
  lot: null,
  expiry: null,
  quantity: null,
  weight: null,
  serial: null,
  ...change,
});
const typed = (change: Partial<Line> = {}): Line => ({
  ...emptyLine('a'),
  part: BOLT,
  unit: 'EA',
  accepted: '10',
  ...change,
});

const standing = (expected: Expected, line = emptyLine('a')): Standing => ({
  line,
  expected,
  labels: new Set(),
  serials: new Set(),
  isClosed: false,
  isSending: false,
  isInterrupted: false,
  today: '2026-01-15',
  newKey: 'b',
});

describe('what is otherwise than ordered', () => {
  it.each<[string, Expected | null, Partial<Line>, string | null]>([
    ['nothing without an order', null, { part: NUT }, null],
    ['nothing of what was ordered', expects({}), { accepted: '100' }, null],
    ['another part', expects({}), { part: NUT }, 'unordered'],
    ['more than is open', expects({ received: 95, open: 5 }), { accepted: '5.5' }, 'over'],
    [
      'more than all lines of the part ask for',
      expects({ open: 5 }, { open: 5 }),
      { accepted: '11' },
      'over',
    ],
    ['not more than all of them', expects({ open: 5 }, { open: 5 }), { accepted: '10' }, null],
    ['what is rejected is no more', expects({ open: 5 }), { accepted: '', rejected: '50' }, null],
    ['in another unit', expects({ unit: 'kg', open: 2 }), { unit: 'grams', accepted: '2000.5' }, 'over'],
    ['as much in another unit', expects({ unit: 'kg', open: 2 }), { unit: 'grams', accepted: '2000' }, null],
    ['in a unit that does not compare', expects({ unit: 'l', open: 2 }), { accepted: '900' }, null],
    [
      'more than the lines in a unit that compares ask for',
      expects({ unit: 'kg', open: 2 }, { unit: 'EA', open: 5 }),
      { accepted: '6' },
      'over',
    ],
    ['a lot that is written otherwise', expects({ lotFormat: 'L-###' }), { lot: 'L-12' }, 'format'],
    [
      'a lot as one line of the part writes it',
      expects({ lotFormat: 'L-###' }, { lotFormat: '##' }),
      { lot: '12' },
      null,
    ],
    ['a line that is given up', expects({ isClosed: true }), {}, 'unordered'],
    ['one line given up, another one not', expects({ isClosed: true }, {}), {}, null],
    ['no lot yet', expects({ lotFormat: 'L-###' }), { lot: '' }, null],
    ['how much, where nobody is told', { ...expects({ open: 5 }), isBlind: true }, { accepted: '50' }, null],
    [
      'another part, where nobody is told how much',
      { ...expects({}), isBlind: true },
      { part: NUT },
      'unordered',
    ],
  ])('%s', (_name, expected, line, why) => {
    expect(objectionTo(expected, typed(line), [])?.why ?? null).toBe(why);
  });

  it('is said once', () => {
    const expected = expects({ lotFormat: 'L-###', open: 5 });
    const line = typed({ lot: 'X', accepted: '50' });
    expect(objectionTo(expected, line, ['format'])).toEqual({ why: 'over', open: 5 });
    expect(objectionTo(expected, line, ['format', 'over'])).toBeNull();
  });
});

describe('the label of a pallet', () => {
  const expected = expects({ sscc: SSCC, lot: 'L-1', expiry: '2027-01-31', ordered: 40 });

  it('that was announced says what is on it', () => {
    expect(announced(expected, labelOf({ part: null, unit: null, serial: SSCC }))).toEqual(
      labelOf({ serial: SSCC, lot: 'L-1', expiry: '2027-01-31', quantity: 40 }),
    );
  });

  it('says no quantity where nobody is told, and somebody counts it', () => {
    const blind = { ...expected, isBlind: true };
    const label = announced(blind, labelOf({ part: null, unit: null, serial: SSCC }));
    expect(label).toEqual({
      ...labelOf({ serial: SSCC, lot: 'L-1', expiry: '2027-01-31' }),
      isToCount: true,
    });
    const read: Reading = { kind: 'label', label, bestBefore: null };
    const taken = decide(standing(blind), SSCC, read);
    expect(taken).toMatchObject({ outcome: 'taken', line: { part: BOLT, lot: 'L-1', accepted: '' } });
    const own = announced(blind, labelOf({ part: null, unit: null, serial: SSCC, quantity: 38 }));
    expect(own).toMatchObject({ quantity: 38 });
    expect(own.isToCount).toBeUndefined();
  });

  it('keeps what it says itself', () => {
    const label = labelOf({ part: null, unit: null, serial: SSCC, lot: 'L-2', quantity: 38 });
    expect(announced(expected, label)).toMatchObject({ part: BOLT, lot: 'L-2', quantity: 38 });
  });

  it.each([
    ['that nobody announced', expected, { part: null, serial: '340123450000000000' }],
    ['that names its part', expected, { part: NUT, serial: SSCC }],
    ['without an order', null, { part: null, serial: SSCC }],
  ])('%s stays as it is', (_name, given, change) => {
    const label = labelOf(change);
    expect(announced(given, label)).toBe(label);
  });
});

describe('a scan at a receipt with an order', () => {
  const reads = (label: Partial<Label>): Reading => ({
    kind: 'label',
    label: labelOf(label),
    bestBefore: null,
  });
  it('of a part that was not ordered asks, and is taken once somebody says so, with all that follows of it', () => {
    const expected = expects({});
    const asked = decide(standing(expected), 'N', reads({ part: NUT, quantity: 4 }));
    expect(asked).toMatchObject({ outcome: 'question', why: 'unordered', line: { accepted: '' } });
    if (asked.outcome !== 'question') throw new Error();
    const answers: Answers = { ...asked.keeps, allowed: ['unordered'] };
    const taken = decide(standing(expected), 'N', reads({ part: NUT, quantity: 4 }), answers);
    expect(taken).toMatchObject({ outcome: 'taken', line: { part: NUT, accepted: '4' } });
    expect(decide(standing(expected, taken.line), 'N2', reads({ part: NUT, quantity: 5 }))).toMatchObject({
      outcome: 'taken',
      line: { accepted: '9' },
    });
  });

  it('that brings more than is open asks, says how many, and leaves the line as it was', () => {
    const expected = expects({ open: 50 });
    const first = decide(standing(expected), 'A', reads({ lot: 'A', quantity: 40 }));
    expect(first.outcome).toBe('taken');
    const second = decide(standing(expected, first.line), 'B', reads({ lot: 'A', quantity: 20 }));
    expect(second).toMatchObject({
      outcome: 'question',
      why: 'over',
      details: { open: 50 },
      line: { accepted: '40' },
    });
  });

  it('of another lot counts with what the line before it accepts of the part', () => {
    const expected = expects({ open: 50 });
    const next = (line: Partial<Line>) =>
      decide(standing(expected, typed({ lot: 'A', ...line })), 'B', reads({ lot: 'B', quantity: 20 }));
    expect(next({ accepted: '40' })).toMatchObject({ why: 'over', details: { open: 10 } });
    expect(next({ accepted: '70' })).toMatchObject({ why: 'over', details: { open: 0 } });
    for (const line of [{ accepted: '30' }, { accepted: '', rejected: '40' }, { part: NUT, accepted: '40' }])
      expect(next(line).outcome).toBe('taken');
  });

  it('of an announced pallet takes what was announced, once', () => {
    const expected = expects({ sscc: SSCC, lot: 'L-1', ordered: 40, open: 40 });
    const pallet = reads(announced(expected, labelOf({ part: null, unit: null, serial: SSCC })));
    const taken = decide(standing(expected), SSCC, pallet);
    expect(taken).toMatchObject({ outcome: 'taken', line: { part: BOLT, lot: 'L-1', accepted: '40' } });
    expect(decide(standing(expected, taken.line), SSCC, pallet)).toMatchObject({
      outcome: 'refused',
      why: 'serial',
    });
  });
});
