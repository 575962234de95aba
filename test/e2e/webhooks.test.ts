import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Receiver, taking } from '../server/webhooks/receiver.ts';
import { type App, openApp } from './support/app.ts';
import { axeFindings, expectNoFindings } from './support/axe.ts';
import { goTo } from './support/go-to.ts';

let app: App;
let page: Page;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await new Receiver().open();
  app = await openApp();
  page = app.page;
  await page.setViewportSize({ width: 1280, height: 800 });
});
afterAll(async () => {
  await app?.close();
  await receiver?.close();
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const box = (name: string) => page.getByRole('textbox', { name });

/** For a look by hand. */
async function picture(name: string): Promise<void> {
  const to = process.env.HOLDPOINT_PICTURES;
  if (to) await page.screenshot({ path: join(to, `${name}.png`) });
}

/** As slowly as people, who are no scanner. */
const type = (text: string) => page.keyboard.type(text, { delay: 60 });

/** By Tab alone to what has this name, and Enter there. */
async function press(name: string): Promise<void> {
  await tabTo(name);
  await page.keyboard.press('Enter');
}

async function tabTo(name: string): Promise<void> {
  for (let steps = 0; steps < 80; steps += 1) {
    const focused = page.locator(':focus');
    if ((await focused.count()) === 1) {
      const label = await focused.evaluate(
        element =>
          element.getAttribute('aria-label') ??
          (element as HTMLInputElement).labels?.[0]?.textContent ??
          element.textContent,
      );
      if (label?.replace(/ \*$/, '').trim() === name) return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab did not come to ${name}.`);
}

describe('webhooks in Setup, by keys alone', () => {
  it('are made with a key and an address; what may not be is said at its field', async () => {
    await goTo(page, '/app/setup/webhooks');
    await page.getByText('There are no webhooks on this machine.').waitFor();
    await page.keyboard.press('n');
    await box('Name').waitFor();
    await type('ERP');
    await page.keyboard.press('Tab');
    await type('http://169.254.169.254/latest');
    await page.keyboard.press('Enter');
    await page.getByText('This machine may not send there:').first().waitFor();
    await picture('webhook-refused');
    await expectNoFindings(page);
    await page.keyboard.press('Control+A');
    await type(receiver.url);
    await page.keyboard.press('Enter');
    await page.locator('[data-secret]').waitFor();
    await expect.poll(() => page.locator('[data-secret]').textContent()).toMatch(/^whsec_/);
    await picture('webhook-secret');
    await expectNoFindings(page);
    await press('Done, hide it');
    await expect.poll(() => page.locator('[data-secret]').count()).toBe(0);
  });

  it('send a test that says what came of it', async () => {
    await press('Send a test to ERP');
    await page.getByText('Test of ERP: Arrived (204)').waitFor();
    expect((await receiver.take(1))[0]?.body).toMatchObject({ type: 'test', data: { webhook: 'ERP' } });
    receiver.answer = (_message, response) => {
      response.writeHead(302, { location: '/' }).end();
      return false;
    };
    await press('Send a test to ERP');
    await page.getByText('Test of ERP: Leads elsewhere (302), which is not followed').waitFor();
    receiver.answer = taking;
  });

  it('show what was sent and what waits', async () => {
    await app.station.post('/suppliers', { name: 'Acme' });
    await receiver.take(1, 'supplier.created');
    receiver.answer = (_message, response) => {
      response.writeHead(500).end();
      return false;
    };
    await app.station.post('/suppliers', { name: 'Beta' });
    await receiver.until(({ seen }) =>
      seen.some(({ body }) => (body.data.record as { name?: string })?.name === 'Beta'),
    );
    await page.reload();
    await button('Deliveries of ERP').waitFor();
    await press('Deliveries of ERP');
    const recent = page.getByRole('table', { name: 'Last attempts' });
    await recent.getByText('supplier.created').first().waitFor();
    await page
      .getByRole('table', { name: 'Tried again' })
      .getByText('Refused by the receiver (500)')
      .waitFor();
    await picture('webhook-deliveries');
    await expectNoFindings(page);
  });

  it('are paused, given another secret, and removed by a second press', async () => {
    await press('Pause ERP');
    await page.getByText('Paused by ada', { exact: false }).waitFor();
    await press('Let ERP go on');
    await button('Pause ERP').waitFor();
    await press('Give ERP a new secret');
    await page.keyboard.press('Enter');
    await page.locator('[data-secret]').waitFor();
    await page.getByText('The former secret counts until', { exact: false }).waitFor();
    await press('Done, hide it');
    await press('Remove ERP');
    await page.keyboard.press('Enter');
    await page.getByText('There are no webhooks on this machine.').waitFor();
    expect(app.faults).toEqual([]);
  });

  it('are in German as well', async () => {
    const german = await app.open({ language: 'de', width: 1280, height: 800 });
    await goTo(german, '/app/setup/webhooks');
    await german.getByText('Auf diesem Rechner gibt es keine Webhooks.').waitFor();
    expect(await axeFindings(german)).toEqual([]);
  });
});
