import { describe, expect, it } from 'vitest';
import { followArrows } from '../../../shared/sampling/sampling-plan.ts';
import {
  aqls,
  type Cell,
  cellAt,
  codeLetterFor,
  inspectionLevels,
  neighbour,
  severities,
} from '../../../shared/sampling/sampling-tables.ts';

/**
 * ISO 2859-1:1999 (identical: GB/T 2828.1-2012, IS 2500-1:2000), single sampling, the columns 0.010 to 10 as printed:
 * letter, sample size, then for each AQL the acceptance number, or `v` and `^` for the arrows down and up. `-` is empty.
 */
const printed = {
  // Table 2-A
  normal: `
A    2   v  v  v  v  v  v  v  v  v  v  v  v  v  v  0  v
B    3   v  v  v  v  v  v  v  v  v  v  v  v  v  0  ^  v
C    5   v  v  v  v  v  v  v  v  v  v  v  v  0  ^  v  1
D    8   v  v  v  v  v  v  v  v  v  v  v  0  ^  v  1  2
E   13   v  v  v  v  v  v  v  v  v  v  0  ^  v  1  2  3
F   20   v  v  v  v  v  v  v  v  v  0  ^  v  1  2  3  5
G   32   v  v  v  v  v  v  v  v  0  ^  v  1  2  3  5  7
H   50   v  v  v  v  v  v  v  0  ^  v  1  2  3  5  7 10
J   80   v  v  v  v  v  v  0  ^  v  1  2  3  5  7 10 14
K  125   v  v  v  v  v  0  ^  v  1  2  3  5  7 10 14 21
L  200   v  v  v  v  0  ^  v  1  2  3  5  7 10 14 21  ^
M  315   v  v  v  0  ^  v  1  2  3  5  7 10 14 21  ^  ^
N  500   v  v  0  ^  v  1  2  3  5  7 10 14 21  ^  ^  ^
P  800   v  0  ^  v  1  2  3  5  7 10 14 21  ^  ^  ^  ^
Q 1250   0  ^  v  1  2  3  5  7 10 14 21  ^  ^  ^  ^  ^
R 2000   ^  ^  1  2  3  5  7 10 14 21  ^  ^  ^  ^  ^  ^
`,
  // Table 2-B
  tightened: `
A    2   v  v  v  v  v  v  v  v  v  v  v  v  v  v  v  v
B    3   v  v  v  v  v  v  v  v  v  v  v  v  v  v  0  v
C    5   v  v  v  v  v  v  v  v  v  v  v  v  v  0  v  v
D    8   v  v  v  v  v  v  v  v  v  v  v  v  0  v  v  1
E   13   v  v  v  v  v  v  v  v  v  v  v  0  v  v  1  2
F   20   v  v  v  v  v  v  v  v  v  v  0  v  v  1  2  3
G   32   v  v  v  v  v  v  v  v  v  0  v  v  1  2  3  5
H   50   v  v  v  v  v  v  v  v  0  v  v  1  2  3  5  8
J   80   v  v  v  v  v  v  v  0  v  v  1  2  3  5  8 12
K  125   v  v  v  v  v  v  0  v  v  1  2  3  5  8 12 18
L  200   v  v  v  v  v  0  v  v  1  2  3  5  8 12 18  ^
M  315   v  v  v  v  0  v  v  1  2  3  5  8 12 18  ^  ^
N  500   v  v  v  0  v  v  1  2  3  5  8 12 18  ^  ^  ^
P  800   v  v  0  v  v  1  2  3  5  8 12 18  ^  ^  ^  ^
Q 1250   v  0  v  v  1  2  3  5  8 12 18  ^  ^  ^  ^  ^
R 2000   0  ^  v  1  2  3  5  8 12 18  ^  ^  ^  ^  ^  ^
S 3150   -  -  1  -  -  -  -  -  -  -  -  -  -  -  -  -
`,
  // Table 2-C
  reduced: `
A    2   v  v  v  v  v  v  v  v  v  v  v  v  v  v  0  v
B    2   v  v  v  v  v  v  v  v  v  v  v  v  v  0  ^  v
C    2   v  v  v  v  v  v  v  v  v  v  v  v  0  ^  v  v
D    3   v  v  v  v  v  v  v  v  v  v  v  0  ^  v  v  1
E    5   v  v  v  v  v  v  v  v  v  v  0  ^  v  v  1  2
F    8   v  v  v  v  v  v  v  v  v  0  ^  v  v  1  2  3
G   13   v  v  v  v  v  v  v  v  0  ^  v  v  1  2  3  5
H   20   v  v  v  v  v  v  v  0  ^  v  v  1  2  3  5  6
J   32   v  v  v  v  v  v  0  ^  v  v  1  2  3  5  6  8
K   50   v  v  v  v  v  0  ^  v  v  1  2  3  5  6  8 10
L   80   v  v  v  v  0  ^  v  v  1  2  3  5  6  8 10  ^
M  125   v  v  v  0  ^  v  v  1  2  3  5  6  8 10  ^  ^
N  200   v  v  0  ^  v  v  1  2  3  5  6  8 10  ^  ^  ^
P  315   v  0  ^  v  v  1  2  3  5  6  8 10  ^  ^  ^  ^
Q  500   0  ^  ^  v  1  2  3  5  6  8 10  ^  ^  ^  ^  ^
R  800   ^  ^  ^  1  2  3  5  6  8 10  ^  ^  ^  ^  ^  ^
`,
};

const rowsOf = (severity: keyof typeof printed): string[][] =>
  printed[severity]
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/));

function show(cell: Cell | null): string {
  if (cell === null) return '-';
  if (typeof cell === 'string') return { down: 'v', up: '^' }[cell];
  return String(cell.ac);
}

describe.each(severities)('the table for %s inspection', severity => {
  it('is as printed', () => {
    expect(rowsOf(severity).length).toBe(severity === 'tightened' ? 17 : 16);
    for (const [letter = '', n, ...cells] of rowsOf(severity)) {
      expect([letter, ...aqls.map(aql => show(cellAt(severity, letter, aql)))]).toEqual([letter, ...cells]);
      for (const aql of aqls) {
        const cell = cellAt(severity, letter, aql);
        if (cell !== null && typeof cell === 'object') expect(cell.n).toBe(Number(n));
      }
    }
  });

  it('leads every letter and AQL to a plan, with no fewer allowed at a higher AQL and the same sample', () => {
    for (const letter of 'ABCDEFGHJKLMNPQR') {
      const plans = aqls.map(aql => followArrows(severity, letter, aql));
      for (const [index, plan] of plans.entries()) {
        const before = plans[index - 1];
        expect(plan.ac).toBeGreaterThanOrEqual(before?.ac ?? 0);
        if (before?.n === plan.n && plan.ac > 0) expect(plan.ac).toBeGreaterThan(before.ac);
        if (before !== undefined && plan.ac === before.ac) expect(plan.n).toBeLessThanOrEqual(before.n);
      }
    }
  });

  it('has the same n times AQL on each diagonal, within the rounding of its preferred numbers', () => {
    const products = new Map<number, number[]>();
    for (const [index, aql] of aqls.entries()) {
      for (const [row, letter] of [...'DEFGHJKLMNPQR'].entries()) {
        const cell = cellAt(severity, letter, aql);
        if (cell === null || typeof cell === 'string') continue;
        products.set(index + row, [...(products.get(index + row) ?? []), cell.n * aql]);
      }
    }
    expect(products.size).toBeGreaterThanOrEqual(8);
    for (const values of products.values())
      expect(Math.max(...values) / Math.min(...values)).toBeLessThan(1.17);
  });
});

/** The chance that a lot of this fraction nonconforming is accepted (binomial). */
function acceptance(n: number, ac: number, fraction: number): number {
  let term = (1 - fraction) ** n;
  let sum = term;
  for (let found = 1; found <= ac; found += 1) {
    term *= ((n - found + 1) / found) * (fraction / (1 - fraction));
    sum += term;
  }
  return sum;
}

it('accepts a lot at the AQL with 86 to 99.5 % on normal inspection, not more on tightened, and mostly on reduced', () => {
  for (const letter of 'ABCDEFGHJKLMNPQR') {
    for (const aql of aqls) {
      const chance = (severity: (typeof severities)[number]): number => {
        const { n, ac } = followArrows(severity, letter, aql);
        return acceptance(n, ac, aql / 100);
      };
      expect(chance('normal')).toBeGreaterThan(0.86);
      expect(chance('normal')).toBeLessThan(0.995);
      expect(chance('tightened')).toBeLessThan(chance('normal') + 1e-12);
      expect(chance('reduced')).toBeGreaterThan(0.86);
    }
  }
});

describe('table 1', () => {
  // As printed: first lot size of each row, then S-1, S-2, S-3, S-4, I, II, III.
  it.each([
    [2, 8, 'A A A A A A B'],
    [9, 15, 'A A A A A B C'],
    [16, 25, 'A A B B B C D'],
    [26, 50, 'A B B C C D E'],
    [51, 90, 'B B C C C E F'],
    [91, 150, 'B B C D D F G'],
    [151, 280, 'B C D E E G H'],
    [281, 500, 'B C D E F H J'],
    [501, 1200, 'C C E F G J K'],
    [1201, 3200, 'C D E G H K L'],
    [3201, 10000, 'C D F G J L M'],
    [10001, 35000, 'C D F H K M N'],
    [35001, 150000, 'D E G J L N P'],
    [150001, 500000, 'D E G J M P Q'],
    [500001, null, 'D E H K N Q R'],
  ])('%i to %s', (from, to, letters) => {
    for (const lotSize of [from, to ?? 10_000_000]) {
      const found = inspectionLevels.map(level => codeLetterFor(lotSize, level));
      expect(found.map(({ letter }) => letter).join(' ')).toBe(letters);
      expect(found[0]).toMatchObject({ from, to });
    }
  });
});

/**
 * Some reprints put Ac 0 there, as the diagonal of the Ac 0 would have it. MIL-STD-105E, table II-B, from which ISO 2859-1
 * has its single plans, has an arrow: in the reprint of its columns 0.65 to 15 by the US Army's Directorate of Public Works
 * (table 1-B, http://www.nibs.org/FMOC/DPW_AC/AC-TABLE.ASC) row A is without any plan, and 10 begins at D with Re 2.
 */
it('has an arrow at letter A and AQL 10 on tightened inspection, which leads to D: 8 with Ac 1', () => {
  expect(cellAt('tightened', 'A', 10)).toBe('down');
  expect(followArrows('tightened', 'A', 10)).toEqual({ letter: 'D', n: 8, ac: 1 });
});

it('has no plan at an unknown letter or AQL', () => {
  expect(cellAt('normal', 'I', 1)).toBeNull();
  expect(cellAt('normal', '', 1)).toBeNull();
  expect(cellAt('normal', 'AB', 1)).toBeNull();
  expect(cellAt('normal', 'S', 0.025)).toBeNull();
  expect(cellAt('normal', 'J', 15)).toBeNull();
  for (const severity of ['normal', 'reduced'] as const) {
    expect(aqls.map(aql => cellAt(severity, 'S', aql)).filter(cell => cell !== null)).toEqual([]);
  }
});

it('ends at its first and last letter', () => {
  expect([neighbour('normal', 'A', -1), neighbour('normal', 'B', -1)]).toEqual([null, 'A']);
  expect([neighbour('normal', 'Q', 1), neighbour('normal', 'R', 1)]).toEqual(['R', null]);
  expect([neighbour('tightened', 'R', 1), neighbour('tightened', 'S', 1)]).toEqual(['S', null]);
});
