import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Station } from '../support/station.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { goTo } from './support/go-to.ts';
import { gauge, scanStuttering, typeSlowly } from './support/keys.ts';
import { maker } from './support/maker.ts';

/** What people and devices do to a grid that is not as one would wish. */

let app: App;
let page: Page;
const made: Record<string, number> = {};

interface Stored {
  passed?: boolean;
  samples: Record<string, { sample_serial?: string; results: Record<string, { value?: number }> }>;
}

beforeAll(async () => {
  app = await openApp({ fill });
  page = app.page;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(async () => {
  expect(app.faults).toEqual([]);
  await app.close();
});

async function fill(station: Station): Promise<void> {
  const create = maker(station, made);
  await create('bolt', '/parts', { name: 'Hex bolt M8', identification: 'HB-8' });
  await create('template', '/x/specifications', {
    name: 'Hex bolt',
    characteristics: [
      { name: 'Length', dimensions: '40 mm', tolerance: '±0.5', order: 1 },
      { name: 'Mass', dimensions: '20 g', tolerance: '±1', order: 2 },
      { name: 'Torque', dimensions: '1.5 N.m', tolerance: '±0.2', order: 3 },
    ],
  });
  for (const name of ['gauged', 'stuttered', 'serials', 'finalised', 'shared']) {
    const body = { entity_id: made.bolt, drawing_id: made.template, sample_size: 3 };
    await create(name, '/inspections', body);
  }
}

const cell = (sample: number, name: string, on = page) =>
  on.getByRole('textbox', { name: `Sample ${sample}, ${name}`, exact: true });
const serial = (sample: number) =>
  page.getByRole('textbox', { name: `Serial number of sample ${sample}`, exact: true });
const stored = async (name: string): Promise<Stored> => {
  const { body } = await app.station.get(`/x/records/inspection/${made[name]}`);
  return (body as { data: { fields: Stored } }).data.fields;
};
const values = async (name: string) =>
  Object.values((await stored(name)).samples).map(({ results }) =>
    Object.values(results).map(({ value }) => value ?? null),
  );
const isSaved = (on = page) => on.getByRole('status').getByText('Saved on this station').waitFor();

async function open(name: string, on = page): Promise<void> {
  await goTo(on, `/app/inspection/${made[name]}`);
  await cell(1, 'Length', on).waitFor();
}

async function paste(sample: number, name: string, text: string): Promise<void> {
  await page.evaluate(clip => navigator.clipboard.writeText(clip), text);
  await cell(sample, name).focus();
  await page.keyboard.press('Control+V');
}

describe('a device that sends its unit', () => {
  beforeEach(() => open('gauged'));

  it('is taken in the unit of the characteristic, converted where it is another', async () => {
    await cell(1, 'Length').focus();
    await gauge(page, '40.10 MM');
    await expect.poll(() => cell(1, 'Length').inputValue()).toBe('40.10');
    expect(await page.getByText(/The device typed/).count()).toBe(0);
    await cell(2, 'Length').focus();
    await gauge(page, '1.580 in');
    await expect.poll(() => cell(2, 'Length').inputValue()).toBe('40.132');
    await page.getByRole('status').getByText('The device typed “1.580 in”: that is 40.132 mm.').waitFor();
    await cell(2, 'Mass').focus();
    await gauge(page, 'ST,+0000,0205 kg');
    await expect.poll(() => cell(2, 'Mass').inputValue()).toBe('20,5');
    await cell(3, 'Torque').focus();
    await gauge(page, '1.45 N.m');
    await expect.poll(() => cell(3, 'Torque').inputValue()).toBe('1.45');
  });

  it('is refused with words where the unit is of something else, and the cell stays as it was', async () => {
    await cell(3, 'Length').focus();
    await typeSlowly(page, '40.2');
    // What is typed just before a reading may be its beginning.
    await page.keyboard.press('End');
    await gauge(page, '12.48 g');
    await page.getByRole('alert').getByText('g cannot be converted to mm').waitFor();
    await expect.poll(() => cell(3, 'Length').inputValue()).toBe('40.2');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Sample 3, Length');
    expect(await axeFindings(page)).toEqual([]);
    await gauge(page, '40.30');
    await expect.poll(() => cell(3, 'Length').inputValue()).toBe('40.30');
    await page.getByText('g cannot be converted to mm').waitFor({ state: 'detached' });
  });
});

it('takes a reading whole, though the device stutters within its first digits', async () => {
  await open('stuttered');
  for (const [sample, after] of [
    [1, 1],
    [2, 2],
  ] as const) {
    await cell(sample, 'Length').focus();
    await scanStuttering(page, '40.17', { after, ms: 120 });
    await expect.poll(() => cell(sample, 'Length').inputValue()).toBe('40.17');
  }
});

it('keeps the serial number of each piece, as it is written', async () => {
  await open('serials');
  await cell(1, 'Length').focus();
  await page.keyboard.press('ArrowLeft');
  await page
    .getByRole('group', { name: 'Present measurement' })
    .getByText('Serial number of sample 1')
    .waitFor();
  await typeSlowly(page, '007');
  await page.keyboard.press('ArrowDown');
  await typeSlowly(page, 'SN 8');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Sample 2, Length');
  await typeSlowly(page, '40');
  await page.keyboard.press('Escape');
  await isSaved();
  const serials = async () =>
    Object.values((await stored('serials')).samples).map(each => each.sample_serial);
  await expect.poll(serials).toEqual(['007', 'SN 8', undefined]);
  await page.evaluate(clip => navigator.clipboard.writeText(clip), 'A-1\t39.9\r\nA-2\t40.1\r\n');
  await serial(1).focus();
  await page.keyboard.press('Control+V');
  await page.getByText('4 values pasted').waitFor();
  // One of them stood there already: a saved value changes with a reason only.
  const question = page.getByRole('form', { name: 'Why was a saved value corrected?' });
  await question.getByText('Sample 2, Length: 40 → 40.1').waitFor();
  await page.keyboard.press('3');
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  await isSaved();
  await expect.poll(serials).toEqual(['A-1', 'A-2', undefined]);
  expect((await values('serials')).map(([length]) => length)).toEqual([39.9, 40.1, null]);
});

it('takes nothing into a finalised inspection, and says where the words lead', async () => {
  const done = await app.station.put(`/inspections/${made.finalised}`, { passed: true });
  expect(done.status).toBe(200);
  await open('finalised');
  await paste(1, 'Length', '40,1\t20\r\n39,9\t21');
  await page.getByText('Nothing was entered: these measurements are closed.').waitFor();
  await page.reload();
  await cell(1, 'Length').focus();
  await gauge(page, '40.1');
  await page.getByText('Nothing was entered: these measurements are closed.').waitFor();
  expect(await page.getByText('Nothing is known by the code').count()).toBe(0);
  await expect.poll(() => cell(1, 'Length').inputValue()).toBe('');
  await expect
    .poll(() => values('finalised'))
    .toEqual([
      [null, null, null],
      [null, null, null],
      [null, null, null],
    ]);
});

it('is typed by two people at once, and each sees what the other saved', async () => {
  await open('shared');
  const other = await app.open();
  await open('shared', other);
  await cell(1, 'Length').focus();
  await typeSlowly(page, '40.1');
  await cell(2, 'Length', other).focus();
  await typeSlowly(other, '39.8');
  await page.keyboard.press('ArrowDown');
  await other.keyboard.press('ArrowDown');
  await isSaved();
  await isSaved(other);
  await expect.poll(() => cell(2, 'Length').inputValue()).toBe('39.8');
  await expect.poll(() => cell(1, 'Length', other).inputValue()).toBe('40.1');
  // One finalises while the other types: what was typed is not lost without a word.
  await cell(1, 'Mass').focus();
  await page.keyboard.type('20.1');
  await app.station.put(`/inspections/${made.shared}`, { passed: true });
  await page.getByText('Reopen', { exact: true }).waitFor();
  await other.context().close();
});
