import { z } from 'zod';
import { isoTimestampSchema, listOf, named } from '../contract/field-schemas.ts';

/**
 * What a trace answers: everything that stands around a lot. Quantities are numbers in the unit beside them; a `date` is
 * a calendar day, an `at` a moment in UTC.
 */

const id = (of: string) => z.int().describe(`Id of the ${of}.`);
const maybeId = (of: string) => z.int().nullable().describe(`Id of the ${of}; null where none is known.`);
const words = (what: string) => z.string().nullable().describe(`${what}; null where none is stored.`);
const day = (what: string) => z.iso.date().nullable().describe(`${what}; null where none is stored.`);
const lotId = id('lot');
const unit = words('Unit of the quantity');
const moment = (what: string) => isoTimestampSchema().describe(`${what}, UTC.`);
const dayOrMoment = (what: string) =>
  z
    .string()
    .describe(
      `${what}: the day that was given for it (YYYY-MM-DD), else the moment of writing (ISO 8601, UTC).`,
    );
const person = z.string().describe('Who wrote it.');

const receipt = named('TraceReceipt', {
  id: id('receipt'),
  item_id: id('line'),
  inventory_id: maybeId('lot that it went into'),
  supplier_id: maybeId('supplier'),
  supplier: words('Name of the supplier'),
  po_number: words('Number of the purchase order'),
  date: z.iso.date().describe('The day it arrived; the day it was written where none is stored.'),
  lot_number: words('Lot number on the line'),
  quantity_accepted: z.number().describe('Went into the lot.'),
  quantity_rejected: z.number().describe('Never became available.'),
  unit,
  // Packages of versions before have none.
  serial_numbers: z
    .array(z.string())
    .optional()
    .describe('Of the pieces, where each has its own; absent: they have none.'),
  is_quarantined: z.boolean().describe('Whether the receipt is quarantined.'),
});

const inspection = named('TraceInspection', {
  id: id('inspection'),
  inventory_id: lotId,
  template: words('Name of the template'),
  passed: z.boolean().nullable().describe('The verdict; null: not finalised.'),
  is_against_measurements: z.boolean().describe('The verdict goes against the measurements.'),
  is_settled: z.boolean().describe('The disposition of a report settled the failure.'),
  samples: z.int().describe('Samples of it.'),
  // Packages of versions before have none.
  measured_samples: z
    .int()
    .optional()
    .describe('Samples of which enough was measured to say whether they are within their limits.'),
  failed_samples: z.int().describe('Samples outside their limits.'),
  date: day('The day of the inspection'),
  created_at: moment('When it was opened'),
  finalised_at: isoTimestampSchema().nullable().describe('When the verdict was given; null: not finalised.'),
  by: person,
});

const labResult = named('TraceLabResult', {
  id: id('lab result'),
  inventory_id: lotId,
  testing_id: words('Testing number'),
  template: words('Name of the template'),
  date: day('The day of the test'),
  failed_measurements: z.array(z.string()).describe('Measurements outside their limits.'),
  is_settled: z.boolean().describe('The disposition of a report settled the failure.'),
  is_by_lot_number: z.boolean().describe('It names the lot by its number, not by its id.'),
  created_at: moment('When it was written'),
  by: person,
});

const lock = named('TraceLock', {
  inventory_id: lotId,
  at: moment('When it was done'),
  by: person,
  is_locked: z.boolean().describe('True: locked by a person, false: the lock was lifted.'),
  reason: words('Why'),
});

const move = named('TraceMove', {
  id: id('move'),
  inventory_id: lotId,
  at: dayOrMoment('When it was carried'),
  from_location_id: maybeId('place that it left'),
  from: words('Name of that place'),
  to_location_id: maybeId('place that it went to'),
  to: words('Name of that place'),
  quantity: z.number().describe('What was carried.'),
  unit,
  reason: words('Why'),
  by: person,
});

const adjustment = named('TraceAdjustment', {
  id: id('adjustment'),
  inventory_id: lotId,
  at: dayOrMoment('When it was corrected'),
  quantity: z.number().describe('Added to the lot; negative: taken away.'),
  unit,
  reason: words('Why'),
  ncr_id: maybeId('report whose disposition made it'),
  by: person,
});

const shipment = named('TraceShipment', {
  id: id('shipment'),
  item_id: id('item'),
  inventory_id: lotId,
  shipment_number: words('Number of the shipment'),
  date: z.iso.date().nullable().describe('The day it shipped.'),
  customer_id: maybeId('customer'),
  customer: words('Name of the customer'),
  order_id: maybeId('order'),
  quantity: z.number().describe('What it took of the lot.'),
  unit,
});

const customer = named('TraceCustomer', {
  id: maybeId('customer'),
  name: words('Name of the customer'),
  shipments: z.int().describe('Shipments to this customer.'),
  quantities: z
    .array(z.object({ unit, quantity: z.number().describe('Sum of what was shipped in this unit.') }))
    .describe('What the customer has, by unit.'),
});

const complaint = named('TraceComplaint', {
  id: id('complaint'),
  inventory_id: lotId,
  complaint_number: words('Number of the complaint'),
  date: day('The day of the complaint'),
  complainant: words('Who complained'),
  comments: words('What about'),
  is_closed: z.boolean().describe('Whether it is closed.'),
});

const ncr = named('TraceNcr', {
  id: id('report'),
  inventory_id: lotId,
  ncr_number: words('Number of the report'),
  source: words('Where it comes from'),
  status: words('Where it stands: open, in_review, closed'),
  description: words('What does not conform'),
  quantity: z.number().nullable().describe('How much; null where it is not said.'),
  disposition: words('use-as-is, rework, return or scrap'),
  at: dayOrMoment('When it was raised'),
  by: person,
});

const car = named('TraceCar', {
  id: id('request'),
  ncr_id: id('report that raised it'),
  car_number: words('Number of the request'),
  date_opened: day('When it was opened'),
  date_closed: day('When it was closed'),
});

const relatedLot = named('TraceRelatedLot', {
  id: lotId,
  receipt_id: id('receipt that brought both'),
  part_id: maybeId('part'),
  part: words('Name of the part'),
  batch_number: words('Lot number'),
});

const sums = {
  opening: z.number().describe('Opening balance.'),
  received: z.number().describe('Received into it.'),
  shipped: z.number().describe('Shipped from it.'),
  adjusted: z.number().describe('Sum of the adjustments; negative: taken away.'),
  on_hand: z.number().describe('What is left.'),
};

const lot = named('TraceLot', {
  id: lotId,
  part_id: maybeId('part'),
  batch_number: words('Lot number'),
  expiry_date: day('The last usable day'),
  unit,
  ...sums,
  locks: listOf({
    lock: z.string().describe('Which lock: `inspection_failed`, `quarantine`, `person`, ….'),
    reason: z.string().describe('In words.'),
    family: z.string().describe('Of the record that locks it.'),
    id: z.int().describe('Of the record that locks it.'),
  }).describe('Why it cannot ship; empty: it is not locked.'),
  opened_on: day('The day of its opening balance'),
  created_at: moment('When it came into the system'),
});

export const traceEventKinds = [
  'opening',
  'received',
  'inspection',
  'inspected',
  'lab_result',
  'locked',
  'unlocked',
  'moved',
  'adjusted',
  'shipped',
  'complaint',
  'ncr',
  'car',
] as const;

const event = named('TraceEvent', {
  at: z.string().describe('A calendar day (YYYY-MM-DD) or a moment (ISO 8601, UTC), as far as it is known.'),
  // Packages of versions before have none.
  recorded_at: isoTimestampSchema()
    .optional()
    .describe('When it was written, UTC: the order of what happened within a day.'),
  kind: z.enum(traceEventKinds).describe('What happened.'),
  family: z.string().describe('Of the record that says so.'),
  id: z.int().describe('Of the record that says so.'),
  inventory_id: maybeId('lot'),
  quantity: z.number().nullable().describe('Negative: taken away; null where it moves none.'),
  unit,
  passed: z.boolean().nullable().describe('A verdict; null where none is given.'),
  who: words('Supplier, customer or person'),
  note: words('What people wrote: a number, a reason, a description'),
});

export const traceGroups = {
  receipts: z.array(receipt).describe('Lines of receipts that it came with.'),
  inspections: z.array(inspection).describe('Inspections of it.'),
  lab_results: z.array(labResult).describe('Lab results of it, by its id or its lot number.'),
  locks: z.array(lock).describe('Locked and released by people.'),
  moves: z.array(move).describe('Carried from place to place.'),
  adjustments: z.array(adjustment).describe('Corrections of the count.'),
  shipments: z.array(shipment).describe('Everything that was shipped of it, and to whom.'),
  complaints: z.array(complaint).describe('Complaints about its lot number.'),
  ncrs: z.array(ncr).describe('Non-conformance reports about it or about what stands here.'),
  cars: z.array(car).describe('Corrective action requests that these reports raised.'),
  related_lots: z.array(relatedLot).describe('Other lots of the same receipts.'),
};

export const traceSchema = named('Trace', {
  subject: z
    .object({
      family: z.enum(['inventory', 'part']).describe('What was asked about.'),
      id: z.int().describe('Its id.'),
      title: z.string().describe('What people call it.'),
    })
    .describe('What was asked about.'),
  part: z
    .object({ id: id('part'), name: words('Its name'), identification: words('Its number') })
    .nullable()
    .describe('The part; null where it is not there.'),
  as_of: moment('When this was read'),
  lots: z.array(lot).describe('The lot; of a part its newest lots, oldest first.'),
  lots_total: z.int().describe('Lots that there are.'),
  totals: z.array(named('TraceTotal', { unit, ...sums })).describe('The sum over the lots, by unit.'),
  suppliers: listOf({
    id: maybeId('supplier'),
    name: words('Name of the supplier'),
    receipts: z.int().describe('Receipts from this supplier.'),
  }).describe('Whom it came from.'),
  ...traceGroups,
  customers: z.array(customer).describe('Who has it.'),
  events: z.array(event).describe('All of it in order of time.'),
  locks_missing: z
    .array(z.int())
    .optional()
    .describe(
      'Lots of which central knows who locked and released them, and this station not all; absent: none.',
    ),
  left_out: listOf({
    group: z.string().describe('Name of the list.'),
    shown: z.int().describe('How many stand in it.'),
    total: z.int().describe('How many there are at least.'),
  }).describe('Lists that stop at a limit; empty: the answer is whole.'),
});

export type Trace = z.infer<typeof traceSchema>;
export type TraceEvent = z.infer<typeof event>;
export type TraceLot = z.infer<typeof lot>;
