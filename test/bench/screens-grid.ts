import type { Page } from 'playwright-core';
import { seenBy, type Taken } from './painted.ts';

/** A person who types fast. */
const PACE_MS = 40;

/** Milliseconds from each key to the paint of what it changed, in the grid of an inspection: digits, and Enter as each fourth. */
export async function timeKeys(
  page: Page,
  { inspectionAt, keys }: { inspectionAt: string; keys: number },
): Promise<Taken[]> {
  await page.goto(inspectionAt);
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Sample 1, C1');
  const watch = await page.evaluateHandle(expected => {
    const times: number[] = [];
    const seen = new Promise<number[]>(resolve => {
      const listen = (event: KeyboardEvent) => {
        void window.afterPaint().then(painted => {
          if (times.push(painted - event.timeStamp) < expected) return;
          window.removeEventListener('keydown', listen, { capture: true });
          resolve(times);
        });
      };
      window.addEventListener('keydown', listen, { capture: true });
    });
    return { seen };
  }, keys);
  for (let key = 0; key < keys; key += 1)
    await page.keyboard.press(key % 4 === 3 ? 'Enter' : String(key % 10), { delay: PACE_MS });
  return (await seenBy(watch)).map(ms => ({ ms }));
}
