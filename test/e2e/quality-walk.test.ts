import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Limits, parseLimits } from '../../shared/quantities/tolerance.ts';
import { pdfText } from '../server/print/pdf-text.ts';
import { environmentOf, holdpoint } from '../server/transfer/holdpoint.ts';
import type { Station } from '../support/station.ts';
import {
  conflictsOf,
  dataOf,
  startCentral,
  startStation,
  until,
  untilInStep,
} from '../system/sync/processes/installation.ts';
import { ADMINISTRATOR, openWindow } from './support/app.ts';
import { closeWindows, openBrowser } from './support/browser.ts';
import { pickOption, scan, tabTo, typeSlowly } from './support/keys.ts';

/** A new quality engineer's first day: the sample company, a real central, a second station, and no mouse. */

let central: Station;
let dock: Station;
let lab: Station;
let browser: Browser;
let page: Page;
const faults: string[] = [];
/** Of Tab, from what was done last to what a person does next. */
const MOST_STOPS = 12;

interface Lot {
  id: number;
  number: string;
}
/** A delivery of bottles that came in, and a finished lot that may be certified. */
let bottles: Lot;
let oil: Lot;
let supplier = 0;

beforeAll(async () => {
  central = await startCentral();
  dock = await startStation(central, 'Dock');
  dataOf(
    await central.post('/x/users', {
      is_password_temporary: false,
      ...ADMINISTRATOR,
      roles: ['administrator'],
    }),
  );
  dataOf(await central.post('/x/sample-company', {}));
  await until(
    'loaded',
    async () => dataOf<{ state: string }>(await central.get('/x/sample-company')).state,
    state => state !== 'running',
  );
  await untilInStep(central, [dock]);
  lab = await startStation(central, 'Lab');
  await untilInStep(central, [dock, lab]);
  bottles = await newestLotOf('PK-3020');
  oil = await certifiable('FG-4210');
  await quarrel();
  browser = await openBrowser();
  page = await openWindow(browser, dock.origin, faults);
}, 300_000);
afterAll(async () => {
  await closeWindows();
  for (const each of [dock, lab, central]) await each?.stop();
});

async function lotsOf(part: string): Promise<Lot[]> {
  const [found] = dataOf<{ id: number }[]>(await dock.get('/x/find', { text: part, family: 'part' }));
  const lots = dataOf<{ id: number }[]>(
    await dock.get('/inventory', { part_id: found?.id ?? 0, per_page: 500, order: 'desc' }),
  );
  return Promise.all(
    lots.map(async ({ id }) => {
      const { fields } = dataOf<{ fields: { batch_number: string } }>(
        await dock.get(`/x/records/inventory/${id}`),
      );
      return { id, number: fields.batch_number };
    }),
  );
}

async function newestLotOf(part: string): Promise<Lot> {
  const [lot] = (await lotsOf(part)).sort((one, other) => other.id - one.id);
  if (!lot) throw new Error(`The sample company has no lot of ${part}.`);
  return lot;
}

async function certifiable(part: string): Promise<Lot> {
  for (const lot of await lotsOf(part)) {
    const { status } = await dock.get(`/x/paper/certificate/${lot.id}`, { language: 'en' });
    if (status === 200) return lot;
  }
  throw new Error(`The sample company has no lot of ${part} that may be certified.`);
}

/** Both stations change the same field of a supplier while central is away. */
async function quarrel(): Promise<void> {
  const found = dataOf<{ id: number }[]>(await dock.get('/x/find', { text: 'Karsholt', family: 'supplier' }));
  supplier = found[0]?.id ?? 0;
  await central.kill();
  dataOf(await dock.patch(`/suppliers/${supplier}`, { primary_phone: '+45 70 10 20 30' }));
  dataOf(await lab.patch(`/suppliers/${supplier}`, { primary_phone: '+45 70 10 99 99' }));
  await central.start();
  await until(
    'a conflict',
    () => conflictsOf(dock),
    open => open.length === 1,
  );
}

const focusedName = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
const hasFocus = (control: Locator) => control.evaluate(element => element === document.activeElement);

/** By Tab. What a person works with is not far away, wherever the last thing left the focus. */
async function go(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const stops = await tabTo(page, control, key);
  expect(stops, String(control)).toBeLessThan(MOST_STOPS);
}

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** Ctrl+K, what is sought, Enter. */
async function goTo(text: string, option: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('textbox').waitFor();
  await page.keyboard.insertText(text);
  await pickOption(page, option);
}

async function pick(text: string, option: string): Promise<void> {
  await page.keyboard.insertText(text);
  await pickOption(page, option);
}

it('plans and inspects a received lot: the plan says how many and why, one bottle is too wide', async () => {
  await page.keyboard.press('F4');
  await heading('Inspection').waitFor();
  await page.keyboard.press('n');
  const plan = page.getByRole('form', { name: 'New inspection' });
  await plan.waitFor();
  await pick(bottles.number, bottles.number);
  // ISO 2859-1:1999: 600 at level S-1 is letter C; 5 with Ac 0 at AQL 2.5.
  await page.getByText('Inspect 5: accept with up to 0 bad, reject from 1 (normal inspection)').waitFor();
  await page.getByText('Table 1: a lot of 600 is in the row 501 to 1200').waitFor();
  await go(plan.getByRole('textbox', { name: 'Inspection template' }));
  await pick('DW-3020', 'DW-3020');
  await go(plan.getByRole('textbox', { name: 'Sample size' }));
  await page.keyboard.press('Control+A');
  await typeSlowly(page, '2');
  await page.keyboard.press('Enter');
  await heading(/^Inspection \d/).waitFor();

  const inspection = Number(page.url().split('/').at(-1));
  const { fields } = dataOf<{
    fields: {
      template: { characteristics: Record<string, Record<string, string> & { is_optional?: boolean }> };
    };
  }>(await dock.get(`/x/records/inspection/${inspection}`));
  const asked = Object.values(fields.template.characteristics)
    .sort((one, other) => Number(one.order) - Number(other.order))
    .map(({ name = '', dimensions = '', tolerance = '', is_optional: isOptional }) => ({
      name,
      limits: parseLimits(dimensions, tolerance),
      isOptional,
    }));
  for (const sample of [1, 2]) {
    for (const { name, limits, isOptional } of asked) {
      await expect.poll(focusedName).toBe(`Sample ${sample}, ${name}`);
      if (limits) {
        const isWide = sample === 2 && name === 'Neck outer diameter';
        await typeSlowly(page, isWide ? '31.9' : middle(limits));
        await page.keyboard.press('Enter');
      } else if (isOptional) {
        // Nobody has to judge it.
        await page.keyboard.press('Enter');
      } else {
        await page.keyboard.press('Enter');
        await expect.poll(focusedName).toBe(`Passed: sample ${sample}, ${name}`);
        await page.keyboard.press('Enter');
      }
    }
  }
  await page.getByText('1 out of limits').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  const form = page.getByRole('form', { name: 'Finalise' });
  await form.getByText('By the measurements, not every sample passes').waitFor();
  await page.keyboard.press('ArrowDown');
  await form.getByRole('radio', { name: 'Failed', checked: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Raise an NCR' }).waitFor();
});

function middle({ lower, upper }: Limits): string {
  const value = lower !== null && upper !== null ? (lower + upper) / 2 : (lower ?? (upper ?? 0) / 2);
  return String(Number(value.toFixed(3)));
}

it('raises an NCR from it, filled in, with a disposition that takes effect, and a CAR from that', async () => {
  await go(page.getByRole('link', { name: 'Raise an NCR' }));
  await page.keyboard.press('Enter');
  await go(page.getByRole('textbox', { name: 'NCR number' }));
  await page.keyboard.insertText('WALK-1');
  await page.keyboard.press('Control+s');
  await heading('WALK-1').waitFor();
  const before = await quantityOf(bottles);
  await page.keyboard.press('d');
  const form = page.getByRole('form', { name: 'Disposition' });
  await form.waitFor();
  await expect.poll(() => page.locator(':focus').getAttribute('value')).toBe('Not decided');
  await page.keyboard.press('ArrowDown');
  await pickOption(page, 'Return to supplier');
  await form.getByText('Say how much goes').waitFor();
  await go(page.getByRole('textbox', { name: 'Taken out of stock' }));
  await page.keyboard.press('Control+A');
  await typeSlowly(page, '100');
  await form.getByText(/100 .* go out/).waitFor();
  await go(form.getByRole('textbox', { name: 'Reason' }));
  await page.keyboard.insertText('Necks too wide.');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: /^100 .* were taken out of stock$/ }).waitFor();
  await expect.poll(() => quantityOf(bottles)).toBe(before - 100);

  await choose('More', 'Raise a CAR');
  await go(page.getByRole('textbox', { name: 'CAR number' }));
  await page.keyboard.insertText('WALK-CAR');
  await page.keyboard.press('Control+s');
  await heading('WALK-CAR').waitFor();
  await page.keyboard.press('F9');
  await heading('Quality').waitFor();
  await page.getByRole('link', { name: 'WALK-1', exact: true }).waitFor();
  // Reports of the past months have the ages that they would have.
  await page
    .getByText(/^Overdue, \d+ days$/)
    .first()
    .waitFor();
});

async function quantityOf({ id }: Lot): Promise<number> {
  return dataOf<{ quantity: number }>(await dock.get(`/x/inventory/${id}/facts`)).quantity;
}

it('finds the characteristic that drifts, and is told by which rule', async () => {
  await goTo('Charts', 'Charts');
  await heading('Charts').waitFor();
  await go(page.getByRole('textbox', { name: 'Part' }));
  await pick('PK-3020', 'Amber bottle 250 ml');
  const choice = page.locator('input').and(page.getByLabel('Characteristic', { exact: true }));
  const says = page.getByRole('heading', { name: 'What the chart says' }).locator('xpath=..');
  await says.waitFor();
  await go(choice);
  await page.keyboard.press('Control+A');
  await typeSlowly(page, 'Neck');
  await pickOption(page, /^Neck outer diameter/);
  await page.getByRole('heading', { name: /^Neck outer diameter · Amber bottle 250 ml/ }).waitFor();
  await page.getByText(/^Rule 3 \(six points in a row rising, or falling\)/).waitFor();
  const saved = page.waitForEvent('download');
  await go(page.getByRole('button', { name: 'Table (CSV)' }).first());
  await page.keyboard.press('Enter');
  expect(await readFile(await (await saved).path(), 'utf8')).toContain(bottles.number);
});

it('resolves a conflict between two stations, which both then agree on', async () => {
  await page.keyboard.press('F9');
  await goTo('Conflicts', /^Conflicts/);
  await heading('Conflicts').waitFor();
  const conflict = page.getByRole('region', { name: /phone$/i });
  await conflict.getByText('+45 70 10 99 99').first().waitFor();
  // A group of choices is one stop of Tab; arrows go from choice to choice.
  const wanted = conflict.getByRole('radio', { name: '+45 70 10 20 30' });
  await go(conflict.getByRole('radio').first());
  await page.keyboard.press('Space');
  for (let step = 0; step < 3 && !(await wanted.isChecked()); step += 1)
    await page.keyboard.press('ArrowDown');
  await expect.poll(() => wanted.isChecked()).toBe(true);
  await go(conflict.getByRole('textbox', { name: 'Reason' }));
  await page.keyboard.insertText('Called them.');
  await page.keyboard.press('Enter');
  await page.getByText('No conflict waits for you.').waitFor();
  const phone = async () =>
    dataOf<{ primary_phone: string }>(await lab.get(`/suppliers/${supplier}`)).primary_phone;
  await until('the decision at the lab', phone, value => value === '+45 70 10 20 30');
});

it('hands an auditor the recall package, the recall and the certificate', async () => {
  // The receipt of the run has the same number: what is meant is asked.
  await scan(page, oil.number);
  const lot = page.getByRole('alert').locator('a[href*="/app/stock/"]');
  await go(lot);
  // An Enter within the pace of the scanner's keys would be taken for the scanner's own.
  const address = async () => {
    await page.keyboard.press('Enter');
    return page.url();
  };
  await expect.poll(address).toContain(`/app/stock/${oil.id}`);
  await heading(new RegExp(oil.number)).waitFor();
  const certificate = await printed('Certificate of analysis');
  expect(certificate).toContain(oil.number);
  await choose('More', 'Recall', 'Shift+Tab');
  await page.getByRole('button', { name: 'Package (JSON)' }).waitFor();
  const saved = page.waitForEvent('download');
  await go(page.getByRole('button', { name: 'Package (JSON)' }));
  await page.keyboard.press('Enter');
  const file = join(dock.folder, 'for-the-auditor.json');
  await writeFile(file, await readFile(await (await saved).path()));
  const { code, output } = await holdpoint(environmentOf(dock), 'verify', file);
  expect(output).toContain('Nothing is wrong with');
  expect(code, output).toBe(0);
  expect(await printed('Recall')).toContain(oil.number);
  expect(faults).toEqual([]);
});

/** An item of a menu, by keyboard. */
async function choose(menu: string, name: string, key?: 'Tab' | 'Shift+Tab'): Promise<void> {
  await go(page.getByRole('button', { name: menu }), key);
  await page.keyboard.press('Enter');
  const item = page.getByRole('menuitem', { name });
  await page.getByRole('menu').locator(':focus').waitFor({ state: 'attached' });
  for (let step = 0; step < 12 && !(await hasFocus(item)); step += 1) await page.keyboard.press('ArrowDown');
  await expect.poll(() => hasFocus(item)).toBe(true);
  await page.keyboard.press('Enter');
}

/** The text of what the Print menu gives, by keyboard. */
async function printed(document: string): Promise<string> {
  const answer = page.waitForResponse(/\/x\/paper\//);
  await choose('Print', document);
  const response = await answer;
  expect(response.headers()['content-type']).toBe('application/pdf');
  // A page that reads its answer as a stream leaves nothing of it to the debugger: the same document again.
  const again = await fetch(response.url(), { headers: { authorization: `Bearer ${dock.token}` } });
  return pdfText(new Uint8Array(await again.arrayBuffer())).join('\n');
}
