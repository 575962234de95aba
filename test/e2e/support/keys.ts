import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const FNC1 = '\u001d';
/** Between two keys of a scanner, in seconds; each key carries its own time, so that a slow machine does not stretch it. */
const PACE_S = 0.004;
const CTRL = 2;
/** Longer than the second key of an ending can be away from the first. */
const AFTER_MS = 50;

const sessions = new WeakMap<Page, CDPSession>();

/**
 * What a wedge scanner does: keys as fast as they come, Ctrl+] for FNC1 (`\u001d`), then Enter.
 * @param isAtOnce the next scan follows without a pause
 */
export async function scan(page: Page, code: string, { isAtOnce = false } = {}): Promise<void> {
  await burst(page, [...code, 'Enter']);
  // A key that a person presses next comes after the scanner's last one by its own time, too.
  if (!isAtOnce) await sleep(Math.max(0, (lastKeys.get(page) ?? 0) * 1_000 - Date.now() + AFTER_MS));
}

/** The same on a machine that is busy after some keys: the others were pressed in time, and come late. */
export async function scanLate(page: Page, code: string, { after, ms }: { after: number; ms: number }) {
  const keys = [...code, 'Enter'];
  await burst(page, keys.slice(0, after));
  const pressed = lastKeys.get(page) ?? 0;
  await sleep(ms);
  await send(page, keys.slice(after), pressed + PACE_S);
}

/** The same by a radio that holds one key back: so many milliseconds after the keys before it, by the keys' own time. */
export async function scanStuttering(page: Page, code: string, { after, ms }: { after: number; ms: number }) {
  const keys = [...code, 'Enter'];
  await burst(page, keys.slice(0, after));
  await sleep(ms);
  await send(page, keys.slice(after), (lastKeys.get(page) ?? 0) + ms / 1_000);
}

/** What a gauge does that types like a keyboard: the digits, then Enter. */
export const gauge = scan;

/**
 * The same, at the pace of a scanner by the clock on the wall, so that it can be measured how long after its last key
 * something happens: what came before that key has been worked through by then, as at a dock.
 */
export async function scanAtPace(page: Page, code: string): Promise<void> {
  for (const key of [...code, 'Enter']) {
    const next = performance.now() + PACE_S * 1_000;
    await burst(page, [key]);
    await sleep(Math.max(0, next - performance.now()));
  }
}

/** When the last key of a page was pressed, in seconds since 1970. */
const lastKeys = new WeakMap<Page, number>();

/** Keys carry the time of a scanner: a browser that takes them faster must not have the next ones begin before these end. */
async function burst(page: Page, keys: readonly string[]): Promise<void> {
  const now = Date.now() / 1_000;
  const start = Math.max(now, (lastKeys.get(page) ?? 0) + PACE_S);
  await sleep((start - now) * 1_000);
  await send(page, keys, start);
}

async function send(page: Page, keys: readonly string[], start: number): Promise<void> {
  lastKeys.set(page, start + (keys.length - 1) * PACE_S);
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  await Promise.all(
    keys.flatMap((key, index) => {
      const timestamp = start + index * PACE_S;
      const stroke = { ...strokeOf(key), timestamp };
      return [
        session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...stroke }),
        session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke, text: '' }),
      ];
    }),
  );
}

function strokeOf(key: string) {
  if (key === FNC1) return { key: ']', code: 'BracketRight', modifiers: CTRL };
  if (key === 'Enter') return { key, code: key, windowsVirtualKeyCode: 13, text: '\r' };
  return { key, text: key, unmodifiedText: key };
}

/** What a person does: slower than any scanner. */
export async function typeSlowly(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text, { delay: 60 });
}

const MOST_OPTIONS = 12;

/**
 * Chooses of the list that is open: arrow down to the option, Enter once it is the one. A key more is pressed only after
 * the page has shown what the last one did, so that a slow machine chooses the same.
 */
export async function pickOption(page: Page, option: string | RegExp): Promise<void> {
  const wanted = page.getByRole('option', { name: option });
  const marked = page.locator('[role=option][data-combobox-selected]');
  await wanted.first().waitFor();
  const isThere = async () => (await marked.and(wanted).count()) > 0;
  for (let step = 0; step < MOST_OPTIONS && !(await isThere()); step += 1) {
    const before = await marked.allTextContents();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => marked.allTextContents()).not.toEqual(before);
  }
  expect(await isThere()).toBe(true);
  await page.keyboard.press('Enter');
}

const MOST_STOPS = 150;

/**
 * Goes to a control by Tab alone, as a person does who has no mouse, and fails when Tab does not come there.
 * @returns how many times Tab was pressed
 */
export async function tabTo(page: Page, control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<number> {
  await control.waitFor();
  let found = await control.elementHandle();
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    // It is looked for by its name again only where another has been drawn in its place: that reads the whole page.
    if (!(await found?.evaluate(element => element.isConnected))) found = await control.elementHandle();
    if (await found?.evaluate(element => element === document.activeElement)) return stop;
    await page.keyboard.press(key);
  }
  const where = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
  throw new Error(`${key} does not come to ${control}; it is at ${where}`);
}
