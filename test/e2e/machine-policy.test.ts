import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../support/station.ts';
import { dataOf } from '../system/sync/processes/installation.ts';
import { ADMINISTRATOR, openWindow } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { closeWindows, openBrowser } from './support/browser.ts';
import { goTo } from './support/go-to.ts';

/** Who has chosen a language. */
const ENGLISH = { name: 'Eve English', login: 'eve', password: ADMINISTRATOR.password };

/** Only root can make a file that is root's. */
describe.skipIf(process.getuid?.() !== 0)('the policy of the machine', () => {
  let folder: string;
  let station: Station;
  const faults: string[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'holdpoint-policy-'));
    const path = join(folder, 'policy.json');
    const policy = {
      central: 'https://central.example:4870',
      updates: 'off',
      keeps_running: true,
      update_ring: 'pilot',
      update_window: '22:00-05:00',
      language: 'de',
      printer: 'Zebra ZD421',
      port: 'x',
    };
    writeFileSync(path, JSON.stringify(policy));
    station = new Station({ env: { HOLDPOINT_POLICY: path } });
    await station.start();
    const administrator = { ...ADMINISTRATOR, is_password_temporary: false, roles: ['administrator'] };
    dataOf(await station.post('/x/users', administrator));
    dataOf(await station.post('/x/users', { ...administrator, ...ENGLISH, language: 'en' }));
  });
  afterAll(async () => {
    await closeWindows();
    await station?.stop();
    rmSync(folder, { recursive: true });
  });

  it('its language is that of the sign-in, and of who has chosen none', async () => {
    const browser = await openBrowser();
    const context = await browser.newContext({ locale: 'en', timezoneId: 'UTC', reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(`${station.origin}/app/records`);
    const password = page.getByRole('textbox', { name: /^(Password|Passwort)/ });
    const lang = () => page.evaluate(() => document.documentElement.lang);
    for (const [{ login }, language] of [
      [ADMINISTRATOR, 'de'],
      [ENGLISH, 'en'],
    ] as const) {
      await password.waitFor();
      await expect.poll(lang).toBe('de');
      await page.getByRole('textbox', { name: /^(User name|Benutzername)/ }).fill(login);
      await password.fill(ADMINISTRATOR.password);
      await password.press('Enter');
      await page.locator('main#main').waitFor();
      await expect.poll(lang).toBe(language);
      await context.request.post(`${station.origin}/api/v2/x/session/end`, {
        headers: { origin: station.origin },
        data: {},
      });
      await page.reload();
    }
    await password.waitFor();
    await expect.poll(lang).toBe('de');
    await context.close();
  });

  it.each(['en', 'de'] as const)('is shown in Setup, and its central is locked (%s)', async language => {
    const page = await openWindow(await openBrowser(), station.origin, faults, {
      user: language === 'en' ? ENGLISH : ADMINISTRATOR,
      language,
    });
    await goTo(page, '/app/setup/policy');
    await page.getByText('https://central.example:4870').waitFor();
    await page
      .getByText(language === 'en' ? 'Not all of it is in force' : 'Nicht alles davon gilt')
      .waitFor();
    const fault = language === 'en' ? 'port="x" cannot be used.' : 'port="x" kann nicht verwendet werden.';
    await page.getByText(fault).waitFor();
    for (const value of ['pilot', '22:00-05:00', language === 'en' ? 'German' : 'Deutsch', 'Zebra ZD421'])
      await page.getByRole('definition').filter({ hasText: value }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await goTo(page, '/app/setup/stations');
    const join_ = language === 'en' ? 'Join a central' : 'Einer Zentrale beitreten';
    await page.getByRole('button', { name: join_ }).press('Enter');
    const address = page.getByLabel(language === 'en' ? "Central's address" : 'Adresse der Zentrale');
    await expect.poll(() => address.inputValue()).toBe('https://central.example:4870');
    await expect.poll(() => address.isEditable()).toBe(false);
    await page
      .getByText(
        language === 'en' ? 'Set by the policy of this machine' : 'Von der Richtlinie dieses Rechners',
      )
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
