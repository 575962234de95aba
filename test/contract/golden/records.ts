/** Builders over documented operations: what a test needs to exist before its own first call. */
import type { Fields } from '../../support/expect-shape.ts';
import type { Answer, Station } from '../../support/station.ts';
import { childrenOf, idOf, recordOf, recordsOf } from './answers.ts';

/** An id within block 0 that no test gives to a record. */
export const UNKNOWN_ID = 999_999;

/** An id outside block 0, which is the only one a fresh installation owns. */
export const FOREIGN_ID = 7 * 2 ** 20 + 3;

/** A calendar day in UTC, some days from today, as YYYY-MM-DD. */
export function day(offset = 0): string {
  return new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
}

let created = 0;

/** A text that no other record has. */
export function unique(prefix: string): string {
  created += 1;
  return `${prefix}-${created}`;
}

/** A part counted in units, unless said otherwise. */
export async function createPart(station: Station, part: Fields = {}): Promise<number> {
  const identification = unique('PART');
  return idOf(
    await station.post('/parts', {
      name: `Part ${identification}`,
      identification,
      unit_of_measure: 'units',
      ...part,
    }),
  );
}

/** One received line and the lot that it went into. */
export interface Received {
  receipt: number;
  item: number;
  inventory: number;
}

/** A receipt that arrived today, without lines. */
export async function createReceipt(station: Station, receipt: Fields = {}): Promise<number> {
  return idOf(await station.post('/receiving-inspections', { actual_arrival_date: day(), ...receipt }));
}

/** Adds a line to a receipt; 10 units unless said otherwise. */
export async function receiveInto(station: Station, receipt: number, item: Fields): Promise<Received> {
  const data = recordOf(await addReceiptItem(station, receipt, item));
  return { receipt, item: Number(data.id), inventory: Number(data.inventory_id) };
}

/** A receipt of one line. */
export async function receive(station: Station, item: Fields, receipt: Fields = {}): Promise<Received> {
  return receiveInto(station, await createReceipt(station, receipt), item);
}

export function addReceiptItem(station: Station, receipt: number, item: Fields): Promise<Answer> {
  return station.post(`/receiving-inspections/${receipt}/items`, {
    quantity_accepted: 10,
    unit_of_measure: 'EA',
    serial_number: unique('LOT'),
    ...item,
  });
}

export interface Shipping {
  shipment: number;
  items: number[];
}

/** An open shipment with these items. */
export async function prepareShipment(station: Station, ...items: Fields[]): Promise<Shipping> {
  const shipment = idOf(await station.post('/shipments', { requested_ship_date: day() }));
  const ids: number[] = [];
  for (const item of items) ids.push(idOf(await station.post(`/shipments/${shipment}/items`, item)));
  return { shipment, items: ids };
}

/** Closes a shipment today. */
export function closeShipment(station: Station, shipment: number): Promise<Answer> {
  return station.put(`/shipments/${shipment}`, { actual_ship_date: day() });
}

/** A closed shipment of these items; throws when it is refused. */
export async function ship(station: Station, ...items: Fields[]): Promise<Shipping> {
  const shipping = await prepareShipment(station, ...items);
  recordOf(await closeShipment(station, shipping.shipment));
  return shipping;
}

/** A lot's detail record. */
export async function lotOf(station: Station, inventory: number): Promise<Fields> {
  return recordOf(await station.get(`/inventory/${inventory}`));
}

/** The inventory list's records of one part. */
export async function lotsOfPart(station: Station, part: number): Promise<Fields[]> {
  return recordsOf(await station.get('/inventory', { part_id: part }));
}

/** The inspections that belong to a lot. */
export async function inspectionsOfLot(station: Station, inventory: number): Promise<Fields[]> {
  const inspections = recordsOf(await station.get('/inspections', { as: 'array', per_page: 500 }));
  return inspections.filter(inspection => Number(inspection.inventory_id) === inventory);
}

/** An inspection of a part, of one sample unless said otherwise. */
export async function createInspection(station: Station, inspection: Fields): Promise<number> {
  return idOf(await station.post('/inspections', { entity_type: 'part', ...inspection }));
}

/** Adds a sample; the answer is the only one of the documented operations that lists all samples. */
export async function addSample(station: Station, inspection: number): Promise<Fields[]> {
  return childrenOf(recordOf(await station.post(`/inspections/${inspection}/samples`)), 'samples');
}

/** A part, and a lot of it with 10 kg in stock. */
export async function stockedLot(station: Station): Promise<{ part: number; lot: number }> {
  const part = await createPart(station, { unit_of_measure: 'kg' });
  const received = await receive(station, {
    part_id: part,
    serial_number: `L-${part}`,
    quantity_accepted: 10,
    unit_of_measure: 'kg',
  });
  return { part, lot: received.inventory };
}
