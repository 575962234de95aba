import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../support/station.ts';
import { ADMINISTRATOR, type App, openApp, signInByCall } from './support/app.ts';
import { axeFindings, expectNoFindings } from './support/axe.ts';
import { goTo } from './support/go-to.ts';
import { holdReading } from './support/hold-reading.ts';
import { pickOption, typeSlowly } from './support/keys.ts';

const INA = { name: 'Ina Inspector', login: 'ina', password: 'staple window river' };

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-setup-'));
let app: App;
let page: Page;

beforeAll(async () => {
  app = await openApp();
  page = app.page;
});
afterAll(async () => {
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

const button = (name: string | RegExp) => page.getByRole('button', { name });

async function openSection(name: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Areas of work' })
    .getByRole('link', { name: 'Setup' })
    .press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Setup' }).waitFor();
  // What a section is for is part of its link's name.
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(`^${name}\\b`) })
    .press('Enter');
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** What is typed by hand, field by field. */
async function fill(...texts: (string | null)[]): Promise<void> {
  for (const text of texts) {
    if (text !== null) await typeSlowly(page, text);
    await page.keyboard.press('Tab');
  }
}

async function downloadOf(work: () => Promise<unknown>): Promise<string> {
  const [download]: [Download, unknown] = await Promise.all([page.waitForEvent('download'), work()]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

describe('users', () => {
  it('are made by keyboard alone, with what each role may do in words', async () => {
    await openSection('Users');
    await page.keyboard.press('n');
    await page.getByRole('form', { name: 'New user' }).waitFor();
    await fill(INA.name, INA.login, null);
    // On the chosen role; the arrows go from role to role.
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.getByRole('radio', { name: 'Inspector' }).isChecked()).toBe(true);
    await page.getByText('inspects, enters lab results, locks lots').waitFor();
    await page.keyboard.press('Tab');
    await typeSlowly(page, 'short');
    await page.keyboard.press('Enter');
    await page
      .getByText(/too short/)
      .first()
      .waitFor();
    await expectNoFindings(page);
    await page.getByRole('textbox', { name: 'Password' }).fill(INA.password);
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /Ina Inspector ina Inspector Active/ }).waitFor();
  });

  it('are offered only what their role allows, and keep their own password', async () => {
    const other = await app.open({ user: INA });
    await other.goto(`${app.station.origin}/app/setup`);
    // The administrator knows the first one.
    await other.getByRole('heading', { level: 1, name: 'Choose another password' }).waitFor();
    await expectNoFindings(other);
    await other.getByRole('textbox', { name: 'Password until now' }).fill(INA.password);
    await other.getByRole('textbox', { name: 'New password' }).fill(INA.password);
    await other.keyboard.press('Enter');
    await other
      .getByText(/The password was used before/)
      .first()
      .waitFor();
    await other.getByRole('textbox', { name: 'New password' }).fill('a window on the river');
    await other.keyboard.press('Enter');
    await other.getByRole('heading', { level: 1, name: 'Setup' }).waitFor();
    const offered = await other.getByRole('main').getByRole('link').allTextContents();
    expect(offered.map(text => text.slice(0, 6))).toEqual([
      expect.stringMatching(/^Accoun/),
      expect.stringMatching(/^ClockW/),
      expect.stringMatching(/^Export/),
    ]);
    await other.getByRole('link', { name: /^Account/ }).press('Enter');
    await other.getByRole('button', { name: 'Change my password' }).press('Enter');
    const form = other.getByRole('form', { name: 'Change my password' });
    await form.getByRole('textbox', { name: 'Password until now' }).fill('not the password');
    await form.getByRole('textbox', { name: 'New password' }).fill('another river window');
    await other.keyboard.press('Enter');
    await form
      .getByText(/The password is wrong/)
      .first()
      .waitFor();
    await form.getByRole('textbox', { name: 'Password until now' }).fill('a window on the river');
    await other.keyboard.press('Enter');
    await other.getByText('The password is changed.').waitFor();
    // Users and settings are not hers to export; everything else is.
    await goTo(other, '/app/setup/export');
    await other.getByText('Users and settings are for administrators and left out.').waitFor();
    await other.getByRole('combobox', { name: 'Kind of record' }).press('ArrowDown');
    await other.getByRole('option', { name: 'Parts', exact: true }).waitFor();
    expect(await other.getByRole('option', { name: /^(Users|Settings)$/ }).count()).toBe(0);
    const download = other.waitForEvent('download');
    await other.getByRole('button', { name: 'Export everything' }).press('Enter');
    expect((await download).suggestedFilename()).toBe('holdpoint-export.tar');
    await other.context().close();
  });

  it('are changed and deactivated on their page', async () => {
    await page.getByRole('link', { name: INA.name }).press('Enter');
    await page.getByRole('heading', { level: 1, name: INA.name }).waitFor();
    await button('Deactivate').press('Enter');
    await page.getByText('Deactivated').waitFor();
    await expectNoFindings(page);
    const answer = await fetch(`${app.station.origin}/api/v2/x/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: app.station.origin },
      body: JSON.stringify({ login: INA.login, password: 'another river window' }),
    });
    expect(answer.status).toBe(401);
  });
});

describe('pages of other servers', () => {
  let other: Server;
  beforeAll(() => {
    other = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title>');
    });
    return new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => other.close());

  it('call with a token once they are named, never as who is signed in', async () => {
    const origin = `http://127.0.0.1:${Object(other.address()).port}`;
    // In the browser of the administrator, whose cookies go to every port of this machine.
    const elsewhere = await page.context().newPage();
    await elsewhere.goto(origin);
    const { origin: here, token } = app.station;
    const call = (path: string, init: { method?: string; token?: string; body?: string } = {}) =>
      elsewhere.evaluate(
        async ([url, { method = 'GET', token: secret, body }]) => {
          const headers = {
            ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
          };
          return fetch(url, { method, headers, ...(body !== undefined && { body }) }).then(
            ({ status }) => status,
            () => 'refused',
          );
        },
        [`${here}/api/v2${path}`, init] as const,
      );
    expect(await call('/suppliers', { token })).toBe('refused');

    await openSection('Tokens');
    await button('Change the servers').press('Enter');
    const box = page.getByRole('textbox', { name: 'Pages of other servers' });
    await box.fill(`${origin}/path`);
    await button('Save').press('Enter');
    await page.getByText('is not an origin').waitFor();
    await expectNoFindings(page);
    await box.fill(origin);
    await button('Save').press('Enter');
    await box.waitFor({ state: 'detached' });
    await page.getByText(origin).waitFor();

    expect(await call('/suppliers', { token })).toBe(200);
    const supplier = JSON.stringify({ name: 'From elsewhere' });
    expect(await call('/suppliers', { token, method: 'POST', body: supplier })).toBe(201);
    expect(await call('/suppliers')).toBe(401);
    const { login, password } = ADMINISTRATOR;
    const signIn = { method: 'POST', body: JSON.stringify({ login, password }) };
    expect(await call('/x/session', signIn)).toBe(403);
    expect(await call('/x/session', { ...signIn, token })).toBe(403);
    await elsewhere.close();
  });
});

describe('tokens', () => {
  it('show their secret once, and are refused once they are revoked', async () => {
    await openSection('Tokens');
    await page.keyboard.press('n');
    await fill('Scale 3');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const secret = await page.locator('[data-secret]').textContent();
    await expectNoFindings(page);
    const call = () =>
      app.station.call('GET', '/suppliers', { headers: { authorization: `Bearer ${secret}` } });
    expect((await call()).status).toBe(200);
    await button('Done, hide it').press('Enter');
    await page.locator('[data-secret]').waitFor({ state: 'detached' });
    await button('Revoke Scale 3').press('Enter');
    await button(/Yes, revoke/).press('Enter');
    await page.getByRole('row', { name: /Scale 3 Operator, Inspector .* Revoked/ }).waitFor();
    expect((await call()).status).toBe(401);
  });
});

describe('the site', () => {
  it('has its name, its time zone and what signatures ask', async () => {
    await openSection('Site');
    await page.getByRole('textbox', { name: 'Company' }).fill('Harbour Oils');
    await page.getByRole('combobox', { name: 'Time zone' }).focus();
    await page.keyboard.press('Control+a');
    await typeSlowly(page, 'berlin');
    await pickOption(page, 'Europe/Berlin');
    await page.getByRole('switch', { name: 'A signature needs a reason' }).press('Space');
    await page.getByRole('textbox', { name: 'Lock when idle after' }).fill('5000');
    await page.keyboard.press('Enter');
    await page
      .getByText(/The most is 1440/)
      .first()
      .waitFor();
    await expectNoFindings(page);
    await page.getByRole('textbox', { name: 'Lock when idle after' }).fill('30');
    await page.keyboard.press('Enter');
    await page.getByText('Saved on this station').waitFor();
    const { body } = await app.station.get('/x/settings');
    expect((body as { data: object }).data).toMatchObject({
      time_zone: 'Europe/Berlin',
      idle_lock_minutes: 30,
      is_esignature_required: false,
      is_esignature_reason_required: true,
    });
    const companies = await app.station.get('/companies');
    expect((companies.body as { data: { name: string }[] }).data[0]?.name).toBe('Harbour Oils');
  });

  it('says kind by kind what is signed, by keyboard, and marks what differs from the policy', async () => {
    await openSection('Site');
    const row = page.getByRole('row', { name: /^Closing/ });
    const tick = (name: string) => page.getByRole('checkbox', { name }).press('Space');
    await expect.poll(() => page.getByRole('checkbox', { name: 'Closing: Reason' }).isDisabled()).toBe(true);
    await tick('Closing: Signature');
    await tick('Closing: Second person');
    await row.getByText('differs').waitFor();
    await expectNoFindings(page);
    await button('Save').press('Enter');
    await page.getByText('Saved on this station').waitFor();
    const deviations = async () => {
      const { body } = await app.station.get('/x/settings');
      return (body as { data: { esignature_deviations: object } }).data.esignature_deviations;
    };
    await expect
      .poll(() => deviations())
      .toEqual({
        closing: { is_signed: true, needs_reason: false, needs_second_person: true },
      });

    await button('All as the policy says').press('Enter');
    await row.getByText('differs').waitFor({ state: 'detached' });
    const signed = page.getByRole('table', { name: 'What is signed' });
    await signed.getByText('Closing: Signature, second person').waitFor();
    await page.getByRole('textbox', { name: 'Reason' }).fill('A trial.');
    await page.getByLabel('Your password').fill(ADMINISTRATOR.password);
    await page.keyboard.press('Enter');
    await page.getByText('Saved on this station').waitFor();
    await expect.poll(() => deviations()).toEqual({});
  });
});

describe('a backup', () => {
  it('is made now, says where it is and that it was verified; a second place ends the warning', async () => {
    await openSection('Backup');
    await page.getByText('There is no backup yet.').waitFor();
    await page.getByText('Backups stand on the same disk as the records').waitFor();
    await button('Where and how many').press('Enter');
    await fill(join(folder, 'second'));
    await page.keyboard.press('Enter');
    await page.getByText('Backups stand on the same disk as the records').waitFor({ state: 'detached' });
    await button('Back up now').press('Enter');
    await page.getByText('The backup is made and verified').waitFor();
    const { body } = await app.station.get('/x/backups');
    const [backup] = (body as { data: { backups: { file: string }[] } }).data.backups;
    expect(backup?.file.startsWith(join(folder, 'second'))).toBe(true);
    expect(existsSync(backup?.file ?? '')).toBe(true);
    await page.getByText(`holdpoint restore ${backup?.file}`).waitFor();
    await expectNoFindings(page);
  });
});

describe('an import', () => {
  const file = join(folder, 'parts.csv');
  const partNames = async () => {
    const { body } = await app.station.get('/parts');
    return (body as { data: { name: string }[] }).data.map(({ name }) => name);
  };

  it('proposes the fields by the names of the columns, and lists every bad row before anything is written', async () => {
    await app.station.post('/suppliers', { name: 'Acme' });
    writeFileSync(
      file,
      'SKU;Name;Part number;Supplier;Reorder point;Shelf\n' +
        '1;Hex bolt;HB-8;Acme;12,5;A\n2;Hex nut;HN-8;Acme;many;B\n3;Öl <b>;OIL-1;Nobody;1;C\n4;Washer;W-8;Acme;3;D\n',
    );
    await openSection('Import');
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('combobox', { name: 'The rows are' }).focus();
    await typeSlowly(page, 'parts');
    await pickOption(page, /^Parts$/);
    const becomes = (column: string) =>
      page.getByRole('combobox', { name: `What ${column} becomes` }).inputValue();
    await expect.poll(() => becomes('Reorder point')).toBe('Reorder point');
    await expect.poll(() => becomes('Part number')).toBe('Part number');
    await expect.poll(() => becomes('Shelf')).toBe('left out');
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Rows are told apart by' }).inputValue())
      .toBe('SKU');
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Between values' }).inputValue())
      .toBe('Semicolon ;');
    await expect.poll(() => page.getByRole('combobox', { name: 'Numbers as' }).inputValue()).toBe('1.234,5');
    await expectNoFindings(page);
    await button('Check every row').press('Enter');
    await page.getByText('Nothing has been written yet').waitFor();
    const bad = page.getByRole('table', { name: 'Rows that cannot be taken' });
    await bad.getByRole('row', { name: /parts\.csv 3 Reorder point many/ }).waitFor();
    await bad.getByRole('row', { name: /parts\.csv 4 Supplier Nobody/ }).waitFor();
    await page.getByText('2 rows cannot be taken').waitFor();
    await page.getByText('Columns of parts.csv that are left out: Shelf').waitFor();
    await expectNoFindings(page);
    expect(await partNames()).toEqual([]);
  });

  it('takes the good rows when told so', async () => {
    await button('Import 2, leave out 2').press('Enter');
    await page.getByText('The import is done').waitFor();
    await expect.poll(() => partNames()).toEqual(['Hex bolt', 'Washer']);
  });

  it('keeps the mapping as a file, by which the mended file changes what differs and doubles nothing', async () => {
    const mapping = await downloadOf(() => button('Keep the mapping as a file').press('Enter'));
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace('many', '7')
        .replace('Nobody', 'Acme')
        .replace('Washer', 'Washer M8'),
    );
    const readOn = await holdReading(page);
    await page.locator('input[type=file]').setInputFiles([file, mapping]);
    // Nothing is begun with the former files while these are read.
    await expect.poll(() => button('Check every row').count()).toBe(0);
    await readOn();
    await button('Check every row').press('Enter');
    await page.getByText('2 records are new').waitFor();
    await page.getByText('1 record changes').waitFor();
    await button('Import 4 records').press('Enter');
    await page.getByText('The import is done').waitFor();
    expect((await partNames()).toSorted()).toEqual(['Hex bolt', 'Hex nut', 'Washer M8', 'Öl <b>']);
  });

  it('names a mapping that was on a stick which is gone, until others are chosen', async () => {
    const [rows, mapping] = [join(folder, 'stick.csv'), join(folder, 'stick.mapping.json')];
    writeFileSync(rows, 'Name\nHex bolt\n');
    writeFileSync(mapping, '{}');
    await openSection('Import');
    const readOn = await holdReading(page);
    await page.locator('input[type=file]').setInputFiles([rows, mapping]);
    rmSync(mapping);
    await readOn();
    const gone = page.getByText('stick.mapping.json cannot be read any more');
    await gone.waitFor();
    await page.locator('input[type=file]').setInputFiles(rows);
    await page.getByRole('combobox', { name: 'The rows are' }).waitFor();
    await gone.waitFor({ state: 'detached' });
  });
});

describe('an export', () => {
  it('of everything is one archive, which the import takes back', async () => {
    await openSection('Export');
    await expectNoFindings(page);
    const archive = await downloadOf(() => button('Export everything').press('Enter'));
    execFileSync('tar', ['-xf', archive, '-C', folder]);
    const parts = readFileSync(join(folder, 'part.jsonl'), 'utf8').trim().split('\n');
    expect(parts.map(line => (JSON.parse(line) as { name: string }).name)).toContain('Öl <b>');
    await openSection('Import');
    const { steps } = JSON.parse(readFileSync(join(folder, 'mapping.json'), 'utf8')) as {
      steps: { file: string }[];
    };
    const files = steps.map(each => join(folder, each.file));
    await page.locator('input[type=file]').setInputFiles([...files, join(folder, 'mapping.json')]);
    await button('Check every row').press('Enter');
    await page.getByText('Nothing has been written yet').waitFor();
    await page.getByText('0 records are new').waitFor();
    await page.getByText('0 records change').waitFor();
  });
});

describe('joining a central', () => {
  it('takes the records along, and says what became of them', async () => {
    const central = new Station({ role: 'central' });
    await central.start();
    try {
      const made = await central.post('/x/enrolment-codes', { name: 'Dock 2', brings_records: true });
      const { code } = (made.body as { data: { code: string } }).data;
      await openSection('Stations');
      await button('Join a central').press('Enter');
      await page.getByText('A backup is made and verified first.').waitFor();
      await expectNoFindings(page);
      await fill(central.origin, 'wrong');
      await page.keyboard.press('Enter');
      // The refusal stands at the code, which has the focus.
      await page.locator('input:focus[aria-invalid="true"]').waitFor();
      await page.getByRole('textbox', { name: 'Code' }).fill(code);
      await page.keyboard.press('Enter');
      await page.getByText('This is the station Dock 2 now').waitFor();
      await page.getByText(/records came along/).waitFor();
      const { body } = await central.get('/x/stations');
      expect((body as { data: { name: string }[] }).data.map(({ name }) => name)).toEqual(['Dock 2']);
      await expectLedToCentral(central);
    } finally {
      await central.stop();
    }
  });

  /** What only central changes is not offered at the station: an administrator of central finds the way there. */
  async function expectLedToCentral(central: Station): Promise<void> {
    const cora = { name: 'Cora', login: 'cora', password: 'staple window river' };
    await central.post('/x/users', { is_password_temporary: false, ...cora, roles: ['administrator'] });
    const { origin } = app.station;
    const begin = () =>
      fetch(`${origin}/api/v2/x/session`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: origin },
        body: JSON.stringify({ login: cora.login, password: cora.password }),
      });
    await expect.poll(async () => (await begin()).status).toBe(201);
    const other = await app.browser.newContext({ locale: 'en' }).then(context => context.newPage());
    await signInByCall(other.context(), origin, cora);
    await other.goto(`${origin}/app/setup`);
    await other.locator('main#main').waitFor();
    const sections = [
      ['users', 'users', 'New user'],
      ['me', 'me', 'Change my password'],
      ['site', 'site', null],
    ] as const;
    for (const [path, there, gone] of sections) {
      await goTo(other, `/app/setup/${path}`);
      const way = other.getByRole('link', { name: `Open central: ${central.origin}` });
      await expect.poll(() => way.getAttribute('href')).toBe(`${central.origin}/app/setup/${there}`);
      if (gone !== null) expect(await other.getByRole('button', { name: gone }).count()).toBe(0);
      expect(await axeFindings(other)).toEqual([]);
    }
    await expect.poll(() => other.getByRole('combobox', { name: 'Time zone' }).isDisabled()).toBe(true);
    await goTo(other, '/app/setup/backup');
    await other.getByRole('button', { name: /^Back up now/ }).waitFor();
    await other.context().close();
  }

  it('and no page reported a fault', () => expect(app.faults).toEqual([]));
});
