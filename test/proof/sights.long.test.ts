import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { launchOnChromium } from '../electron/desktop-app.ts';
import { type Seen, SIGHTS } from './sights.ts';

/** The sights themselves, on the stand-in: what they look for is there, and they find that it is not. */
let folder: string;
let desktop: Awaited<ReturnType<typeof launchOnChromium>>;
let seen: Seen;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-sights-'));
  desktop = await launchOnChromium(folder);
  seen = {
    page: async () => desktop.page,
    nextWindow: desktop.nextWindow,
    endPage: async () => desktop.standIn.crash(),
    memory: () => 0,
    folder,
    env: {},
  };
});
afterEach(async () => {
  await desktop?.close();
  await rm(folder, { recursive: true, force: true });
});

it('are of the first sign-in', async () => {
  await SIGHTS['first-sign-in'](seen);
  expect(await sizeOf('first-sign-in')).toBeGreaterThan(1_000);
});

it('are of a paper, where the browser shows any', async ({ skip }) => {
  // A headless shell has no viewer, and saves the document in its place.
  skip(!(await desktop.page.evaluate(() => navigator.pdfViewerEnabled)), 'This browser shows no PDF.');
  await SIGHTS.paper(seen);
  expect(await sizeOf('paper')).toBeGreaterThan(1_000);
});

it('are of labels that come out, and of one that does not', async () => {
  await SIGHTS.label({ ...seen, env: { HOLDPOINT_PROOF_PRINTER: 'zebra' } });
  await expect(SIGHTS.label({ ...seen, env: { HOLDPOINT_PROOF_PRINTER: 'jammed' } })).rejects.toThrow(
    'Label',
  );
});

it('are of a large import, by the memory that it takes', async () => {
  const env = { HOLDPOINT_PROOF_MEGABYTES: '8' };
  await SIGHTS['large-import']({ ...seen, env });
  let memory = 0;
  const grows = () => (memory += 8 * 2 ** 20);
  await expect(SIGHTS['large-import']({ ...seen, env, memory: grows })).rejects.toThrow('MB over 8 MB');
});

it('are of what the updater says in the end', async () => {
  await SIGHTS.update({ ...seen, env: { HOLDPOINT_PROOF_UPDATE: 'off' } });
});

async function sizeOf(picture: string): Promise<number> {
  return (await stat(join(folder, `${picture}.png`))).size;
}
