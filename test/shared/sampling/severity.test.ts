import { describe, expect, it } from 'vitest';
import {
  type JudgedLot,
  type Ruling,
  type SamplingEvent,
  severityAfter,
  switchingPoints,
} from '../../../shared/sampling/severity.ts';

/** J at AQL 1.0: n 80, Ac 2; one step tighter (0.65) Ac 1. */
const planJ = { letterUsed: 'J', aql: 1, ac: 2 };
/** H at AQL 1.0: n 50, Ac 1. */
const planH = { letterUsed: 'H', aql: 1, ac: 1 };

const rulings: Record<string, Ruling['ruling']> = {
  P: 'reducedApproved',
  W: 'reducedWithdrawn',
  i: 'productionIrregular',
  s: 'productionSteady',
  N: 'normalReinstated',
  G: 'resumed',
};

/**
 * One character an event: `a` a lot accepted without a nonconforming item, `2` accepted with two, `x` not accepted,
 * `A` and `X` the same for a lot submitted again; the rest are rulings.
 */
function history(text: string, plan: JudgedLot['plan'] = planJ): SamplingEvent[] {
  return [...text.replaceAll(' ', '')].map(character => {
    const ruling = rulings[character];
    if (ruling !== undefined) return { kind: 'ruling', ruling };
    return {
      kind: 'lot',
      isAccepted: character !== 'x' && character !== 'X',
      isResubmitted: character === 'A' || character === 'X',
      nonconforming: character === '2' ? 2 : character.toLowerCase() === 'x' ? 9 : 0,
      plan,
    };
  });
}

describe('severityAfter', () => {
  it.each([
    ['', 'normal'],
    ['x', 'normal'],
    // 9.3.1: two of five or fewer consecutive lots.
    ['xx', 'tightened'],
    ['xax', 'tightened'],
    ['xaaax', 'tightened'],
    ['xaaaax', 'normal'],
    ['xaaaaxaaax', 'tightened'],
    // Lots submitted again do not count, neither as not accepted nor between two that were.
    ['xX', 'normal'],
    ['xXXXXX', 'normal'],
    ['xAAAAAx', 'tightened'],
    // 9.3.2: five consecutive lots accepted.
    ['xx aaaa', 'tightened'],
    ['xx aaaaa', 'normal'],
    ['xx aaaaxaaaa', 'tightened'],
    ['xx aaaaxaaaaa', 'normal'],
    ['xx aaaaA', 'tightened'],
    // Counts begin anew on normal inspection.
    ['xx aaaaa x', 'normal'],
    ['xx aaaaa xx', 'tightened'],
    // 9.3.3: ten lots of 3 points make 30, with approval and steady production.
    ['aaaaaaaaaa', 'normal'],
    ['Paaaaaaaaa', 'normal'],
    ['Paaaaaaaaaa', 'reduced'],
    ['aaaaaaaaaaP', 'reduced'],
    ['aaaaaaaaaaiP', 'normal'],
    ['aaaaaaaaaaiPs', 'reduced'],
    ['PWaaaaaaaaaa', 'normal'],
    ['Paaaaa2aaaaa', 'normal'],
    ['Paaaaa2aaaaaaaaaa', 'reduced'],
    ['PaaaaaxaaaaaAAAAA', 'normal'],
    // 9.3.4: back to normal.
    ['Paaaaaaaaaa x', 'normal'],
    ['Paaaaaaaaaa X', 'reduced'],
    ['Paaaaaaaaaa 2', 'reduced'],
    ['Paaaaaaaaaa i', 'normal'],
    ['Paaaaaaaaaa N', 'normal'],
    ['Paaaaaaaaaa W', 'normal'],
    // The lot not accepted on reduced inspection is no lot of normal inspection; the approval has to be given anew.
    ['Paaaaaaaaaa x x', 'normal'],
    ['Paaaaaaaaaa x xx', 'tightened'],
    ['Paaaaaaaaaa x aaaaaaaaaa', 'normal'],
    ['Paaaaaaaaaa x aaaaaaaaaaP', 'reduced'],
    ['Pxx aaaaa aaaaaaaaaa', 'normal'],
    ['Pxx aaaaa aaaaaaaaaaP', 'reduced'],
    // 9.4: five lots not accepted on tightened inspection, then only a ruling helps.
    ['xx xaxaxaxax', 'tightened'],
    ['xx xaxaxaxax aaaaa', 'tightened'],
    ['xx xaxaxaxax G aaaaa', 'normal'],
    ['G', 'normal'],
  ])('%j is %s', (text, severity) => {
    expect(severityAfter(history(text)).severity).toBe(severity);
  });

  it.each([
    ['xx xxxx', false, 4],
    ['xx xxxxx', true, 5],
    ['xx xaxaxaxax', true, 5],
    ['xx xxxXX', false, 3],
    ['xx xxxxx aaaaa', true, 5],
    ['xx xxxxx G', false, 0],
    ['xx xxxxx G xxxx', false, 4],
    ['xx xxxxx G xxxxx', true, 5],
    // The count ends with the stretch of tightened inspection.
    ['xx xxxx aaaaa xx', false, 0],
  ])('%j discontinues: %s', (text, isDiscontinued, rejectedOnTightened) => {
    expect(severityAfter(history(text))).toMatchObject({ isDiscontinued, rejectedOnTightened });
  });

  it('says when only the approval is missing', () => {
    expect(severityAfter(history('aaaaaaaaa'))).toMatchObject({
      isReducedPossible: false,
      switchingScore: 27,
    });
    expect(severityAfter(history('aaaaaaaaaa'))).toMatchObject({
      isReducedPossible: true,
      switchingScore: 30,
    });
    expect(severityAfter(history('aaaaaaaaaai'))).toMatchObject({
      isReducedPossible: false,
      isProductionSteady: false,
    });
    expect(severityAfter(history('aaaaaaaaaaP'))).toMatchObject({
      isReducedPossible: false,
      switchingScore: 0,
    });
  });

  it('needs fifteen lots of 2 points where the acceptance number is 0 or 1', () => {
    expect(severityAfter(history(`P${'a'.repeat(14)}`, planH)).severity).toBe('normal');
    expect(severityAfter(history(`P${'a'.repeat(15)}`, planH)).severity).toBe('reduced');
  });

  it('explains every change', () => {
    expect(severityAfter(history('axaxA aaaaa')).steps).toEqual([
      { rule: 'start', clause: '9.1', at: null, severity: 'normal', lots: [], score: 0 },
      { rule: 'twoOfFiveRejected', clause: '9.3.1', at: 3, severity: 'tightened', lots: [1, 3], score: 3 },
      { rule: 'fiveAccepted', clause: '9.3.2', at: 9, severity: 'normal', lots: [5, 6, 7, 8, 9], score: 0 },
    ]);
    const { steps } = severityAfter(history('Paaaaaaaaaa x'));
    expect(steps.map(({ rule, at, score }) => [rule, at, score])).toEqual([
      ['start', null, 0],
      ['reduced', 10, 30],
      ['rejectedOnReduced', 11, 0],
    ]);
  });
});

describe('each change says what caused it, by which clause, and which lots count', () => {
  const reduced = ['reduced', '9.3.3.1', 10, 'reduced', [], 30] as const;

  it.each([
    ['', []],
    // On normal inspection these change nothing.
    ['WNisG', []],
    [
      'xx aaaaa',
      [
        ['twoOfFiveRejected', '9.3.1', 1, 'tightened', [0, 1], 0],
        ['fiveAccepted', '9.3.2', 6, 'normal', [2, 3, 4, 5, 6], 0],
      ],
    ],
    [
      'axax axxxxx G',
      [
        ['twoOfFiveRejected', '9.3.1', 3, 'tightened', [1, 3], 3],
        ['discontinued', '9.4', 9, 'tightened', [5, 6, 7, 8, 9], 0],
        ['resumed', '9.4', 10, 'tightened', [], 0],
      ],
    ],
    ['Paaaaaaaaaa x', [reduced, ['rejectedOnReduced', '9.3.4 a', 11, 'normal', [11], 0]]],
    ['Paaaaaaaaaa W', [reduced, ['reducedWithdrawn', '9.3.4 c', 11, 'normal', [], 0]]],
    ['Paaaaaaaaaa i', [reduced, ['productionIrregular', '9.3.4 b', 11, 'normal', [], 0]]],
    ['Paaaaaaaaaa N', [reduced, ['normalReinstated', '9.3.4 c', 11, 'normal', [], 0]]],
  ])('%j', (text, changes) => {
    const [start, ...steps] = severityAfter(history(text)).steps;
    expect(start).toEqual({ rule: 'start', clause: '9.1', at: null, severity: 'normal', lots: [], score: 0 });
    expect(steps).toEqual(
      changes.map(([rule, clause, at, severity, lots, score]) => ({
        rule,
        clause,
        at,
        severity,
        lots,
        score,
      })),
    );
  });

  it('counts what was accepted and not accepted on tightened inspection only', () => {
    const counts = (text: string) => {
      const { acceptedOnTightened, rejectedOnTightened } = severityAfter(history(text));
      return [acceptedOnTightened, rejectedOnTightened];
    };
    expect(['x', 'xx', 'xx aaa', 'xx axaa', 'xx xx', 'xx aaaaa'].map(counts)).toEqual([
      [0, 0],
      [0, 0],
      [3, 0],
      [2, 1],
      [0, 2],
      [0, 0],
    ]);
  });
});

// ISO 2859-1:1999, 9.3.3.2 a.
describe('switchingPoints', () => {
  const lot = { kind: 'lot', isAccepted: true, isResubmitted: false } as const;

  it.each([
    [planJ, 0, 3],
    [planJ, 1, 3],
    [planJ, 2, null],
    [planJ, null, null],
    [{ letterUsed: 'K', aql: 1, ac: 3 }, 2, 3],
    [{ letterUsed: 'K', aql: 1, ac: 3 }, 3, null],
    [{ letterUsed: 'K', aql: 10, ac: 21 }, 14, 3],
    [{ letterUsed: 'K', aql: 10, ac: 21 }, 15, null],
    // No AQL is tighter than the first.
    [{ letterUsed: 'R', aql: 0.01, ac: 2 }, 0, null],
    [planH, 1, 2],
    [planH, null, 2],
    [{ letterUsed: 'E', aql: 1, ac: 0 }, 0, 2],
  ])('%j with %s nonconforming: %s', (plan, nonconforming, points) => {
    expect(switchingPoints({ ...lot, plan, nonconforming })).toBe(points);
  });

  it('are none for a lot that was not accepted', () => {
    expect(switchingPoints({ ...lot, isAccepted: false, plan: planH, nonconforming: 0 })).toBeNull();
    expect(switchingPoints({ ...lot, isAccepted: false, plan: planJ, nonconforming: 0 })).toBeNull();
  });
});
