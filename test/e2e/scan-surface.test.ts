import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, addClerk, CLERK, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { goTo } from './support/go-to.ts';
import { scan, scanLate } from './support/keys.ts';
import { maker } from './support/maker.ts';

const GTIN = '09506000134352';
const FNC1 = '\u001d';
const made: Record<string, number> = {};

let app: App;
let page: Page;

beforeAll(async () => {
  app = await openApp({
    fill: async station => {
      const create = maker(station, made);
      const part = {
        name: 'Hex bolt M8',
        identification: 'HB-8',
        unit_of_measure: 'units',
        barcodes: [GTIN],
      };
      await create('bolt', '/parts', part);
      await create('other', '/receiving-inspections', { po_number: 'PO-2' });
      await addClerk(station);
    },
  });
  page = app.page;
  // What would be heard and felt.
  await page.addInitScript(() => {
    const heard: string[] = [];
    const felt: unknown[] = [];
    Object.assign(window, { heard, felt });
    navigator.vibrate = pattern => felt.push(pattern) > 0;
    const { OscillatorNode: Oscillator } = window;
    window.OscillatorNode = class extends Oscillator {
      constructor(context: BaseAudioContext, options: OscillatorOptions = {}) {
        super(context, options);
        heard.push(String(options.type));
      }
    };
  });
  // Scripts like this one are there from the next load on.
  await page.reload();
});
afterAll(() => app?.close());

/** Its own for each test, and for each further try of one. */
async function newReceipt(): Promise<number> {
  const { body } = await app.station.post('/receiving-inspections', { po_number: 'PO-1' });
  return (body as { data: { id: number } }).data.id;
}

async function at(window: Page, receipt: number | undefined): Promise<void> {
  await goTo(window, `/app/receiving/${receipt}`);
  await panelOf(window).waitFor();
}
const panelOf = (window: Page) => window.getByRole('region', { name: 'Last scan' });
const outcome = (window = page) => panelOf(window).getAttribute('data-outcome');
const fact = (name: string, window = page) => window.locator(`[data-fact=${name}] dd`).innerText();
const open = (window = page) => window.getByRole('region', { name: 'Open scans' }).locator('li.open-scan');
const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard.splice(0));
const felt = () => page.evaluate(() => (window as unknown as { felt: number[][] }).felt.splice(0));
const pallet = (lot: string, count: number, expiry = '310100') =>
  `]C101${GTIN}17${expiry}${`10${lot}${FNC1}`}30${count}`;

it('a scan is one, however late a busy machine brings its keys', async () => {
  await at(page, await newReceipt());
  for (const [after, ms] of [
    [2, 500],
    [7, 500],
    [12, 1_400],
  ] as const) {
    await scanLate(page, GTIN, { after, ms });
    await expect.poll(() => fact('accepted')).toBe('1 EA');
    await expect.poll(() => open().count()).toBe(0);
    await scan(page, 'HP:UNDO');
    await expect.poll(() => fact('accepted')).toBe('–');
  }
});

it('is told by sound and by shaking, each end by its own, and by shaking alone where the machine is mute', async () => {
  await at(page, await newReceipt());
  const sounds = page.getByRole('button', { name: 'Sound for each scan' });
  if ((await sounds.count()) > 0) await sounds.click();
  await heard();
  await felt();
  await scan(page, pallet('A', 40));
  await expect.poll(() => outcome()).toBe('taken');
  await expect.poll(heard).toEqual(['sine']);
  const shakes = await felt();
  await scan(page, ']C10109506000134353');
  await expect.poll(heard).toEqual(['square', 'square', 'square']);
  shakes.push(...(await felt()));
  await scan(page, pallet('OLD', 9, '200101'));
  await expect.poll(heard).toEqual(['triangle', 'triangle']);
  shakes.push(...(await felt()));
  expect(shakes).toHaveLength(3);
  expect(new Set(shakes.map(String)).size).toBe(3);
  await page.getByRole('button', { name: 'No sound for scans' }).click();
  await sounds.waitFor();
  await scan(page, 'HP:YES');
  await expect.poll(() => fact('accepted')).toBe('9 EA');
  expect(await heard()).toEqual([]);
  await expect.poll(felt).toEqual([shakes[0]]);
});

it('fills the screen without scrolling, in both languages, for axe as well', async () => {
  for (const language of ['en', 'de'] as const) {
    const receipt = await newReceipt();
    const window = await app.open({ language });
    await goTo(window, `/app/receiving/${receipt}`);
    await window.locator('.scan-panel').waitFor();
    await scan(window, pallet(`W-${language}`, 12));
    await expect.poll(() => window.locator('.scan-panel').getAttribute('data-outcome')).toBe('taken');
    const bottom = await window.locator('.scan-surface').evaluate(one => one.getBoundingClientRect().bottom);
    expect(bottom).toBeLessThanOrEqual(800);
    expect(await axeFindings(window)).toEqual([]);
    await window.keyboard.press('t');
    await window.locator('form input').first().waitFor();
    expect(await axeFindings(window)).toEqual([]);
    await window.close();
  }
});

it('what was scanned is there after a kill of the server, for another user and in another window', async () => {
  const receipt = await newReceipt();
  await at(page, receipt);
  await scan(page, pallet('A', 40));
  await expect.poll(() => fact('lot')).toBe('A');
  await scan(page, ']C10109506000134353');
  await expect.poll(() => open().count()).toBe(1);
  await app.station.kill();
  try {
    await scan(page, pallet('B', 30));
    await expect.poll(() => outcome()).toBe('question');
    await open().getByText('Waits for the server').waitFor();
  } finally {
    await app.station.restart();
  }
  await expect.poll(() => fact('lot')).toBe('B');
  const other = await app.open({ user: CLERK });
  await at(other, receipt);
  // The refused scan, and the line of the first window.
  await expect.poll(() => open(other).count()).toBe(2);
  await scan(other, 'HP:LEAVE');
  await expect.poll(() => open(other).count()).toBe(1);
  await expect.poll(() => open().count()).toBe(0);
  await page.getByText('1 left out').waitFor();
  // Nobody closes over the line of somebody else.
  await other.getByRole('button', { name: 'Close the receipt' }).press('Enter');
  await other.getByRole('alert').getByText('Not closed: 1 is open').waitFor();
  await scan(page, 'HP:SAVE');
  await expect.poll(() => open(other).count()).toBe(0);
  await other.getByRole('button', { name: 'Close the receipt' }).press('Enter');
  await other.getByRole('button', { name: 'Open again' }).waitFor();
  const { body } = await app.station.get(`/receiving-inspections/${receipt}`);
  const { items } = (body as { data: { items: { quantity_accepted: number }[] } }).data;
  expect(items.map(item => item.quantity_accepted)).toEqual([40, 30]);
});

it('a closed receipt takes no scan; it moves to the receipt that it belongs to', async () => {
  const closed = await newReceipt();
  expect((await app.station.put(`/receiving-inspections/${closed}`, { is_closed: true })).status).toBe(200);
  await at(page, closed);
  const panel = page.getByRole('region', { name: 'Last scan' });
  await panel.getByText('The receipt is closed').waitFor();
  expect(await panel.getByText('Ready to scan').count()).toBe(0);
  await expect.poll(() => panel.getByRole('button', { name: 'Type', exact: true }).isDisabled()).toBe(true);
  await scan(page, pallet('C', 7));
  await expect.poll(() => outcome()).toBe('refused');
  await open().getByText('The receipt is closed').waitFor();
  const field = open().getByRole('textbox', { name: 'Receipt that it belongs to' });
  await field.fill('PO-2');
  await field.press('Enter');
  await expect.poll(() => open().count()).toBe(0);
  await at(page, made.other);
  await open().getByText('Sent here by another receipt').first().waitFor();
  expect(app.faults.filter(fault => !/ERR_|EventSource/.test(fault))).toEqual([]);
});
