import type { Page } from 'playwright-core';
import { goTo } from '../e2e/support/go-to.ts';
import { seenBy, type Taken, workOf } from './painted.ts';

/**
 * Milliseconds from the way to a page, as a link leads there, to the paint of what it is opened for. It is opened from
 * another page of the same window each time, and read from the server anew.
 * @param shows a selector of what must be there, and of how many of them
 */
export async function timeOpenings(
  page: Page,
  { path, shows, openings }: { path: string; shows: [selector: string, count: number]; openings: number },
): Promise<Taken[]> {
  const work = await workOf(page);
  const times: Taken[] = [];
  for (let opening = 0; opening < openings; opening += 1) {
    // A page that was loaded anew has nothing kept of the last opening.
    await page.reload();
    await goTo(page, '/app/records');
    const before = await work();
    const watch = await page.evaluateHandle(
      ([to, [selector, count]]) => {
        const begun = performance.now();
        history.pushState(null, '', to);
        dispatchEvent(new PopStateEvent('popstate'));
        const isShown = () => document.querySelectorAll(selector).length >= count;
        return { seen: window.paintedOnce(isShown).then(painted => painted - begun) };
      },
      [path, shows] as const,
    );
    const ms = await seenBy(watch);
    times.push({ ms, work: (await work()) - before });
  }
  return times;
}
