import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMINISTRATOR, type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { smallTargets } from './support/care.ts';
import { goTo } from './support/go-to.ts';

const BOB = { name: 'Bob Boss', login: 'bob', password: 'staple window river' };

let app: App;
let present: string;
beforeAll(async () => {
  app = await openApp({
    fill: async station => {
      await station.post('/x/users', { ...BOB, is_password_temporary: false, roles: ['administrator'] });
      await station.end();
      rmSync(join(station.folder, 'authority.key'));
      await station.start();
    },
  });
  const { body } = await app.station.get('/x/authority');
  present = (body as { data: { key: string } }).data.key;
});
afterAll(() => app?.close());

/** A picture, where somebody wants to look. */
async function show(page: Page, name: string): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
  if (!name.startsWith('form')) expect(await smallTargets(page)).toEqual([]);
  if (process.env.PICTURES)
    await page.screenshot({ path: `${process.env.PICTURES}/authority-${name}.png`, fullPage: true });
}

it('two administrators certify another key by the screens, in English and German, from what Today says', async () => {
  const { page } = app;
  await goTo(page, '/app');
  await page.getByRole('link', { name: 'Another key signs' }).click();
  await page.getByRole('heading', { name: 'Key of this installation', level: 1 }).waitFor();
  await page.getByText('nobody yet').waitFor();
  await show(page, 'en');
  await page.getByRole('button', { name: 'Certify the new key' }).press('Enter');
  // What is typed wrong is said in place, and nothing is certified.
  await page.getByLabel('SHA-256, as the machine shows it').fill('ab'.repeat(32));
  await page.getByLabel('Why the key is another one').fill('The disk was replaced.');
  await page.getByLabel('Your password').fill(ADMINISTRATOR.password);
  await page.keyboard.press('Enter');
  await page
    .getByText('This installation signs with another key. Look again at the machine.')
    .first()
    .waitFor();
  await show(page, 'form-en');
  await page.getByLabel('SHA-256, as the machine shows it').fill(present.toUpperCase());
  await page.keyboard.press('Enter');
  await page.getByText(ADMINISTRATOR.login, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Certify the new key' }).waitFor({ state: 'detached' });

  const bob = await app.open({ user: BOB, language: 'de', width: 1920, height: 1080 });
  await goTo(bob, '/app/setup/authority');
  await bob.getByRole('heading', { name: 'Schlüssel dieser Installation', level: 1 }).waitFor();
  await bob.getByRole('button', { name: 'Neuen Schlüssel beglaubigen' }).press('Enter');
  await bob.getByLabel('SHA-256, wie der Rechner sie zeigt').fill(present);
  await bob.getByLabel('Warum der Schlüssel ein anderer ist').fill('Die Platte wurde ersetzt.');
  await bob.getByLabel('Ihr Passwort').fill(BOB.password);
  await show(bob, 'form-de');
  await bob.keyboard.press('Enter');
  await bob.getByText('Dieser Schlüssel gilt. Es ist nichts zu tun.').waitFor();
  await show(bob, 'de');
  expect(app.faults).toEqual([]);
});
