import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, openApp } from '../../e2e/support/app.ts';
import { goTo } from '../../e2e/support/go-to.ts';
import type { Station } from '../../support/station.ts';

/** Leaves a mark on a page that takes it for markup instead of text. */
const MARKUP = `<img id="planted" src="x" onerror="window.planted=1"><script id="planted">planted=1</script>"'>`;
const LINK = 'javascript:window.planted=1';

/** Pages that may have nothing to say of these records; they must still run nothing. */
const SUMMARIES = new Set(['', 'shipping', 'inspection', 'quality']);

const made = new Map<string, number>();
let app: App;
beforeAll(async () => {
  app = await openApp({ fill });
});
afterAll(() => app?.close());

/** One record of each kind that has its own screens, with markup wherever people type text. */
async function fill(station: Station): Promise<void> {
  const make = async (family: string, path: string, body: object) => {
    const { status, body: answer } = await station.post(path, body);
    if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(answer)}`);
    const { id } = (answer as { data: { id: number | string } }).data;
    made.set(family, Number(id));
    return Number(id);
  };
  const named = { name: MARKUP, notes: MARKUP };
  const supplier = await make('supplier', '/suppliers', {
    ...named,
    primary_name: MARKUP,
    primary_email: LINK,
  });
  const customer = await make('customer', '/x/customers', named);
  const location = await make('location', '/x/locations', { name: MARKUP });
  const code = await make('error-code', '/x/error-codes', { name: MARKUP });
  const specification = await make('specification', '/x/specifications', {
    ...named,
    identification: MARKUP,
    is_approved: true,
    characteristics: [{ name: MARKUP, dimensions: MARKUP, tolerance: MARKUP }],
  });
  const part = await make('part', '/parts', {
    name: MARKUP,
    identification: MARKUP,
    unit_of_measure: 'units',
    supplier_id: supplier,
  });
  const line = { part_id: part, serial_number: MARKUP, unit_of_measure: 'EA', location_id: location };
  await make('receiving-inspection', '/receiving-inspections', {
    supplier_id: supplier,
    po_number: MARKUP,
    items: [{ ...line, quantity_accepted: 5, drawing_id: specification }],
  });
  const lots = await station.get('/inventory', { part_id: part });
  made.set('inventory', (lots.body as { data: { id: number }[] }).data[0]?.id ?? 0);
  await make('inspection', '/inspections', { entity_id: part, drawing_id: specification });
  await make('order', '/orders', {
    customer_id: customer,
    po_number: MARKUP,
    items: [{ ...line, quantity: 1 }],
  });
  await make('shipment', '/shipments', { contact_id: customer, notes: MARKUP });
  const complaint = {
    complaint_number: MARKUP,
    complaint_date: '2026-01-31',
    part_id: part,
    error_code_id: code,
  };
  await make('complaint', '/complaints', { ...complaint, description: MARKUP });
  await make('ncr', '/ncrs', { ncr_number: MARKUP, source: 'internal', part_id: part, description: MARKUP });
  await make('car', '/cars', { car_number: MARKUP });
}

describe('markup that somebody typed', () => {
  it.each([
    '',
    'stock',
    'stock/:inventory',
    'receiving',
    'receiving/:receiving-inspection',
    'shipping',
    'shipping/:shipment',
    'inspection',
    'inspection/:inspection',
    'quality',
    'ncr/:ncr',
    'recall/part/:part',
    'recall/inventory/:inventory',
    'records/supplier',
    'records/supplier/:supplier',
    'records/supplier/:supplier/edit',
    'records/part',
    'records/part/:part',
    'records/order/:order',
    'records/specification/:specification',
    'records/complaint/:complaint',
    'records/car/:car',
    'records/location',
  ])('is text on /app/%s', async route => {
    const { page } = app;
    const path = route.replace(/:([\w-]+)/g, (_, family) => String(made.get(family)));
    await goTo(page, `/app/${path}`);
    await page.locator('main h1').waitFor();
    if (!SUMMARIES.has(route)) await expect.poll(() => shownText()).toContain('<img id="planted"');
    await expectText();
  });

  it('is text in what Ctrl+K finds', async () => {
    const { page } = app;
    await goTo(page, '/app/setup');
    await page.locator('main h1').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').locator('input').fill('<img');
    await expect.poll(() => page.getByRole('dialog').innerText()).toContain('<img id="planted"');
    await expectText();
  });

  it('would be seen where it is none', async () => {
    const { page } = app;
    await page.evaluate(markup => document.body.insertAdjacentHTML('beforeend', markup), MARKUP);
    await expect(expectText()).rejects.toThrow();
  });
});

/** What a person reads, in fields as well as beside them. */
function shownText(): Promise<string> {
  return app.page.evaluate(() => {
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
    return [document.body.innerText, ...fields.map(({ value }) => value)].join('\n');
  });
}

async function expectText(): Promise<void> {
  const { page } = app;
  expect(await page.locator('#planted').count()).toBe(0);
  expect(await page.evaluate(() => 'planted' in window)).toBe(false);
  expect(await page.locator('a[href^="javascript:" i]').count()).toBe(0);
  expect(app.faults).toEqual([]);
}
