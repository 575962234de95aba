import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { scanAtPace } from '../e2e/support/keys.ts';
import { type Taken, workOf } from './painted.ts';

const FNC1 = '\u001d';
/** Longer than a scan takes: the keys of the next one come after those of this one. */
const BETWEEN_MS = 250;

/**
 * Milliseconds from the last key of a scan, the Enter, at a receipt: to the paint of its entry in the list of scans, and
 * to that of the line which it fills. Each scan is another lot, so that the line before it is saved meanwhile. What the page
 * worked for a line is all that it worked until the next scan: it reads again what is on it.
 * @param lots the beginning of their numbers
 */
export async function timeScans(
  page: Page,
  { receiptAt, gtin, lots, scans }: { receiptAt: string; gtin: string; lots: string; scans: number },
): Promise<{ entries: Taken[]; lines: Taken[] }> {
  await page.goto(receiptAt);
  await page.getByRole('region', { name: 'Last scan' }).waitFor();
  const work = await workOf(page);
  const times = { entries: [] as Taken[], lines: [] as Taken[] };
  for (let index = 0; index < scans; index += 1) {
    const lot = `${lots}-${String(index).padStart(4, '0')}`;
    const watch = await page.evaluateHandle(text => {
      const lastKey = new Promise<number>(resolve => {
        const listen = (event: KeyboardEvent) => {
          if (event.key !== 'Enter') return;
          window.removeEventListener('keydown', listen, { capture: true });
          resolve(event.timeStamp);
        };
        window.addEventListener('keydown', listen, { capture: true });
      });
      const entry = window.paintedOnce(
        () => document.querySelector('[role=log]')?.textContent?.includes(text) === true,
      );
      const line = window.paintedOnce(() =>
        [...document.querySelectorAll('[data-fact=lot] dd')].some(lot => lot.textContent === text),
      );
      return { lastKey, entry, line };
    }, lot);
    const before = await work();
    await scanAtPace(page, `]C101${gtin}17310100${`10${lot}${FNC1}`}30250`);
    const entry = await watch.evaluate(async ({ lastKey, entry }) => (await entry) - (await lastKey));
    times.entries.push({ ms: entry, work: (await work()) - before });
    const line = await watch.evaluate(async ({ lastKey, line }) => (await line) - (await lastKey));
    await watch.dispose();
    await sleep(BETWEEN_MS);
    times.lines.push({ ms: line, work: (await work()) - before });
  }
  return times;
}
