import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { filledFolder } from '../support/sample-company.ts';
import { type App, addClerk, CLERK, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { goTo } from './support/go-to.ts';

let app: App;
let folder: string;

beforeAll(async () => {
  ({ folder } = await filledFolder());
  app = await openApp({ folder, fill: addClerk });
});
afterAll(async () => {
  await app?.close();
  await rm(folder, { recursive: true });
});

it('Today says each figure once, days as people write them, and leads to what it does not show', async () => {
  const { page } = app;
  await goTo(page, '/app');
  const late = page.getByRole('region', { name: 'Deliveries late' });
  await late.waitFor();
  await expect.poll(() => late.innerText()).toContain('2 late');
  // All of them are late: the number of all says no more.
  expect(await late.getByLabel('2 in all').count()).toBe(0);
  // A count is called by its place, which is not said again.
  const counts = page.getByRole('region', { name: 'Counts that differ, to be posted' });
  expect((await counts.innerText()).match(/Packaging racks B/g)).toHaveLength(1);
  // What is due is told of once, and a person is told no word of the program.
  const due = page.getByRole('region', { name: 'Shipments due' });
  await due.getByRole('link', { name: /^SH-/ }).first().waitFor();
  expect(await page.getByRole('region', { name: 'Shipments open, not due yet' }).count()).toBe(0);
  // An inspection is of the day on which it was opened, and not of today.
  const inspections = page.getByRole('region', { name: 'Inspections to finish' });
  await inspections
    .getByRole('link', { name: /^Inspection \d+/ })
    .first()
    .waitFor();
  expect(new Set(await inspections.locator('.date').allInnerTexts()).size).toBeGreaterThan(1);
  const backup = page.getByRole('region', { name: 'Backup', exact: true });
  await backup.getByText('Name a folder on another disk').waitFor();
  const corrections = page.getByRole('region', { name: 'Corrections that wait for quality' });
  await corrections
    .getByText(/Inspection \d+ · /)
    .first()
    .waitFor();
  const said = await page.locator('main').innerText();
  expect(said).not.toMatch(/\b\d{4}-\d{2}-\d{2}\b/);
  expect(said).not.toMatch(/HOLDPOINT_|setting|\b[a-z]+_[a-z]+\b|\b[a-z]+:\d/);
  const locked = page.getByRole('region', { name: 'Locked lots' });
  await locked.getByRole('link', { name: /^and \d+ more$/ }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Stock' }).waitFor();
  // One word for each lot.
  await page
    .getByRole('cell', { name: /^(Locked|Free|Empty|Expired|Expires soon)$/ })
    .first()
    .waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(app.faults).toEqual([]);
});

it('Today sends nobody to settings that they do not see, and no area is cut off in German', async () => {
  const page = await app.open({ user: CLERK, language: 'de' });
  await goTo(page, '/app');
  const backup = page.getByRole('region', { name: 'Datensicherung', exact: true });
  await backup.waitFor();
  expect(await backup.getByRole('link').count()).toBe(0);
  await backup.getByText('Sagen Sie es einem Administrator').waitFor();
  await goTo(page, '/app/receiving');
  const present = page.getByRole('navigation').locator('[aria-current=page] .mantine-NavLink-body');
  await present.getByText('Wareneingang').waitFor();
  await expect.poll(() => present.evaluate(each => each.scrollWidth - each.clientWidth)).toBe(0);
  await page.close();
});
