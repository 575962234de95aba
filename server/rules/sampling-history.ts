import { invalid } from '../../shared/contract/errors.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { sampleVerdict } from '../../shared/families/measured.ts';
import { type PlanSampling, planSamplingOf } from '../../shared/families/plan-sampling.ts';
import { families } from '../../shared/families/registry.ts';
import { fromMicro } from '../../shared/quantities/quantity.ts';
import { type SamplingPlan, samplingPlan } from '../../shared/sampling/sampling-plan.ts';
import type { InspectionLevel, Severity } from '../../shared/sampling/sampling-tables.ts';
import {
  type Ruling,
  type SamplingEvent,
  type SeverityState,
  severityAfter,
} from '../../shared/sampling/severity.ts';
import { mapOf } from '../store/changes.ts';
import { receiptsOf, sourcesOf } from '../store/lots.ts';
import { newestRecords } from '../store/newest.ts';
import type { Records } from '../store/records.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import { givenDay } from './given-day.ts';

/** Inspections of a part that the switching rules look back at: the newest. */
const LOOK_BACK = 300;

export const DEFAULT_LEVEL: InspectionLevel = 'II';
/** Per cent nonconforming. */
export const DEFAULT_AQL = 1;

/** Where the past of a part is read from. */
export interface SamplingReads {
  records: Pick<Records, 'get' | 'findBy' | 'page'>;
  sql: SqlReader;
}

/** A judged lot, or a decision of a person. */
export interface SamplingEntry {
  kind: 'lot' | 'ruling';
  family: 'inspection' | 'sampling-ruling';
  id: number;
  /** The day that was given for it, else the moment (ISO 8601, UTC). */
  at: string;
  inventory_id: number | null;
  label: string;
  is_accepted: boolean | null;
  is_resubmitted: boolean;
  nonconforming: number | null;
  /** Samples of which all that the template asks for is known; null: a decision. */
  measured: number | null;
  reason: string | null;
  lot_size: number | null;
  /** By which an inspection plan had it sampled; null where none did. */
  sampled: PlanSampling | null;
}

/** With what it was sampled by: a lot's plan follows from its severity, which is known once the lots before it are. */
export type SampledEntry = Omit<SamplingEntry, 'sampled'> & {
  severity: Severity;
  n: number | null;
  ac: number | null;
};

/**
 * What the switching rules make of lots and decisions, oldest first. What no inspection plan had sampled is taken to have
 * been sampled at this level and AQL: nobody wrote down by which.
 */
export function severityOver(
  entries: readonly SamplingEntry[],
  level: InspectionLevel,
  aql: number,
): { history: SampledEntry[]; state: SeverityState } {
  const events: SamplingEvent[] = [];
  const history = entries.map(({ sampled, ...entry }) => {
    const before = severityAfter(events).severity;
    const severity = sampled?.severity ?? before;
    const plan = planOf(
      sampled?.lot_size ?? entry.lot_size ?? 1,
      sampled?.level ?? level,
      sampled?.aql ?? aql,
      severity,
    );
    events.push(eventOf(entry, plan));
    const { n, ac } = entry.kind === 'lot' ? (sampled ?? plan) : { n: null, ac: null };
    return { ...entry, severity, n, ac };
  });
  return { history, state: severityAfter(events) };
}

function eventOf(
  entry: Omit<SamplingEntry, 'sampled'>,
  { letterUsed, aql, ac }: SamplingPlan,
): SamplingEvent {
  if (entry.kind === 'ruling') return { kind: 'ruling', ruling: entry.label as Ruling['ruling'] };
  return {
    kind: 'lot',
    isAccepted: entry.is_accepted === true,
    isResubmitted: entry.is_resubmitted,
    nonconforming: entry.nonconforming,
    plan: { letterUsed, aql, ac },
  };
}

/** @throws AppError 422 on a lot size that the tables have no plan for */
export function planOf(
  lotSize: number,
  level: InspectionLevel,
  aql: number,
  severity: Severity,
): SamplingPlan {
  try {
    return samplingPlan({ lotSize: Math.max(1, lotSize), level, aql, severity });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalid({ lot_size: [error.message] });
  }
}

/** The lots of a part that were judged, and what was decided about it; `total`: its inspections, from any supplier. */
export function historyOf(
  reads: SamplingReads,
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
export function rulingsOn(
  { records }: SamplingReads,
  part: number,
  supplier: number | null,
): SamplingEntry[] {
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
      measured: null,
      lot_size: null,
      sampled: null,
    }));
}

export function inOrder(entries: readonly SamplingEntry[]): SamplingEntry[] {
  return entries.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id - b.id));
}

/** The lot on which an inspection gave a verdict, and whom it came from; null where none was given. */
export function judgedLot(
  { records, sql }: SamplingReads,
  inspection: StoredRecord,
): { entry: SamplingEntry; supplier: number | null } | null {
  const { fields, id, updated_at } = inspection;
  if (typeof fields.passed !== 'boolean' || fields.entity_type === 'equipment') return null;
  const lot = numberOf(fields.inventory_id);
  const [receipt] = lot === null ? [] : receiptsOf(sql, lot);
  const from =
    receipt === undefined ? undefined : records.get('receiving-inspection', Number(receipt.split(':')[1]));
  const received =
    lot === null
      ? 0n
      : sourcesOf(sql, lot).reduce(
          (sum, { source, quantity }) => (source.startsWith('receiving-inspection:') ? sum + quantity : sum),
          0n,
        );
  const samples = Object.values(mapOf(fields.samples));
  const verdicts = samples.map(sample => sampleVerdict(fields.template, mapOf(sample)));
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
      nonconforming: verdicts.filter(verdict => verdict === false).length,
      measured: verdicts.filter(verdict => verdict !== null).length,
      lot_size: Math.ceil(fromMicro(received)) || samples.length || null,
      sampled: planSamplingOf(fields.sampling) ?? null,
    },
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
