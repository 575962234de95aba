import { AppError, invalid } from '../../shared/errors.ts';
import { families } from '../../shared/families/registry.ts';
import { shown } from '../../shared/field-schemas.ts';
import type { StoredRecord } from '../../shared/present.ts';
import { fromMicro } from '../../shared/quantity.ts';
import { type SamplingPlan, samplingPlan } from '../../shared/sampling/sampling-plan.ts';
import {
  aqls,
  type InspectionLevel,
  inspectionLevels,
  type Severity,
} from '../../shared/sampling/sampling-tables.ts';
import { type Ruling, type SamplingEvent, severityAfter } from '../../shared/sampling/severity.ts';
import type { Sampling } from '../../shared/sampling-operations.ts';
import { sampleVerdict } from '../rules/inspecting.ts';
import { mapOf } from '../store/changes.ts';
import { receiptsOf, sourcesOf } from '../store/lots.ts';
import { familyIn, idIn, type TraceReads } from './around-lot.ts';
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

type Entry = Sampling['history'][number] & { lotSize: number | null };

/**
 * The plan for a lot, by the severity that the lots judged so far give it. Works from what this station knows, without
 * any other. The lots of the past are taken to have been sampled at the same level and AQL: nobody wrote down by which.
 * @throws AppError `not_found`; 422 on the level, the AQL, or a lot size that the tables have no plan for
 */
export function samplingOf(reads: TraceReads, question: SamplingQuestion): Sampling {
  const part = reads.records.get('part', question.part);
  if (!part) throw new AppError('not_found', `There is no part with the id ${question.part}.`);
  const supplier = question.supplier ?? numberOf(part.fields.supplier_id);
  const { level, levelFrom } = levelOf(question, part);
  const { aql, aqlFrom } = aqlOf(question, part);
  const { entries, total } = historyOf(reads, part.id, supplier);
  const events: SamplingEvent[] = [];
  const history = entries.map(({ lotSize, ...entry }) => {
    const { severity } = severityAfter(events);
    events.push(eventOf(entry, planOf(lotSize ?? 1, level, aql, severity)));
    return { ...entry, severity };
  });
  const { steps, ...state } = severityAfter(events);
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
      steps: steps.map(step => ({ ...step, lots: [...step.lots] })),
    },
    history,
    inspections_total: total,
  };
}

function eventOf(entry: Omit<Entry, 'lotSize'>, { letterUsed, aql, ac }: SamplingPlan): SamplingEvent {
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

function levelOf({ level }: SamplingQuestion, part: StoredRecord) {
  const given = level ?? textOf(part.fields.sampling_level) ?? DEFAULT_LEVEL;
  const found = inspectionLevels.find(each => each === given);
  if (!found)
    throw invalid({
      level: [`${shown(given)} is no inspection level. Give one of ${inspectionLevels.join(', ')}.`],
    });
  return { level: found, levelFrom: originOf(level, part.fields.sampling_level) };
}

function aqlOf({ aql }: SamplingQuestion, part: StoredRecord) {
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
): { entries: Entry[]; total: number } {
  const { records } = reads;
  const { newest, total } = newestRecords(records, families.inspection, { entity_id: part }, LOOK_BACK);
  const lots = newest.flatMap(record => judgedLot(reads, record, supplier));
  const made = records
    .findBy('sampling-ruling', 'part_id', part)
    .filter(({ fields }) => supplier === null || (fields.supplier_id ?? supplier) === supplier)
    .map(
      ({ id, created_at, fields }): Entry => ({
        kind: 'ruling',
        family: 'sampling-ruling',
        id,
        at: created_at,
        inventory_id: null,
        label: String(fields.ruling),
        is_accepted: null,
        is_resubmitted: false,
        nonconforming: null,
        severity: 'normal',
        lotSize: null,
      }),
    );
  const entries = [...lots, ...made].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id - b.id));
  return { entries, total };
}

/** A lot of the supplier on which a verdict was given; none where it was not, or the lot came from another. */
function judgedLot({ records, sql }: TraceReads, inspection: StoredRecord, supplier: number | null): Entry[] {
  const { fields, id, updated_at } = inspection;
  if (typeof fields.passed !== 'boolean' || fields.entity_type === 'equipment') return [];
  const lot = numberOf(fields.inventory_id);
  if (supplier !== null) {
    const [receipt] = lot === null ? [] : receiptsOf(sql, lot);
    const from = receipt === undefined ? undefined : records.get('receiving-inspection', idIn(receipt));
    if (from?.fields.supplier_id !== supplier) return [];
  }
  const received =
    lot === null
      ? 0n
      : sourcesOf(sql, lot).reduce(
          (sum, { source, quantity }) => (familyIn(source) === 'receiving-inspection' ? sum + quantity : sum),
          0n,
        );
  const samples = Object.values(mapOf(fields.samples));
  const number = lot === null ? null : textOf(records.get('inventory', lot)?.fields.batch_number);
  return [
    {
      kind: 'lot',
      family: 'inspection',
      id,
      at: textOf(fields.finalised_at) ?? updated_at,
      inventory_id: lot,
      label: number ?? `inspection ${id}`,
      is_accepted: fields.passed,
      is_resubmitted: fields.is_resubmitted === true,
      nonconforming: samples.filter(sample => sampleVerdict(fields.template, mapOf(sample)) === false).length,
      severity: 'normal',
      lotSize: Math.ceil(fromMicro(received)) || samples.length,
    },
  ];
}
