import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, openApp } from './support/app.ts';
import { goTo } from './support/go-to.ts';
import { typeSlowly } from './support/keys.ts';

let app: App;
let page: Page;
let session: CDPSession;

beforeAll(async () => {
  app = await openApp({
    fill: async station => {
      for (const name of ['Alder', 'Birch', 'Cedar']) await station.post('/suppliers', { name });
    },
  });
  page = app.page;
  // As most people have it.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  session = await page.context().newCDPSession(page);
});
afterAll(() => app?.close());

/** Keys and texts that wait for a busy page, which then takes them without a frame in between. */
async function pressAtOnce(...keys: string[]): Promise<void> {
  const busy = page.evaluate(() => {
    const end = performance.now() + 300;
    while (performance.now() < end);
  });
  await Promise.all([busy, ...keys.flatMap(strokesOf)]);
}

function strokesOf(key: string): Promise<unknown>[] {
  if (key !== 'Enter' && key !== 'Control+k') return [session.send('Input.insertText', { text: key })];
  const stroke =
    key === 'Enter'
      ? { key, code: key, windowsVirtualKeyCode: 13, text: '\r' }
      : { key: 'k', code: 'KeyK', windowsVirtualKeyCode: 75, modifiers: 2 };
  return [
    session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...stroke }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke, text: '' }),
  ];
}

it('what is typed into a list of choices is chosen by Enter', async () => {
  await goTo(page, '/app/records/ncr/new');
  const field = page.getByRole('combobox', { name: 'Disposition', exact: true });
  await field.focus();
  await typeSlowly(page, 'rew');
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('Rework');
});

it('a record is found by what is typed and Enter, faster than the list', async () => {
  await goTo(page, '/app/records/part/new');
  const field = page.getByRole('textbox', { name: 'Supplier' });
  await field.focus();
  await pressAtOnce('Cedar', 'Enter');
  await expect.poll(() => field.inputValue()).toBe('Cedar');
  await page.getByRole('option').waitFor({ state: 'detached' });
});

it('the palette opens what was typed and entered with the key that opens it', async () => {
  await pressAtOnce('Control+k', 'Birch', 'Enter');
  await page.getByRole('heading', { level: 1, name: 'Birch' }).waitFor();
  expect(app.faults).toEqual([]);
});
