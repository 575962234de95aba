import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Station } from '../support/station.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings, COLOURS } from './support/axe.ts';
import { goTo } from './support/go-to.ts';
import { typeSlowly } from './support/keys.ts';
import { maker } from './support/maker.ts';
import { openMenu } from './support/menu.ts';

/** What the screens offer to whom, and what waits for quality: seen by an administrator (ada) and an operator (olga). */

const OPERATOR = { name: 'Olga Operator', login: 'olga', password: 'battery staple correct' };

let app: App;
let page: Page;
const made: Record<string, number> = {};

beforeAll(async () => {
  app = await openApp({ fill });
  page = app.page;
});
afterAll(async () => {
  await app?.close();
});

async function fill(station: Station): Promise<void> {
  const create = maker(station, made);
  await create('supplier', '/suppliers', { name: 'Harbour Fasteners' });
  await create('bolt', '/parts', { name: 'Hex bolt M8', identification: 'HB-8', unit_of_measure: 'units' });
  await create('receipt', '/receiving-inspections', {
    supplier_id: made.supplier,
    po_number: 'PO-9',
    is_quarantined: true,
    items: [{ part_id: made.bolt, serial_number: 'LOT-9', quantity_accepted: 20, unit_of_measure: 'EA' }],
  });
  await create('opening', '/x/inventory', {
    part_id: made.bolt,
    batch_number: 'OLD-1',
    opening_quantity: 5,
    expiry_date: '2031-05-01',
  });
  await create('operator', '/x/users', { is_password_temporary: false, ...OPERATOR, roles: ['operator'] });
  const { body } = await station.get('/inventory', { part_id: made.bolt ?? 0 });
  const { data } = body as { data: { id: number }[] };
  made.lot = data.find(({ id }) => id !== made.opening)?.id ?? 0;
}

async function asOperator(path: string): Promise<Page> {
  const context = await app.browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const { login, password } = OPERATOR;
  const { origin } = app.station;
  const answer = await context.request.post(`${origin}/api/v2/x/session`, {
    headers: { origin },
    data: { login, password },
  });
  expect(answer.status()).toBe(201);
  const opened = await context.newPage();
  await opened.goto(`${origin}${path}`);
  return opened;
}

describe('an operator', () => {
  it('is not offered to lift a quarantine, and sees whom that is for', async () => {
    const own = await asOperator(`/app/receiving/${made.receipt}`);
    await own.getByRole('heading', { level: 1, name: 'PO-9' }).waitFor();
    await own.getByText('For quality').waitFor();
    await openMenu(own.getByRole('button', { name: 'More' }));
    expect(await own.getByRole('menuitem').allInnerTexts()).toEqual(['Change']);
    await own.keyboard.press('Escape');
    await expect.poll(() => own.getByRole('button', { name: 'Close the receipt' }).count()).toBe(1);
    expect(await axeFindings(own)).toEqual([]);
    await goTo(own, `/app/records/part/${made.bolt}/edit`);
    await own.getByRole('region', { name: 'Sampling AQL' }).getByText('For quality').waitFor();
    expect(await axeFindings(own)).toEqual([]);
    // What is open to operators is offered as ever.
    await own.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
    await own.context().close();
  });

  it('sees nothing of what waits for quality among what waits', async () => {
    await app.station.put(`/receiving-inspections/${made.receipt}`, { is_quarantined: false });
    const own = await asOperator('/app');
    await own.getByRole('region', { name: 'Locked lots' }).waitFor();
    expect(await own.getByRole('region', { name: 'Corrections that wait for quality' }).count()).toBe(0);
    await own.context().close();
  });
});

describe('quality', () => {
  it('is told on the lot which correction locks it', async () => {
    await goTo(page, `/app/stock/${made.lot}`);
    await page.getByRole('link', { name: 'a correction waits for quality' }).waitFor();
    await page.getByText(/Quarantined: Yes → No/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  it('finds it among what waits, from the home page on', async () => {
    await goTo(page, '/app');
    await page.getByRole('link', { name: 'Corrections that wait for quality' }).press('Enter');
    const row = page.getByRole('row', { name: /PO-9/ });
    await row.getByText('Quarantined').waitFor();
    await row.getByText('No reason was given').waitFor();
    await row.getByRole('link', { name: 'LOT-9' }).waitFor();
    await expect.poll(() => row.locator('del').textContent()).toBe('Yes');
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(page, COLOURS)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('accepts it with a reason, and the lot is free', async () => {
    await page.getByRole('button', { name: 'Accept: Quarantined' }).press('Enter');
    const form = page.getByRole('form', { name: 'Accept: Quarantined' });
    await form.getByRole('textbox', { name: 'Reason' }).and(page.locator(':focus')).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await page.getByText('No correction waits for quality.').waitFor();
    await goTo(page, `/app/stock/${made.lot}`);
    await page.getByText('May ship', { exact: true }).waitFor();
    await goTo(page, `/app/receiving/${made.receipt}`);
    await page.getByText(/By ada, .+: Certificate came/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  it('remembers a reason of one’s own, and offers it by a key the next time', async () => {
    const edit = `/app/records/inventory/${made.opening}/edit`;
    for (const [day, keys] of [
      ['2031-06-01', 'Retested by the maker'],
      ['2031-07-01', '6'],
    ] as const) {
      await goTo(page, edit);
      const form = page.getByRole('form', { name: 'Lot' });
      await form.getByLabel('Expiry date', { exact: true }).fill(day);
      await page.keyboard.press('Enter');
      // Nothing was saved: the reason is due, and has the focus.
      await form
        .getByRole('textbox', { name: 'Reason for the change' })
        .and(page.locator(':focus'))
        .waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await typeSlowly(page, keys);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'OLD-1', exact: true }).waitFor();
    }
    const corrections = page.getByRole('table', { name: '2 corrections' });
    await expect.poll(() => corrections.getByText('Retested by the maker').count()).toBe(2);
  });

  it('is asked in the same place where only the server knows that a reason is due', async () => {
    const { body } = await app.station.get(`/receiving-inspections/${made.receipt}`);
    const { items } = (body as { data: { items: { id: number }[] } }).data;
    const line = `/receiving-inspections/${made.receipt}/items/${items[0]?.id}`;
    // Somebody gave the 0: it is a fact, unlike one that was filled in.
    for (const quantity of [5, 0])
      await app.station.put(line, { quantity_rejected: quantity, reason: 'Counted again' });
    await page.goto(`${app.station.origin}/app/receiving/${made.receipt}`);
    await page.getByRole('button', { name: 'Correct line' }).press('Enter');
    const form = page.getByRole('form', { name: 'Correct: Hex bolt M8' });
    await form.getByLabel('Rejected').fill('4');
    expect(await form.getByRole('textbox', { name: 'Reason' }).count()).toBe(0);
    await page.keyboard.press('Enter');
    await form.getByRole('textbox', { name: 'Reason' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await form.waitFor({ state: 'detached' });
    await page.getByText('4 EA', { exact: true }).waitFor();
  });

  it('stays visible on the pages of the shipment and the report that name the lot', async () => {
    const create = maker(app.station, made);
    const because = { reason: 'Counted again' };
    await create('shipment', '/shipments', {});
    const item = { part_id: made.bolt, quantity: 1, serial_number: 'OLD-1', shipment_id: made.shipment };
    expect((await app.station.post(`/shipments/${made.shipment}/items`, item)).status).toBe(201);
    const day = new Date().toISOString().slice(0, 10);
    for (const actual_ship_date of [day, null, day])
      await app.station.put(`/shipments/${made.shipment}`, { actual_ship_date, ...because });
    await page.goto(`${app.station.origin}/app/shipping/${made.shipment}`);
    await page.getByRole('table', { name: '1 correction', exact: true }).getByText('Counted again').waitFor();
    await page
      .getByRole('table', { name: /OLD-1.*: 2 corrections/ })
      .getByText('Retested by the maker')
      .first()
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await create('report', '/ncrs', {
      ncr_number: 'N-7',
      source: 'internal',
      lot_number: 'OLD',
      inventory_id: made.opening,
    });
    await app.station.put(`/ncrs/${made.report}`, { lot_number: 'OLD-1', ...because });
    await page.goto(`${app.station.origin}/app/ncr/${made.report}`);
    const own = page.getByRole('table', { name: '1 correction', exact: true });
    await own.getByText('OLD', { exact: true }).waitFor();
    await page.getByRole('table', { name: 'Lot: 2 corrections' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  it('of a receipt stays visible on the page of its lot', async () => {
    await goTo(page, `/app/stock/${made.lot}`);
    const corrections = page.getByRole('table', { name: /^\d corrections?$/ });
    await corrections.getByText('Counted again').first().waitFor();
  });

  it('has met no script error', () => {
    expect(app.faults).toEqual([]);
  });
});
