import { aqls, cellAt, type Severity } from './sampling-tables.ts';

/** A lot that was judged, in the order of the judgements. */
export interface JudgedLot {
  readonly kind: 'lot';
  readonly isAccepted: boolean;
  /** Lots submitted again after they were not accepted do not count (9.3.1). */
  readonly isResubmitted: boolean;
  /** Nonconforming items found in the sample; null when nobody counted. */
  readonly nonconforming: number | null;
  /** The plan by which it was judged, as `samplingPlan` gives it. */
  readonly plan: { readonly letterUsed: string; readonly aql: number; readonly ac: number };
}

/**
 * What a person decides between lots:
 * `reducedApproved` and `reducedWithdrawn`: the responsible authority wants reduced inspection, or no longer (9.3.3.1 c);
 * `productionIrregular` and `productionSteady` (9.3.3.1 b, 9.3.4 b); `normalReinstated`: other conditions warrant normal
 * inspection (9.3.4 c); `resumed`: the supplier has acted, inspection goes on after a discontinuation (9.4).
 */
export interface Ruling {
  readonly kind: 'ruling';
  readonly ruling:
    | 'reducedApproved'
    | 'reducedWithdrawn'
    | 'productionIrregular'
    | 'productionSteady'
    | 'normalReinstated'
    | 'resumed';
}

export type SamplingEvent = JudgedLot | Ruling;

export interface SeverityStep {
  readonly rule:
    | 'start'
    | 'twoOfFiveRejected'
    | 'fiveAccepted'
    | 'discontinued'
    | 'resumed'
    | 'reduced'
    | 'rejectedOnReduced'
    | 'productionIrregular'
    | 'reducedWithdrawn'
    | 'normalReinstated';
  /** The clause of ISO 2859-1:1999. */
  readonly clause: string;
  /** Index in the history of what caused it; null for the start. */
  readonly at: number | null;
  readonly severity: Severity;
  /** Indices of the lots that count for the rule. */
  readonly lots: readonly number[];
  readonly score: number;
}

export interface SeverityState {
  /** For the next lot. */
  readonly severity: Severity;
  /** No lot may be accepted by these plans until the supplier has acted (9.4). */
  readonly isDiscontinued: boolean;
  /** 9.3.3.2; 0 except on normal inspection. */
  readonly switchingScore: number;
  readonly isProductionSteady: boolean;
  /** The score is 30 or more and production steady: only the approval is missing. */
  readonly isReducedPossible: boolean;
  /** Lots not accepted on this stretch of tightened inspection; 5 discontinue it. */
  readonly rejectedOnTightened: number;
  /** Consecutive lots accepted on this stretch of tightened inspection; 5 end it. */
  readonly acceptedOnTightened: number;
  /** Every change, the oldest first. */
  readonly steps: readonly SeverityStep[];
}

/**
 * The severity that the switching rules of ISO 2859-1:1999 (9.1 to 9.4) give the next lot, from the lots judged so far
 * of one supplier and part. Starts on normal. Counts begin anew with each change of severity. An approval of reduced
 * inspection holds until normal inspection returns; each later return to reduced needs its own.
 */
export function severityAfter(history: readonly SamplingEvent[]): SeverityState {
  const state = newState();
  for (const [at, event] of history.entries()) {
    if (event.kind === 'ruling') rule(state, event.ruling, at);
    else if (!event.isResubmitted && !state.isDiscontinued) judged[state.severity](state, event, at);
    if (mayReduce(state) && state.isReducedApproved) change(state, 'reduced', 'reduced', '9.3.3.1', at, []);
  }
  return {
    severity: state.severity,
    isDiscontinued: state.isDiscontinued,
    switchingScore: state.score,
    isProductionSteady: state.isProductionSteady,
    isReducedPossible: mayReduce(state),
    rejectedOnTightened: state.severity === 'tightened' ? state.rejected.length : 0,
    acceptedOnTightened: state.severity === 'tightened' ? state.accepted.length : 0,
    steps: state.steps,
  };
}

/**
 * What a lot adds to the switching score (9.3.3.2, single sampling): with an acceptance number of 2 or more 3, if it
 * would have been accepted with the AQL one step tighter and the same sample; with 0 or 1 2, if it was accepted.
 * Null resets the score to zero; so does a count that is not known.
 */
export function switchingPoints(lot: JudgedLot): 2 | 3 | null {
  const { letterUsed, aql, ac } = lot.plan;
  if (ac < 2) return lot.isAccepted ? 2 : null;
  const tighterAql = aqls[aqls.indexOf(aql) - 1];
  const tighter = tighterAql === undefined ? null : cellAt('normal', letterUsed, tighterAql);
  if (tighter === null || typeof tighter === 'string' || lot.nonconforming === null) return null;
  return lot.isAccepted && lot.nonconforming <= tighter.ac ? 3 : null;
}

const scoreForReduced = 30;

interface Progress {
  severity: Severity;
  isDiscontinued: boolean;
  isProductionSteady: boolean;
  isReducedApproved: boolean;
  score: number;
  /** Indices of the lots of this stretch that the present rules look at. */
  recent: { at: number; isAccepted: boolean }[];
  rejected: number[];
  accepted: number[];
  steps: SeverityStep[];
}

function newState(): Progress {
  return {
    severity: 'normal',
    isDiscontinued: false,
    isProductionSteady: true,
    isReducedApproved: false,
    score: 0,
    recent: [],
    rejected: [],
    accepted: [],
    steps: [{ rule: 'start', clause: '9.1', at: null, severity: 'normal', lots: [], score: 0 }],
  };
}

const judged: Record<Severity, (state: Progress, lot: JudgedLot, at: number) => void> = {
  normal(state, lot, at) {
    state.recent = [...state.recent, { at, isAccepted: lot.isAccepted }].slice(-5);
    const rejected = state.recent.filter(({ isAccepted }) => !isAccepted).map(one => one.at);
    if (rejected.length >= 2) {
      change(state, 'tightened', 'twoOfFiveRejected', '9.3.1', at, rejected);
      return;
    }
    const points = switchingPoints(lot);
    state.score = points === null ? 0 : state.score + points;
  },
  tightened(state, lot, at) {
    if (lot.isAccepted) state.accepted.push(at);
    else {
      state.accepted = [];
      state.rejected.push(at);
    }
    if (state.accepted.length >= 5) change(state, 'normal', 'fiveAccepted', '9.3.2', at, state.accepted);
    else if (state.rejected.length >= 5) {
      state.isDiscontinued = true;
      const { severity, score } = state;
      state.steps.push({
        rule: 'discontinued',
        clause: '9.4',
        at,
        severity,
        lots: [...state.rejected],
        score,
      });
    }
  },
  reduced(state, lot, at) {
    if (!lot.isAccepted) change(state, 'normal', 'rejectedOnReduced', '9.3.4 a', at, [at]);
  },
};

function rule(state: Progress, ruling: Ruling['ruling'], at: number): void {
  const isReduced = state.severity === 'reduced';
  switch (ruling) {
    case 'reducedApproved':
      state.isReducedApproved = true;
      break;
    case 'reducedWithdrawn':
      state.isReducedApproved = false;
      if (isReduced) change(state, 'normal', 'reducedWithdrawn', '9.3.4 c', at, []);
      break;
    case 'productionSteady':
      state.isProductionSteady = true;
      break;
    case 'productionIrregular':
      state.isProductionSteady = false;
      if (isReduced) change(state, 'normal', 'productionIrregular', '9.3.4 b', at, []);
      break;
    case 'normalReinstated':
      if (isReduced) change(state, 'normal', 'normalReinstated', '9.3.4 c', at, []);
      break;
    case 'resumed':
      if (!state.isDiscontinued) break;
      state.isDiscontinued = false;
      change(state, 'tightened', 'resumed', '9.4', at, []);
  }
}

function mayReduce({ severity, score, isProductionSteady }: Progress): boolean {
  return severity === 'normal' && score >= scoreForReduced && isProductionSteady;
}

function change(
  state: Progress,
  severity: Severity,
  rule: SeverityStep['rule'],
  clause: string,
  at: number,
  lots: readonly number[],
): void {
  state.steps.push({ rule, clause, at, severity, lots: [...lots], score: state.score });
  if (severity !== 'reduced') state.isReducedApproved = false;
  Object.assign(state, { severity, score: 0, recent: [], rejected: [], accepted: [] });
}
