import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkDigit } from '../../shared/gs1/check-digit.ts';
import type { Station } from '../support/station.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { goTo } from './support/go-to.ts';
import { pickOption, scan, tabTo, typeSlowly } from './support/keys.ts';
import { maker } from './support/maker.ts';
import { picture } from './support/picture.ts';

/**
 * A delivery of 40 announced pallets, by scanner and hotkeys alone: mixed parts, three labels that cannot be read, two
 * codes that nobody knows, one expired pallet and one of a part that was not ordered.
 */

const PALLETS = 40;
const PARTS = ['bolt', 'nut', 'washer', 'oil'] as const;
const PIECES = 25;
const NUT_GTIN = '09506000134352';

let app: App;
let page: Page;
let station: Station;
const made: Record<string, number> = {};

const sscc = (index: number) => {
  const digits = `3401234500000${String(index).padStart(4, '0')}`;
  return digits + checkDigit(digits);
};
const partOf = (index: number) => PARTS[index % PARTS.length] ?? 'bolt';
const isExpired = (index: number) => index === 17;

beforeAll(async () => {
  app = await openApp({ fill });
  ({ page, station } = app);
});
afterAll(async () => {
  expect(app.faults).toEqual([]);
  await app.close();
});

async function fill(filled: Station): Promise<void> {
  const create = maker(filled, made);
  await create('supplier', '/suppliers', { name: 'Harbour Fasteners' });
  await create('dock', '/x/locations', { name: 'DOCK', kind: 'receiving' });
  await create('shelf', '/x/locations', { name: 'SHELF' });
  for (const name of PARTS)
    await create(name, '/parts', {
      name: `${name} M8`,
      identification: `ID-${name}`,
      unit_of_measure: 'units',
      ...(name === 'nut' && { barcodes: [NUT_GTIN] }),
    });
  await create('gasket', '/parts', { name: 'gasket', identification: 'ID-gasket', unit_of_measure: 'units' });
  const items = Array.from({ length: PALLETS }, (_, index) => ({
    part_id: made[partOf(index)],
    quantity: PIECES,
    serial_number: `L-${100 + index}`,
    lot_format: 'L-###',
    expiry_date: isExpired(index) ? '2020-01-31' : '2039-12-31',
    sscc: sscc(index),
  }));
  await create('order', '/x/purchase-orders', {
    po_number: 'PO-40',
    supplier_id: made.supplier,
    expected_date: '2026-01-15',
    items,
  });
}

const panel = () => page.locator('.scan-panel');
const outcome = (is: 'taken' | 'question' | 'refused') =>
  page.locator(`.scan-panel[data-outcome=${is}]`).waitFor();
const open = (title: string) => page.locator('.open-scan').filter({ hasText: title });

/** All that is worked with stands on the screen, without scrolling. */
const fits = async (name: string) => {
  await picture(page, name);
  const bottom = await page.locator('.scan-surface').evaluate(one => one.getBoundingClientRect().bottom);
  expect(bottom).toBeLessThanOrEqual(800);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
};

const linesReceived = (count: number) =>
  page.getByRole('heading', { name: `${count} lines received` }).waitFor();

it('is begun from what is expected, by keyboard', async () => {
  await page.keyboard.press('F2');
  const receive = page.getByRole('button', { name: 'Receive PO-40' });
  await receive.waitFor();
  await page.getByText('Late', { exact: true }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await tabTo(page, receive);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'PO-40' }).waitFor();
  await page.getByRole('table', { name: 'Expected' }).getByRole('row').nth(PALLETS).waitFor();
});

it('takes each announced pallet by its label alone, and asks about the expired one', async () => {
  for (let index = 0; index < PALLETS; index += 1) {
    await scan(page, `]C100${sscc(index)}`);
    if (!isExpired(index)) continue;
    await outcome('question');
    await panel().getByText('Expired').first().waitFor();
    await fits('delivery-expired');
    // Rejected, as a person does who has no keyboard.
    await scan(page, 'HP:REJECT');
    await outcome('taken');
  }
  await expect
    .poll(() =>
      panel()
        .getByText(`L-${100 + PALLETS - 1}`)
        .count(),
    )
    .toBeGreaterThan(0);
  await page
    .locator('[data-fact=pallet]')
    .getByText(sscc(PALLETS - 1))
    .waitFor();
  await scan(page, 'HP:SAVE');
  await linesReceived(PALLETS);
  await fits('delivery-taken');
  // A pallet's number is no serial number of a piece.
  await page
    .locator('main')
    .getByText(`Pallet: ${sscc(PALLETS - 1)}`)
    .waitFor();
  expect(await page.locator('main').getByText('Serial numbers').count()).toBe(0);
});

it('refuses the same pallet again, and labels that cannot be read', async () => {
  await scan(page, `]C100${sscc(3)}`);
  await outcome('refused');
  await panel().getByText('Counted already').waitFor();
  for (const broken of [sscc(5).slice(0, -1) + ((Number(sscc(5).at(-1)) + 1) % 10), '3401234']) {
    await scan(page, `]C100${broken}`);
    await outcome('refused');
  }
  await page.getByText('3 open').waitFor();
  await fits('delivery-refused');
  for (let left = 3; left > 0; left -= 1) {
    await scan(page, 'HP:LEAVE');
    await page.getByText(`${left - 1} open`).waitFor();
  }
});

it('asks about codes that nobody knows, and learns one', async () => {
  for (const code of ['NEW-CODE-1', 'NEW-CODE-2']) await scan(page, code);
  await page.getByText('2 open').waitFor();
  await scan(page, 'HP:LEAVE');
  await page.getByText('1 open').waitFor();
  const learn = open('No part carries this code').getByLabel('Part that carries it');
  await page.keyboard.press('a');
  await learn.and(page.locator(':focus')).waitFor();
  await typeSlowly(page, 'ID-washer');
  await pickOption(page, /washer/);
  // All of it has arrived: one more is more than was ordered.
  await open('More than ordered').waitFor();
  await scan(page, 'HP:NO');
  await page.getByText('0 open').waitFor();
});

it('asks about a part that was not ordered, and takes it when somebody says so', async () => {
  await scan(page, 'ID-gasket');
  await outcome('question');
  await panel().getByText('Not ordered').first().waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await fits('delivery-not-ordered');
  await page.keyboard.press('y');
  await outcome('taken');
  await page.keyboard.press('s');
  await linesReceived(PALLETS + 1);
});

it('stands as it was scanned, and the rejected pallet is still expected', async () => {
  const { body } = await station.get(`/x/purchase-orders/${made.order}`);
  const { data } = body as { data: { is_received: boolean; items: Record<string, unknown>[] } };
  expect(data.is_received).toBe(false);
  expect(data.items.map(item => item.quantity_open)).toEqual(
    Array.from({ length: PALLETS }, (_, index) => (isExpired(index) ? PIECES : 0)),
  );
  const table = page.getByRole('table', { name: 'Expected' });
  await table
    .getByRole('row')
    .filter({ hasText: `L-${100 + 17}` })
    .getByText('25')
    .first()
    .waitFor();
  await page.setViewportSize({ width: 1920, height: 1080 });
  await picture(page, 'delivery-done');
});

it('has made a pallet of each label, which is carried to its place with one scan', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const pallets = async () => {
    const { body } = await station.get(`/x/locations?within_id=${made.dock}&per_page=100`);
    return (body as { data: { name: string }[] }).data.map(({ name }) => name);
  };
  const accepted = Array.from({ length: PALLETS }, (_, index) => index).filter(index => !isExpired(index));
  expect((await pallets()).sort()).toEqual(accepted.map(sscc).sort());
  const receipt = new URL(page.url()).pathname;
  await goTo(page, '/app/stock/putaway');
  // The gasket came on no pallet.
  await page.getByText(`${PALLETS} lots wait for their place`).waitFor();
  await fits('delivery-putaway');
  await scan(page, `]C100${sscc(0)}`);
  await outcome('taken');
  await page.locator('[data-fact=to]').getByText('SHELF').waitFor();
  await page.locator('[data-fact=from]').getByText('DOCK').waitFor();
  await page.locator('[data-fact=goods]').getByText('L-100').waitFor();
  await fits('delivery-pallet-in-hand');
  // Its label once more, and that of the lot on it, leave the pallet in the hand.
  await scan(page, `]C100${sscc(0)}`);
  await scan(page, 'L-100');
  await panel().getByText('It is on the pallet in your hand').waitFor();
  await scan(page, 'SHELF');
  await page.getByText(`${PALLETS - 1} lots wait for their place`).waitFor();
  expect(await pallets()).not.toContain(sscc(0));
  // The lot's page says where the pallet is.
  await scan(page, 'L-100');
  await outcome('taken');
  await goTo(page, '/app/stock');
  await scan(page, 'L-100');
  await page
    .getByRole('listitem')
    .filter({ hasText: `${sscc(0)} · SHELF: 25 EA` })
    .waitFor();
  await goTo(page, receipt);
});

it('offers no way to the quantities where receipts are blind', async () => {
  const order = page.getByRole('region', { name: 'Expected' });
  await order.getByRole('link', { name: 'PO-40' }).waitFor();
  expect((await station.put('/x/settings', { is_receiving_blind: true })).status).toBe(200);
  await page.reload();
  await order.getByText('Count everything').waitFor();
  await order.getByText('PO-40', { exact: true }).waitFor();
  expect(await order.getByRole('link', { name: 'PO-40' }).count()).toBe(0);
  await expect.poll(() => order.getByRole('columnheader').allTextContents()).toEqual(['Part', 'Announced']);
});
