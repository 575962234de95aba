import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Station } from '../support/station.ts';
import { ADMINISTRATOR, type App, openApp } from './support/app.ts';
import { axeFindings, COLOURS } from './support/axe.ts';
import { goTo } from './support/go-to.ts';
import { holdReading } from './support/hold-reading.ts';
import { gauge, pickOption, scan, typeSlowly } from './support/keys.ts';
import { maker } from './support/maker.ts';
import { chooseInMenu } from './support/menu.ts';

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
  await create('supplier', '/suppliers', { name: 'Mill' });
  await create('oil', '/parts', { name: 'Olive oil', identification: 'OIL', unit_of_measure: 'kg' });
  await create('template', '/x/specifications', {
    name: 'Oil',
    identification: 'LAB-1',
    characteristics: [
      { name: 'Acidity', tolerance: '<= 0.8', order: 1 },
      { name: 'Peroxide', tolerance: '2-20', order: 2 },
    ],
  });
  const lines = ['OIL-1', 'OIL-2', 'OIL-3'].map(serial_number => ({
    part_id: made.oil,
    serial_number,
    quantity_accepted: 100,
    unit_of_measure: 'kg',
  }));
  await create('receipt', '/receiving-inspections', { supplier_id: made.supplier, items: lines });
  const { body } = await station.get('/inventory', { part_id: made.oil ?? 0 });
  const lots = (body as { data: { id: number }[] }).data;
  for (const [index, { id }] of lots.entries()) made[`lot${index + 1}`] = id;
}

const isLocked = async (lot: number | undefined): Promise<boolean> => {
  const { body } = await app.station.get(`/inventory/${lot}`);
  return (body as { data: { is_locked: boolean } }).data.is_locked;
};

async function pickTemplate(): Promise<void> {
  await typeSlowly(page, 'LAB-1');
  await pickOption(page, 'LAB-1');
}

async function chooseFile(path: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose the CSV file' }).press('Enter');
  await (await choosing).setFiles(path);
}

describe('lab results, by keyboard and scanner alone', () => {
  it('takes a lot that is scanned, and a template', async () => {
    await page.keyboard.press('F8');
    await page.getByRole('heading', { level: 1, name: 'Lab' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('form', { name: 'Enter a result' }).waitFor();
    await scan(page, 'UNKNOWN-9');
    await page.getByText('No lot is known by the code “UNKNOWN-9”.').waitFor();
    await scan(page, `inventory:${made.lot2}`);
    const form = page.getByRole('form', { name: 'Enter a result' });
    await expect.poll(() => form.getByRole('textbox', { name: 'Lot' }).inputValue()).toBe('OIL-2');
    await page.keyboard.press('Tab');
    await pickTemplate();
    await page.getByLabel('Acidity').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  it('judges each measurement as it is typed, and says that saving will lock the lot', async () => {
    await page.getByLabel('Acidity').focus();
    await typeSlowly(page, '<0,05');
    await page.getByText('not out of limits').waitFor();
    await page.keyboard.press('Control+A');
    await typeSlowly(page, '0,9');
    await page.getByText('Saving this locks the lot OIL-2').waitFor();
    await page.getByText('too high').waitFor();
    await page.keyboard.press('Enter');
    await gauge(page, '12.5');
    await page.getByText('within limits').waitFor();
    await expect.poll(() => page.getByLabel('Peroxide').inputValue()).toBe('12.5');
    await expect.poll(() => isLocked(made.lot2)).toBe(false);
  });

  it('says afterwards that it did, with the way to the lot', async () => {
    await page.getByLabel('Peroxide').focus();
    await page.keyboard.press('Enter');
    await page.getByText('This result locks the lot OIL-2: it cannot ship').waitFor();
    await page.getByText('Out of limits: Acidity').waitFor();
    await expect.poll(() => isLocked(made.lot2)).toBe(true);
    await expect
      .poll(() => page.getByRole('link', { name: 'To the lot OIL-2' }).getAttribute('href'))
      .toBe(`/app/stock/${made.lot2}`);
    await expect
      .poll(() => page.getByRole('link', { name: 'Acidity over lots' }).getAttribute('href'))
      .toBe(`/app/charts?template=${made.template}&measurement=Acidity`);
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(page, COLOURS)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  describe("from an instrument's file", () => {
    /** Lays the file there anew, and begins at the page. */
    const write = (rows: string[]): string => {
      const file = join(app.station.folder, 'instrument.csv');
      writeFileSync(file, ['Charge;Datum;Acidity;Peroxide;Note', ...rows].join('\r\n'));
      return file;
    };
    const open = async () => {
      await goTo(page, '/app/lab');
      await page.getByRole('button', { name: 'Import from an instrument' }).press('Enter');
      await page.getByText('Choose the CSV file').waitFor();
      await pickTemplate();
    };

    it('says nothing of the former file while another is read', async () => {
      await open();
      await chooseFile(write(['OIL-1;2026-03-02;0,3;11,5;x']));
      const button = page.getByRole('button', { name: /^Import \d+ row/ });
      await expect.poll(() => button.and(page.locator(':enabled')).allInnerTexts()).toEqual(['Import 1 row']);
      const readOn = await holdReading(page);
      await chooseFile(write(['OIL-1;2026-03-02;0,3;11,5;x', 'OIL-3;2026-03-02;0,3;11,5;x']));
      await expect.poll(() => button.isDisabled()).toBe(true);
      await expect.poll(() => page.getByRole('table', { name: 'Rows of the file' }).count()).toBe(0);
      await readOn();
      await expect
        .poll(() => button.and(page.locator(':enabled')).allInnerTexts())
        .toEqual(['Import 2 rows']);
    });

    it('shows what is in it before anything is written, and takes it whole', async () => {
      await open();
      await chooseFile(
        write(['OIL-1;2026-03-01;0,3;11,5;x', 'OIL-9;2026-03-01;0,3;11,5;x', 'OIL-3;2026-03-01;0,3;30;x']),
      );
      await page.getByText('1 row cannot be taken').waitFor();
      await page.getByText('1 row is out of limits and locks its lot.').waitFor();
      await page.getByText('Columns that are not used: Note').waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Import 2 rows' }).isDisabled()).toBe(true);
      expect(await axeFindings(page)).toEqual([]);

      await chooseFile(write(['OIL-1;2026-03-01;0,3;11,5;x', 'OIL-3;2026-03-01;0,3;30;x']));
      await page.getByRole('button', { name: 'Import 2 rows' }).press('Enter');
      await page.getByText('2 lab results were written.').waitFor();
      await page.getByText('Locked the lot: Peroxide').waitFor();
      expect([await isLocked(made.lot1), await isLocked(made.lot3)]).toEqual([false, true]);
    });
  });

  it('speaks German, and reads well for everybody', async () => {
    const german = await app.open({ language: 'de' });
    await goTo(german, '/app/lab');
    await german.getByRole('heading', { level: 1, name: 'Labor' }).waitFor();
    await german.getByText('Nicht bestanden').first().waitFor();
    expect(await axeFindings(german)).toEqual([]);
    await german.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(german, COLOURS)).toEqual([]);
  });
});

describe('certificates on the page of a lot', () => {
  const table = () => page.getByRole('table', { name: 'Certificates of analysis' });

  it('are issued by keyboard in a language, printed as issued, and withdrawn with a reason', async () => {
    await goTo(page, `/app/stock/${made.lot1}`);
    await page.getByText('None was issued.').waitFor();
    await chooseInMenu(page, 'More', 'Issue certificate');
    const form = page.getByRole('form', { name: 'Issue certificate' });
    await form.getByRole('combobox', { name: 'Language of the paper' }).and(page.locator(':focus')).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await form.getByRole('button', { name: 'Issue certificate' }).press('Enter');
    const row = table().getByRole('row', { name: /COA-0-000001/ });
    await row.getByText('Valid').waitFor();
    await row.getByText('Ada Admin').waitFor();
    const answer = page.waitForResponse(/\/x\/certificates\/\d+\/paper$/);
    await row.getByRole('button', { name: 'Print COA-0-000001' }).press('Enter');
    expect((await answer).headers()['content-type']).toBe('application/pdf');

    await app.station.post('/lab-results', { inventory_id: made.lot1, lab_data: '{"Odour": 1}' });
    await page.bringToFront();
    await row.getByText('Changed since it was issued').waitFor();
    await row.getByRole('link', { name: /^Lab result/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await row.getByRole('button', { name: 'Withdraw COA-0-000001' }).press('Enter');
    const withdrawing = page.getByRole('form', { name: 'Withdraw COA-0-000001' });
    await withdrawing.getByRole('textbox', { name: 'Reason' }).and(page.locator(':focus')).waitFor();
    await typeSlowly(page, 'Wrong sample');
    await page.keyboard.press('Enter');
    await row.getByText('Withdrawn', { exact: true }).waitFor();
    await row.getByText(/By Ada Admin, .+: Wrong sample/).waitFor();
    expect(await row.getByRole('button', { name: /^Withdraw/ }).count()).toBe(0);
    const targets = await table()
      .getByRole('button')
      .evaluateAll(all => all.map(one => one.getBoundingClientRect().height));
    expect(Math.min(...targets)).toBeGreaterThanOrEqual(48);
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await axeFindings(page, COLOURS)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('are signed in place where the policy wants it, also in German', async () => {
    await app.station.put('/x/settings', { esignature_policy: 'gxp' });
    const german = await app.open({ language: 'de' });
    await goTo(german, `/app/stock/${made.lot1}`);
    await chooseInMenu(german, 'Mehr', 'Zertifikat ausstellen');
    const form = german.getByRole('form', { name: 'Zertifikat ausstellen' });
    await form.getByText('Ausstellung eines Zertifikats').waitFor();
    await form.getByRole('row', { name: /OIL-1/ }).waitFor();
    await form.getByRole('textbox', { name: 'Grund' }).fill('Alle Ergebnisse gesehen');
    await form.getByLabel('Ihr Passwort').fill(ADMINISTRATOR.password);
    expect(await axeFindings(german)).toEqual([]);
    await german.keyboard.press('Enter');
    const list = german.getByRole('table', { name: 'Analysenzertifikate' });
    await list
      .getByRole('row', { name: /COA-0-000002/ })
      .getByText('Gültig')
      .waitFor();
    expect(await axeFindings(german)).toEqual([]);
    await list.getByRole('link', { name: 'COA-0-000002' }).press('Enter');
    await german.getByRole('heading', { level: 1, name: 'COA-0-000002' }).waitFor();
    await german.getByRole('table', { name: 'Unterschriften' }).getByText('gültig').waitFor();
    expect(await axeFindings(german)).toEqual([]);
  });
});

describe('lab results under the policy gxp', () => {
  it('under gxp signs what is entered; what an instrument brought waits until quality signs for it', async () => {
    expect((await app.station.put('/x/settings', { esignature_policy: 'gxp' })).status).toBe(200);
    await page.keyboard.press('F8');
    await page.getByRole('heading', { level: 1, name: 'Lab' }).waitFor();
    await page.keyboard.press('n');
    const form = page.getByRole('form', { name: 'Enter a result' });
    await form.waitFor();
    await scan(page, `inventory:${made.lot1}`);
    await expect.poll(() => form.getByRole('textbox', { name: 'Lot' }).inputValue()).toBe('OIL-1');
    await page.keyboard.press('Tab');
    await pickTemplate();
    await page.getByLabel('Acidity').focus();
    await typeSlowly(page, '0,2');
    await form.getByRole('table', { name: 'What is signed' }).getByText('Acidity: 0.2').waitFor();
    await form.getByText('Meaning: Lab result').waitFor();
    await form.getByLabel('Your password').fill(ADMINISTRATOR.password);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: 'Signatures' }).getByText('Lab result').waitFor();
    await expect.poll(() => isLocked(made.lot1)).toBe(false);

    const brought = await app.station.post('/lab-results', {
      inventory_id: made.lot1,
      specification_id: made.template,
      lab_data: '{"Acidity": "0.3"}',
    });
    await expect.poll(() => isLocked(made.lot1)).toBe(true);
    const { id } = (brought.body as { data: { id: number } }).data;
    await goTo(page, `/app/lab/${id}`);
    await page.getByRole('button', { name: /^Accept/ }).press('Enter');
    await page.getByLabel('Reason').fill('Checked against the printout.');
    await page.getByLabel('Your password').fill(ADMINISTRATOR.password);
    await page.keyboard.press('Enter');
    await expect.poll(() => isLocked(made.lot1)).toBe(false);
    const corrections = page.getByRole('table', { name: '1 correction' });
    await corrections.getByText('Accepted', { exact: true }).waitFor();
  });

  it("under gxp signs an instrument's file as a whole", async () => {
    const file = join(app.station.folder, 'signed.csv');
    writeFileSync(file, 'Charge;Acidity;Peroxide\r\nOIL-1;0,3;11,5\r\n');
    await goTo(page, '/app/lab');
    await page.getByRole('button', { name: 'Import from an instrument' }).press('Enter');
    await page.getByText('Choose the CSV file').waitFor();
    await pickTemplate();
    await chooseFile(file);
    await page.getByRole('button', { name: 'Import 1 row' }).press('Enter');
    await page.getByText('Your password is missing').first().waitFor();
    await page.getByLabel('Your password').fill(ADMINISTRATOR.password);
    await page.getByRole('button', { name: 'Import 1 row' }).press('Enter');
    await page.getByText('1 lab result was written.').waitFor();
    await expect.poll(() => isLocked(made.lot1)).toBe(false);
  });

  it('has reported no fault', () => {
    expect(app.faults).toEqual([]);
  });
});
