import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { smallTargets } from './support/care.ts';
import { goTo } from './support/go-to.ts';
import { scan } from './support/keys.ts';
import { maker } from './support/maker.ts';
import { picture } from './support/picture.ts';

const GTIN = '09506000134352';
const made: Record<string, number> = {};

let app: App;
let page: Page;

/** How much, with gloves: by touch, without any keyboard. */
beforeAll(async () => {
  app = await openApp({
    window: { hasTouch: true, width: 1_024, height: 768, language: 'de' },
    fill: async station => {
      const create = maker(station, made);
      await create('oil', '/parts', { name: 'Oil', unit_of_measure: 'kg', barcodes: [GTIN] });
      await create('receipt', '/receiving-inspections', { po_number: 'PO-1' });
    },
  });
  ({ page } = app);
  await goTo(page, `/app/receiving/${made.receipt}`);
});
afterAll(() => app?.close());

const pad = () => page.getByRole('group', { name: 'Zahlenfeld: Angenommen' });
const field = () => page.getByRole('textbox', { name: 'Angenommen' });
const tap = async (...keys: string[]) => {
  for (const name of keys) await pad().getByRole('button', { name, exact: true }).tap();
};

it('a touch opens large keys below the field, which covers nothing and stays in focus', async () => {
  await scan(page, GTIN);
  await expect.poll(() => page.locator('[data-fact=accepted] dd').innerText()).not.toBe('–');
  await page.getByRole('button', { name: 'Tippen' }).tap();
  // Whoever types with keys sees no pad.
  await expect.poll(() => pad().count()).toBe(0);
  await field().tap();
  await pad().waitFor();
  await expect.poll(() => field().getAttribute('inputmode')).toBe('none');
  await tap('1', '2', 'Dezimalkomma', '5', '7', 'Letzte Ziffer löschen');
  await expect.poll(() => field().inputValue()).toBe('12.5');
  await expect.poll(() => field().evaluate(input => input === document.activeElement)).toBe(true);
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await axeFindings(page)).toEqual([]);
  expect(await smallTargets(page, '[role=group][aria-label^=Zahlenfeld]')).toEqual([]);
});

it('what was tapped is what is saved', async () => {
  await tap('Fertig');
  await expect.poll(() => pad().count()).toBe(0);
  await picture(page, 'number-pad');
  await page.getByRole('button', { name: 'Getipptes speichern' }).tap();
  await expect
    .poll(async () => {
      const { body } = await app.station.get(`/receiving-inspections/${made.receipt}`);
      return (body as { data: { items: { quantity_accepted: number }[] } }).data.items.map(
        item => item.quantity_accepted,
      );
    })
    .toEqual([12.5]);
  expect(app.faults).toEqual([]);
});
