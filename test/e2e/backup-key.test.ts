import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, openApp } from './support/app.ts';
import { expectNoFindings } from './support/axe.ts';
import { goTo } from './support/go-to.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-key-'));
let app: App;
let page: Page;
let identity = '';

beforeAll(async () => {
  app = await openApp({
    fill: async station => {
      await station.post('/suppliers', { name: 'Acme' });
      await station.put('/x/settings', { backup_folder: join(folder, 'second') });
    },
  });
  page = app.page;
});
afterAll(async () => {
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** For a look by hand. */
async function picture(name: string): Promise<void> {
  const to = process.env.HOLDPOINT_PICTURES;
  if (to) await page.screenshot({ path: join(to, `${name}.png`), fullPage: true });
}

describe('the recovery key', () => {
  it('is asked for on Today and in Setup while backups are plain', async () => {
    // The folder is looked at beside the server.
    await expect
      .poll(async () => JSON.stringify((await app.station.get('/x/attention')).body))
      .toContain('There is no backup yet.');
    await goTo(page, '/app');
    const card = page.getByRole('region', { name: 'Backup' });
    await card.getByText('There is no backup yet.').waitFor();
    await card.getByText('Backups are not encrypted: who takes one can read all of it.').waitFor();
    await picture('today');
    await card.getByRole('link', { name: 'Backup' }).press('Enter');
    await page.getByText('Backups are not encrypted', { exact: true }).waitFor();
    await picture('plain');
    await expectNoFindings(page);
  });

  it('is made, written down, typed back in part, and used from then on; all by keys', async () => {
    await button('Make a recovery key').press('Enter');
    await page.getByRole('heading', { name: /^Recovery key \w{8} of Holdpoint's backups$/ }).waitFor();
    const groups = await page.locator('[data-secret] span').allTextContents();
    identity = groups.join('');
    expect(identity).toMatch(/^AGE-SECRET-KEY-1[A-Z0-9]{58}$/);
    await picture('paper');
    await expectNoFindings(page);
    const last = page.getByRole('textbox', { name: 'The last two groups' });
    await last.fill('AAAAAA AAAA');
    await last.press('Enter');
    await page.getByText('These are not the last two groups of the recovery key.').first().waitFor();
    expect((await state()).key).toBeNull();
    await last.fill(groups.slice(-2).join(' ').toLowerCase());
    await last.press('Enter');
    await page.getByText('Backups are encrypted. The key').waitFor();
    expect(await page.content()).not.toContain(identity.slice(16, 22));
    await button('Back up now').press('Enter');
    await page.getByText('The backup is made and verified').waitFor();
    const [name = ''] = readdirSync(join(folder, 'second'));
    expect(name).toMatch(/\.db\.age$/);
    await picture('encrypted');
  });

  it('opens the backup in a practice; a mistyped one is told, and nothing of it is kept', async () => {
    await button('Practise a restore').press('Enter');
    const key = page.getByLabel(/^Recovery key \w{8}/);
    await key.fill(identity.slice(0, -1));
    await key.press('Enter');
    await page
      .getByText('A recovery key has 58 characters after AGE-SECRET-KEY-1; these are 57')
      .first()
      .waitFor();
    await picture('mistyped');
    await expectNoFindings(page);
    await key.fill(identity.toLowerCase().replace(/(.{7})/g, '$1 '));
    await key.press('Enter');
    await page.getByText('This backup can be restored').waitFor();
    await page.getByText(/Practised last: /).waitFor();
    await picture('practised');
    await expectNoFindings(page);
  });

  it('of a damaged backup the practice says that it cannot be restored, Setup and Today too, in German as well', async () => {
    const [name = ''] = readdirSync(join(folder, 'second'));
    const file = join(folder, 'second', name);
    const bytes = readFileSync(file);
    bytes[70_000] = (bytes[70_000] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    await button('Practise a restore').press('Enter');
    const key = page.getByLabel(/^Recovery key \w{8}/);
    await key.fill(identity);
    await key.press('Enter');
    await page.getByText('This backup cannot be restored').waitFor();
    const german = await app.open({ language: 'de' });
    await goTo(german, '/app/setup/backup');
    await german.getByText('geübte Wiederherstellung misslang').first().waitFor();
    await german.getByText('Die Sicherungen sind verschlüsselt.').waitFor();
    if (process.env.HOLDPOINT_PICTURES)
      await german.screenshot({ path: join(process.env.HOLDPOINT_PICTURES, 'german.png'), fullPage: true });
    await goTo(german, '/app');
    await german
      .getByRole('region', { name: 'Datensicherung' })
      .getByText('geübte Wiederherstellung misslang')
      .first()
      .waitFor();
    await german.close();
    expect(app.faults).toEqual([]);
  });

  it('is given up on a second press, and plain backups can be meant', async () => {
    await button('Write plain backups').press('Enter');
    await button('Write plain backups: Sure? Write plain backups').press('Enter');
    await page.getByText('Backups are not encrypted', { exact: true }).waitFor();
    await button('They stay plain').press('Enter');
    await page.getByText('Backups stay plain on purpose').waitFor();
    expect(await state()).toMatchObject({ key: null, hints: [] });
    await expectNoFindings(page);
  });
});

async function state(): Promise<Record<string, unknown>> {
  const { body } = await app.station.get('/x/backups');
  return (body as { data: Record<string, unknown> }).data;
}
