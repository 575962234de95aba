import type { Page } from 'playwright-core';
import type { FamilyName } from '../../../shared/families/registry.ts';
import { createClient } from '../../../shared/operations/client.ts';
import type { Station } from '../../support/station.ts';
import { goTo } from './go-to.ts';

/** Every route of `renderer/app/routes.tsx`; `:family` stands for the newest record of that family. */
export const routes = [
  '',
  'receiving',
  'receiving/:receiving-inspection',
  'stock',
  'stock/:inventory',
  'stock/putaway',
  'counts',
  'counts/:stock-count',
  'shipping',
  'shipping/:shipment',
  'shipping/:shipment/pick',
  'inspection',
  'inspection/sampling',
  'inspection/:inspection',
  'lab',
  'lab/:lab-result',
  'quality',
  'quality?tab=car',
  'ncr/:ncr',
  'recall',
  'recall/inventory/:inventory',
  'recall/part/:part',
  'charts',
  'charts?view=stock',
  'charts?view=ncrs',
  'charts?view=suppliers',
  'conflicts',
  'sync',
  'setup',
  'setup/users',
  'setup/me',
  'setup/tokens',
  'setup/webhooks',
  'setup/site',
  'setup/backup',
  'setup/clock',
  'setup/authority',
  'setup/audit',
  'setup/validation',
  'setup/stations',
  'setup/policy',
  'setup/import',
  'setup/export',
  'records',
  'records/part',
  'records/inventory',
  'records/order/new',
  'records/specification/:specification',
  'records/specification/:specification/edit',
  'records/complaint/:complaint',
  'records/order/:order/edit',
  'records/complaint/:complaint/past',
  'no-such-page',
] as const;

/** Ids of the newest record of each family. */
export type Newest = ReadonlyMap<string, number>;

/** @param families those that have records */
export async function newestOf(station: Station, families: readonly string[]): Promise<Newest> {
  const client = createClient({ baseUrl: station.origin, token: station.token });
  const newest = new Map<string, number>();
  for (const family of families) {
    const { data } = await client.list(family as FamilyName, { per_page: 1, order: 'desc' });
    const [first] = Array.isArray(data) ? data : [data];
    const id = (first as { id?: number | string } | undefined)?.id;
    if (id !== undefined) newest.set(family, Number(id));
  }
  return newest;
}

/** Loads a route, and waits until everything that it asks for has been answered and drawn. */
export async function openRoute(page: Page, origin: string, newest: Newest, route: string): Promise<void> {
  await page.goto(`${origin}/app/${pathOf(newest, route)}`);
  await isDrawn(page);
}

/** The same within the page that is open already. */
export async function goToRoute(page: Page, newest: Newest, route: string): Promise<void> {
  await goTo(page, `/app/${pathOf(newest, route)}`);
  await isDrawn(page);
}

function pathOf(newest: Newest, route: string): string {
  return route.replace(/:([\w-]+)/g, (_, family) => String(newest.get(family)));
}

async function isDrawn(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  // Only the stream of events stays open.
  await page.waitForFunction(
    words => {
      const text = document.body.innerText;
      return !words.some(word => text.includes(word));
    },
    BUSY,
    // Not in every frame: to read a whole page is work of its own.
    { polling: 100 },
  );
}

/** What pages say while they wait for an answer. */
const BUSY = [
  'Reading …',
  'Opening …',
  'Wird gelesen …',
  'Wird geöffnet …',
  'The figures are being worked out',
  'Die Zahlen werden',
];
