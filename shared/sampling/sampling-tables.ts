/**
 * The tables of ISO 2859-1:1999 for single sampling and inspection for nonconforming items (AQL of 10 or less):
 * 1 (sample size code letters), 2-A (normal), 2-B (tightened) and 2-C (reduced).
 */

export const severities = ['normal', 'tightened', 'reduced'] as const;
export type Severity = (typeof severities)[number];

export const inspectionLevels = ['S-1', 'S-2', 'S-3', 'S-4', 'I', 'II', 'III'] as const;
export type InspectionLevel = (typeof inspectionLevels)[number];

/** Acceptance quality limits in per cent nonconforming. */
export const aqls: readonly number[] = [
  0.01, 0.015, 0.025, 0.04, 0.065, 0.1, 0.15, 0.25, 0.4, 0.65, 1, 1.5, 2.5, 4, 6.5, 10,
];

/** As records keep them: a choice among the columns of the tables. */
export const aqlTexts = aqls.map(String) as [string, ...string[]];

/** Sample size code letters; S has one plan, in table 2-B, to which an arrow leads. */
const letters = 'ABCDEFGHJKLMNPQRS';

/** Table 1: from each lot size on, the letters of the levels in the order of `inspectionLevels`. */
const codeLetters: readonly (readonly [from: number, letters: string])[] = [
  [2, 'AAAAAAB'],
  [9, 'AAAAABC'],
  [16, 'AABBBCD'],
  [26, 'ABBCCDE'],
  [51, 'BBCCCEF'],
  [91, 'BBCDDFG'],
  [151, 'BCDEEGH'],
  [281, 'BCDEFHJ'],
  [501, 'CCEFGJK'],
  [1_201, 'CDEGHKL'],
  [3_201, 'CDFGJLM'],
  [10_001, 'CDFHKMN'],
  [35_001, 'DEGJLNP'],
  [150_001, 'DEGJMPQ'],
  [500_001, 'DEHKNQR'],
];

/** The row of table 1 that a lot size of 2 or more falls in; the last one has no end. */
export function codeLetterFor(
  lotSize: number,
  level: InspectionLevel,
): { letter: string; from: number; to: number | null } {
  const row = codeLetters.findLastIndex(([from]) => lotSize >= from);
  const [from = 2, ofLevels = ''] = codeLetters[row] ?? [];
  const next = codeLetters[row + 1]?.[0];
  return {
    letter: ofLevels.charAt(inspectionLevels.indexOf(level)),
    from,
    to: next === undefined ? null : next - 1,
  };
}

/** A cell of tables 2-A to 2-C: a plan, or an arrow to the first plan below or above. */
export type Cell = { readonly n: number; readonly ac: number } | 'down' | 'up';

/**
 * Along each column of the tables the acceptance numbers follow one sequence: Ac 0, then arrows, then 1, 2, 3 and on,
 * one letter a step; one step to a higher AQL begins one letter earlier. So a column is the letter of its Ac 0 and
 * the sequence behind it. Above the sequence stand arrows down, below it arrows up.
 */
const sequences: Record<
  Severity,
  { lettersOfAc0: number; arrows: Cell[]; acceptance: number[]; sizes: number[] }
> = {
  normal: {
    lettersOfAc0: letters.indexOf('Q'),
    arrows: ['up', 'down'],
    acceptance: [1, 2, 3, 5, 7, 10, 14, 21],
    sizes: [2, 3, 5, 8, 13, 20, 32, 50, 80, 125, 200, 315, 500, 800, 1250, 2000],
  },
  tightened: {
    lettersOfAc0: letters.indexOf('R'),
    arrows: ['down', 'down'],
    acceptance: [1, 2, 3, 5, 8, 12, 18],
    sizes: [2, 3, 5, 8, 13, 20, 32, 50, 80, 125, 200, 315, 500, 800, 1250, 2000, 3150],
  },
  reduced: {
    lettersOfAc0: letters.indexOf('Q'),
    arrows: ['up', 'down', 'down'],
    acceptance: [1, 2, 3, 5, 6, 8, 10],
    sizes: [2, 2, 2, 3, 5, 8, 13, 20, 32, 50, 80, 125, 200, 315, 500, 800],
  },
};

/** Null for a letter or an AQL that the table does not have. */
export function cellAt(severity: Severity, letter: string, aql: number): Cell | null {
  const { sizes } = sequences[severity];
  const row = letters.indexOf(letter);
  const column = aqls.indexOf(aql);
  const n = sizes[row];
  if (letter.length !== 1 || row < 0 || column < 0 || n === undefined) return null;
  const cell = sequenceAt(severity, row, column);
  if (letter === 'S' && cell !== sequences[severity].acceptance[0]) return null;
  if (typeof cell === 'number') return { n, ac: cell };
  // At the tables' upper and lower edge an arrow turns to where there is a plan.
  const isFree = (step: number): boolean =>
    sizes.some(
      (_, other) => (other - row) * step > 0 && typeof sequenceAt(severity, other, column) === 'number',
    );
  if (cell === 'up') return isFree(-1) ? 'up' : 'down';
  return isFree(1) ? 'down' : 'up';
}

/** The letter above (-1) or below (1), null at the edge of a severity's table. */
export function neighbour(severity: Severity, letter: string, step: 1 | -1): string | null {
  const row = letters.indexOf(letter) + step;
  return row < 0 || row >= sequences[severity].sizes.length ? null : letters.charAt(row);
}

function sequenceAt(severity: Severity, row: number, column: number): Cell | number {
  const { lettersOfAc0, arrows, acceptance } = sequences[severity];
  const offset = row - (lettersOfAc0 - column);
  // Table 2-B begins the Ac 0 at B: A has an arrow at AQL 10, where the sequence would put one more.
  if (offset < 0 || (severity === 'tightened' && row === 0 && offset === 0)) return 'down';
  if (offset === 0) return 0;
  return arrows[offset - 1] ?? acceptance[offset - 1 - arrows.length] ?? 'up';
}
