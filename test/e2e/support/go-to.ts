import type { Page } from 'playwright-core';

const BETWEEN = '/app/between-two-pages';

/**
 * Goes to an address within the page that is open already, as its links do: nothing is loaded and started anew, which takes
 * most of the time of a visit.
 * @param path from `/app` on, with its query
 */
export async function goTo(page: Page, path: string): Promise<void> {
  // Between two pages stands one that both differ from, or the old one would be taken for the new.
  await push(page, BETWEEN);
  await page.locator('main').getByText(BETWEEN).waitFor();
  await push(page, path);
  await page.locator('main').getByText(BETWEEN).waitFor({ state: 'detached' });
}

async function push(page: Page, path: string): Promise<void> {
  await page.evaluate(to => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}
