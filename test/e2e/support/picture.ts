import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** What a page shows, for whoever wants to look: `HOLDPOINT_PICTURES` names the folder, and without it nothing is drawn. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.HOLDPOINT_PICTURES;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
