import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../../support/station.ts';
import { dataOf } from '../identity/browser.ts';
import { ClockedStation } from '../identity/clocked-station.ts';

/** Pages of changes are shared while nothing is written, whatever the day: `server/http/shared-pages.ts`. */
const at = new ClockedStation();
beforeAll(() => at.start());
afterAll(() => at.end());

interface Page {
  data: { family: string; record: object | null }[];
  meta: { cursor: string; is_more: boolean };
}

const pageOf = ({ body }: Answer) => body as Page;

/** All that has changed. */
async function changesUpTo(): Promise<Page['data']> {
  const all: Page['data'] = [];
  for (let since = '0'; ; ) {
    const { data, meta } = pageOf(await at.call('GET', `/x/changes?since=${since}&limit=500`));
    all.push(...data);
    if (!meta.is_more) return all;
    since = meta.cursor;
  }
}

it('no answer of one record follows from the calendar alone', async () => {
  expect((await at.call('POST', '/x/sample-company')).status).toBe(201);
  while (dataOf<{ state: string }>(await at.call('GET', '/x/sample-company')).state === 'running')
    await sleep(50);
  const before = await changesUpTo();
  expect(new Set(before.map(({ family }) => family)).size).toBeGreaterThan(20);
  at.wait(400 * 24 * 60);
  // Another state, in which everything is worked out anew.
  await at.call('POST', '/suppliers', { name: 'Later' });
  const after = await changesUpTo();
  expect(after.slice(0, before.length)).toEqual(before);
});
