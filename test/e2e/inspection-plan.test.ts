import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Station } from '../support/station.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { pickOption, tabTo, typeSlowly } from './support/keys.ts';
import { maker } from './support/maker.ts';

let app: App;
let page: Page;
const made: Record<string, number> = {};

beforeAll(async () => {
  app = await openApp({ fill });
  page = app.page;
});
afterAll(async () => {
  expect(app.faults).toEqual([]);
  await app.close();
});

async function fill(station: Station): Promise<void> {
  const create = maker(station, made);
  await create('bolt', '/parts', { name: 'Hex bolt' });
  await create('template', '/x/specifications', {
    name: 'Bolt',
    is_approved: true,
    characteristics: [{ name: 'Length', dimensions: '40', tolerance: '±1' }],
  });
}

it('is written by keyboard, and says in words what is missing', async () => {
  await page.keyboard.press('F4');
  await page.getByRole('link', { name: 'Plans', exact: true }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Inspection plans' }).waitFor();
  await page
    .getByRole('link', { name: /New/ })
    .or(page.getByRole('button', { name: /New/ }))
    .first()
    .press('Enter');
  await page.getByRole('textbox', { name: 'Name', exact: true }).focus();
  await typeSlowly(page, 'Bolts');
  await page.keyboard.press('Control+s');
  await page.getByText('A plan is for goods of a kind.').first().waitFor();
  // The field at fault has the focus.
  await page.locator('input:focus[aria-invalid=true]').waitFor();
  await typeSlowly(page, 'Hex');
  await pickOption(page, 'Hex bolt');
  await tabTo(page, page.getByLabel('Inspection template').first());
  await typeSlowly(page, 'Bolt');
  await pickOption(page, /^Bolt/);
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('Control+s');
  await page.getByRole('heading', { level: 1, name: 'Bolts' }).waitFor();
});

it('opens the inspection of what arrives with all its samples, and judges by its acceptance number', async () => {
  const { station } = app;
  await maker(station, made)('receipt', '/receiving-inspections', {
    items: [{ part_id: made.bolt, serial_number: 'B-1', quantity_accepted: 400 }],
  });
  await page.keyboard.press('F4');
  await page.getByRole('link', { name: '1', exact: true }).first().press('Enter');
  // ISO 2859-1:1999, tables 1 and 2-A: 400 at II is H, 50 with Ac 1 at 1.0.
  await page.getByText('50 samples').waitFor();
  const plan = page.getByRole('button', { name: 'Plan: n = 50, Ac = 1, Re = 2' });
  await plan.press('Enter');
  await page.getByText('ISO 2859-1, level II, AQL 1, normal inspection, of a lot of 400.').waitFor();
  await page.getByRole('link', { name: 'Bolts' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  const finalise = page.getByRole('button', { name: 'Finalise' });
  await finalise.press('Enter');
  await page.getByText('Not everything that the plan asks for is measured').waitFor();
  expect(await page.getByText('the lot is not accepted', { exact: true }).count()).toBe(0);
  await finalise.press('Enter');
  const { body } = await station.get('/x/inspections/1');
  const { samples } = (body as { data: { samples: { id: number; results: { id: number }[] }[] } }).data;
  const measured = (value: (place: number) => number) => ({
    samples: samples.map(({ id, results: [result] }, place) => ({
      id,
      results: [{ id: result?.id, value: value(place) }],
    })),
  });
  expect(
    (
      await station.put(
        '/inspections/1',
        measured(place => (place === 7 ? 50 : 40)),
      )
    ).status,
  ).toBe(200);
  await finalise.press('Enter');
  await page.getByText('1 sample fails').first().waitFor();
  await page.getByText('By the measurements and the plan, the lot is accepted').waitFor();
});
