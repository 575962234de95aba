import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, addClerk, CLERK, openApp } from './support/app.ts';
import { axeFindings, COLOURS } from './support/axe.ts';
import { goTo } from './support/go-to.ts';
import { pickOption, scan, tabTo, typeSlowly } from './support/keys.ts';
import { maker } from './support/maker.ts';
import { openMenu } from './support/menu.ts';
import { picture } from './support/picture.ts';

const LINES = 151;
const GTIN = '09506000134352';
const made: Record<string, number> = {};
let app: App;
let page: Page;

/** What a day's work at the dock and in the stock had found, each seen to be gone. */
beforeAll(async () => {
  app = await openApp({
    fill: async station => {
      const create = maker(station, made);
      await create('customer', '/x/customers', { name: 'Dune Grocers' });
      await create('dock', '/x/locations', { name: 'DOCK' });
      await create('shelf', '/x/locations', { name: 'SHELF-7' });
      await create('bolt', '/parts', {
        name: 'Hex bolt',
        identification: 'HB-8',
        unit_of_measure: 'units',
        barcodes: [GTIN],
      });
      for (const [name, is_approved] of [
        ['Bolts, draft', false],
        ['Bolts, approved', true],
      ] as const)
        await create(name, '/x/specifications', { name, is_approved });
      const line = {
        part_id: made.bolt,
        quantity_accepted: 5,
        unit_of_measure: 'EA',
        location_id: made.dock,
      };
      const items = Array.from({ length: LINES }, (_, index) => ({ ...line, serial_number: `L-${index}` }));
      await create('receipt', '/receiving-inspections', { po_number: 'PO-151', items });
      await create('open', '/receiving-inspections', { po_number: 'PO-1' });
      const report = { source: 'supplier', part_id: made.bolt, lot_number: 'L-1', description: 'Burrs' };
      await create('report', '/x/ncrs', { ...report, immediate_action: 'Set aside' });
      await addClerk(station);
    },
  });
  page = app.page;
});
afterAll(async () => {
  expect(app.faults).toEqual([]);
  await app.close();
});

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });

describe('numbers', () => {
  it('of a report nobody types, and the report has one', async () => {
    await goTo(page, '/app/records/ncr/new');
    const number = page.getByLabel('NCR number');
    await number.waitFor();
    await expect.poll(() => number.getAttribute('required')).toBeNull();
    await page.getByText('Left empty, it gets the next number.').waitFor();
    // They are so only once there is a report.
    for (const later of ['Unread notes', 'Incomplete action items'])
      expect(await page.getByLabel(later).count(), later).toBe(0);
    await page.getByLabel('Source').first().fill('Internal');
    await page.getByRole('option', { name: 'Internal' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await heading('NCR-0-000002').waitFor();
  });

  it('of a complaint and a request neither', async () => {
    await goTo(page, '/app/records/complaint/new');
    await page.getByLabel('Complaint date').fill('2026-01-02');
    await page.keyboard.press('Control+s');
    await heading('CMP-0-000001').waitFor();
    await goTo(page, '/app/records/car/new');
    await page.getByLabel('CAR number').waitFor();
    await page.keyboard.press('Control+s');
    await heading('CAR-0-000001').waitFor();
  });
});

it('a request that is raised from a report shows words, and neither JSON nor names of fields', async () => {
  await goTo(page, `/app/records/car/new?from=ncr:${made.report}`);
  const description = page.getByRole('group', { name: 'Description' });
  await description.waitFor();
  for (const [label, value] of [
    ['Description', 'NCR-0-000001: Burrs'],
    ['Part', 'Hex bolt'],
    ['Lot number', 'L-1'],
    ['Immediate action', 'Set aside'],
  ] as const)
    await expect.poll(() => description.getByLabel(label, { exact: true }).inputValue()).toBe(value);
  await description.getByLabel('Immediate action').fill('Blocked');
  await picture(page, 'raise-car');
  expect(await axeFindings(page)).toEqual([]);
  const raw = /[{}]|lot_number|immediate_action/;
  expect(await page.locator('main').innerText()).not.toMatch(raw);
  await page.keyboard.press('Control+s');
  await heading('CAR-0-000002').waitFor();
  await page.getByText('Immediate action: Blocked').waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(raw);
});

it('a receipt of 151 lines is changed page by page, and what is at fault is gone to', async () => {
  await goTo(page, `/app/records/receiving-inspection/${made.receipt}/edit`);
  const lines = page.locator('[data-item]');
  await lines.first().waitFor();
  await expect.poll(() => lines.count()).toBe(10);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(12_000);
  await lines.nth(3).getByLabel('Quantity accepted').fill('-1');
  await page.getByRole('button', { name: 'Page 16', exact: true }).press('Enter');
  await page.getByRole('group', { name: 'Receipt line 151' }).waitFor();
  await expect.poll(() => lines.count()).toBe(LINES - 150);
  await page.keyboard.press('Control+s');
  await page
    .getByRole('group', { name: 'Receipt line 4' })
    .locator('input:focus[aria-invalid=true]')
    .waitFor();
  await page.getByRole('button', { name: 'Add: Receipt line' }).press('Enter');
  await page.getByRole('group', { name: 'Receipt line 152' }).locator('input:focus').waitFor();
});

it('a line at the dock is offered approved templates, and no drafts', async () => {
  await goTo(page, `/app/receiving/${made.open}`);
  await page.getByRole('region', { name: 'Last scan' }).waitFor();
  await page.keyboard.press('t');
  const template = page
    .getByRole('form', { name: 'Next line' })
    .getByRole('textbox', { name: 'Inspection template' });
  await template.focus();
  await typeSlowly(page, 'Bolts');
  await page.getByRole('option', { name: 'Bolts, approved' }).waitFor();
  await expect
    .poll(() => page.getByRole('option').allInnerTexts())
    .toEqual([expect.stringContaining('approved')]);
  // Typed faster than the list follows, and whole, a draft is no answer either.
  await template.fill('Bolts, draft');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing matches.').waitFor();
});

it('the serial number of a piece is shown with its line, counts once, and the place that was scanned goes on', async () => {
  await goTo(page, `/app/receiving/${made.open}`);
  const panel = page.getByRole('region', { name: 'Last scan' });
  await panel.waitFor();
  const ends = (outcome: string) => expect.poll(() => panel.getAttribute('data-outcome')).toBe(outcome);
  await scan(page, `location:${made.shelf}`);
  await scan(page, `]C101${GTIN}21SN-7`);
  await expect.poll(() => page.locator('[data-fact=serials] dd').innerText()).toBe('SN-7');
  await scan(page, 'HP:SAVE');
  const row = page.getByRole('table', { name: 'Received lines' }).locator('tbody tr');
  await row.getByText('Serial numbers: SN-7').waitFor();
  await row.getByText('SHELF-7').waitFor();
  await scan(page, `]C101${GTIN}21SN-7`);
  await ends('refused');
  await panel.getByText('Counted already').waitFor();
  await picture(page, 'serials');
  await scan(page, 'HP:LEAVE');
  await scan(page, `]C101${GTIN}21SN-8`);
  await ends('taken');
  await scan(page, 'HP:SAVE');
  await expect.poll(() => row.count()).toBe(2);
  const { body } = await app.station.get(`/x/records/receiving-inspection/${made.open}`);
  const { items } = (body as { data: { fields: { items: Record<string, object> } } }).data.fields;
  expect(Object.values(items)).toMatchObject([
    { serial_numbers: ['SN-7'], quantity_accepted: 1, location_id: made.shelf },
    { serial_numbers: ['SN-8'], quantity_accepted: 1, location_id: made.shelf },
  ]);
  await goTo(page, '/app/records');
  await scan(page, `]C101${GTIN}21SN-8`);
  await page.getByRole('heading', { name: 'Serial numbers (2)' }).waitFor();
  await page.getByText('SN-7, SN-8', { exact: true }).waitFor();
  await picture(page, 'serials-of-lot');
  await openMenu(page.getByRole('button', { name: 'More' }));
  await page.getByRole('menuitem', { name: 'Recall' }).press('Enter');
  await page.getByRole('columnheader', { name: 'Serial numbers' }).waitFor();
});

it('the page of a lot has one main action by its state, the rest in a menu by keyboard', async () => {
  const lotOf = async (number: string) => {
    const { body } = await app.station.get('/inventory', { keyword: number });
    const lots = (body as { data: { id: number; inventory_name: string }[] }).data;
    return lots.find(({ inventory_name: name }) => name.endsWith(number))?.id;
  };
  const filled = () =>
    page.locator(
      'main .mantine-Button-root[data-variant=filled], main .mantine-Button-root:not([data-variant])',
    );
  const id = await lotOf('L-147');
  await goTo(page, `/app/stock/${id}`);
  await page.getByRole('button', { name: 'Move', exact: true }).waitFor();
  await expect.poll(() => filled().allInnerTexts()).toEqual(['Move']);
  const more = page.getByRole('button', { name: 'More' });
  await tabTo(page, more);
  await openMenu(more);
  const items = page.getByRole('menuitem');
  await expect
    .poll(() => items.allInnerTexts())
    .toEqual([
      'Inspections',
      'Raise an NCR',
      'Lock',
      'Correct the quantity',
      'Issue certificate',
      'Recall',
      'Change',
    ]);
  for (const box of await Promise.all((await items.all()).map(item => item.boundingBox())))
    expect(box?.height).toBeGreaterThanOrEqual(48);
  expect(await axeFindings(page, COLOURS, '[role=menu]')).toEqual([]);
  // The first press goes to the first of them.
  for (let down = 0; down < 3; down += 1) await page.keyboard.press('ArrowDown');
  await items.filter({ hasText: 'Lock' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  const form = page.locator('main form');
  await form
    .getByRole('textbox', { name: /^Reason/ })
    .and(page.locator(':focus'))
    .waitFor();
  await picture(page, 'lot-lock');
  await page.keyboard.press('Escape');
  await more.and(page.locator(':focus')).waitFor();
  // Locked by a person: that is what comes next.
  expect((await app.station.post(`/x/inventory/${id}/lock`, { is_locked: true, reason: 'Wet' })).status).toBe(
    200,
  );
  await expect.poll(() => filled().allInnerTexts()).toEqual(['Lift the lock']);
  // Who did it is called as people call it.
  await page.getByText(/^Integration · .+ · Wet$/).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await picture(page, 'lot-locked');
  const lifted = await app.station.post(`/x/inventory/${id}/lock`, { is_locked: false, reason: 'Dry' });
  expect(lifted.status).toBe(200);
});

it("a lot's own label opens the lot from the first page", async () => {
  await goTo(page, '/app');
  await page.getByRole('heading', { level: 1, name: /^Today/ }).waitFor();
  const { body } = await app.station.get('/inventory', { keyword: 'L-147' });
  const [lot] = (body as { data: { id: number }[] }).data;
  await scan(page, `inventory:${lot?.id}`);
  await page.waitForURL(`**/app/stock/${lot?.id}`);
  // The page asks nothing: neither lot nor part.
  expect(await page.getByRole('dialog').count()).toBe(0);
});

it('a lot is moved by the own label of its place', async () => {
  const { body } = await app.station.get('/inventory', { keyword: 'L-148' });
  const lot = (body as { data: { id: number; inventory_name: string }[] }).data.find(
    ({ inventory_name: name }) => name.endsWith('L-148'),
  );
  await goTo(page, `/app/stock/${lot?.id}`);
  await page.getByRole('button', { name: 'Move', exact: true }).press('Enter');
  const form = page.getByRole('form', { name: 'Move' });
  const to = form.getByRole('textbox', { name: 'To location' });
  await to.and(page.locator(':focus')).waitFor();
  await scan(page, `location:${made.shelf}`);
  await expect.poll(() => to.inputValue()).toBe('SHELF-7');
  await form.getByRole('button', { name: 'Move' }).press('Enter');
  await form.waitFor({ state: 'detached' });
  const facts = await app.station.get(`/x/inventory/${lot?.id}/facts`);
  expect(facts.body).toMatchObject({ data: { locations: [{ name: 'SHELF-7', quantity: 5 }] } });
});

it('a shipment is asked for before it is made, its lots say where they stand, and a line can be taken off', async () => {
  const count = async () => {
    const { body } = await app.station.get('/x/shipments');
    return (body as { meta: { total: number } }).meta.total;
  };
  await goTo(page, '/app/shipping');
  await page.keyboard.press('n');
  const form = page.getByRole('form', { name: 'New shipment' });
  await form.waitFor();
  expect(await count()).toBe(0);
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  expect(await count()).toBe(0);
  await page.keyboard.press('n');
  await form.waitFor();
  await typeSlowly(page, 'Dune');
  await pickOption(page, 'Dune Grocers');
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await heading('SH-0-000001').waitFor();
  await page.getByRole('link', { name: 'Dune Grocers' }).waitFor();
  await scan(page, 'HB-8');
  const lots = page.getByRole('table', { name: 'Lots' });
  await lots.getByRole('row', { name: /L-148.*SHELF-7/ }).waitFor();
  await lots.getByRole('row', { name: /L-149.*DOCK/ }).waitFor();
  await page.getByLabel('Quantity').focus();
  await typeSlowly(page, '3');
  await page.keyboard.press('Enter');
  const line = page.getByRole('article');
  await line.getByText('3 EA').waitFor();
  await picture(page, 'shipment-line');
  expect(await axeFindings(page)).toEqual([]);
  await line.getByRole('button', { name: 'Take off' }).press('Enter');
  await line.waitFor({ state: 'detached' });
  await page.getByText('Nothing yet.').first().waitFor();
});

describe('lists', () => {
  it('have one row of tools at 1,280, in both languages', async () => {
    const german = await app.open({ language: 'de' });
    for (const window of [page, german]) {
      for (const family of ['ncr', 'part', 'complaint', 'shipment', 'inspection', 'receiving-inspection']) {
        await goTo(window, `/app/records/${family}`);
        const tools = window.getByRole('group', { name: /^(List tools|Werkzeuge der Liste)$/ });
        await tools.waitFor();
        await picture(window, `toolbar-${family}-${window === german ? 'de' : 'en'}`);
        const high = await tools.evaluate(one => one.getBoundingClientRect().height);
        expect(high, `${family} ${window === german}`).toBeLessThan(90);
      }
      expect(await axeFindings(window)).toEqual([]);
    }
    await goTo(page, '/app/stock');
    await picture(page, 'toolbar-stock');
    await german.close();
  });

  it('are narrowed by what an address says, in words that can be taken out', async () => {
    await goTo(page, `/app/records/ncr?source=supplier&part_id=${made.bolt}`);
    await page.getByText('1 to 1 of 1').waitFor();
    await page.getByRole('button', { name: /Take out the filter .*Hex bolt/ }).press('Enter');
    await page.getByRole('button', { name: /Take out the filter .*Supplier/ }).press('Enter');
    await page.getByText('1 to 2 of 2').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('have views for everybody: who looks at the same list is offered them, and may take them away', async () => {
    await goTo(page, '/app/records/part?sort=name&keyword=bolt');
    await page.getByText('1 to 1 of 1').waitFor();
    await page.getByRole('button', { name: 'Views' }).press('Enter');
    await page.getByLabel('Name of this view').fill('Bolts');
    await page.getByRole('checkbox', { name: 'For everybody' }).press('Space');
    await page.getByText('Keeps them for everybody').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page
      .getByRole('list', { name: 'For everybody' })
      .getByRole('button', { name: 'Bolts', exact: true })
      .waitFor();
    await picture(page, 'views-shared');
    await page.keyboard.press('Escape');

    const clerk = await app.open({ user: CLERK, language: 'de' });
    await goTo(clerk, '/app/records/part');
    await clerk.getByRole('button', { name: 'Ansichten' }).press('Enter');
    await clerk
      .getByRole('list', { name: 'Für alle' })
      .getByRole('button', { name: 'Bolts', exact: true })
      .press('Enter');
    await expect.poll(() => new URL(clerk.url()).search).toBe('?sort=name&keyword=bolt');
    await clerk.getByRole('button', { name: 'Ansichten' }).press('Enter');
    await clerk.getByRole('button', { name: 'Ansicht Bolts entfernen' }).press('Enter');
    await clerk.getByText('Von dieser Liste ist keine Ansicht gespeichert.').waitFor();
    const { body } = await app.station.get('/x/shared-views');
    expect(body).toMatchObject({ data: [{ name: 'Bolts', list: 'part', is_active: false }] });
    await clerk.context().close();
  });
});
