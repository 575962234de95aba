import { itemsOf, type StoredRecord } from '../../shared/contract/present.ts';
import { isSameLotNumber } from '../../shared/contract/typed-number.ts';
import { speaksOf } from '../rules/lot-state.ts';
import { type LotSource, lotsOf, sourcesOf } from '../store/lots.ts';
import type { Records } from '../store/records.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import type { YieldToEventLoop } from '../store/yield-to-event-loop.ts';

/** Where a trace reads: committed records, and the tables beside them. */
export interface TraceReads {
  records: Records;
  sql: SqlReader;
  /** ISO 8601 UTC. */
  now: string;
}

/** Records of one kind at most, of all lots of an answer together; the newest stay. */
export const GROUP_LIMIT = 500;

/** The lists that have a limit. */
export const groups = [
  'receipts',
  'inspections',
  'labResults',
  'moves',
  'adjustments',
  'shipments',
  'complaints',
  'ncrs',
  'cars',
  'relatedLots',
] as const;
export type Group = (typeof groups)[number];

/** Everything that stands around one lot, each list oldest first. */
export interface AroundLot extends Record<Group, StoredRecord[]> {
  lot: StoredRecord;
  /** What the lot's quantity is the sum of: all of it, whatever the limits of the lists. */
  facts: LotSource[];
  /** Which receipt brought which related lot, by the lot's id. */
  relatedBy: Map<number, number>;
}

/** How much of each list an answer still has room for, and how much there is. */
export class GroupLimits {
  readonly #totals = new Map<Group, number>();
  readonly #taken = new Map<Group, number>();

  /** The newest that there is room for, oldest first. */
  take<Entry>(group: Group, entries: readonly Entry[]): Entry[] {
    const taken = this.#taken.get(group) ?? 0;
    const room = Math.max(0, GROUP_LIMIT - taken);
    const kept = room === 0 ? [] : entries.slice(-room);
    this.#taken.set(group, taken + kept.length);
    this.#totals.set(group, (this.#totals.get(group) ?? 0) + entries.length);
    return kept;
  }

  leftOut(): { group: Group; shown: number; total: number }[] {
    return groups.flatMap(group => {
      const [shown, total] = [this.#taken.get(group) ?? 0, this.#totals.get(group) ?? 0];
      return total > shown ? [{ group, shown, total }] : [];
    });
  }
}

/** Follows every reference that leads to a lot or away from it. Looks up by indexes only. */
export function aroundLot(reads: TraceReads, lot: StoredRecord, limits: GroupLimits): AroundLot {
  const { records, sql } = reads;
  const facts = sourcesOf(sql, lot.id);
  const ofFamily = (family: string, group: Group) => {
    const ids = facts.flatMap(({ source }) => (familyIn(source) === family ? [idIn(source)] : []));
    const unique = [...new Set(ids)].sort((a, b) => a - b);
    return limits.take(group, unique).flatMap(id => records.get(family, id) ?? []);
  };
  const receipts = ofFamily('receiving-inspection', 'receipts');
  const inspections = ofFamily('inspection', 'inspections');
  const labResults = labResultsOf(reads, lot, limits);
  const complaints = limits.take('complaints', complaintsOf(records, lot));
  const found = { receipts, inspections, labResults, complaints };
  const ncrs = limits.take('ncrs', reportsOf(records, lot, found));
  const cars = limits.take(
    'cars',
    ncrs.flatMap(({ id }) => records.findBy('car', 'ncr_id', id)),
  );
  const relatedBy = new Map<number, number>();
  for (const { id, key } of receipts) {
    for (const other of lotsOf(sql, key)) if (other !== lot.id) relatedBy.set(other, id);
  }
  const relatedLots = limits
    .take('relatedLots', [...relatedBy.keys()])
    .flatMap(id => records.get('inventory', id) ?? []);
  return {
    lot,
    facts,
    ...found,
    ncrs,
    cars,
    relatedBy,
    relatedLots,
    moves: ofFamily('move', 'moves'),
    adjustments: ofFamily('adjustment', 'adjustments'),
    shipments: ofFamily('shipment', 'shipments'),
  };
}

/** By the lot's id, and by its number where that names the lots of one part only (interface decisions, 5.3). */
function labResultsOf(reads: TraceReads, lot: StoredRecord, limits: GroupLimits): StoredRecord[] {
  const { records } = reads;
  const own = records.findBy('lab-result', 'inventory_id', lot.id);
  const batch = lot.fields.batch_number;
  const byNumber =
    typeof batch === 'string' && batch !== '' ? records.findBy('lab-result', 'batch_number', batch) : [];
  const meant = byNumber.filter(
    ({ fields, key }) =>
      typeof fields.inventory_id !== 'number' && speaksOf(reads, key, lot, batch as string),
  );
  return limits.take('labResults', [...own, ...meant].sort(byAge));
}

function complaintsOf(records: Records, { fields }: StoredRecord): StoredRecord[] {
  const batch = fields.batch_number;
  if (typeof batch !== 'string' || batch === '') return [];
  return records
    .findBy('complaint', 'batch_number', batch)
    .filter(complaint => (complaint.fields.part_id ?? fields.part_id) === fields.part_id);
}

/** Reports about the lot, and about what was found of it; one that names another lot or part is not about it. */
function reportsOf(
  records: Records,
  lot: StoredRecord,
  found: Pick<AroundLot, 'receipts' | 'inspections' | 'labResults' | 'complaints'>,
): StoredRecord[] {
  const by = (field: string, sources: readonly StoredRecord[]) =>
    sources.flatMap(({ id }) => records.findBy('ncr', field, id));
  const batch = lot.fields.batch_number;
  const reports = [
    ...records.findBy('ncr', 'inventory_id', lot.id),
    ...(typeof batch === 'string' && batch !== '' ? records.findBy('ncr', 'lot_number', batch) : []),
    ...by('receiving_inspection_id', found.receipts),
    ...by('inspection_id', found.inspections),
    ...by('lab_result_id', found.labResults),
    ...by('complaint_id', found.complaints),
  ].filter(({ fields }) => {
    if (typeof fields.inventory_id === 'number') return fields.inventory_id === lot.id;
    const isSamePart = (fields.part_id ?? lot.fields.part_id) === lot.fields.part_id;
    return isSamePart && isSameLotNumber(fields.lot_number ?? batch, batch);
  });
  return [...new Map(reports.map(report => [report.id, report])).values()].sort(byAge);
}

/** The lines of a receipt that went into the lot. */
export function linesInto(receipt: StoredRecord, lot: number) {
  return itemsOf({ position: 'order' }, receipt.fields.items).filter(item => item.inventory_id === lot);
}

/** Oldest first. */
export function byAge(a: StoredRecord, b: StoredRecord): number {
  return a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.id - b.id;
}

export function familyIn(key: string): string {
  return key.slice(0, key.lastIndexOf(':'));
}

export function idIn(key: string): number {
  return Number(key.slice(key.lastIndexOf(':') + 1));
}

export interface FigureContext {
  reads: TraceReads;
  yieldToEventLoop: YieldToEventLoop;
}
