import { AppError, invalid } from '../../shared/contract/errors.ts';
import { itemsOf, type StoredItem, type StoredRecord } from '../../shared/contract/present.ts';
import { readLabData } from '../../shared/families/lab-data.ts';
import { limitsOf } from '../../shared/families/measured.ts';
import { families } from '../../shared/families/registry.ts';
import {
  TREND_LIMIT,
  type Trend,
  type TrendLimits,
  type TrendName,
  type TrendPoint,
} from '../../shared/operations/figure-schemas.ts';
import { judge } from '../../shared/quantities/tolerance.ts';
import { exactMean } from '../../shared/statistics/exact-mean.ts';
import { givenDay } from '../rules/given-day.ts';
import { mapOf } from '../store/changes.ts';
import { newestRecords } from '../store/newest.ts';
import { byAge, type TraceReads } from './around-lot.ts';
import { numberOf, textOf } from './trace-lot.ts';

/** Inspections or lab results that a trend reads at most: the newest by id. */
const RECORD_LIMIT = 500;
/** Lots whose lab results are looked up by their id: the newest. */
const LOT_LIMIT = 500;

export type TrendBy = Trend['by'];

/** One measured value, with the limits that it was judged by. */
interface Measured {
  record: StoredRecord;
  inventory: number | null;
  sample: { id: number; number: number } | null;
  at: string;
  value: number;
  limits: Omit<TrendLimits, 'from_point'> | null;
}

/** The characteristics and measurements of a part that have numbers. @throws AppError `not_found` */
export function trendNames(reads: TraceReads, part: number): TrendName[] {
  requirePart(reads, part);
  const names = new Map<string, TrendName>();
  const note = (name: TrendName) => {
    const key = `${name.family} ${name.name}`;
    const known = names.get(key);
    // Records come oldest first, so the last one is the newest.
    names.set(key, { ...name, records: (known?.records ?? 0) + 1 });
  };
  for (const record of inspectionsOf(reads, part).newest) {
    const measured = new Set(samplesOf(record).flatMap(sample => measuredIds(sample)));
    for (const characteristic of characteristicsOf(record.fields.template)) {
      if (!measured.has(String(characteristic.id))) continue;
      note({
        family: 'inspection',
        name: String(characteristic.name),
        operation: textOf(characteristic.operation),
        records: 1,
        newest_at: inspectedOn(record),
        has_limits: limitsOf(characteristic) !== null,
      });
    }
  }
  for (const record of labResultsOf(reads, part, undefined).newest) {
    const limits = templateOf(reads, record);
    for (const [name, { kind }] of readLabData(record.fields.lab_data)) {
      if (kind !== 'number') continue;
      const characteristic = limits.find(each => each.name === name);
      note({
        family: 'lab-result',
        name,
        operation: null,
        records: 1,
        newest_at: dayOf(record),
        has_limits: characteristic !== undefined && limitsOf(characteristic) !== null,
      });
    }
  }
  return [...names.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** One characteristic over the inspections of a part. @throws AppError `not_found` */
export function characteristicTrend(reads: TraceReads, part: number, name: string, by: TrendBy): Trend {
  requirePart(reads, part);
  const { newest, total } = inspectionsOf(reads, part);
  const measured = newest.flatMap(record => measuredIn(record, name)).sort((a, b) => compareDays(a.at, b.at));
  const points = pointsOf(reads, measured, by);
  return trendOf({ characteristic: name, by, points, total, read: newest.length, qualified: 0 });
}

/** One measurement over the lab results of a part, a template, or both. @throws AppError `not_found`; 422 */
export function labTrend(
  reads: TraceReads,
  part: number | undefined,
  template: number | undefined,
  name: string,
): Trend {
  if (part === undefined && template === undefined) {
    throw invalid({ part_id: ['Give part_id or template_id: whose results are wanted.'] });
  }
  if (part !== undefined) requirePart(reads, part);
  if (template !== undefined && !reads.records.get('specification', template)) {
    throw new AppError('not_found', `There is no inspection template with the id ${template}.`);
  }
  const { newest, total } = labResultsOf(reads, part, template);
  let qualified = 0;
  const measured = newest.flatMap((record): Measured[] => {
    const value = readLabData(record.fields.lab_data).get(name);
    if (value === undefined) return [];
    if (value.kind !== 'number') {
      qualified += 1;
      return [];
    }
    const specification = reads.records.get('specification', Number(record.fields.specification_id));
    const characteristic = templateOf(reads, record).find(each => each.name === name);
    return [
      {
        record,
        inventory: numberOf(record.fields.inventory_id),
        sample: null,
        at: dayOf(record),
        value: value.value,
        limits: characteristic
          ? limitsIn(characteristic, specification?.id ?? null, specification?.fields)
          : null,
      },
    ];
  });
  measured.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.record.id - b.record.id));
  const points = pointsOf(reads, measured, 'first');
  return trendOf({ characteristic: name, by: 'first', points, total, read: newest.length, qualified });
}

type PointWithLimits = TrendPoint & { limits: Measured['limits'] };

function pointsOf(reads: TraceReads, measured: readonly Measured[], by: TrendBy): PointWithLimits[] {
  if (by === 'sample') return measured.map(each => pointOf(reads, each, each.value, 1));
  const perRecord = by === 'first';
  const groups = Map.groupBy(measured, ({ record, inventory }) =>
    perRecord || inventory === null ? record.key : `inventory:${inventory}`,
  );
  return [...groups.values()].flatMap(group => {
    const [first, last] = [group[0], group.at(-1)];
    if (!first || !last) return [];
    if (perRecord) return [pointOf(reads, { ...first, sample: null }, first.value, 1)];
    const mean = exactMean(group.map(({ value }) => value));
    return [pointOf(reads, { ...last, at: first.at, sample: null }, mean, group.length)];
  });
}

function pointOf(reads: TraceReads, measured: Measured, value: number, n: number): PointWithLimits {
  const { record, inventory, sample, at, limits } = measured;
  const lot = inventory === null ? undefined : reads.records.get('inventory', inventory);
  const name =
    textOf(lot?.fields.batch_number) ?? textOf(record.fields.batch_number) ?? `${record.family} ${record.id}`;
  return {
    family: record.family === 'inspection' ? 'inspection' : 'lab-result',
    id: record.id,
    inventory_id: inventory,
    sample_id: sample?.id ?? null,
    at,
    value,
    n,
    label: sample ? `${name} / ${sample.number}` : name,
    is_within: isWithin(limits, value),
    limits,
  };
}

function isWithin(limits: Measured['limits'], value: number): boolean | null {
  if (limits === null || (limits.lower === null && limits.upper === null)) return null;
  const { nominal, lower, upper, is_lower_inclusive, is_upper_inclusive } = limits;
  const judged = judge(
    { nominal, lower, upper, isLowerInclusive: is_lower_inclusive, isUpperInclusive: is_upper_inclusive },
    value,
  );
  return judged === 'pass';
}

function trendOf(found: {
  characteristic: string;
  by: TrendBy;
  points: readonly PointWithLimits[];
  total: number;
  read: number;
  qualified: number;
}): Trend {
  const shown = found.points.slice(-TREND_LIMIT);
  const overTime: TrendLimits[] = [];
  for (const [index, { limits }] of shown.entries()) {
    const last = overTime.at(-1);
    if (limits === null || (last && isSameLimits(last, limits))) continue;
    overTime.push({ from_point: index, ...limits });
  }
  const latest = overTime.at(-1);
  return {
    characteristic: found.characteristic,
    by: found.by,
    points: shown.map(({ limits: _limits, ...point }) => point),
    total: found.points.length,
    records_total: found.total,
    records_read: found.read,
    qualified: found.qualified,
    limits: latest ? withoutPlace(latest) : null,
    limits_over_time: overTime,
  };
}

function withoutPlace(limits: TrendLimits): Trend['limits'] {
  const { from_point: _, template_id: __, template: ___, revision: ____, ...rest } = limits;
  return rest;
}

function isSameLimits(a: Omit<TrendLimits, 'from_point'>, b: Omit<TrendLimits, 'from_point'>): boolean {
  return (
    a.nominal === b.nominal &&
    a.lower === b.lower &&
    a.upper === b.upper &&
    a.is_lower_inclusive === b.is_lower_inclusive &&
    a.is_upper_inclusive === b.is_upper_inclusive
  );
}

function measuredIn(record: StoredRecord, name: string): Measured[] {
  const { fields } = record;
  const characteristic = characteristicsOf(fields.template).find(each => each.name === name);
  if (!characteristic) return [];
  const limits = limitsIn(characteristic, Number(fields.drawing_id) || null, mapOf(fields.template));
  return samplesOf(record).flatMap(sample => {
    const { value } = mapOf(mapOf(sample.results)[characteristic.id]);
    if (typeof value !== 'number') return [];
    const inventory = numberOf(fields.inventory_id);
    const number = Number(sample.sample_number ?? 0);
    return [{ record, inventory, sample: { id: sample.id, number }, at: inspectedOn(record), value, limits }];
  });
}

function limitsIn(
  characteristic: StoredItem,
  template: number | null,
  fields: Record<string, unknown> | undefined,
): Omit<TrendLimits, 'from_point'> {
  const limits = limitsOf(characteristic);
  return {
    template_id: template,
    template: textOf(fields?.name),
    revision: numberOf(fields?.revision),
    dimensions: textOf(characteristic.dimensions),
    tolerance: textOf(characteristic.tolerance),
    nominal: limits?.nominal ?? null,
    lower: limits?.lower ?? null,
    upper: limits?.upper ?? null,
    is_lower_inclusive: limits?.isLowerInclusive ?? true,
    is_upper_inclusive: limits?.isUpperInclusive ?? true,
  };
}

function inspectionsOf({ records }: TraceReads, part: number): { newest: StoredRecord[]; total: number } {
  const { newest, total } = newestRecords(records, families.inspection, { entity_id: part }, RECORD_LIMIT);
  const ofPart = newest.filter(({ fields }) => fields.entity_type !== 'equipment');
  return { newest: ofPart.sort(byAge), total: total - (newest.length - ofPart.length) };
}

/** By the part that their lot number named, and by its lots; by template alone through its index. */
function labResultsOf(
  { records }: TraceReads,
  part: number | undefined,
  template: number | undefined,
): { newest: StoredRecord[]; total: number } {
  if (part === undefined) {
    return newestRecords(records, families['lab-result'], { specification_id: template ?? 0 }, RECORD_LIMIT);
  }
  const byNumber = newestRecords(records, families['lab-result'], { batch_part_id: part }, RECORD_LIMIT);
  const lots = newestRecords(records, families.inventory, { part_id: part }, LOT_LIMIT);
  const byLot = lots.newest.flatMap(({ id }) => records.findBy('lab-result', 'inventory_id', id));
  const all = new Map([...byNumber.newest, ...byLot].map(record => [record.id, record]));
  const found = [...all.values()]
    .filter(({ fields }) => template === undefined || fields.specification_id === template)
    .sort(byAge);
  const more = template === undefined ? byNumber.total - byNumber.newest.length : 0;
  return { newest: found.slice(-RECORD_LIMIT), total: found.length + more };
}

function templateOf({ records }: TraceReads, { fields }: StoredRecord): StoredItem[] {
  const id = numberOf(fields.specification_id);
  const template = id === null ? undefined : records.get('specification', id);
  return template ? characteristicsOf(template.fields) : [];
}

function characteristicsOf(template: unknown): StoredItem[] {
  return itemsOf({ position: 'order' }, mapOf(template).characteristics);
}

function samplesOf({ fields }: StoredRecord): StoredItem[] {
  return itemsOf({ position: 'sample_number' }, fields.samples);
}

function measuredIds(sample: StoredItem): string[] {
  return Object.entries(mapOf(sample.results)).flatMap(([id, result]) =>
    typeof mapOf(result).value === 'number' ? [id] : [],
  );
}

/** Of one day in the order in which they were written, whether their day was given or is that of writing. */
function compareDays(one: string, other: string): number {
  const [a, b] = [one.slice(0, 10), other.slice(0, 10)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function inspectedOn({ fields, created_at }: StoredRecord): string {
  return givenDay(fields.inspection_date, created_at);
}

function dayOf({ fields, created_at }: StoredRecord): string {
  return textOf(fields.testing_date) ?? created_at.slice(0, 10);
}

function requirePart({ records }: TraceReads, id: number): void {
  if (!records.get('part', id)) throw new AppError('not_found', `There is no part with the id ${id}.`);
}
