import type { Page } from 'playwright-core';
import { seenBy, type Taken, workOf } from './painted.ts';
import { wordOf } from './sync-record.ts';

const SHOWN = 50;

/**
 * Milliseconds from the end of the list's answer to the paint of its 50 rows, of pages that are turned by keys and of
 * words that are searched, each of which finds 50 parts.
 */
export async function timeLists(
  page: Page,
  origin: string,
  { turns, searches }: { turns: number; searches: number },
): Promise<{ turns: Taken[]; searches: Taken[] }> {
  await page.goto(`${origin}/app/records/part`);
  const rows = page.locator('main tbody tr');
  await rows.nth(SHOWN - 1).waitFor();
  const work = await workOf(page);
  const times = { turns: [] as Taken[], searches: [] as Taken[] };
  await rows.first().focus();
  for (let turn = 0; turn < turns; turn += 1)
    times.turns.push(await timeOfNext(page, work, () => page.keyboard.press('PageDown')));
  const search = page.getByRole('textbox', { name: 'Search' });
  for (let index = 0; index < searches; index += 1)
    times.searches.push(await timeOfNext(page, work, () => search.fill(wordOf(index))));
  return times;
}

async function timeOfNext(page: Page, work: () => Promise<number>, act: () => Promise<void>): Promise<Taken> {
  const watch = await page.evaluateHandle(shown => {
    // All rows: the first may be the same, where what is searched next begins with the row that the page began with.
    const text = () => document.querySelector('main tbody')?.textContent;
    const answers = () =>
      performance
        .getEntriesByType('resource')
        .filter(entry => entry instanceof PerformanceResourceTiming)
        .filter(({ name }) => name.includes('/api/v2/parts?'));
    performance.setResourceTimingBufferSize(10_000);
    const shownBefore = text();
    const before = answers();
    const seen = window
      .paintedOnce(
        () => document.querySelectorAll('main tbody tr').length === shown && text() !== shownBefore,
      )
      .then(painted => {
        // What was asked before may have been asked again, because the stream of events told of a change.
        const answer = answers()
          .slice(before.length)
          .find(({ name }) => name !== before.at(-1)?.name);
        if (!answer) throw new Error('Rows were painted before their answer.');
        return painted - answer.responseEnd;
      });
    return { seen };
  }, SHOWN);
  const before = await work();
  await act();
  const ms = await seenBy(watch);
  return { ms, work: (await work()) - before };
}
