import { traceLot, tracePart } from '../../../server/quality/trace.ts';
import type { Store } from '../../../server/store/store.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { PaperDocument } from '../../../shared/operations/paper-operations.ts';
import type { Trace } from '../../../shared/operations/trace-schemas.ts';
import { openSite, ship } from '../rules/site.ts';
import { create, type create as createRecord, itemIds, START, update } from '../store/temporary-store.ts';

export interface PaperSite {
  store: Store;
  part: number;
  receipt: StoredRecord;
  /** Passed, with a lab result; without a GTIN in the part unless said. */
  lot: number;
  inspection: number;
  ncr: StoredRecord;
  car: StoredRecord;
  shipment: StoredRecord;
  /** What recalls of the lot and of its part say. */
  traces: Partial<Record<PaperDocument, Trace>>;
}

export interface PaperSiteOptions {
  timeZone?: string;
  barcodes?: string[];
  lotNumber?: string;
  partName?: string;
}

/** A receipt whose lot is inspected, tested, complained about and shipped in part: something for every document. */
export async function paperSite(options: PaperSiteOptions = {}): Promise<PaperSite> {
  const {
    timeZone = 'Europe/Berlin',
    barcodes = [],
    lotNumber = 'LOT-7/A',
    partName = 'Hex bolt M8',
  } = options;
  const store = await openSite();
  await create(store, 'setting', { time_zone: timeZone }, { id: 1 });
  const make = async (
    ...given: Parameters<typeof createRecord> extends [Store, ...infer Rest] ? Rest : never
  ) => (await create(store, ...given)).id;
  const supplier = await make('supplier', { name: 'Harbour Fasteners' });
  const location = await make('location', { name: 'Shelf A-12' });
  const part = await make('part', {
    name: partName,
    identification: 'HB-8',
    unit_of_measure: 'units',
    supplier_id: supplier,
    barcodes,
  });
  const template = await make('specification', {
    is_approved: true,
    name: 'Hex bolt',
    identification: 'HB-8-D',
    characteristics: [
      { name: 'Length', dimensions: '40 mm', tolerance: '±0.5' },
      { name: 'Hardness', dimensions: '', tolerance: '>=30, <36' },
      { name: 'Thread', dimensions: 'M8', tolerance: 'gauge' },
      { name: 'Coating', dimensions: '8 µm', tolerance: '+2/-0', is_optional: true },
    ],
  });
  const receipt = await create(store, 'receiving-inspection', {
    supplier_id: supplier,
    po_number: 'PO-1001',
    actual_arrival_date: '2026-06-12',
    total_order_quantity: 400,
    notes: 'Two pallets.\nFilm torn on one.',
    items: [
      {
        part_id: part,
        serial_number: lotNumber,
        quantity_accepted: 1480.5,
        quantity_rejected: 20,
        unit_of_measure: 'EA',
        expiry_date: '2031-12-31',
        location_id: location,
        drawing_id: template,
      },
      { part_id: part, serial_number: 'L-8', quantity_accepted: 3, unit_of_measure: 'EA' },
    ],
  });
  const [line = 0] = itemIds(receipt, 'items');
  const lot = Number((receipt.fields.items as Record<number, { inventory_id: number }>)[line]?.inventory_id);
  const [found] = store.records.findBy('inspection', 'inventory_id', lot);
  const inspection = found?.id ?? 0;
  const [length = 0, hardness = 0, thread = 0] = itemIds(
    store.records.get('specification', template) ?? receipt,
    'characteristics',
  );
  await update(store, 'inspection', inspection, { sample_size: 3 });
  const samples = itemIds(store.records.get('inspection', inspection) ?? receipt, 'samples');
  await update(store, 'inspection', inspection, {
    samples: samples.map((id, index) => ({
      id,
      sample_serial: `S-${index + 1}`,
      results: [
        { id: length, value: [40.2, 40.75, 39.1][index] },
        ...(index === 2 ? [] : [{ id: hardness, value: 32 }]),
        { id: thread, passed: index !== 1, comment: index === 1 ? 'gauge does not enter' : null },
      ],
    })),
  });
  await update(store, 'inspection', inspection, { passed: true });
  const tests = await make('specification', {
    is_approved: true,
    name: 'Chemistry',
    characteristics: [
      { name: 'Carbon', dimensions: '0.35 %', tolerance: '0.32 to 0.38' },
      { name: 'Lead', tolerance: '<=0.05' },
    ],
  });
  await make('lab-result', {
    specification_id: tests,
    testing_id: 'T-77',
    testing_date: '2026-06-14',
    inspector_name: 'Lab North',
    inventory_id: lot,
    lab_data: '{"Carbon": "0.351", "Lead": "<0.01", "Odour": "2"}',
  });
  const ncr = await create(store, 'ncr', {
    ncr_number: 'NCR-26-004',
    source: 'supplier',
    part_id: part,
    lot_number: lotNumber,
    quantity: 20,
    description: 'Twenty bolts without thread.',
    immediate_action: 'Set aside, supplier told.',
    inspection_id: inspection,
    receiving_inspection_id: receipt.id,
  });
  const car = await create(store, 'car', {
    car_number: 'CAR-9',
    type: 'Supplier',
    source: 'NCR',
    ncr_id: ncr.id,
    description: { Problem: 'Thread missing', Causes: ['tool worn', 'no check'], Due: 30 },
  });
  const customer = await make('customer', {
    name: 'Nordwerk GmbH',
    street: 'Hafenstraße 12',
    postal_code: '20457',
    city: 'Hamburg',
    country: 'Germany',
    primary_name: 'Jan Brandt',
    primary_phone: '+49 40 555 0147',
    primary_email: 'jan.brandt@example.org',
  });
  const order = await make('order', { customer_id: customer, order_number: 'OR-5', po_number: 'C-88' });
  const shipped = await ship(store, { part_id: part, quantity: 1200, serial_number: lotNumber });
  const shipment = await update(store, 'shipment', shipped.id, { contact_id: customer, order_id: order });
  const reads = { records: store.records, sql: store.database.reader, now: START };
  const traces = {
    recall: (await traceLot(reads, lot)).trace,
    'part-recall': (await tracePart(reads, part)).trace,
  };
  return { store, part, receipt, lot, inspection, ncr, car, shipment, traces };
}
