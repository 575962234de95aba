import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAuthority } from '../../server/trust/authority-key.ts';
import { signReport } from '../../server/validation/report.ts';
import { reportFolder } from '../../server/validation/report-folder.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { smallTargets } from './support/care.ts';
import { goTo } from './support/go-to.ts';

const QUINN = { name: 'Quinn Quality', login: 'quinn', password: 'staple window river' };
const OTTO = { name: 'Otto Operator', login: 'otto', password: 'staple window river' };

let app: App;
beforeAll(async () => {
  app = await openApp({
    window: { user: QUINN },
    fill: async station => {
      await station.post('/x/users', { is_password_temporary: false, ...QUINN, roles: ['quality'] });
      await station.post('/x/users', { is_password_temporary: false, ...OTTO, roles: ['operator'] });
      await station.post('/x/tokens', { name: 'Scale 3', scopes: ['read'] });
    },
  });
});
afterAll(() => app?.close());

/** A picture, where somebody wants to look. */
async function show(page: Page, name: string): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
  if (process.env.PICTURES)
    await page.screenshot({ path: `${process.env.PICTURES}/audit-${name}.png`, fullPage: true });
}

it('who reviews narrows the trail, looks at an event with its record, takes it along and says that it was reviewed', async () => {
  const quinn = app.page;
  await goTo(quinn, '/app/setup');
  await quinn.getByRole('link', { name: /^Audit trail/ }).click();
  await quinn.getByRole('heading', { name: 'Audit trail', level: 1 }).waitFor();
  await quinn.getByText(/\d+ events/).waitFor();

  await quinn.getByLabel('Person or program').fill('quinn');
  await quinn.keyboard.press('Enter');
  await expect.poll(() => new URL(quinn.url()).searchParams.get('person')).toBe('quinn');
  await quinn
    .getByRole('button', { name: /^Signed in/ })
    .first()
    .click();
  const event = quinn.getByRole('region', { name: 'The event' });
  await event.getByText('Quinn Quality · quinn').waitFor();
  await event.getByText(/Commit \d+ of the chain/).waitFor();
  expect(await smallTargets(quinn)).toEqual([]);
  await show(quinn, 'event-en');
  const [download] = await Promise.all([
    quinn.waitForEvent('download'),
    quinn.getByRole('button', { name: 'As CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('audit-trail.csv');

  await quinn.getByRole('button', { name: 'Record a review' }).click();
  await quinn.getByLabel('Remarks').fill('Nothing odd.');
  await quinn.getByRole('button', { name: 'Record a review' }).click();
  await quinn.getByRole('cell', { name: 'Nothing odd.' }).waitFor();
  await show(quinn, 'reviewed-en');
});

it('speaks German, and is not offered to who may not read it', async () => {
  const quinn = await app.open({ user: QUINN, language: 'de' });
  await goTo(quinn, '/app/setup/audit?kind=token_created');
  await quinn
    .getByRole('button', { name: /^Token erstellt/ })
    .first()
    .click();
  await quinn.getByText('Scale 3').waitFor();
  await show(quinn, 'de');
  const otto = await app.open({ user: OTTO });
  await goTo(otto, '/app/setup');
  await otto.getByRole('link', { name: /^Account/ }).waitFor();
  expect(await otto.getByRole('link', { name: /^Audit trail/ }).count()).toBe(0);
});

it('who validates begins, watches and cancels in Setup, and takes a report along', async () => {
  const quinn = app.page;
  await goTo(quinn, '/app/setup');
  await quinn.getByRole('link', { name: /^Validation/ }).click();
  await quinn.getByText('There is no report yet.').waitFor();
  const began = '2026-06-01T08:00:00.000Z';
  const machine = { name: 'dock', system: 'Linux', runtime: 'Node.js', sqlite: '3', data: '/data' };
  const report = signReport(
    openAuthority(app.station.folder),
    {
      installation: 'here',
      company: 'Ours',
      version: '0.2.0',
      machine,
      files: null,
      began_at: began,
      ended_at: began,
      requirements: [],
    },
    'quinn',
  );
  const { name } = await reportFolder(app.station.folder).add(report);

  await quinn.getByRole('button', { name: 'Validate now' }).click();
  await quinn.getByText(/^It is being validated, since .* for quinn/).waitFor();
  await quinn.getByText(/\d+ of \d+ requirements tried/).waitFor();
  await show(quinn, 'validating-en');
  await quinn.getByRole('button', { name: 'Cancel the validation' }).click();
  await quinn.getByText('The validation was cancelled.').waitFor();
  expect(await smallTargets(quinn)).toEqual([]);
  for (const [what, ending] of [
    ['PDF', 'pdf'],
    ['Signed file (JSON)', 'json'],
  ]) {
    const [download] = await Promise.all([
      quinn.waitForEvent('download'),
      quinn.getByRole('button', { name: `${what} of Jun 1, 2026` }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${name}.${ending}`);
  }

  const german = await app.open({ user: QUINN, language: 'de' });
  await goTo(german, '/app/setup/validation');
  await german.getByText('Die Validierung wurde abgebrochen.').waitFor();
  await german.getByRole('cell', { name: /^Nicht gültig/ }).waitFor();
  await show(german, 'validation-de');
  const otto = await app.open({ user: OTTO });
  await goTo(otto, '/app/setup');
  await otto.getByRole('link', { name: /^Account/ }).waitFor();
  expect(await otto.getByRole('link', { name: /^Validation/ }).count()).toBe(0);
});
