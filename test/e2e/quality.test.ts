import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyPackage } from '../../server/quality/verify-package.ts';
import type { Station } from '../support/station.ts';
import { ADMINISTRATOR, type App, openApp } from './support/app.ts';
import { goTo } from './support/go-to.ts';
import { pickOption, typeSlowly } from './support/keys.ts';
import { chooseInMenu } from './support/menu.ts';

let app: App;
let page: Page;

const made = { supplier: 0, part: 0, receipt: 0, lot: 0, complaint: 0, ncr: 0, car: 0 };

beforeAll(async () => {
  app = await openApp({ fill });
  page = app.page;
});
afterAll(async () => {
  await app?.close();
});

/** A received lot of which 20 were shipped, a complaint about it, and reports of two suppliers. */
async function fill(station: Station): Promise<void> {
  const create = async (path: string, body: object) => {
    const { status, body: answer } = await station.post(path, body);
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    const { data, meta } = answer as { data: { id?: number }; meta?: { id?: number } };
    return Number(data.id ?? meta?.id);
  };
  const location = await create('/x/locations', { name: 'Shelf 1' });
  made.supplier = await create('/suppliers', { name: 'Harbour Fasteners' });
  const other = await create('/suppliers', { name: 'Moor Metals' });
  made.part = await create('/parts', { name: 'Hex bolt', identification: 'HB-8', unit_of_measure: 'units' });
  const nut = await create('/parts', { name: 'Nut', identification: 'N-8', supplier_id: other });
  made.receipt = await create('/receiving-inspections', {
    supplier_id: made.supplier,
    po_number: 'PO-1001',
    actual_arrival_date: '2026-06-12',
    items: [
      {
        part_id: made.part,
        serial_number: 'L-1',
        quantity_accepted: 100,
        quantity_rejected: 5,
        location_id: location,
      },
      { part_id: nut, serial_number: 'L-2', quantity_accepted: 7, location_id: location },
    ],
  });
  const { body } = await station.get('/x/find', { text: 'L-1', family: 'inventory' });
  made.lot = Number((body as { data: { id: number }[] }).data[0]?.id);
  const customer = await create('/x/customers', {
    name: 'Nordwerk',
    primary_name: 'Jan Brandt',
    primary_phone: '+49 40 555 0147',
    primary_email: 'jan@example.org',
  });
  const order = await create('/orders', { customer_id: customer, order_number: 'OR-5' });
  const shipment = await create('/shipments', {
    contact_id: customer,
    order_id: order,
    items: [{ part_id: made.part, quantity: 20, serial_number: 'L-1' }],
  });
  const closed = await station.put(`/shipments/${shipment}`, { actual_ship_date: '2026-06-14' });
  if (closed.status !== 200) throw new Error(JSON.stringify(closed.body));
  made.complaint = await create('/complaints', {
    complaint_number: 'C-1',
    complaint_date: '2026-07-01',
    part_id: made.part,
    batch_number: 'L-1',
    comments: 'Heads shear off. <b>Now</b>',
  });
  await create('/ncrs', { ncr_number: 'N-1', source: 'supplier', part_id: nut, description: 'Burrs' });
  made.ncr = await create('/ncrs', {
    ncr_number: 'N-2',
    source: 'internal',
    part_id: made.part,
    inventory_id: made.lot,
    description: 'Thread too long',
  });
  made.car = await create('/cars', { car_number: 'CAR-1', date_opened: '2026-01-02', ncr_id: made.ncr });
}

async function open(path: string): Promise<void> {
  await goTo(page, `/app${path}`);
  await page.locator('main h1').waitFor();
}

const column = (name: string) => page.getByRole('region', { name, exact: true });
const card = (number: string) => page.getByRole('link', { name: number, exact: true });
const button = (name: string) => page.getByRole('button', { name });
const focused = () => page.locator(':focus');

it('shows the oldest first by status, and moves a card by keyboard, back only with a reason', async () => {
  await open('/quality');
  await column('Open').getByRole('link', { name: 'N-1', exact: true }).waitFor();
  await expect.poll(() => column('Open').getByRole('link').allTextContents()).toEqual(['N-1', 'N-2']);
  await card('N-1').focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused().textContent()).toBe('N-2');
  await page.keyboard.press('Shift+ArrowRight');
  await page.getByRole('form', { name: 'N-2: Open until now' }).waitFor();
  await page.keyboard.press('Enter');
  await column('In review').getByRole('link', { name: 'N-2' }).waitFor();
  await expect.poll(() => focused().textContent()).toBe('N-2');

  await page.keyboard.press('Shift+ArrowLeft');
  await page.getByRole('form', { name: 'N-2: In review until now' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('It goes back: say why').waitFor();
  await typeSlowly(page, 'Measured wrongly.');
  await page.keyboard.press('Enter');
  await column('Open').getByRole('link', { name: 'N-2' }).waitFor();
  const { body } = await app.station.get(`/x/history/ncr/${made.ncr}`);
  expect(JSON.stringify(body)).toContain('Measured wrongly.');
});

it('filters by supplier, in the address, and says what is overdue in words', async () => {
  await page.getByRole('textbox', { name: 'Only of the supplier' }).focus();
  await typeSlowly(page, 'Moor');
  await page.getByRole('option', { name: 'Moor Metals' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => column('Open').getByRole('link').allTextContents()).toEqual(['N-1']);
  await expect.poll(() => page.url()).toContain('supplier_id=');
  await page.reload();
  await card('N-1').waitFor();
  await expect.poll(() => card('N-2').count()).toBe(0);

  await page.getByRole('tab', { name: 'Corrective actions (CAR)' }).focus();
  await page.keyboard.press('Enter');
  await card('CAR-1').waitFor();
  await column('Open')
    .getByText(/^Overdue, \d+ days$/)
    .waitFor();
  await page.getByText('1 of them is overdue').waitFor();
});

it('raises a report from a receipt, filled in and linked', async () => {
  await open('/quality');
  await page.getByRole('button', { name: 'New NCR' }).press('Enter');
  await page.getByRole('textbox', { name: 'Receipt', exact: true }).focus();
  await typeSlowly(page, 'PO-1001');
  await page.getByRole('option', { name: 'PO-1001' }).waitFor();
  await page.keyboard.press('Enter');
  const go = page.getByRole('link', { name: 'Go on, filled in' });
  await go.press('Enter');
  await page.getByLabel('NCR number').focus();
  await typeSlowly(page, 'N-3');
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { level: 1, name: 'N-3' }).waitFor();
  await expect.poll(() => page.url()).toMatch(/\/app\/ncr\/\d+$/);
  await page.getByRole('link', { name: 'PO-1001' }).first().waitFor();
  await page.getByText('80 EA in stock').waitFor();
  // What comes next is a button, the rest a menu: here the goods are not decided on.
  const buttons = page.locator('main .mantine-Group-root').filter({ has: button('More') });
  await expect.poll(() => buttons.getByRole('button').count()).toBe(3);
  await button('Disposition').waitFor();
  await chooseInMenu(page, 'More', 'Status');
  await page.getByRole('form', { name: 'N-3: Open until now' }).waitFor();
  await page.keyboard.press('Escape');
});

it('says what a disposition does to the stock before it is saved, and what it did after', async () => {
  await page.keyboard.press('d');
  const form = page.getByRole('form', { name: 'Disposition' });
  await form.waitFor();
  await expect.poll(() => focused().getAttribute('value')).toBe('Not decided');
  await page.keyboard.press('ArrowDown');
  await pickOption(page, 'Scrap');
  await form.getByText('Say how much goes').waitFor();
  await page.getByLabel('Taken out of stock').focus();
  await typeSlowly(page, '95');
  await form.getByText(/^Too much: 95 EA .* -15 would be left\.$/).waitFor();
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await typeSlowly(page, '5');
  await form.getByText('5 EA go out at Shelf 1: 80 now, 75 after it.').waitFor();
  await form.getByRole('button', { name: 'Decide' }).press('Enter');
  await form
    .getByText(/A disposition needs a reason/)
    .first()
    .waitFor();
  await form.getByLabel('Reason').focus();
  await typeSlowly(page, 'Threads are gone.');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: '5 EA were taken out of stock' }).waitFor();
  await page.getByText('75 EA in stock').waitFor();
  await button('Status').waitFor();
  const { body } = await app.station.get(`/x/inventory/${made.lot}/facts`);
  expect((body as { data: { quantity: number } }).data.quantity).toBe(75);
});

it('asks for a signature where the settings do, and shows what was signed', async () => {
  const settings = { is_esignature_required: true, is_esignature_reason_required: true };
  expect((await app.station.put('/x/settings', settings)).status).toBe(200);
  await open(`/ncr/${made.ncr}`);
  await page.keyboard.press('s');
  await page.getByLabel('Your password').waitFor();
  const form = page.getByRole('form', { name: 'N-2: Open until now' });
  await form.getByRole('button', { name: 'Set to' }).press('Enter');
  await form.getByText('Your password is missing').first().waitFor();
  await form.getByText('The reason is missing').first().waitFor();
  await form.getByLabel('Reason').fill('Looked at.');
  await form.getByLabel('Your password').fill('wrong password');
  await page.keyboard.press('Enter');
  await form.getByText('The password is wrong').first().waitFor();
  await form.getByLabel('Your password').fill(ADMINISTRATOR.password);
  await page.keyboard.press('Enter');
  const signatures = page.getByRole('table', { name: 'Signatures' });
  await signatures.getByText(/^Valid/).waitFor();
  await expect.poll(() => signatures.textContent()).toContain(ADMINISTRATOR.name);
  // The change is seen before its answer comes, which closes the form.
  await page.getByLabel('Your password').waitFor({ state: 'detached' });

  await page.keyboard.press('s');
  await form.or(page.getByRole('form', { name: 'N-2: In review until now' })).waitFor();
  await page.getByLabel('Reason').fill('Done.');
  await page.getByLabel('Your password').fill(ADMINISTRATOR.password);
  await page.keyboard.press('Enter');
  await signatures.getByText(/^Changed since/).waitFor();
  await signatures.getByText('Closing').waitFor();
  await app.station.put('/x/settings', {
    is_esignature_required: false,
    is_esignature_reason_required: false,
  });
  await page.getByRole('link', { name: 'CAR-1' }).waitFor();
});

it('under gxp says what is signed before it is, and switches off by a signature only', async () => {
  expect((await app.station.put('/x/settings', { esignature_policy: 'gxp' })).status).toBe(200);
  await open(`/ncr/${made.ncr}`);
  await page.keyboard.press('s');
  const form = page.getByRole('form', { name: 'N-2: Closed until now' });
  const signed = form.getByRole('table', { name: 'What is signed' });
  await signed.getByText('Closed', { exact: true }).waitFor();
  await form.getByText('Reopening').waitFor();
  await form.getByLabel('Reason').fill('More came back.');
  await form.getByLabel('Your password').fill(ADMINISTRATOR.password);
  await page.keyboard.press('Enter');
  await page.getByRole('table', { name: 'Signatures' }).getByText('More came back.').waitFor();
  await form.waitFor({ state: 'detached' });

  await open('/setup/site');
  await page.getByRole('combobox', { name: 'What is signed' }).click();
  await page.getByRole('option', { name: 'Nothing beyond' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your password is missing').first().waitFor();
  await page.getByRole('textbox', { name: 'Reason' }).fill('The trial is over.');
  await page.getByLabel('Your password').fill(ADMINISTRATOR.password);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved on this station').waitFor();
  const { body } = await app.station.get('/x/settings');
  expect(body).toMatchObject({ data: { esignature_policy: 'none' } });
});

it('a complaint shows the lot, the shipments and the reports that it touches, and its text as text', async () => {
  await open(`/records/complaint/${made.complaint}`);
  const panel = page.getByRole('region', { name: 'Lots, shipments and reports' });
  await panel.getByRole('link', { name: 'Lot L-1' }).waitFor();
  await panel.getByText('Nordwerk').waitFor();
  await panel.getByRole('link', { name: 'NCR N-3' }).waitFor();
  await page.getByText('Heads shear off. <b>Now</b>').first().waitFor();
});

it('a recall begins from Quality and by name, with the lot or the part', async () => {
  await open('/quality');
  await page.getByRole('link', { name: 'Recall' }).waitFor();
  await page.keyboard.press('Control+k');
  await typeSlowly(page, 'recall');
  await page.getByRole('option', { name: 'Recall' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Recall' }).waitFor();
  await page.getByRole('textbox', { name: 'Lot', exact: true }).focus();
  await typeSlowly(page, 'L-1');
  await page.getByRole('option', { name: 'L-1' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).toContain(`/recall/inventory/${made.lot}`);
});

it('a recall names whom to call, and gives a package that verifies, and a PDF', async () => {
  await open(`/recall/inventory/${made.lot}`);
  const customers = page.getByRole('table', { name: 'Customers to call (1)' });
  await customers.getByRole('link', { name: '+49 40 555 0147' }).waitFor();
  await expect.poll(() => customers.getByRole('row').nth(1).textContent()).toContain('20 EA');
  for (const name of [
    'Shipments (1)',
    'Receipts (1)',
    'Complaints (1)',
    'Other lots of the same receipts (1)',
  ]) {
    await page.getByRole('table', { name, exact: true }).waitFor();
  }
  await page.getByRole('heading', { name: 'Lab results: none' }).waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Package (JSON)' }).press('Enter');
  const file = await readFile(await (await saved).path(), 'utf8');
  expect(verifyPackage(file).findings).toEqual([]);

  const printed = page.waitForResponse(/\/x\/paper\/recall\//);
  await chooseInMenu(page, 'Print', 'Recall');
  expect((await printed).status()).toBe(200);
  expect((await printed).headers()['content-type']).toBe('application/pdf');

  await open(`/recall/part/${made.part}`);
  await page.getByRole('table', { name: 'Lots (1)' }).waitFor();
  const stock = page.getByRole('table', { name: 'Where the stock stands (1)' });
  await stock.getByText('not locked').waitFor();
  await page.getByRole('button', { name: 'Lock this lot' }).press('Enter');
  await typeSlowly(page, 'Called back');
  await page.keyboard.press('Enter');
  await stock.getByText('a person locked it').waitFor();
  expect(await page.getByRole('button', { name: 'Lock this lot' }).count()).toBe(0);
});

it('reported no fault of a script and nothing against the policy', () => {
  expect(app.faults).toEqual([]);
});
