import { AppError, invalid } from '../../shared/contract/errors.ts';
import { shown } from '../../shared/contract/field-schemas.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { sampleVerdict } from '../../shared/families/measured.ts';
import { families } from '../../shared/families/registry.ts';
import type { Sampling } from '../../shared/operations/sampling-operations.ts';
import { fromMicro } from '../../shared/quantities/quantity.ts';
import { type SamplingPlan, samplingPlan } from '../../shared/sampling/sampling-plan.ts';
import {
  aqls,
  type InspectionLevel,
  inspectionLevels,
  type Severity,
} from '../../shared/sampling/sampling-tables.ts';
import {
  type Ruling,
  type SamplingEvent,
  type SeverityState,
  severityAfter,
} from '../../shared/sampling/severity.ts';
import { mapOf } from '../store/changes.ts';
import { receiptsOf, sourcesOf } from '../store/lots.ts';
import { familyIn, idIn, type TraceReads } from './around-lot.ts';
import { givenDay } from './given-day.ts';
import { newestRecords } from './newest.ts';
import { numberOf, textOf } from './trace-lot.ts';

/** Inspections of a part that the switching rules look back at: the newest. */
const LOOK_BACK = 300;

export const DEFAULT_LEVEL: InspectionLevel = 'II';
/** Per cent nonconforming. */
export const DEFAULT_AQL = 1;

export interface SamplingQuestion {
  part: number;
  supplier: number | undefined;
  lotSize: number;
  level: string | undefined;
  aql: string | undefined;
}

/** A lot's plan follows from its severity, which is known once the lots before it are. */
export type SamplingEntry = Omit<Sampling['history'][number], 'severity' | 'n' | 'ac'>;

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

/** What the switching rules make of lots and decisions, oldest first, all of them sampled at one level and AQL. */
export function severityOver(
  entries: readonly SamplingEntry[],
  level: InspectionLevel,
  aql: number,
): { history: Sampling['history']; state: SeverityState } {
  const events: SamplingEvent[] = [];
  const history = entries.map(entry => {
    const { severity } = severityAfter(events);
    const plan = planOf(entry.lot_size ?? 1, level, aql, severity);
    events.push(eventOf(entry, plan));
    const { n, ac } = entry.kind === 'lot' ? plan : { n: null, ac: null };
    return { ...entry, severity, n, ac };
  });
  return { history, state: severityAfter(events) };
}

function eventOf(entry: SamplingEntry, { letterUsed, aql, ac }: SamplingPlan): SamplingEvent {
  if (entry.kind === 'ruling') return { kind: 'ruling', ruling: entry.label as Ruling['ruling'] };
  return {
    kind: 'lot',
    isAccepted: entry.is_accepted === true,
    isResubmitted: entry.is_resubmitted,
    nonconforming: entry.nonconforming,
    plan: { letterUsed, aql, ac },
  };
}

function planOf(lotSize: number, level: InspectionLevel, aql: number, severity: Severity): SamplingPlan {
  try {
    return samplingPlan({ lotSize: Math.max(1, lotSize), level, aql, severity });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalid({ lot_size: [error.message] });
  }
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

function historyOf(
  reads: TraceReads,
  part: number,
  supplier: number | null,
): { entries: SamplingEntry[]; total: number } {
  const { records } = reads;
  const { newest, total } = newestRecords(records, families.inspection, { entity_id: part }, LOOK_BACK);
  const lots = newest.flatMap(record => {
    const judged = judgedLot(reads, record);
    return judged && (supplier === null || judged.supplier === supplier) ? [judged.entry] : [];
  });
  return { entries: inOrder([...lots, ...rulingsOn(reads, part, supplier)]), total };
}

/** Decisions about a part from a supplier; those about lots from anybody hold for each. */
export function rulingsOn({ records }: TraceReads, part: number, supplier: number | null): SamplingEntry[] {
  return records
    .findBy('sampling-ruling', 'part_id', part)
    .filter(({ fields }) => supplier === null || (fields.supplier_id ?? supplier) === supplier)
    .map(({ id, created_at, fields }) => ({
      kind: 'ruling',
      family: 'sampling-ruling',
      id,
      at: created_at,
      inventory_id: null,
      label: String(fields.ruling),
      reason: textOf(fields.reason),
      is_accepted: null,
      is_resubmitted: false,
      nonconforming: null,
      lot_size: null,
    }));
}

export function inOrder(entries: readonly SamplingEntry[]): SamplingEntry[] {
  return entries.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id - b.id));
}

/** The lot on which an inspection gave a verdict, and whom it came from; null where none was given. */
export function judgedLot(
  { records, sql }: TraceReads,
  inspection: StoredRecord,
): { entry: SamplingEntry; supplier: number | null } | null {
  const { fields, id, updated_at } = inspection;
  if (typeof fields.passed !== 'boolean' || fields.entity_type === 'equipment') return null;
  const lot = numberOf(fields.inventory_id);
  const [receipt] = lot === null ? [] : receiptsOf(sql, lot);
  const from = receipt === undefined ? undefined : records.get('receiving-inspection', idIn(receipt));
  const received =
    lot === null
      ? 0n
      : sourcesOf(sql, lot).reduce(
          (sum, { source, quantity }) => (familyIn(source) === 'receiving-inspection' ? sum + quantity : sum),
          0n,
        );
  const samples = Object.values(mapOf(fields.samples));
  const number = lot === null ? null : textOf(records.get('inventory', lot)?.fields.batch_number);
  return {
    supplier: numberOf(from?.fields.supplier_id),
    entry: {
      kind: 'lot',
      family: 'inspection',
      id,
      at: givenDay(fields.inspection_date, textOf(fields.finalised_at) ?? updated_at),
      inventory_id: lot,
      label: number ?? `inspection ${id}`,
      reason: null,
      is_accepted: fields.passed,
      is_resubmitted: fields.is_resubmitted === true,
      nonconforming: samples.filter(sample => sampleVerdict(fields.template, mapOf(sample)) === false).length,
      lot_size: Math.ceil(fromMicro(received)) || samples.length || null,
    },
  };
}
