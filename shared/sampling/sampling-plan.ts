import {
  aqls,
  cellAt,
  codeLetterFor,
  type InspectionLevel,
  neighbour,
  type Severity,
} from './sampling-tables.ts';

export interface SamplingRequest {
  /** Items in the lot, a whole number of 1 or more. */
  readonly lotSize: number;
  readonly level: InspectionLevel;
  /** Per cent nonconforming, one of `aqls`. */
  readonly aql: number;
  readonly severity: Severity;
}

/** One step of how a plan was found, for a screen to put in words. */
export type SamplingStep =
  | {
      readonly rule: 'letter';
      /** Table 1; `to` is null in its last row. */
      readonly values: {
        lotSize: number;
        from: number;
        to: number | null;
        level: InspectionLevel;
        letter: string;
      };
    }
  | {
      /** An arrow of table 2-A, 2-B or 2-C: the first plan below or above it is used, with its sample size. */
      readonly rule: 'arrowDown' | 'arrowUp';
      readonly values: { table: string; aql: number; from: string; to: string };
    }
  | {
      readonly rule: 'plan';
      readonly values: { table: string; aql: number; letter: string; n: number; ac: number; re: number };
    }
  | { readonly rule: 'wholeLot'; readonly values: { n: number; lotSize: number } };

export interface SamplingPlan extends SamplingRequest {
  /** As table 1 gives it, and after the arrows. */
  readonly letter: string;
  readonly letterUsed: string;
  /** Items to inspect: the sample size, or the lot size when that is not larger. */
  readonly n: number;
  /** The lot is accepted with up to `ac` nonconforming items, and not accepted from `re` on; `re` is `ac` + 1. */
  readonly ac: number;
  readonly re: number;
  readonly isWholeLot: boolean;
  readonly steps: readonly SamplingStep[];
}

const tables: Record<Severity, string> = { normal: '2-A', tightened: '2-B', reduced: '2-C' };

/**
 * The single sampling plan of ISO 2859-1:1999, clause 10: code letter by lot size and inspection level (table 1), then
 * sample size and acceptance number (tables 2-A to 2-C), arrows followed. A sample that equals or exceeds the lot means
 * that all of it is inspected, with the same acceptance number. A lot of one, which table 1 does not have, takes the
 * first row.
 *
 * RangeError for a lot size that is no whole number of 1 or more, or an AQL that the tables do not have.
 */
export function samplingPlan({ lotSize, level, aql, severity }: SamplingRequest): SamplingPlan {
  if (!Number.isSafeInteger(lotSize) || lotSize < 1) {
    throw new RangeError(
      `The lot size ${lotSize} is no whole number of 1 or more. Give the number of items.`,
    );
  }
  if (!aqls.includes(aql)) {
    throw new RangeError(`The AQL ${aql} is not in ISO 2859-1. Use one of ${aqls.join(', ')}.`);
  }
  const table = tables[severity];
  const { letter, from, to } = codeLetterFor(Math.max(lotSize, 2), level);
  const found = followArrows(severity, letter, aql);
  const { n, ac } = found;
  const re = ac + 1;
  const steps: SamplingStep[] = [{ rule: 'letter', values: { lotSize, from, to, level, letter } }];
  if (found.letter !== letter) {
    const rule = found.letter > letter ? 'arrowDown' : 'arrowUp';
    steps.push({ rule, values: { table, aql, from: letter, to: found.letter } });
  }
  steps.push({ rule: 'plan', values: { table, aql, letter: found.letter, n, ac, re } });
  const isWholeLot = n >= lotSize;
  if (isWholeLot) steps.push({ rule: 'wholeLot', values: { n, lotSize } });
  return {
    lotSize,
    level,
    aql,
    severity,
    letter,
    letterUsed: found.letter,
    n: Math.min(n, lotSize),
    ac,
    re,
    isWholeLot,
    steps,
  };
}

/**
 * The plan at a letter and AQL after the arrows: its letter, sample size and acceptance number. RangeError where the
 * table has none.
 */
export function followArrows(
  severity: Severity,
  letter: string,
  aql: number,
): { letter: string; n: number; ac: number } {
  const cell = cellAt(severity, letter, aql);
  if (cell !== null && typeof cell === 'object') return { letter, ...cell };
  const next = cell === null ? null : neighbour(severity, letter, cell === 'down' ? 1 : -1);
  if (next === null)
    throw new RangeError(`Table ${tables[severity]} has no plan at ${letter} and AQL ${aql}.`);
  return followArrows(severity, next, aql);
}
