import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fields } from '../../support/expect-shape.ts';
import { Station } from '../../support/station.ts';
import { childrenOf, expectInvalid, expectRefused, expectStatus, metaOf, recordOf } from './answers.ts';
import { createCustomer, createPartType, createSpecification } from './extension.ts';
import {
  createInspection,
  createPart,
  day,
  prepareShipment,
  receive,
  UNKNOWN_ID,
  unique,
} from './records.ts';

type Id =
  | 'supplier'
  | 'part'
  | 'lot'
  | 'ncr'
  | 'customer'
  | 'order'
  | 'orderItem'
  | 'inspection'
  | 'sample'
  | 'car'
  | 'shipment'
  | 'shipmentItem'
  | 'template'
  | 'labResult'
  | 'complaint'
  | 'receipt'
  | 'receiptItem'
  | 'partType';

type Ids = Record<Id, number>;

interface Operation {
  section: string;
  method: string;
  /** Names in braces are keys of `Ids`. */
  path: string;
  query: Record<string, string>;
  body: ((ids: Ids) => unknown) | undefined;
}

const station = new Station({ isHere: true });
let ids: Ids;

/** The 57 operations of part 4 with a valid call of each. */
const operations: Operation[] = [
  operation('4.1', 'GET /status'),
  operation('4.2', 'GET /companies'),
  operation('4.3', 'GET /suppliers'),
  operation('4.3', 'POST /suppliers', () => ({ name: 'Acme' })),
  operation('4.3', 'GET /suppliers/{supplier}'),
  operation('4.3', 'PUT /suppliers/{supplier}', () => ({ primary_name: 'Ann' })),
  operation('4.4', 'GET /inventory'),
  operation('4.4', 'GET /inventory/{lot}'),
  operation('4.4', 'GET /inventory/{lot}/locations'),
  operation('4.5', 'GET /ncrs'),
  operation('4.5', 'POST /ncrs', () => ({ ncr_number: unique('NCR'), source: 'internal' })),
  operation('4.5', 'GET /ncrs/{ncr}'),
  operation('4.5', 'PUT /ncrs/{ncr}', () => ({ description: 'scratched' })),
  operation('4.6', 'GET /orders'),
  operation('4.6', 'POST /orders', of => ({ contact_id: of.customer })),
  operation('4.6', 'GET /orders/{order}'),
  operation('4.6', 'PUT /orders/{order}', () => ({ po_number: 'PO-2' })),
  operation('4.6', 'POST /orders/{order}/items', of => ({
    order_id: of.order,
    part_id: of.part,
    quantity: 1,
    serial_number: 'L1',
  })),
  operation('4.6', 'PUT /orders/{order}/items/{orderItem}', () => ({ quantity: 2 })),
  operation('4.7', 'GET /parts'),
  operation('4.7', 'POST /parts', () => ({ name: 'Lid', identification: unique('LID') })),
  operation('4.7', 'GET /parts/{part}'),
  operation('4.7', 'PUT /parts/{part}', () => ({ name: 'Jar' })),
  operation('4.7', 'POST /parts/bulk', () => [{ name: 'Cap', identification: unique('CAP') }]),
  operation('4.7', 'PUT /parts/bulk', of => [{ id: of.part, name: 'Jar', identification: 'JAR' }]),
  operation('4.8', 'GET /inspections'),
  operation('4.8', 'POST /inspections', of => ({ entity_id: of.part, entity_type: 'part' })),
  operation('4.8', 'GET /inspections/{inspection}'),
  operation('4.8', 'PUT /inspections/{inspection}', () => ({ passed: null })),
  operation('4.8', 'POST /inspections/{inspection}/samples'),
  operation('4.8', 'PUT /inspections/{inspection}/samples/{sample}', () => ({ sample_serial: 'S-1' })),
  operation('4.9', 'GET /cars'),
  operation('4.9', 'POST /cars', () => ({ car_number: unique('CAR') })),
  operation('4.9', 'GET /cars/{car}'),
  operation('4.9', 'PUT /cars/{car}', () => ({ car_number: unique('CAR') })),
  operation('4.10', 'GET /shipments?dateRange=false&fromDate=&toDate='),
  operation('4.10', 'POST /shipments', () => ({ requested_ship_date: day() })),
  operation('4.10', 'GET /shipments/{shipment}'),
  operation('4.10', 'PUT /shipments/{shipment}', () => ({ po_number: 'PO-3' })),
  operation('4.10', 'POST /shipments/{shipment}/items', of => ({ part_id: of.part, quantity: 1 })),
  operation('4.10', 'PUT /shipments/{shipment}/items/{shipmentItem}', () => ({ quantity: 2 })),
  operation('4.11', 'GET /specifications'),
  operation('4.11', 'GET /specifications/{template}'),
  operation('4.12', 'POST /lab-results', () => ({ testing_id: 'T-1' })),
  operation('4.12', 'GET /lab-results/{labResult}'),
  operation('4.12', 'PUT /lab-results/{labResult}', () => ({ testing_id: 'T-2' })),
  operation('4.13', 'GET /complaints'),
  operation('4.13', 'POST /complaints', () => ({ complaint_number: unique('C'), complaint_date: day() })),
  operation('4.13', 'GET /complaints/{complaint}'),
  operation('4.13', 'PUT /complaints/{complaint}', () => ({
    complaint_number: unique('C'),
    complaint_date: day(),
  })),
  operation('4.14', 'GET /receiving-inspections'),
  operation('4.14', 'POST /receiving-inspections', of => ({ supplier_id: of.supplier, items: [] })),
  operation('4.14', 'GET /receiving-inspections/{receipt}'),
  operation('4.14', 'PUT /receiving-inspections/{receipt}', () => ({ notes: 'two pallets' })),
  operation('4.14', 'POST /receiving-inspections/{receipt}/items', of => ({
    part_id: of.part,
    quantity_accepted: 1,
    serial_number: 'L2',
    unit_of_measure: 'EA',
  })),
  operation('4.14', 'PUT /receiving-inspections/{receipt}/items/{receiptItem}', () => ({
    quantity_accepted: 20,
  })),
  operation('4.15', 'GET /part-types/{partType}'),
];

const pagedLists = [
  '/companies',
  '/suppliers',
  '/inventory',
  '/ncrs',
  '/orders',
  '/parts',
  '/inspections',
  '/cars',
  '/specifications',
  '/complaints',
  '/receiving-inspections',
];

const withRecord = operations.filter(({ path }) => path.includes('{'));
const updates = operations.filter(({ method, path }) => method === 'PUT' && path !== '/parts/bulk');
const paths = [...new Set(operations.map(({ path }) => path))];

beforeAll(async () => {
  await station.start();
  ids = await createOneOfEach();
});

afterAll(() => station.stop());

it('the document has 57 operations', () => {
  expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(57);
});

describe('every documented operation', () => {
  it.each(operations)(
    '$section $method $path answers a valid call',
    async ({ method, path, query, body }) => {
      const answer = await station.call(method, fill(path, ids), { query, body: body?.(ids) });
      expectStatus(answer, method === 'POST' ? 201 : 200);
    },
  );

  it.each(updates)('PATCH $path updates like PUT', async ({ path, body }) => {
    expectStatus(await station.patch(fill(path, ids), body?.(ids)), 200);
  });

  it.each(withRecord)('$method $path answers 404 for an unknown record', async ({ method, path, body }) => {
    const unknown = { ...ids, ...Object.fromEntries(namesIn(path).map(name => [name, UNKNOWN_ID])) };
    expectRefused(await station.call(method, fill(path, unknown), { body: body?.(unknown) }), 404);
  });

  it.each(paths)('DELETE %s answers 405 and what is allowed', async path => {
    const answer = await station.call('DELETE', fill(path, ids));
    expectRefused(answer, 405);
    const allowed = (answer.headers.get('allow') ?? '').split(/\s*,\s*/);
    const documented = operations.filter(other => other.path === path).map(({ method }) => method);
    expect(allowed).toEqual(expect.arrayContaining(documented));
    expect([...documented, 'PATCH', 'HEAD', 'OPTIONS']).toEqual(expect.arrayContaining(allowed));
  });

  it.each([
    ['POST', '/inventory'],
    ['POST', '/specifications'],
    ['PUT', '/companies'],
    ['PUT', '/part-types/1'],
    ['GET', '/lab-results'],
    ['GET', '/parts/bulk'],
    ['GET', '/orders/1/items'],
  ])('%s %s, which is not documented, answers 405', async (method, path) => {
    expectRefused(await station.call(method, path, method === 'GET' ? {} : { body: {} }), 405);
  });

  it('an unknown path answers 404', async () => {
    expectRefused(await station.get('/nothing-here'), 404);
  });
});

describe('every paged list', () => {
  it.each(pagedLists)('%s has pages of 50 unless said otherwise', async path => {
    expect(metaOf(await station.get(path))).toMatchObject({ current_page: 1, from: 1 });
    expect(Number(metaOf(await station.get(path)).per_page)).toBe(50);
  });

  it.each(pagedLists)('%s clamps per_page to 500 and says so', async path => {
    const answer = await station.get(path, { per_page: 501 });
    expectStatus(answer, 200);
    expect(Number(metaOf(answer).per_page)).toBe(500);
  });

  it.each(pagedLists)('%s past the end is empty with the true total', async path => {
    const { total } = metaOf(await station.get(path));
    const answer = await station.get(path, { page: 1000 });
    expectStatus(answer, 200);
    expect(metaOf(answer)).toMatchObject({ current_page: 1000, from: 0, to: 0, total });
    expect(answer.body).toMatchObject({ data: path === '/inspections' ? { items: [] } : [] });
  });

  it.each(
    pagedLists.flatMap(path =>
      ['page', 'per_page'].flatMap(name =>
        ['0', '-1', 'ten', '1.5', ''].map(value => ({ path, name, value })),
      ),
    ),
  )('$path refuses $name="$value"', async ({ path, name, value }) => {
    expectInvalid(await station.get(path, { [name]: value }), name);
  });
});

function operation(section: string, call: string, body?: (ids: Ids) => unknown): Operation {
  const [method = '', target = ''] = call.split(' ');
  const { pathname, searchParams } = new URL(target, 'http://station');
  return { section, method, path: decodeURI(pathname), query: Object.fromEntries(searchParams), body };
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function fill(path: string, values: Fields): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

async function createOneOfEach(): Promise<Ids> {
  const supplier = await newId('/suppliers', { name: 'Glassworks' });
  const part = await createPart(station);
  const received = await receive(station, { part_id: part });
  const customer = await createCustomer(station, { name: 'Corner shop' });
  const order = await newId('/orders', { contact_id: customer });
  const item = { order_id: order, part_id: part, quantity: 1, serial_number: 'L0' };
  const ordered = childrenOf(recordOf(await station.post(`/orders/${order}/items`, item)), 'items');
  const template = await createSpecification(station, {
    name: 'Jar',
    characteristics: [{ name: 'Height', dimensions: '10', tolerance: '±1' }],
  });
  const inspection = await createInspection(station, { entity_id: part, drawing_id: template });
  const sampled = recordOf(await station.post(`/inspections/${inspection}/samples`));
  const shipping = await prepareShipment(station, { part_id: part, quantity: 1 });
  return {
    supplier,
    part,
    lot: received.inventory,
    ncr: await newId('/ncrs', { ncr_number: unique('NCR'), source: 'supplier' }),
    customer,
    order,
    orderItem: Number(ordered[0]?.id),
    inspection,
    sample: Number(childrenOf(sampled, 'samples')[0]?.id),
    car: await newId('/cars', { car_number: unique('CAR') }),
    shipment: shipping.shipment,
    shipmentItem: Number(shipping.items[0]),
    template,
    labResult: await newId('/lab-results', { testing_id: 'T-0' }),
    complaint: await newId('/complaints', { complaint_number: unique('C'), complaint_date: day() }),
    receipt: received.receipt,
    receiptItem: received.item,
    partType: await createPartType(station, 'Packaging'),
  };
}

async function newId(path: string, body: Fields): Promise<number> {
  return Number(recordOf(await station.post(path, body)).id);
}
