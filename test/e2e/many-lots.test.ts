import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, addClerk, CLERK, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { smallTargets } from './support/care.ts';
import { goTo } from './support/go-to.ts';
import { pickOption, typeSlowly } from './support/keys.ts';
import { maker } from './support/maker.ts';

const made: Record<string, number> = {};

let app: App;
let page: Page;

/** Many lots of the list at once: moved to one place, and labelled. */
beforeAll(async () => {
  app = await openApp({
    window: { user: CLERK },
    fill: async station => {
      const create = maker(station, made);
      await create('dock', '/x/locations', { name: 'DOCK', kind: 'receiving' });
      await create('shelf', '/x/locations', { name: 'SHELF-7' });
      await create('bolt', '/parts', { name: 'Bolt', unit_of_measure: 'units' });
      await create('milk', '/parts', { name: 'Milk', unit_of_measure: 'units', storage_class: 'cool' });
      const line = { part_id: made.bolt, location_id: made.dock, quantity_accepted: 5 };
      await create('receipt', '/receiving-inspections', {
        items: [
          { ...line, serial_number: 'L-1' },
          { ...line, serial_number: 'L-2' },
          { ...line, part_id: made.milk, serial_number: 'M-1' },
        ],
      });
      await addClerk(station);
    },
  });
  ({ page } = app);
});
afterAll(() => app?.close());

const standing = async () => {
  const { body } = await app.station.get('/x/inventory/states', { ids: '1,2,3' });
  return (body as { data: { locations: string[] }[] }).data.map(({ locations }) => locations.join());
};
const chooseAll = async () => {
  await page.getByRole('button', { name: 'Choose' }).press('Enter');
  await page.getByRole('checkbox', { name: 'Choose all on this page' }).press('Space');
  await page.getByText('3 chosen').waitFor();
};
const move = async (place: string) => {
  await page
    .getByRole('group', { name: 'With those chosen' })
    .getByRole('button', { name: 'Move' })
    .press('Enter');
  await page.getByRole('button', { name: 'Move 3 lots' }).waitFor();
  await typeSlowly(page, place);
  await pickOption(page, place);
};

it('go to one place by keyboard, each by itself: what is refused is told by name and stays chosen', async () => {
  await goTo(page, '/app/stock');
  await chooseAll();
  await move('SHELF-7');
  expect(await axeFindings(page)).toEqual([]);
  expect(await smallTargets(page, 'main form')).toEqual([]);
  await page.getByRole('button', { name: 'Move 3 lots' }).press('Enter');
  await page.getByText('2 records have it now').waitFor();
  await page.getByText(/M-1.*storage class cool/).waitFor();
  await page.getByText('1 chosen').waitFor();
  await expect.poll(() => standing()).toEqual(['SHELF-7', 'SHELF-7', 'DOCK']);
  const { body } = await app.station.get('/x/inventory/1/moves');
  expect(body).toMatchObject({ data: [{ quantity: 5, to_location_id: made.shelf }] });
});

it('or all of them or none', async () => {
  await goTo(page, '/app/stock');
  await chooseAll();
  await move('DOCK');
  await page.getByRole('combobox', { name: 'If one of them is refused' }).click();
  await page.getByRole('option', { name: 'Move none' }).click();
  await page.getByRole('button', { name: 'Move 3 lots' }).press('Enter');
  await page.getByRole('alert').waitFor();
  await expect.poll(() => standing()).toEqual(['SHELF-7', 'SHELF-7', 'DOCK']);
});

it('get a label each, in one file', async () => {
  await goTo(page, '/app/stock');
  await chooseAll();
  await page.getByRole('button', { name: 'Print labels' }).press('Enter');
  expect(await axeFindings(page)).toEqual([]);
  const asked = page.waitForRequest(request => request.url().includes('/x/labels/lot?'));
  await page.getByRole('button', { name: 'Print 3 labels' }).press('Enter');
  expect(new URL((await asked).url()).searchParams.get('ids')?.split(',').toSorted()).toEqual([
    '1',
    '2',
    '3',
  ]);
  expect((await (await asked).response())?.status()).toBe(200);
  expect(app.faults).toEqual([]);
});
