import { dateIn } from '../../shared/contract/dates.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import type { TraceEvent, TraceLot } from '../../shared/operations/trace-schemas.ts';
import { givenDay } from '../rules/given-day.ts';
import { mapOf } from '../store/changes.ts';
import { type AroundLot, groups as groupNames } from './around-lot.ts';
import type { LotGroups } from './trace-lot.ts';

type Said = Pick<TraceEvent, 'at' | 'kind' | 'family' | 'id' | 'inventory_id'> & Partial<TraceEvent>;

/**
 * Everything that a trace lists, in the order in which it happened: by the day at the site, and within a day by when it
 * was written, since of many things only the day is stored.
 */
export function eventsOf(
  lots: readonly TraceLot[],
  groups: LotGroups,
  around: readonly AroundLot[],
  zone: string,
): TraceEvent[] {
  const records = new Map(
    around
      .flatMap(each => [each.lot, ...groupNames.flatMap(group => each[group])])
      .map(record => [record.key, record]),
  );
  return said(lots, groups, records)
    .map(event => ({
      ...NOTHING_MORE,
      ...event,
      recorded_at: event.recorded_at ?? records.get(`${event.family}:${event.id}`)?.created_at ?? event.at,
    }))
    .map(event => ({ event, day: dayIn(zone, event.at) }))
    .sort((a, b) => compare(a.day, b.day) || compare(a.event.recorded_at, b.event.recorded_at))
    .map(({ event }) => event);
}

const NOTHING_MORE = { quantity: null, unit: null, passed: null, who: null, note: null };

function dayIn(zone: string, at: string): string {
  return at.includes('T') ? dateIn(zone, at) : at;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function said(
  lots: readonly TraceLot[],
  groups: LotGroups,
  records: ReadonlyMap<string, StoredRecord>,
): Said[] {
  // A line has times of its own: that of a receipt when it was received, that of a shipment when its shipment was closed.
  const lineOf = (family: string, id: number, line: number) =>
    mapOf(mapOf(records.get(`${family}:${id}`)?.fields.items)[line]);
  return [
    ...lots.flatMap(lot => openings(lot)),
    ...groups.receipts.map(
      ({ id, item_id, inventory_id, date, quantity_accepted, unit, supplier, po_number }) => ({
        ...of('received', 'receiving-inspection', id, inventory_id, date),
        ...writtenAt(lineOf('receiving-inspection', id, item_id).created_at),
        quantity: quantity_accepted,
        unit,
        who: supplier,
        note: po_number,
      }),
    ),
    ...groups.inspections.flatMap(
      ({ id, inventory_id, date, created_at, finalised_at, passed, template, by }) => [
        { ...of('inspection', 'inspection', id, inventory_id, givenDay(date, created_at)), note: template },
        ...(finalised_at === null
          ? []
          : [
              {
                ...of('inspected', 'inspection', id, inventory_id, givenDay(date, finalised_at)),
                recorded_at: finalised_at,
                passed,
                who: by,
                note: template,
              },
            ]),
      ],
    ),
    ...groups.lab_results.map(
      ({ id, inventory_id, date, created_at, failed_measurements, by, testing_id }) => ({
        ...of('lab_result', 'lab-result', id, inventory_id, date ?? created_at),
        passed: failed_measurements.length === 0,
        who: by,
        note: [testing_id, ...failed_measurements].filter(text => text !== null).join(', ') || null,
      }),
    ),
    ...groups.locks.map(({ inventory_id, at, is_locked, by, reason }) => ({
      ...of(is_locked ? 'locked' : 'unlocked', 'inventory', inventory_id, inventory_id, at),
      recorded_at: at,
      who: by,
      note: reason,
    })),
    ...groups.moves.map(({ id, inventory_id, at, from, to, by, quantity, unit }) => ({
      ...of('moved', 'move', id, inventory_id, at),
      quantity,
      unit,
      who: by,
      note: `${from ?? '–'} → ${to ?? '–'}`,
    })),
    ...groups.adjustments.map(({ id, inventory_id, at, quantity, unit, by, reason }) => ({
      ...of('adjusted', 'adjustment', id, inventory_id, at),
      quantity,
      unit,
      who: by,
      note: reason,
    })),
    ...groups.shipments.flatMap(
      ({ id, item_id, inventory_id, date, quantity, unit, customer, shipment_number }) =>
        date === null
          ? []
          : [
              {
                ...of('shipped', 'shipment', id, inventory_id, date),
                ...writtenAt(lineOf('shipment', id, item_id).updated_at),
                quantity: -quantity,
                unit,
                who: customer,
                note: shipment_number,
              },
            ],
    ),
    ...groups.complaints.flatMap(({ id, inventory_id, date, complainant, comments }) =>
      date === null
        ? []
        : [{ ...of('complaint', 'complaint', id, inventory_id, date), who: complainant, note: comments }],
    ),
    ...groups.ncrs.map(({ id, inventory_id, at, by, ncr_number, description }) => ({
      ...of('ncr', 'ncr', id, inventory_id, at),
      who: by,
      note: [ncr_number, description].filter(text => text !== null).join(': ') || null,
    })),
    ...groups.cars.flatMap(({ id, date_opened, car_number }) =>
      date_opened === null ? [] : [{ ...of('car', 'car', id, null, date_opened), note: car_number }],
    ),
  ];
}

function writtenAt(at: unknown): Pick<Said, 'recorded_at'> {
  return typeof at === 'string' ? { recorded_at: at } : {};
}

function openings({ id, opening, unit, opened_on, created_at }: TraceLot): Said[] {
  return opening === 0
    ? []
    : [{ ...of('opening', 'inventory', id, id, givenDay(opened_on, created_at)), quantity: opening, unit }];
}

function of(
  kind: TraceEvent['kind'],
  family: string,
  id: number,
  inventory: number | null,
  at: string,
): Pick<TraceEvent, 'at' | 'kind' | 'family' | 'id' | 'inventory_id'> {
  return { at, kind, family, id, inventory_id: inventory };
}
