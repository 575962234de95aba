import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Station } from '../support/station.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { pickOption, scan, typeSlowly } from './support/keys.ts';
import { maker } from './support/maker.ts';
import { chooseInMenu, openMenu } from './support/menu.ts';
import { story } from './support/story.ts';

const GTIN = '09506000134352';
const FNC1 = '\u001d';

let app: App;
let page: Page;

/** Ids of what `fill` made. */
const made: Record<string, number> = {};

beforeEach(async () => {
  app = await openApp({ fill });
  page = app.page;
});
afterEach(async () => {
  await app?.close();
});

async function fill(station: Station): Promise<void> {
  const create = maker(station, made);
  await create('supplier', '/suppliers', { name: 'Harbour Fasteners' });
  await create('bolt', '/parts', {
    name: 'Hex bolt M8',
    identification: 'HB-8',
    unit_of_measure: 'units',
    barcodes: [GTIN],
  });
  await create('nut', '/parts', { name: 'Hex nut M8', identification: 'HN-8', unit_of_measure: 'units' });
  await create('oil', '/parts', { name: 'Cutting oil', identification: 'OIL-1', unit_of_measure: 'kg' });
  await create('rack', '/x/locations', { name: 'Rack 7' });
}

const linesOf = () => page.getByRole('table', { name: 'Received lines' }).locator('tbody tr');
const field = (label: string) => {
  const form = page.getByRole('form', { name: 'Next line' });
  return form.locator('input').and(form.getByLabel(label)).first();
};
/** What the panel shows of the line, by the name of the fact; `–` where there is none. */
const shown = (fact: string) => page.locator(`[data-fact=${fact}] dd`).innerText();
const panel = () => page.getByRole('region', { name: 'Last scan' });
/** How the last scan has ended, as its colour says. */
const outcome = () => panel().getAttribute('data-outcome');
const openItems = () => page.getByRole('region', { name: 'Open scans' }).locator('li.open-scan');
/** To the first control of what is open, by its key. */
const toOpen = async () => {
  await page.keyboard.press('a');
  await openItems().first().locator(':focus').waitFor();
};

const { step, tell } = story();

// A delivery, by scanner and keyboard alone.

step('begins with a supplier that is typed', async () => {
  await page.keyboard.press('F2');
  await page.getByRole('heading', { level: 1, name: 'Receiving' }).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('form', { name: 'New receipt' }).waitFor();
  await typeSlowly(page, 'Harbour');
  await pickOption(page, 'Harbour Fasteners');
  await page.keyboard.press('Tab');
  await typeSlowly(page, 'PO-77');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'PO-77' }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

step(
  'takes part, lot, expiry and count from a GS1 code; the next label saves the line before it',
  async () => {
    await scan(page, `]C101${GTIN}17310100${`10LOT-A${FNC1}`}30250`);
    await expect.poll(() => shown('lot')).toBe('LOT-A');
    await expect.poll(() => shown('accepted')).toBe('250 EA');
    // Day 00 is the last of the month.
    await expect.poll(() => shown('expiry')).toBe('Jan 31, 2031');
    await expect.poll(() => outcome()).toBe('taken');
    expect(await axeFindings(page)).toEqual([]);
    await scan(page, `location:${made.rack}`);
    await expect.poll(() => shown('location')).toBe('Rack 7');

    await scan(page, `]C101${GTIN}17320228${`10LOT-B${FNC1}`}3040`);
    await expect.poll(() => linesOf().count()).toBe(1);
    await expect.poll(() => shown('lot')).toBe('LOT-B');
  },
);

step('rejects the line by a command code and raises its report by another', async () => {
  await scan(page, 'HP:REJECT');
  await expect.poll(() => shown('rejected')).toBe('40 EA');
  await scan(page, 'HP:SAVE');
  await expect.poll(() => linesOf().count()).toBe(2);
  await scan(page, 'HP:NCR');
  await page.getByText('Raised:').waitFor();
  const { body } = await app.station.get('/ncrs');
  const [report] = (body as { data: { part_id: number; quantity: number; lot_number: string }[] }).data;
  expect(report).toMatchObject({ part_id: made.bolt, quantity: 40, lot_number: 'LOT-B' });
  await linesOf().first().getByRole('link', { name: /NCR-/ }).waitFor();
  // There is no second one.
  await scan(page, 'HP:NCR');
  await expect.poll(outcome).toBe('refused');
  await panel().getByText('Every rejected line has its report.').waitFor();
  await expect.poll(() => openItems().count()).toBe(0);
});

step('learns a code that no part carries', async () => {
  await scan(page, ']C101040063813339313012');
  await expect.poll(outcome).toBe('question');
  await openItems().getByText('No part carries this code').waitFor();
  // The goods in words, as far as the code says them; the code as it came stands nowhere.
  await openItems().getByText('GTIN 04006381333931 · × 12').waitFor();
  await panel().getByText('GTIN 04006381333931 · × 12').first().waitFor();
  expect(await page.getByText('3012').count()).toBe(0);
  expect(await axeFindings(page)).toEqual([]);
  // It is no answer, and no other goods are rejected.
  await scan(page, 'HP:REJECT');
  await expect.poll(outcome).toBe('refused');
  await expect.poll(() => openItems().count()).toBe(1);
  await toOpen();
  await typeSlowly(page, 'Hex nut');
  await pickOption(page, 'Hex nut M8');
  await expect.poll(() => shown('part')).toBe('Hex nut M8');
  // What the label counts is counted once; each further scan is one more piece, however fast.
  await expect.poll(() => shown('accepted')).toBe('12 EA');
  for (let more = 0; more < 4; more++) await scan(page, '4006381333931', { isAtOnce: true });
  await expect.poll(() => shown('accepted')).toBe('16 EA');
  await scan(page, 'HP:SAVE');
  await expect.poll(() => linesOf().count()).toBe(3);
});

step('takes the last scan back', async () => {
  await scan(page, 'HN-8');
  await expect.poll(() => shown('part')).toBe('Hex nut M8');
  await scan(page, 'HP:UNDO');
  await expect.poll(() => shown('part')).toBe('–');
  // So is a line that it saved: no line of nothing is left.
  await scan(page, 'HN-8');
  await scan(page, 'HP:SAVE');
  await expect.poll(() => linesOf().count()).toBe(4);
  await scan(page, 'HP:UNDO');
  await expect.poll(() => linesOf().count()).toBe(3);
  await expect.poll(() => shown('accepted')).toBe('1 EA');
  await scan(page, 'HP:UNDO');
  await expect.poll(() => shown('part')).toBe('–');
});

step('stops at a code that cannot be read, and says why', async () => {
  await scan(page, ']C10109506000134353');
  await expect.poll(outcome).toBe('refused');
  await panel().getByText('check digit').waitFor();
  await expect.poll(() => linesOf().count()).toBe(3);
  // It stays over other scans, and is left out by a code.
  await scan(page, 'HN-8');
  await expect.poll(outcome).toBe('taken');
  await scan(page, 'HP:UNDO');
  await expect.poll(() => openItems().count()).toBe(1);
  // Nothing is asked of it: only that one code is about it.
  expect(await openItems().getByText(/HP:/).allInnerTexts()).toEqual(['HP:LEAVE']);
  await scan(page, 'HP:LEAVE');
  await expect.poll(() => openItems().count()).toBe(0);
  await page.getByText('1 left out').waitFor();
});

step('asks before it receives what has expired, and is answered by scanner', async () => {
  await scan(page, `]C101${GTIN}17200101${`10LOT-OLD${FNC1}`}309`);
  await expect.poll(outcome).toBe('question');
  await openItems().getByText('Its last day was Jan 1, 2020').waitFor();
  // Each answer says all codes that give it.
  expect(await openItems().first().getByRole('button').allInnerTexts()).toEqual([
    expect.stringMatching(/^Receive all the same\s*HP:YES$/),
    expect.stringMatching(/^Reject\s*HP:REJECT$/),
    expect.stringMatching(/^Leave out\s*HP:NO · HP:LEAVE$/),
  ]);
  await scan(page, 'HP:REJECT');
  await expect.poll(() => shown('rejected')).toBe('9 EA');
  await scan(page, 'HP:UNDO');
  await scan(page, 'HP:NO');
  await expect.poll(() => openItems().count()).toBe(0);
  await expect.poll(() => shown('rejected')).toBe('–');
});

step('asks before the same lot with another expiry becomes another lot', async () => {
  await scan(page, `]C101${GTIN}17330601${`10LOT-A${FNC1}`}307`);
  await expect.poll(() => shown('accepted')).toBe('7 EA');
  await scan(page, 'HP:SAVE');
  await openItems().getByText('This lot is known with another expiry').waitFor();
  await expect.poll(() => linesOf().count()).toBe(3);
  await page.getByRole('button', { name: 'It is another lot: save it HP:YES' }).waitFor();
  await scan(page, 'HP:YES');
  await expect.poll(() => linesOf().count()).toBe(4);
});

step('keeps a line that is refused, and goes on with the next', async () => {
  await scan(page, 'HB-8');
  await expect.poll(() => shown('part')).toBe('Hex bolt M8');
  await page.keyboard.press('t');
  await field('Expiry date').fill('');
  await field('Rejected').focus();
  await typeSlowly(page, '0,0000001');
  await page.keyboard.press('Enter');
  await page
    .getByText(/six decimals/)
    .first()
    .waitFor();
  await expect.poll(() => linesOf().count()).toBe(4);
  await page.getByRole('button', { name: 'Clear the line' }).press('Enter');
  await page.getByRole('button', { name: 'Stop typing' }).press('Enter');
  await scan(page, `]C101${GTIN}10LOT-C${FNC1}3011`);
  await expect.poll(() => shown('accepted')).toBe('11 EA');
  await scan(page, 'HP:SAVE');
  await expect.poll(() => linesOf().count()).toBe(5);
});

step('corrects a mistyped quantity of a saved line, with one key for the reason', async () => {
  await scan(page, `]C101${GTIN}10LOT-E${FNC1}3021`);
  await expect.poll(() => shown('accepted')).toBe('21 EA');
  await scan(page, 'HP:SAVE');
  await expect.poll(() => linesOf().count()).toBe(6);
  await linesOf().first().getByRole('button', { name: 'Correct line' }).press('Enter');
  const form = page.getByRole('form', { name: 'Correct: Hex bolt M8' });
  await form.getByLabel('Accepted').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Control+A');
  await typeSlowly(page, '12');
  await page.keyboard.press('Enter');
  // Nothing is saved without a reason; the question has the focus.
  await form.getByRole('textbox', { name: 'Reason' }).and(page.locator(':focus')).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.keyboard.press('1');
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  await linesOf().first().getByText('12 EA').waitFor();
  // The scan that was undone after its line was saved is the other one.
  const corrections = page.getByRole('table', { name: '2 corrections' });
  const mistyped = corrections.getByRole('row').filter({ hasText: 'Mistyped' });
  await mistyped.waitFor();
  await expect.poll(() => mistyped.locator('del').textContent()).toBe('21');
  await mistyped.getByText('Line 7: Quantity accepted').waitFor();
  expect(await axeFindings(page)).toEqual([]);
});

step('goes on with the line and what is open after a crash of the page', async () => {
  const kept = page.waitForResponse(
    response => response.url().includes('/scans') && (response.request().postData() ?? '').includes('LOT-D'),
  );
  await scan(page, `]C101${GTIN}10LOT-D${FNC1}3012`);
  await expect.poll(() => shown('lot')).toBe('LOT-D');
  await kept;
  await scan(page, ']C10109506000134353');
  await expect.poll(outcome).toBe('refused');
  await page.reload();
  await expect.poll(() => shown('lot')).toBe('LOT-D');
  await expect.poll(() => shown('accepted')).toBe('12 EA');
  await expect.poll(() => openItems().count()).toBe(1);
  await page.getByRole('button', { name: 'Clear the line' }).press('Enter');
});

step('is not closed over what is open, and takes no scan once it is closed', async () => {
  await scan(page, 'HN-8');
  await expect.poll(() => shown('part')).toBe('Hex nut M8');
  await page.getByRole('button', { name: 'Close the receipt' }).press('Enter');
  await page.getByRole('alert').getByText('Not closed: 1 is open').waitFor();
  // The line was complete: it is saved.
  await expect.poll(() => linesOf().count()).toBe(7);
  expect(await axeFindings(page)).toEqual([]);
  await scan(page, 'HP:LEAVE');
  await expect.poll(() => openItems().count()).toBe(0);
  await page.getByRole('button', { name: 'Close the receipt' }).press('Enter');
  await page.getByRole('button', { name: 'Open again' }).waitFor();
  // What was scanned before says nothing of a receipt that is closed.
  await panel().getByText('The receipt is closed').waitFor();
  await expect.poll(outcome).toBeNull();
  // How it stands is a word in the title's line, and what is seldom done stands in a menu.
  await openMenu(page.getByRole('button', { name: 'More' }));
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Quarantine all lots', 'Change']);
  await page.keyboard.press('Escape');
  await scan(page, 'HN-8');
  await expect.poll(outcome).toBe('refused');
  await openItems().getByText('The receipt is closed').waitFor();
  await expect.poll(() => linesOf().count()).toBe(7);
  await scan(page, 'HP:LEAVE');
  await expect.poll(() => openItems().count()).toBe(0);
});

// Shipping from it.

step('shows the lots, first expired first, and ships', async () => {
  await page.keyboard.press('F7');
  await page.getByRole('button', { name: 'New shipment' }).press('Enter');
  await page
    .getByRole('form', { name: 'New shipment' })
    .getByLabel('Customer')
    .and(page.locator(':focus'))
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('form', { name: 'Add to the shipment' }).waitFor();
  await scan(page, 'HB-8');
  const lots = page.getByRole('table', { name: 'Lots' }).locator('tbody tr td:first-child');
  // A lot without a day comes last.
  await expect.poll(() => lots.allInnerTexts()).toEqual(['LOT-A', 'LOT-A', 'LOT-C', 'LOT-E']);
  await page.getByLabel('Quantity').focus();
  await typeSlowly(page, '251');
  await page.getByText('1 EA from here').waitFor();
  // The answer to the adding comes after what it added is shown, and after the next key.
  const { promise: isOn, resolve: goesOn } = Promise.withResolvers<void>();
  await page.route('**/items', async route => {
    const response = await route.fetch();
    await isOn;
    await route.fulfill({ response });
  });
  const answer = page.waitForResponse('**/items');
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByText('Hex bolt M8').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Ship it' }).press('Enter');
  const date = page.getByLabel('Ship date');
  await date.and(page.locator(':focus')).waitFor();
  goesOn();
  await (await answer).finished();
  await page.getByLabel('Quantity').and(page.locator('[value=""]')).waitFor();
  await date.and(page.locator(':focus')).waitFor();
  await page.unroute('**/items');
  await page.keyboard.press('Enter');
  await page.getByText('This has shipped.').waitFor();
  await expect
    .poll(() => page.getByRole('list', { name: 'Taken from' }).innerText())
    .toMatch(/250 from[\s\S]*1 from/);
});

step('is taken back with a reason, and ships again', async () => {
  const reopen = page.getByRole('button', { name: 'Take the shipment back' });
  await reopen.press('Enter');
  const form = page.getByRole('form', { name: 'Take the shipment back' });
  await form.getByRole('textbox', { name: 'Reason' }).and(page.locator(':focus')).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  // Without a reason nothing is taken back; Escape closes.
  await page.keyboard.press('Escape');
  await form.waitFor({ state: 'detached' });
  await reopen.press('Enter');
  await form.getByRole('textbox', { name: 'Reason' }).and(page.locator(':focus')).waitFor();
  await typeSlowly(page, 'Wrong truck');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Ship it' }).press('Enter');
  await page.getByLabel('Ship date').press('Enter');
  await page.getByText('This has shipped.').waitFor();
  await page.getByRole('tab', { name: 'History' }).press('Enter');
  await page.getByRole('tabpanel').getByText('Reason: Wrong truck').waitFor();
});

step("leads to the lot's whole story", async () => {
  await page.getByRole('list', { name: 'Taken from' }).getByRole('link').first().press('Enter');
  await page.getByRole('heading', { level: 1, name: 'LOT-A' }).waitFor();
  await page.getByText('What happened').waitFor();
  const story = () => page.getByRole('tabpanel').innerText();
  for (const told of ['Harbour Fasteners', 'Received 250 EA', 'Shipped'])
    await expect.poll(story).toContain(told);
  expect(await axeFindings(page)).toEqual([]);
});

step('locks the lot by hand and lifts the lock, each with its reason', async () => {
  for (const [verb, reason, state] of [
    ['Lock', 'Label is torn', 'Locked'],
    // All of it has been shipped.
    ['Lift the lock', 'Label is new', 'Empty'],
  ] as const) {
    await chooseInMenu(page, 'More', verb);
    const form = page.getByRole('form', { name: verb });
    await form.getByRole('textbox', { name: 'Reason' }).and(page.locator(':focus')).waitFor();
    await typeSlowly(page, reason);
    await page.keyboard.press('Enter');
    await form.waitFor({ state: 'detached' });
    await page.getByText(state, { exact: true }).first().waitFor();
    // Who locked it and why stands beside the lock.
    if (state === 'Locked')
      await page
        .getByRole('alert')
        .getByText(/^\S.* · .+ · Label is torn$/)
        .waitFor();
  }
  const story = () => page.getByRole('tabpanel').innerText();
  for (const told of ['Label is torn', 'Label is new']) await expect.poll(story).toContain(told);
});

it('a delivery is received by scanner and keyboard alone, and shipped', async () => {
  await tell();
  expect(app.faults).toEqual([]);
});
