import { AppError, invalid } from '../../shared/contract/errors.ts';
import { shown } from '../../shared/contract/field-schemas.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import type { Sampling } from '../../shared/operations/sampling-operations.ts';
import { aqls, inspectionLevels } from '../../shared/sampling/sampling-tables.ts';
import { DEFAULT_AQL, DEFAULT_LEVEL, historyOf, planOf, severityOver } from '../rules/sampling-history.ts';
import type { TraceReads } from './around-lot.ts';
import { numberOf, textOf } from './trace-lot.ts';

export interface SamplingQuestion {
  part: number;
  supplier: number | undefined;
  lotSize: number;
  level: string | undefined;
  aql: string | undefined;
}

/**
 * The plan for a lot, by the severity that the lots judged so far give it. Works from what this station knows, without
 * any other. The lots of the past are taken to have been sampled at the same level and AQL: nobody wrote down by which.
 * @throws AppError `not_found`; 422 on the level, the AQL, or a lot size that the tables have no plan for
 */
export function samplingOf(reads: TraceReads, question: SamplingQuestion): Sampling {
  const part = reads.records.get('part', question.part);
  if (!part) throw new AppError('not_found', `There is no part with the id ${question.part}.`);
  const supplier = question.supplier ?? numberOf(part.fields.supplier_id);
  const { level, levelFrom, aql, aqlFrom } = samplingRule(question, part);
  const { entries, total } = historyOf(reads, part.id, supplier);
  const { history, state } = severityOver(entries, level, aql);
  const plan = planOf(question.lotSize, level, aql, state.severity);
  return {
    part_id: part.id,
    supplier_id: supplier,
    level_from: levelFrom,
    aql_from: aqlFrom,
    plan: {
      lot_size: plan.lotSize,
      level,
      aql,
      severity: plan.severity,
      letter: plan.letter,
      letter_used: plan.letterUsed,
      n: plan.n,
      ac: plan.ac,
      re: plan.re,
      is_whole_lot: plan.isWholeLot,
      steps: plan.steps.map(({ rule, values }) => ({ rule, values: { ...values } })),
    },
    state: {
      severity: state.severity,
      is_discontinued: state.isDiscontinued,
      switching_score: state.switchingScore,
      is_production_steady: state.isProductionSteady,
      is_reduced_possible: state.isReducedPossible,
      rejected_on_tightened: state.rejectedOnTightened,
      accepted_on_tightened: state.acceptedOnTightened,
      steps: state.steps.map(step => ({ ...step, lots: [...step.lots] })),
    },
    history,
    inspections_total: total,
  };
}

type GivenRule = Pick<SamplingQuestion, 'level' | 'aql'>;

/** By which level and AQL a part is sampled, and who says so. @throws AppError 422 on what ISO 2859-1 does not have */
export function samplingRule(given: GivenRule, part: StoredRecord) {
  return { ...levelOf(given, part), ...aqlOf(given, part) };
}

function levelOf({ level }: GivenRule, part: StoredRecord) {
  const given = level ?? textOf(part.fields.sampling_level) ?? DEFAULT_LEVEL;
  const found = inspectionLevels.find(each => each === given);
  if (!found)
    throw invalid({
      level: [`${shown(given)} is no inspection level. Give one of ${inspectionLevels.join(', ')}.`],
    });
  return { level: found, levelFrom: originOf(level, part.fields.sampling_level) };
}

function aqlOf({ aql }: GivenRule, part: StoredRecord) {
  const given = aql ?? textOf(part.fields.sampling_aql) ?? String(DEFAULT_AQL);
  const found = aqls.find(each => each === Number(given));
  if (found === undefined)
    throw invalid({ aql: [`${shown(given)} is no AQL of ISO 2859-1. Give one of ${aqls.join(', ')}.`] });
  return { aql: found, aqlFrom: originOf(aql, part.fields.sampling_aql) };
}

function originOf(given: string | undefined, stored: unknown): Sampling['level_from'] {
  if (given !== undefined) return 'query';
  return textOf(stored) === null ? 'default' : 'part';
}
