import { dateIn } from '../../../shared/contract/dates.ts';
import type { Station } from '../../support/station.ts';
import { Browser, PASSWORD } from '../identity/browser.ts';

/** Of the site, where it may be tomorrow already. */
const TIME_ZONE = 'Europe/Berlin';

/** Texts that a spreadsheet or a careless writer of CSV would change. */
export const AWKWARD_TEXTS = [
  '=1+1',
  "=cmd|'/C calc'!A0",
  '+49 30',
  '-5',
  '@home',
  '\ttab',
  '\rreturn',
  "'quoted",
  "''=twice",
  "'",
  '',
  ' blanks ',
  'a,b;c',
  'say "x"',
  'two\r\nlines\nthree',
  'null',
  'true',
  '007',
  '{"a":1}',
  '<b>&amp;</b>',
  'Ægir – 日本 👩‍🔬 שלום',
];

/** Fills an installation with records of every family, in the states that a simple copy would get wrong. */
export async function fillEveryFamily(station: Station): Promise<void> {
  const made = async (path: string, body: object): Promise<number> => {
    const { status, body: answer } = await station.post(path, body);
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
    const { data, meta } = answer as { data: { id?: number | string }; meta?: { id?: number } };
    return Number(data.id ?? meta?.id);
  };
  const changed = async (path: string, body: object): Promise<void> => {
    const { status, body: answer } = await station.put(path, body);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
  };

  const company = await made('/x/companies', { name: 'Second company', is_active: false });
  await changed('/x/companies/1', { name: 'First company' });
  await changed('/x/settings', { time_zone: TIME_ZONE, expiry_soon_days: 14 });
  for (const [index, notes] of AWKWARD_TEXTS.entries())
    await made('/suppliers', { name: `S${index}`, notes, primary_name: notes });
  const customer = await made('/x/customers', { name: 'Customer', custom_field_1: '', city: 'Ely' });
  const type = await made('/x/part-types', { name: 'Raw' });
  await made('/x/error-codes', { name: 'Leaks' });
  const gauge = await made('/x/equipment', { name: 'Gauge', identification: '+1' });
  const [shelf, cellar] = [
    await made('/x/locations', { name: 'Shelf' }),
    await made('/x/locations', { name: 'Cellar' }),
  ];

  // The child comes before its parent in the order of the ids.
  const child = await made('/parts', {
    name: 'Child',
    unit_of_measure: 'kg',
    barcodes: ['=1', 'a,b'],
    part_type_id: type,
    supplier_id: 1,
  });
  const parent = await made('/parts', {
    name: 'Parent',
    reorder_point: 0.000001,
    density: 1.2,
    batch_ids: [''],
    company_id: company,
  });
  await changed(`/parts/${child}`, { parent_part_id: parent });
  const ruling = { part_id: child, supplier_id: 1, is_allowed: true, reason: '=Steady' };
  await made('/x/sampling/reduced', ruling);

  const template = await made('/x/specifications', {
    name: 'Template',
    is_approved: true,
    characteristics: [
      { name: 'pH', dimensions: '7', tolerance: '±1' },
      { name: 'smell', is_optional: true },
      { name: 'gone' },
    ],
  });
  const planned = await made('/parts', { name: 'Planned', unit_of_measure: 'units' });
  await made('/x/inspection-plans', {
    name: '=Plan',
    part_id: planned,
    specification_id: template,
    sampling_aql: '2.5',
    is_certificate_required: true,
  });
  await made('/x/shared-views', { name: '=Open', list: 'ncr', address: 'status=open' });
  await made('/x/purchase-orders', {
    po_number: '=PO',
    items: [{ part_id: planned, quantity: 250.5, sscc: '106141412345678908', lot_format: '=@##' }],
  });
  const receipt = await made('/receiving-inspections', {
    po_number: '=PO',
    items: [
      {
        part_id: child,
        serial_number: 'L1',
        quantity_accepted: 10.5,
        cost: 2,
        expiry_date: '2099-01-31',
        location_id: shelf,
      },
      {
        part_id: child,
        serial_number: 'L2',
        quantity_accepted: 4,
        quantity_rejected: 1,
        drawing_id: template,
      },
    ],
  });
  await made('/receiving-inspections', {
    items: [{ part_id: planned, serial_number: 'P1', quantity_accepted: 100 }],
  });
  const lotOf = async (part: number) => {
    const { body } = await station.get('/inventory', { part_id: part });
    return (body as { data: { id: number }[] }).data.map(({ id }) => id);
  };
  const [first = 0, second = 0] = await lotOf(child);
  const opening = await made('/x/inventory', {
    part_id: parent,
    batch_number: 'opened',
    opening_quantity: 3,
    location_id: cellar,
  });
  await station.post(`/x/inventory/${opening}/lock`, { is_locked: true, reason: 'suspect' });
  await made('/x/adjustments', { inventory_id: first, quantity: -0.5, reason: 'counted' });
  await made(`/x/inventory/${first}/moves`, { to_location_id: cellar, quantity: 4 });

  await made('/x/locations', {
    name: '340123450000000000',
    kind: 'unit',
    within_id: shelf,
    gln: '4012345000009',
    gln_extension: '=7',
    walking_order: 5,
  });
  const gate = await made('/x/locations', { name: 'Gate', kind: 'shipping', storage_class: 'cool' });
  await changed(`/parts/${planned}`, { storage_class: 'cool', usual_location_id: cellar });
  const wanted = await made('/shipments', { items: [{ part_id: child, quantity: 2 }] });
  const picked = { to_location_id: gate, from_location_id: cellar, quantity: 0.5, shipment_id: wanted };
  await made(`/x/inventory/${first}/moves`, picked);
  const count = await made('/x/stock-counts', {
    location_id: cellar,
    count_number: '=Cellar',
    items: [{ inventory_id: first, quantity_counted: 3 }],
    is_finished: true,
  });
  const counted = await station.get(`/x/stock-counts/${count}`);
  const { items } = (counted.body as { data: { items: { id: number }[] } }).data;
  await changed(`/x/stock-counts/${count}`, {
    items: items.map(({ id }) => ({ id, quantity_recounted: 3, reason: 'lost' })),
    is_finished: true,
  });
  await made('/x/stock-counts', { location_id: shelf });

  const inspection = await made('/inspections', {
    entity_id: gauge,
    entity_type: 'equipment',
    drawing_id: template,
    sample_size: 2,
  });
  const { body } = await station.get(`/x/records/inspection/${inspection}`);
  const { samples } = (
    body as { data: { fields: { samples: Record<string, { results: Record<string, object> }> } } }
  ).data.fields;
  for (const [id, { results }] of Object.entries(samples)) {
    const measured = Object.keys(results).map((result, index) => ({
      id: Number(result),
      value: 6.9 + index * 1e-7,
    }));
    await changed(`/inspections/${inspection}/samples/${id}`, { sample_serial: '=S', results: measured });
  }
  await changed(`/inspections/${inspection}`, { passed: true });
  // The template goes on; the inspection keeps the one that it followed.
  const revised = [{ name: 'pH', dimensions: '8', tolerance: '±0.1' }];
  await changed(`/x/specifications/${template}`, { characteristics: revised, reason: 'tighter' });

  await made('/lab-results', {
    testing_id: 'T1',
    batch_number: 'L1',
    specification_id: template,
    lab_data: '{ "pH": "3.50", "lead": "<0.05" }',
    inventory_id: second,
  });
  const ncr = await made('/ncrs', {
    ncr_number: '=N1',
    source: 'internal',
    part_id: child,
    quantity: 1,
    receiving_inspection_id: receipt,
    inventory_id: second,
  });
  await signed(station, ncr, made, changed);
  await made('/lab-results', { testing_id: 'T2', inventory_id: first, lab_data: '{"pH": "3.5"}' });
  await certified(station, first);
  await made('/cars', {
    car_number: 'C1',
    ncr_id: ncr,
    description: { text: '=1', list: [1, null] },
    date_closed: '2026-01-01',
  });
  const complaint = await made('/complaints', {
    complaint_number: 'K1',
    complaint_date: '2026-02-01',
    error_code_id: 1,
    part_id: child,
  });
  await changed(`/complaints/${complaint}`, {
    complaint_number: 'K1',
    complaint_date: '2026-02-01',
    is_investigated: true,
    is_closed: true,
  });
  const order = await made('/orders', {
    customer_id: customer,
    order_date: '2026-01-05',
    items: [
      { part_id: child, quantity: 3 },
      { part_id: child, quantity: 0.1 },
    ],
  });
  // What it takes is spread over two places; an adjustment afterwards leaves less than it took.
  const shipment = await made('/shipments', {
    contact_id: customer,
    order_id: order,
    items: [{ part_id: child, quantity: 9.25, serial_number: 'L1' }],
  });
  await changed(`/shipments/${shipment}`, { actual_ship_date: dateIn(TIME_ZONE, new Date().toISOString()) });
  await made('/shipments', { requested_ship_date: '2026-03-01' });
}

/** A user, known by a former login as well, who has signed a change of a report. */
async function signed(
  station: Station,
  ncr: number,
  made: (path: string, body: object) => Promise<number>,
  changed: (path: string, body: object) => Promise<void>,
): Promise<void> {
  const user = await made('/x/users', {
    is_password_temporary: false,
    login: 'a',
    name: '=A',
    roles: ['quality'],
    password: PASSWORD,
  });
  await changed(`/x/users/${user}`, { login: 'ann', language: 'de' });
  await changed('/x/settings', { is_esignature_required: true });
  const browser = new Browser(station.origin);
  await browser.signIn('ann');
  const { status, body } = await browser.put(`/ncrs/${ncr}`, {
    lot_number: 'L1',
    esignature_password: PASSWORD,
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  await changed('/x/settings', { is_esignature_required: null });
}

/** A certificate that was issued, and withdrawn; and a review of the audit trail. */
async function certified(station: Station, lot: number): Promise<void> {
  const browser = new Browser(station.origin);
  await browser.signIn('ann');
  const issued = await browser.post(`/x/inventory/${lot}/certificates`, { language: 'de' });
  const { data } = issued.body as { data: { id: number } };
  const { status, body } = await browser.post(`/x/certificates/${data.id}/withdraw`, { reason: '=Mixed up' });
  const until = { reviewed_until: new Date(Date.now() - 1_000).toISOString(), remarks: '=Seen' };
  const reviewed = await browser.post('/x/audit/reviews', until);
  if (reviewed.status !== 201) throw new Error(JSON.stringify(reviewed.body));
  if (status !== 200) throw new Error(JSON.stringify(body));
}
