import { describe, expect, it } from 'vitest';
import {
  amount,
  emptyLine,
  isBegun,
  isComplete,
  type Label,
  type Line,
} from '../../../../renderer/screens/receiving/line.ts';
import type { Reading } from '../../../../renderer/screens/receiving/read-label.ts';
import {
  type Answers,
  type Decision,
  decide,
  type Standing,
} from '../../../../renderer/screens/receiving/take.ts';
import fc from '../../../support/fast-check.ts';

const TODAY = '2026-01-15';
const BOLT = 7;
const NUT = 8;

const reads = (change: Partial<Label>): Reading => ({
  kind: 'label',
  label: {
    part: null,
    unit: 'EA',
    lot: null,
    expiry: null,
    quantity: null,
    weight: null,
    serial: null,
    ...change,
  },
  bestBefore: null,
});
const standing = (change: Partial<Standing> = {}): Standing => ({
  line: emptyLine('a'),
  labels: new Set(),
  serials: new Set(),
  expected: null,
  isClosed: false,
  isSending: false,
  isInterrupted: false,
  today: TODAY,
  newKey: 'b',
  ...change,
});

/** Scans one after the other into one line, as far as they are taken; each by its text and what it reads. */
function scanAll(...scans: [text: string, says: Partial<Label>, answers?: Answers][]): {
  line: Line;
  last: Decision;
} {
  let line = emptyLine('a');
  let last: Decision | undefined;
  for (const [text, says, answers] of scans) {
    last = decide(standing({ line }), text, reads(says), answers);
    line = last.line;
  }
  if (!last) throw new Error('Nothing was scanned.');
  return { line, last };
}

const gtin: [string, Partial<Label>] = ['gtin', { part: BOLT }];
const lot = (name: string, quantity: number | null = null): [string, Partial<Label>] => [
  `lot ${name} ${quantity}`,
  { lot: name, quantity },
];

describe('pallets', () => {
  const on = (sscc: string): [string, Partial<Label>] => [
    `pallet ${sscc}`,
    { part: BOLT, lot: 'A', quantity: 40, sscc, serial: sscc },
  ];

  it('of the same goods are lines of their own', () => {
    const { last } = scanAll(on('1'), on('2'));
    expect(last).toMatchObject({
      savesFirst: true,
      before: { accepted: '40', sscc: '1' },
      line: { lot: 'A', accepted: '40', sscc: '2' },
    });
  });

  it('take no goods that were counted without one', () => {
    const { last } = scanAll(['case', { part: BOLT, lot: 'A', quantity: 12 }], on('1'));
    expect(last).toMatchObject({
      before: { accepted: '12', sscc: null },
      line: { accepted: '40', sscc: '1' },
    });
  });

  it('are of the goods whose label has the number in a second code', () => {
    const alone: [string, Partial<Label>] = ['second code', { sscc: '1', serial: '1' }];
    const { line } = scanAll(['case', { part: BOLT, lot: 'A', quantity: 12 }], alone);
    expect(line).toMatchObject({ accepted: '12', sscc: '1' });
  });
});

describe('counting', () => {
  it('takes the count of the second code of a label, not one more', () => {
    const { line } = scanAll(gtin, lot('A', 40));
    expect(line).toMatchObject({ part: BOLT, lot: 'A', accepted: '40' });
  });

  it('takes the count of a whole label after its plain code', () => {
    const { line } = scanAll(gtin, ['case', { part: BOLT, lot: 'A', quantity: 40 }]);
    expect(line).toMatchObject({ lot: 'A', accepted: '40' });
  });

  it('counts one more for each further plain code', () => {
    expect(scanAll(gtin, gtin, gtin, gtin).line.accepted).toBe('4');
    const { line } = scanAll(['case', { part: BOLT, quantity: 12 }], gtin, gtin, gtin, gtin);
    expect(line.accepted).toBe('16');
  });

  it('counts nothing for the lot alone', () => {
    expect(scanAll(gtin, lot('A')).line).toMatchObject({ lot: 'A', accepted: '1' });
  });

  it('asks how many, where pieces were counted before', () => {
    const { line, last } = scanAll(gtin, gtin, gtin, lot('A', 40));
    expect(last).toMatchObject({ outcome: 'question', why: 'count', details: { plain: 3, quantity: 40 } });
    // They are in the question.
    expect(isBegun(line)).toBe(false);
    if (last.outcome !== 'question') return;
    for (const [count, accepted] of [
      ['all', '40'],
      ['more', '43'],
    ] as const) {
      const { line } = scanAll([...lot('A', 40), { ...last.keeps, count }]);
      expect(line).toMatchObject({ part: BOLT, lot: 'A', accepted });
    }
  });

  it('asks when a label with a count comes again', () => {
    const { line, last } = scanAll(gtin, lot('A', 40), lot('A', 40));
    expect(last).toMatchObject({ outcome: 'question', why: 'again' });
    expect(line.accepted).toBe('40');
    const twice = scanAll(gtin, lot('A', 40), [...lot('A', 40), { again: true }]);
    expect(twice.line.accepted).toBe('80');
  });

  it('asks so of both codes of it', () => {
    const { line, last } = scanAll(gtin, lot('A', 40), gtin, lot('A', 40));
    expect(last).toMatchObject({ why: 'again', keeps: { part: BOLT, plain: 1 } });
    expect(line.accepted).toBe('40');
    if (last.outcome !== 'question') return;
    const answered = decide(standing({ line }), 'lot A 40', reads({ lot: 'A', quantity: 40 }), {
      ...last.keeps,
      again: true,
    });
    expect(answered.line.accepted).toBe('80');
  });

  it('asks of a label that another line has', () => {
    const [text, says] = lot('A', 40);
    const decision = decide(standing({ labels: new Set([text]) }), text, reads({ ...says, part: BOLT }));
    expect(decision).toMatchObject({ outcome: 'question', why: 'again' });
  });

  it('gives the piece of the last plain code to the other lot whose label follows', () => {
    const { last } = scanAll(gtin, lot('A', 40), gtin, lot('B', 30));
    expect(last).toMatchObject({
      outcome: 'taken',
      savesFirst: true,
      before: { lot: 'A', accepted: '40' },
      line: { part: BOLT, lot: 'B', accepted: '30' },
    });
    expect(scanAll(gtin, lot('A', 40), gtin, lot('B')).last).toMatchObject({
      before: { lot: 'A', accepted: '40' },
      line: { lot: 'B', accepted: '1' },
    });
  });

  it('counts a serial number once', () => {
    const piece = (serial: string): [string, Partial<Label>] => [`sn ${serial}`, { part: BOLT, serial }];
    const { line, last } = scanAll(piece('1'), piece('2'), piece('1'));
    expect(line).toMatchObject({ accepted: '2', scanned: { serials: ['7 1', '7 2'] } });
    expect(last).toMatchObject({ outcome: 'refused', why: 'serial', details: { serial: '1' } });
    const other = decide(standing({ serials: new Set(['7 1']) }), 'sn 1', reads({ part: BOLT, serial: '1' }));
    expect(other).toMatchObject({ outcome: 'refused', why: 'serial' });
    // Another maker's.
    expect(decide(standing({ line }), 'x', reads({ part: NUT, serial: '1' })).outcome).toBe('taken');
  });
});

describe('each scan is taken, a question or refused', () => {
  const expired = { part: BOLT, lot: 'A', expiry: '2026-01-14', quantity: 5 };

  it('the day of its expiry is the last usable one', () => {
    expect(decide(standing(), 'x', reads({ ...expired, expiry: TODAY })).outcome).toBe('taken');
    expect(decide(standing(), 'x', reads(expired))).toMatchObject({
      outcome: 'question',
      why: 'expired',
      details: { expiry: '2026-01-14' },
    });
  });

  it('an expired label is received as a person says, and its further pieces with it', () => {
    const { line, last } = scanAll(['x', expired, { expired: 'accept' }], ['y', { ...expired, quantity: 2 }]);
    expect(last.outcome).toBe('taken');
    expect(line).toMatchObject({ accepted: '7', rejected: '' });
  });

  it('pieces that come after rejected ones of their lot are asked about as the first, and are a line of their own', () => {
    const more = { ...expired, quantity: 2 };
    const { line, last } = scanAll(['x', expired, { expired: 'reject' }], ['y', more]);
    expect(last).toMatchObject({ outcome: 'question', why: 'expired' });
    expect(line).toMatchObject({ accepted: '', rejected: '5' });
    const answered = (said: 'accept' | 'reject') =>
      scanAll(['x', expired, { expired: 'reject' }], ['y', more, { expired: said }]).last;
    expect(answered('accept')).toMatchObject({
      savesFirst: true,
      before: { rejected: '5' },
      line: { accepted: '2', rejected: '' },
    });
    expect(answered('reject')).toMatchObject({ savesFirst: false, line: { accepted: '', rejected: '7' } });
  });

  it.each<[name: string, Reading, Partial<Standing>, expected: object]>([
    [
      'a code that nobody knows',
      { kind: 'unknown', code: 'X', label: labelOf(reads({})), bestBefore: null },
      {},
      { outcome: 'question', why: 'unknown' },
    ],
    ['a misread number', { kind: 'broken', text: '1' }, {}, { outcome: 'refused', why: 'broken' }],
    [
      'a label of nothing',
      reads({ serial: '106141412345678908' }),
      {},
      { outcome: 'refused', why: 'nothing' },
    ],
    ['a label of none', reads({ part: BOLT, quantity: 0 }), {}, { outcome: 'refused', why: 'nothing' }],
    ['a label without a part', reads({ lot: 'A', quantity: 3 }), {}, { outcome: 'question', why: 'part' }],
    [
      'goods at a closed receipt',
      reads({ part: BOLT }),
      { isClosed: true },
      { outcome: 'refused', why: 'closed' },
    ],
    [
      'goods while the line is on its way',
      reads({ part: BOLT }),
      { isSending: true },
      { outcome: 'question', why: 'away' },
    ],
    ['a place', { kind: 'location', location: 3 }, {}, { outcome: 'taken', line: { location: 3 } }],
    [
      'a place at a closed receipt',
      { kind: 'location', location: 3 },
      { isClosed: true },
      { outcome: 'refused', why: 'closed' },
    ],
    [
      'a code without a part after a scan that is not in the line',
      reads({ lot: 'B', quantity: 38 }),
      { line: { ...emptyLine('a'), part: BOLT, accepted: '1' }, isInterrupted: true },
      { outcome: 'question', why: 'part' },
    ],
    [
      'goods after a line that is not finished',
      reads({ part: NUT }),
      { line: { ...emptyLine('a'), part: BOLT } },
      { outcome: 'question', why: 'blocked' },
    ],
    [
      'goods whose lot was typed before',
      reads({ part: NUT }),
      { line: { ...emptyLine('a'), lot: 'A' } },
      { outcome: 'taken', line: { part: NUT, lot: 'A', accepted: '1' } },
    ],
    [
      'goods whose lot was typed before in other letters than the label has',
      reads({ part: NUT, lot: ' a' }),
      { line: { ...emptyLine('a'), lot: 'A' } },
      { outcome: 'taken', line: { part: NUT, accepted: '1' } },
    ],
  ])('%s', (_name, reading, change, expected) => {
    const before = standing(change);
    const decision = decide(before, 'text', reading);
    expect(decision).toMatchObject(expected);
    if (decision.outcome !== 'taken') expect(decision.line).toEqual(before.line);
  });

  function labelOf(reading: Reading): Label {
    if (reading.kind !== 'label') throw new Error('No label.');
    return reading.label;
  }
});

it('nothing that was scanned is lost or counted twice, whatever the order', () => {
  /** What the pieces of a scan are, once all is answered: by part, and lot where a label says it. */
  const scan = fc.oneof(
    fc.record({ kind: fc.constant('plain' as const), part: fc.constantFrom(BOLT, NUT) }),
    fc.record({
      kind: fc.constant('pallet' as const),
      part: fc.constantFrom(BOLT, NUT),
      lot: fc.constantFrom('A', 'B'),
      count: fc.integer({ min: 2, max: 50 }),
      isExpired: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('pair' as const),
      part: fc.constantFrom(BOLT, NUT),
      lot: fc.constantFrom('A', 'B'),
      count: fc.integer({ min: 2, max: 50 }),
    }),
    fc.record({
      kind: fc.constant('piece' as const),
      part: fc.constantFrom(BOLT, NUT),
      serial: fc.integer({ min: 1, max: 5 }),
    }),
    fc.record({
      kind: fc.constant('lone lot' as const),
      lot: fc.constantFrom('C', 'D'),
      count: fc.integer({ min: 2, max: 50 }),
    }),
  );
  type Scan = typeof scan extends fc.Arbitrary<infer Value> ? Value : never;
  type Step = [text: string, says: Partial<Label>];
  const stepsOf = (each: Scan): Step[] => {
    if (each.kind === 'plain') return [[`gtin ${each.part}`, { part: each.part }]];
    if (each.kind === 'piece')
      return [[`sn ${each.part} ${each.serial}`, { part: each.part, serial: String(each.serial) }]];
    if (each.kind === 'pallet') {
      const { part, lot, count: quantity, isExpired } = each;
      const expiry = isExpired ? '2020-01-01' : '2031-01-01';
      return [[`pallet ${part} ${lot} ${quantity} ${expiry}`, { part, lot, quantity, expiry }]];
    }
    const second: Step = [`lot ${each.lot} ${each.count}`, { lot: each.lot, quantity: each.count }];
    return each.kind === 'pair' ? [[`gtin ${each.part}`, { part: each.part }], second] : [second];
  };
  const runs = Number(process.env.HOLDPOINT_SCAN_RUNS ?? 200);
  fc.assert(
    fc.property(fc.array(scan, { maxLength: 25 }), scans => {
      let line = emptyLine('a');
      const saved: Line[] = [];
      const open: { text: string; says: Partial<Label>; decision: Decision }[] = [];
      let refused = 0;
      let given = 0;
      let keys = 0;
      const pieces = (one: Line) => amount(one.accepted) + amount(one.rejected);
      const scanOne = (text: string, says: Partial<Label>, answers: Answers = {}) => {
        keys += 1;
        const decision = decide(
          standing({
            line,
            labels: new Set(saved.flatMap(each => each.scanned.labels)),
            serials: new Set(saved.flatMap(each => each.scanned.serials)),
            newKey: String(keys),
          }),
          text,
          reads(says),
          answers,
        );
        if (decision.outcome === 'taken' && decision.savesFirst) {
          expect(isComplete(decision.before)).toBe(true);
          saved.push(decision.before);
        }
        line = decision.line;
        return decision;
      };
      /** What stands somewhere: in lines, and in what is open, each as its label counts or as one. */
      const total = () =>
        [...saved, line].reduce((sum, one) => sum + pieces(one), 0) +
        open.reduce((sum, { says }) => sum + (says.quantity ?? 1), 0) +
        refused;
      for (const [text, says] of scans.flatMap(stepsOf)) {
        const plainBefore = line.scanned.isPlainLast ? line.scanned.plain : 0;
        const decision = scanOne(text, says);
        const counted = says.quantity ?? 1;
        given += counted;
        if (decision.outcome === 'question') open.push({ text, says, decision });
        else if (decision.outcome === 'refused') refused += counted;
        // Pieces that the label counts, too, were scanned and are no further ones: at most those before it.
        const twice = given - total();
        expect(twice).toBeGreaterThanOrEqual(0);
        expect(twice).toBeLessThanOrEqual(says.quantity === undefined ? 0 : plainBefore);
        given -= twice;
      }
      // Each question, answered with "all of it is other goods", adds exactly what it asks about.
      for (const { text, says, decision } of open.splice(0)) {
        if (decision.outcome !== 'question') continue;
        const before = total();
        let answers: Answers = decision.keeps;
        let now: Decision = decision;
        for (let round = 0; round < 6 && now.outcome === 'question'; round += 1) {
          answers = { ...now.keeps };
          if (now.why === 'part') answers = { ...answers, part: BOLT, unit: 'EA', plain: 0 };
          if (now.why === 'again') answers.again = true;
          if (now.why === 'expired') answers.expired = 'reject';
          if (now.why === 'count') answers.count = 'more';
          now = scanOne(text, says, answers);
        }
        expect(now.outcome).not.toBe('question');
        const more = answers.count === 'more' ? (answers.plain ?? 0) : 0;
        if (now.outcome === 'taken') expect(total() - before).toBe((says.quantity ?? 1) + more);
      }
    }),
    { numRuns: runs },
  );
});
