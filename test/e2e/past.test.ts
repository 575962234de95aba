import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Station } from '../support/station.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { goTo } from './support/go-to.ts';

let app: App;
let supplier = 0;

beforeAll(async () => {
  app = await openApp({ fill });
});

afterAll(async () => {
  await app?.close();
});

async function fill(station: Station): Promise<void> {
  const made = (await station.post('/suppliers', { name: 'Acme' })).body as { data: { id: number } };
  supplier = made.data.id;
  await new Promise(resolve => setTimeout(resolve, 1_100));
  await station.put(`/suppliers/${supplier}`, { name: 'Acme & Sons' });
}

it('shows a record as it was, from its history and by keyboard, and says that it is not now', async () => {
  const { page } = app;
  await goTo(page, `/app/records/supplier/${supplier}`);
  await page.getByRole('tab', { name: 'History' }).press('Enter');
  await page
    .getByRole('link', { name: /The record after this change/ })
    .last()
    .press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Earlier state: Acme' }).waitFor();
  const banner = page.getByRole('status').filter({ hasText: 'This is not the present state, but that of' });
  await banner.waitFor();
  await banner.getByText('It was changed since.').waitFor();
  expect(await axeFindings(page)).toEqual([]);

  await page.getByLabel('In which sense').selectOption({ value: 'here' });
  await page.getByRole('button', { name: 'Show' }).press('Enter');
  await page.getByText('but what this machine knew at').waitFor();
  expect(page.url()).toContain('known=here');

  await page.getByRole('textbox', { name: 'As of' }).fill('2001-02-03T04:05:06');
  await page.getByRole('textbox', { name: 'As of' }).press('Enter');
  await page.getByText('that is before the first entry').waitFor();

  await page.getByRole('link', { name: 'To the present state' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Acme & Sons' }).waitFor();
});
