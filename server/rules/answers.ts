import { differenceOf, standingOfCount } from '../../shared/contract/count-standing.ts';
import { addDays } from '../../shared/contract/dates.ts';
import {
  type DerivedValues,
  type PresentOptions,
  present,
  type RecordAnswer,
  type StoredRecord,
} from '../../shared/contract/present.ts';
import { takenOf } from '../../shared/contract/shipped-line.ts';
import { labQualified } from '../../shared/families/lab-data.ts';
import { sampleVerdict } from '../../shared/families/measured.ts';
import { isOverReceived } from '../../shared/families/over-received.ts';
import { type FamilyName, family as familyNamed } from '../../shared/families/registry.ts';
import { formatMicro, fromMicro, toMicro } from '../../shared/quantities/quantity.ts';
import { mapOf } from '../store/changes.ts';
import { balancesOf, lotsOf, receiptsOf } from '../store/lots.ts';
import { standingOf } from './certificates.ts';
import { shownCost, worthOf } from './lot-cost.ts';
import { byExpiry, inUnit, locksOf, type Reads, total } from './lot-state.ts';
import { standingOfOrder } from './order-standing.ts';
import type { OrderReads } from './purchase-orders.ts';
import { siteSettings, todayOf } from './site.ts';

/** What answers are built from: where to read, and the moment that expiry is judged at. */
export interface AnswerContext extends OrderReads {
  /** ISO 8601 UTC. */
  now: string;
  /** What this machine's clock should at least say, where it is not confirmed. ISO 8601 UTC. */
  clockAtLeast?: string | undefined;
}

/** The documented answer of a record, with the values that rules work out when it is asked for. */
export function answerOf(
  context: AnswerContext,
  record: StoredRecord,
  options: Omit<PresentOptions, 'derived'> = {},
): RecordAnswer {
  const family = familyNamed(record.family as FamilyName);
  const derive = derivations[record.family];
  return present(
    family,
    record,
    derive ? { ...options, derived: derive(context, record, options) } : options,
  );
}

/** The values that rules work out for a record's answer, and for its items; undefined where there are none. */
export function derivedOf(context: AnswerContext, record: StoredRecord): DerivedValues | undefined {
  return derivations[record.family]?.(context, record, {});
}

type Derive = (context: AnswerContext, record: StoredRecord, options: PresentOptions) => DerivedValues;

const derivations: Record<string, Derive> = {
  order: (context, { fields }) => {
    const customer =
      typeof fields.customer_id === 'number' && context.records.get('customer', fields.customer_id);
    return { fields: { customer: customer ? answerOf(context, customer) : null } };
  },

  'lab-result': (context, { fields }) => {
    const inspection =
      typeof fields.inspection_id === 'number' && context.records.get('inspection', fields.inspection_id);
    return {
      fields: {
        inspection: inspection ? answerOf(context, inspection) : null,
        lab_data_qualified: labQualified(fields.lab_data),
      },
    };
  },

  'receiving-inspection': (_context, { fields }) => ({
    fields: { is_over_received: isOverReceived(fields) },
  }),

  'purchase-order': (context, order) => {
    const { isReceived, isOverReceived, lines } = standingOfOrder(context, order);
    return { fields: { is_received: isReceived, is_over_received: isOverReceived }, items: { items: lines } };
  },

  inspection: (_context, { fields }) => ({
    items: {
      samples: itemValues(fields.samples, sample => ({ passed: sampleVerdict(fields.template, sample) })),
    },
  }),

  shipment: (context, { id, fields }) => ({
    items: {
      items: itemValues(fields.items, item => ({
        shipment_id: id,
        nearest_expiry_date: nearestExpiry(context, item),
      })),
    },
  }),

  'stock-count': (context, { fields }) => {
    const standing = standingOfCount(fields);
    const isBlind = standing === 'counting' || standing === 'recounting';
    return {
      fields: { standing },
      items: {
        items: itemValues(fields.items, item => ({
          quantity_difference: isBlind ? null : differenceOf(item),
          unit_of_measure: unitOfLot(context, item.inventory_id),
        })),
      },
    };
  },

  adjustment: (context, { fields }) => ({
    fields: { unit_of_measure: unitOfLot(context, fields.inventory_id) },
  }),
  move: (context, { fields }) => ({ fields: { unit_of_measure: unitOfLot(context, fields.inventory_id) } }),

  certificate: (context, record) => ({ fields: { ...standingOf(context, record) } }),

  inventory: (context, lot, options) => ({ fields: lotValues(context, lot, options.fields ?? []) }),
};

function unitOfLot(context: Reads, lot: unknown): unknown {
  return context.records.get('inventory', Number(lot))?.fields.lot_unit;
}

function itemValues(
  items: unknown,
  derive: (item: Record<string, unknown>) => Record<string, unknown>,
): Record<number, Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(mapOf(items)).map(([id, item]) => [Number(id), derive(mapOf(item))]),
  );
}

/** What stands behind a lot's answer (interface decisions, 3, inventory fields). Only what is asked for is looked up. */
function lotValues(
  context: AnswerContext,
  lot: StoredRecord,
  fields: readonly string[],
): Record<string, unknown> {
  const { records, sql } = context;
  const part = records.get('part', Number(lot.fields.part_id));
  const wants = (...names: string[]) => names.some(name => fields.includes(name));
  const balances = balancesOf(sql, lot.id);
  const own = total(balances);
  const shown = inUnit(own, lot.fields.lot_unit, part?.fields.unit_of_measure, part);
  const { cost, expiry_date: expiry, batch_number: batch } = lot.fields;
  const values: Record<string, unknown> = {
    name: part?.fields.name,
    identification: part?.fields.identification,
    inventory_name: [part?.fields.name, batch].filter(Boolean).join(' '),
    quantity: fromMicro(shown ?? own),
    unit_of_measure: shown === null ? lot.fields.lot_unit : part?.fields.unit_of_measure,
    cost: typeof cost === 'number' ? shownCost(lot, part) : null,
    value_on_hand: typeof cost === 'number' ? fromMicro(worthOf(own, lot, part)) : null,
    is_unit_unconvertible: shown === null,
    is_finished_product: part?.fields.is_finished_product,
    reorder_point: reorderPoint(part),
    nearest_expiry_date: expiry,
    part: part ? answerOf(context, part) : null,
  };
  if (wants('is_expiry_soon')) values.is_expiry_soon = isExpirySoon(context, expiry) ? '1' : '0';
  if (wants('is_locked')) values.is_locked = locksOf(context, lot).length > 0;
  if (wants('related_batch_numbers')) values.related_batch_numbers = relatedBatchNumbers(context, lot);
  if (wants('location', 'location_id', 'location_list')) {
    const places = locationsOf(context, lot);
    values.location = places[0]?.name;
    values.location_id = places[0] && String(places[0].id);
    values.location_list = places.length > 0 ? places.map(place => place.name).join(', ') : null;
  }
  return values;
}

/** The places where a lot stands, as simple records, the one with the most first. */
export function locationsOf(
  context: Reads,
  lot: StoredRecord,
): { id: number; name: unknown; is_active: number }[] {
  const places = balancesOf(context.sql, lot.id).filter(({ quantity }) => quantity > 0n);
  // Equal amounts stay in the order of their places.
  places.sort((a, b) => Number(b.quantity - a.quantity));
  return places.flatMap(({ location }) => {
    const record = context.records.get('location', location);
    return record
      ? [
          {
            id: location,
            name: record.fields.name ?? null,
            is_active: Number(record.fields.is_active === true),
          },
        ]
      : [];
  });
}

function reorderPoint(part: StoredRecord | undefined): string | null {
  const point = part?.fields.reorder_point;
  return typeof point === 'number' ? formatMicro(toMicro(point)) : null;
}

function isExpirySoon(context: AnswerContext, expiry: unknown): boolean {
  if (typeof expiry !== 'string') return false;
  const days = siteSettings(context.records).expiry_soon_days;
  return expiry <= addDays(todayOf(context.records, context.now), days);
}

/** The lot numbers of the other lots that came with the same receipts. */
function relatedBatchNumbers(context: Reads, lot: StoredRecord): (string | null)[] {
  const receipts = receiptsOf(context.sql, lot.id);
  const others = new Set(receipts.flatMap(receipt => lotsOf(context.sql, receipt)));
  others.delete(lot.id);
  return [...others].map(id => {
    const batch = context.records.get('inventory', id)?.fields.batch_number;
    return typeof batch === 'string' ? batch : null;
  });
}

/** Of what the item took; while it is open, of the lots that it would take from. */
function nearestExpiry(context: Reads, item: Record<string, unknown>): string | null {
  const taken = takenOf(item.taken).flatMap(
    ({ inventory_id: id }) => context.records.get('inventory', id) ?? [],
  );
  const lots = taken.length > 0 ? taken : openLots(context, item);
  const expiry = lots.sort(byExpiry)[0]?.fields.expiry_date;
  return typeof expiry === 'string' ? `${expiry}T00:00:00.000Z` : null;
}

function openLots(context: Reads, item: Record<string, unknown>): StoredRecord[] {
  const { part_id: part, serial_number: lotNumber } = item;
  const lots =
    typeof lotNumber === 'string' && lotNumber !== ''
      ? context.records
          .findBy('inventory', 'batch_number', lotNumber)
          .filter(lot => lot.fields.part_id === part)
      : context.records.findBy('inventory', 'part_id', Number(part));
  return lots.filter(lot => total(balancesOf(context.sql, lot.id)) > 0n);
}
