import type { Locator, Page } from 'playwright-core';

/** Opens a menu by keyboard and waits until it has taken the focus: an item that is focused before that loses it again. */
export async function openMenu(button: Locator): Promise<void> {
  await button.press('Enter');
  await button.page().getByRole('menu').locator(':focus').waitFor({ state: 'attached' });
}

/** By keyboard. */
export async function chooseInMenu(page: Page, button: string | RegExp, item: string): Promise<void> {
  await openMenu(page.getByRole('button', { name: button }));
  await page.getByRole('menuitem', { name: item }).press('Enter');
}
