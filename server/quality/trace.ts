import { AppError } from '../../shared/contract/errors.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { families } from '../../shared/families/registry.ts';
import type { Trace, TraceLot } from '../../shared/operations/trace-schemas.ts';
import { sum } from '../../shared/quantities/quantity.ts';
import { siteSettings } from '../rules/site.ts';
import { newestRecords } from '../store/newest.ts';
import { yieldingToEventLoop } from '../store/yield-to-event-loop.ts';
import { type AroundLot, aroundLot, type Group, GroupLimits, type TraceReads } from './around-lot.ts';
import { eventsOf } from './trace-events.ts';
import { groupsOf, hasLocksMissing, type LotGroups, numberOf, textOf, tracedLot } from './trace-lot.ts';

/** Lots of a part that a trace follows at most: the newest. */
export const LOT_LIMIT = 100;

export interface Traced {
  trace: Trace;
  /** What it was read from. */
  subject: StoredRecord;
  around: AroundLot[];
}

/** The whole story of a lot. @throws AppError `not_found` */
export async function traceLot(reads: TraceReads, id: number): Promise<Traced> {
  const lot = reads.records.get('inventory', id);
  if (!lot) throw new AppError('not_found', `There is no lot with the id ${id}.`);
  return traceLots(reads, lot, [lot], 1);
}

/** The story of a part's newest lots. @throws AppError `not_found` */
export async function tracePart(reads: TraceReads, id: number): Promise<Traced> {
  const part = reads.records.get('part', id);
  if (!part) throw new AppError('not_found', `There is no part with the id ${id}.`);
  const { newest, total } = newestRecords(reads.records, families.inventory, { part_id: id }, LOT_LIMIT);
  return traceLots(reads, part, newest, total);
}

async function traceLots(
  reads: TraceReads,
  subject: StoredRecord,
  records: readonly StoredRecord[],
  total: number,
): Promise<Traced> {
  const limits = new GroupLimits();
  const yieldToEventLoop = yieldingToEventLoop();
  const around: AroundLot[] = [];
  const listed: LotGroups[] = [];
  // The newest first, so that the limits leave out the oldest.
  for (const { id } of records.toReversed()) {
    await yieldToEventLoop();
    // Read anew: it may have changed meanwhile, and what a lot and its history say is compared.
    const lot = reads.records.get('inventory', id);
    if (!lot) continue;
    const each = aroundLot(reads, lot, limits);
    around.unshift(each);
    listed.unshift(groupsOf(reads, each));
  }
  const lots = around.map(each => tracedLot(reads, each));
  const lotsWithMissing = around.flatMap(({ lot }) => (hasLocksMissing(reads, lot) ? [lot.id] : []));
  const groups = mergedGroups(listed);
  const part =
    subject.family === 'part' ? subject : reads.records.get('part', Number(subject.fields.part_id));
  const leftOut = limits
    .leftOut()
    .map(entry => ({ ...entry, group: answerNames[entry.group] ?? entry.group }));
  const trace: Trace = {
    subject: {
      family: subject.family === 'part' ? 'part' : 'inventory',
      id: subject.id,
      title: titleOf(subject, part),
    },
    part: part
      ? { id: part.id, name: textOf(part.fields.name), identification: textOf(part.fields.identification) }
      : null,
    as_of: reads.now,
    lots,
    lots_total: total,
    totals: totalsOf(lots),
    suppliers: suppliersOf(groups),
    ...groups,
    customers: customersOf(groups),
    events: eventsOf(lots, groups, around, siteSettings(reads.records).time_zone),
    ...(lotsWithMissing.length > 0 && { locks_missing: lotsWithMissing }),
    left_out: total > lots.length ? [{ group: 'lots', shown: lots.length, total }, ...leftOut] : leftOut,
  };
  return { trace, subject, around };
}

const answerNames: Partial<Record<Group, string>> = {
  labResults: 'lab_results',
  relatedLots: 'related_lots',
};

function titleOf(subject: StoredRecord, part: StoredRecord | undefined): string {
  const { name, identification } = part?.fields ?? {};
  const words = [textOf(name) ?? textOf(identification), textOf(subject.fields.batch_number)];
  return words.filter(text => text !== null).join(' ') || `${subject.family} ${subject.id}`;
}

function mergedGroups(all: readonly LotGroups[]): LotGroups {
  const merged: LotGroups = {
    receipts: all.flatMap(each => each.receipts),
    inspections: all.flatMap(each => each.inspections),
    lab_results: all.flatMap(each => each.lab_results),
    locks: all.flatMap(each => each.locks),
    moves: all.flatMap(each => each.moves),
    adjustments: all.flatMap(each => each.adjustments),
    shipments: all.flatMap(each => each.shipments),
    complaints: all.flatMap(each => each.complaints),
    ncrs: all.flatMap(each => each.ncrs),
    cars: unique(all.flatMap(each => each.cars)),
    related_lots: unique(all.flatMap(each => each.related_lots)),
  };
  return merged;
}

function unique<Entry extends { id: number }>(entries: readonly Entry[]): Entry[] {
  return [...new Map(entries.map(entry => [entry.id, entry])).values()];
}

const SUMS = ['opening', 'received', 'shipped', 'adjusted', 'on_hand'] as const;

/** Different units are never summed (interface decisions, 5.6). */
function totalsOf(lots: readonly TraceLot[]): Trace['totals'] {
  return [...Map.groupBy(lots, ({ unit }) => unit)].map(([unit, of]) => {
    const sums = Object.fromEntries(SUMS.map(name => [name, sum(of.map(lot => lot[name]))]));
    return { unit, ...(sums as Record<(typeof SUMS)[number], number>) };
  });
}

function suppliersOf({ receipts }: LotGroups): Trace['suppliers'] {
  return [...Map.groupBy(receipts, ({ supplier_id }) => supplier_id)].map(([id, of]) => ({
    id,
    name: of[0]?.supplier ?? null,
    receipts: new Set(of.map(receipt => receipt.id)).size,
  }));
}

function customersOf({ shipments }: LotGroups): Trace['customers'] {
  return [...Map.groupBy(shipments, ({ customer_id }) => customer_id)].map(([id, of]) => ({
    id: numberOf(id),
    name: of[0]?.customer ?? null,
    shipments: new Set(of.map(shipment => shipment.id)).size,
    quantities: [...Map.groupBy(of, ({ unit }) => unit)].map(([unit, same]) => ({
      unit,
      quantity: sum(same.map(({ quantity }) => quantity)),
    })),
  }));
}
