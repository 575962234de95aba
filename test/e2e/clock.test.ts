import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_FAKETIME, SetClock } from '../support/faketime.ts';
import { ADMINISTRATOR, type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { goTo } from './support/go-to.ts';

const OTTO = { name: 'Otto Operator', login: 'otto', password: 'staple window river' };

describe.skipIf(!HAS_FAKETIME)('a clock that is set back while people work', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-clock-'));
  const clock = new SetClock(folder);
  let app: App;
  beforeAll(async () => {
    app = await openApp({
      env: clock.env,
      fill: station =>
        station.post('/x/users', { is_password_temporary: false, ...OTTO, roles: ['operator'] }),
    });
  });
  afterAll(async () => {
    await app?.close();
    rmSync(folder, { recursive: true });
  });

  /** A picture, where somebody wants to look. */
  async function show(page: Page, name: string): Promise<void> {
    expect(await axeFindings(page)).toEqual([]);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/clock-${name}.png` });
  }

  async function unlock(page: Page, { password }: typeof OTTO): Promise<void> {
    await page.locator('input[type=password]').fill(password);
    await page.keyboard.press('Enter');
    await page.locator('main#main').waitFor();
  }

  it('locks the screens and says why; an administrator confirms, and everybody sees that it is over', async () => {
    const { page, station } = app;
    const otto = await app.open({ user: OTTO, language: 'de' });
    clock.set('-400d');
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    await page.getByText('The clock of this computer is not confirmed').waitFor();
    await show(page, 'locked-en');
    await otto.getByText('Die Uhr dieses Rechners ist nicht bestätigt').waitFor();
    await show(otto, 'locked-de');

    // Nobody is kept from working.
    await unlock(otto, OTTO);
    await otto.getByText('Die Uhr dieses Rechners ist nicht bestätigt').waitFor();
    await otto.getByRole('link', { name: 'Uhr ansehen' }).click();
    await otto.getByText('bitten Sie jemanden von der Qualität').waitFor();
    expect(await otto.getByRole('button', { name: 'Uhr bestätigen' }).count()).toBe(0);
    await show(otto, 'setup-de');

    const made = await station.post('/suppliers', { name: 'Written meanwhile' });
    const { id } = (made.body as { data: { id: number } }).data;
    await unlock(page, ADMINISTRATOR);
    await page.getByRole('link', { name: 'Look at the clock' }).click();
    await page.getByRole('button', { name: 'Confirm the clock' }).click();
    await show(page, 'confirm-en');
    await page.getByRole('form').getByRole('textbox').fill('The clock of the hall says so.');
    await page.getByRole('form').getByRole('button', { name: 'Confirm the clock' }).click();
    await page.getByText('It is taken for right.').waitFor();
    await page.getByRole('cell', { name: 'It was confirmed' }).waitFor();
    await page.getByRole('cell', { name: 'The clock of the hall says so.' }).waitFor();
    await expect.poll(() => page.getByText('The clock of this computer is not confirmed').count()).toBe(0);
    await show(page, 'confirmed-en');
    await otto.getByText('Sie gilt als richtig.').waitFor();

    await goTo(page, `/app/records/supplier/${id}`);
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText(/^Clock not confirmed: it said .* at least\.$/).waitFor();
    await show(page, 'history-en');
    expect(app.faults).toEqual([]);
  });
});
