import { itemsOf, type StoredRecord } from '../../shared/contract/present.ts';
import { takenOf } from '../../shared/contract/shipped-line.ts';
import { lotLocks } from '../../shared/families/lot-locks.ts';
import { sampleVerdict } from '../../shared/families/measured.ts';
import type { Trace, TraceLot } from '../../shared/operations/trace-schemas.ts';
import { fromMicro } from '../../shared/quantities/quantity.ts';
import { givenDay } from '../rules/given-day.ts';
import { locksOf } from '../rules/lot-state.ts';
import { mapOf } from '../store/changes.ts';
import { isHistoryMissing } from '../store/earlier-history.ts';
import { readHistoryOf } from '../store/history.ts';
import { type AroundLot, familyIn, GROUP_LIMIT, idIn, linesInto, type TraceReads } from './around-lot.ts';

/** The lists of a trace that stand for one lot. */
export type LotGroups = Pick<
  Trace,
  | 'receipts'
  | 'inspections'
  | 'lab_results'
  | 'locks'
  | 'moves'
  | 'adjustments'
  | 'shipments'
  | 'complaints'
  | 'ncrs'
  | 'cars'
  | 'related_lots'
>;

/** What stands around one lot, as a trace answers it. */
export function groupsOf(reads: TraceReads, around: AroundLot): LotGroups {
  const { lot } = around;
  const { records } = reads;
  const unit = textOf(lot.fields.lot_unit);
  const inventory_id = lot.id;
  const nameOf = (family: string, id: unknown) =>
    typeof id === 'number' ? textOf(records.get(family, id)?.fields.name) : null;
  return {
    receipts: around.receipts.flatMap(receipt =>
      linesInto(receipt, lot.id).map(line => ({
        id: receipt.id,
        item_id: line.id,
        inventory_id,
        supplier_id: numberOf(receipt.fields.supplier_id),
        supplier: nameOf('supplier', receipt.fields.supplier_id),
        po_number: textOf(receipt.fields.po_number),
        date: textOf(receipt.fields.actual_arrival_date) ?? receipt.created_at.slice(0, 10),
        lot_number: textOf(line.serial_number),
        quantity_accepted: numberOf(line.quantity_accepted) ?? 0,
        quantity_rejected: numberOf(line.quantity_rejected) ?? 0,
        unit: textOf(line.unit_of_measure) ?? unit,
        ...(Array.isArray(line.serial_numbers) &&
          line.serial_numbers.length > 0 && { serial_numbers: line.serial_numbers.map(String) }),
        is_quarantined: receipt.fields.is_quarantined === true,
      })),
    ),
    inspections: around.inspections.map(({ id, fields, created_at, updated_at, user }) => {
      const verdicts = Object.values(mapOf(fields.samples)).map(sample =>
        sampleVerdict(fields.template, mapOf(sample)),
      );
      return {
        id,
        inventory_id,
        template: textOf(mapOf(fields.template).name),
        passed: flagOf(fields.passed),
        is_against_measurements: fields.is_against_measurements === true,
        is_settled: fields.is_settled === true,
        samples: verdicts.length,
        measured_samples: verdicts.filter(verdict => verdict !== null).length,
        failed_samples: verdicts.filter(verdict => verdict === false).length,
        date: textOf(fields.inspection_date),
        created_at,
        finalised_at: typeof fields.passed === 'boolean' ? (textOf(fields.finalised_at) ?? updated_at) : null,
        by: user,
      };
    }),
    lab_results: around.labResults.map(({ id, fields, created_at, user }) => ({
      id,
      inventory_id,
      testing_id: textOf(fields.testing_id),
      template: nameOf('specification', fields.specification_id),
      date: textOf(fields.testing_date),
      failed_measurements: Array.isArray(fields.failed_measurements) ? fields.failed_measurements : [],
      is_settled: fields.is_settled === true,
      is_by_lot_number: typeof fields.inventory_id !== 'number',
      created_at,
      by: user,
    })),
    locks: locksByPeople(reads, lot),
    moves: around.moves.map(({ id, fields, created_at, user }) => ({
      id,
      inventory_id,
      at: givenDay(fields.move_date, created_at),
      from_location_id: numberOf(fields.from_location_id),
      from: nameOf('location', fields.from_location_id),
      to_location_id: numberOf(fields.to_location_id),
      to: nameOf('location', fields.to_location_id),
      quantity: numberOf(fields.quantity) ?? 0,
      unit,
      reason: textOf(fields.reason),
      by: user,
    })),
    adjustments: around.adjustments.map(({ id, fields, created_at, user }) => ({
      id,
      inventory_id,
      at: givenDay(fields.adjustment_date, created_at),
      quantity: numberOf(fields.quantity) ?? 0,
      unit,
      reason: textOf(fields.reason),
      ncr_id:
        ['disposition_adjustment_id', 'disposition_reversal_id'].flatMap(made =>
          records.findBy('ncr', made, id),
        )[0]?.id ?? null,
      by: user,
    })),
    shipments: around.shipments.flatMap(shipment => shipped(shipment, lot.id, unit, nameOf)),
    complaints: around.complaints.map(({ id, fields }) => ({
      id,
      inventory_id,
      complaint_number: textOf(fields.complaint_number),
      date: textOf(fields.complaint_date),
      complainant: textOf(fields.complainant_full_name),
      comments: textOf(fields.comments),
      is_closed: fields.is_closed === true,
    })),
    ncrs: around.ncrs.map(({ id, fields, created_at, user }) => ({
      id,
      inventory_id,
      ncr_number: textOf(fields.ncr_number),
      source: textOf(fields.source),
      status: textOf(fields.status),
      description: textOf(fields.description),
      quantity: numberOf(fields.quantity),
      disposition: textOf(fields.disposition),
      at: givenDay(fields.date_opened, created_at),
      by: user,
    })),
    cars: around.cars.map(({ id, fields }) => ({
      id,
      ncr_id: Number(fields.ncr_id),
      car_number: textOf(fields.car_number),
      date_opened: textOf(fields.date_opened),
      date_closed: textOf(fields.date_closed),
    })),
    related_lots: around.relatedLots.map(({ id, fields }) => ({
      id,
      receipt_id: around.relatedBy.get(id) ?? 0,
      part_id: numberOf(fields.part_id),
      part: nameOf('part', fields.part_id),
      batch_number: textOf(fields.batch_number),
    })),
  };
}

/** The lot itself, with its sums: from the facts, so they are whole whatever the lists leave out. */
export function tracedLot(reads: TraceReads, { lot, facts }: Pick<AroundLot, 'lot' | 'facts'>): TraceLot {
  const sumOf = (...families: string[]) =>
    facts.reduce(
      (sum, { source, quantity }) => (families.includes(familyIn(source)) ? sum + quantity : sum),
      0n,
    );
  return {
    id: lot.id,
    part_id: numberOf(lot.fields.part_id),
    batch_number: textOf(lot.fields.batch_number),
    expiry_date: textOf(lot.fields.expiry_date),
    unit: textOf(lot.fields.lot_unit),
    opening: fromMicro(sumOf('inventory')),
    received: fromMicro(sumOf('receiving-inspection')),
    shipped: fromMicro(-sumOf('shipment')),
    adjusted: fromMicro(sumOf('adjustment')),
    on_hand: fromMicro(facts.reduce((sum, { quantity }) => sum + quantity, 0n)),
    locks: locksOf(reads, lot).map(({ lock, source }) => ({
      lock,
      reason: lotLocks[lock],
      family: familyIn(source),
      id: idIn(source),
    })),
    opened_on: textOf(lot.fields.opening_date),
    created_at: lot.created_at,
  };
}

function shipped(
  { id, fields }: StoredRecord,
  lot: number,
  unit: string | null,
  nameOf: (family: string, id: unknown) => string | null,
): Trace['shipments'] {
  return itemsOf({ position: 'order' }, fields.items).flatMap(item =>
    takenOf(item.taken)
      .filter(taken => taken.inventory_id === lot)
      .map(({ quantity }) => ({
        id,
        item_id: item.id,
        inventory_id: lot,
        shipment_number: textOf(fields.shipment_number),
        date: textOf(fields.actual_ship_date),
        customer_id: numberOf(fields.contact_id),
        customer: nameOf('customer', fields.contact_id),
        order_id: numberOf(fields.order_id),
        quantity,
        unit,
      })),
  );
}

/** Whether people locked or released the lot, and central has more of that than this station. */
export function hasLocksMissing({ sql }: Pick<TraceReads, 'sql'>, lot: StoredRecord): boolean {
  return lot.fields.is_locked_by_person !== undefined && isHistoryMissing(sql, lot);
}

/** When a person locked or released the lot: only its history tells. */
function locksByPeople({ records, sql }: TraceReads, lot: StoredRecord): Trace['locks'] {
  // A lot that never was locked by a person has no such field, and need not be looked up.
  if (lot.fields.is_locked_by_person === undefined) return [];
  const subject = records.subjectNumber('inventory', lot.id);
  const { total } = readHistoryOf(sql, lot, subject, 0, 0);
  const from = Math.max(0, total - GROUP_LIMIT);
  const { commits } = readHistoryOf(sql, lot, subject, from, GROUP_LIMIT);
  return commits.flatMap(({ at, user, reason, entries }) => {
    const changes = entries.flatMap(({ subject: key, changes }) => (key === lot.key ? changes : []));
    const change = changes.find(({ path }) => path === 'is_locked_by_person');
    if (!change || (change.old ?? false) === (change.new ?? false)) return [];
    return [{ inventory_id: lot.id, at, by: user, is_locked: change.new === true, reason }];
  });
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function flagOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}
