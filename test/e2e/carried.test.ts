import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newCode } from '../server/enrolment/enrolled.ts';
import { Station } from '../support/station.ts';
import { FaultProxy } from '../system/sync/kit/fault-proxy.ts';
import { assigned, dataOf, supplierAt, untilInStep } from '../system/sync/processes/installation.ts';
import { ADMINISTRATOR, openWindow } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { closeWindows, openBrowser } from './support/browser.ts';
import { goTo } from './support/go-to.ts';

let central: Station;
let centralFolder: string;
let dock: Station;
/** The only line between the two: cut once the dock is enrolled. */
let line: FaultProxy;
let stick: string;
const faults: string[] = [];

beforeAll(async () => {
  centralFolder = mkdtempSync(join(tmpdir(), 'holdpoint-carried-'));
  central = new Station({ role: 'central', folder: centralFolder });
  dock = new Station();
  for (const each of [central, dock]) await each.start();
  line = await FaultProxy.open({ target: central.origin, seed: 1 });
  const { id } = dataOf<{ id: number }>(
    await central.post('/x/users', {
      is_password_temporary: false,
      ...ADMINISTRATOR,
      roles: ['administrator'],
    }),
  );
  const code = await newCode(central, 'Dock');
  dataOf(await dock.post('/x/sync/enrol', { address: line.origin, code }));
  await untilInStep(central, [dock]);
  // Who signs in for the first time while there is no line is assigned before.
  await assigned(central, dock, [id]);
  line.stop();
  stick = mkdtempSync(join(tmpdir(), 'holdpoint-stick-'));
});
afterAll(async () => {
  await closeWindows();
  for (const each of [dock, central]) await each?.stop();
  await line?.close();
  for (const folder of [stick, centralFolder]) if (folder) rmSync(folder, { recursive: true });
});

/** Writes a file by the keyboard, and answers where it is. */
async function written(page: Page, button: string): Promise<string> {
  await page.getByRole('button', { name: button }).focus();
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  const file = join(stick, download.suggestedFilename());
  await download.saveAs(file);
  return file;
}

async function readIn(page: Page, button: string, file: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).press('Enter'),
  ]);
  await chooser.setFiles(file);
}

/** The installation's key is lost with its disk: it makes another one. */
async function withAnotherKey(machine: Station): Promise<string> {
  await machine.stop();
  rmSync(join(machine.folder, 'authority.key'));
  await machine.start();
  return dataOf<{ key: string }>(await machine.get('/x/authority')).key;
}

it('a stick goes to central and back by the screens, in English at the dock and in German at central', async () => {
  const there = await supplierAt(dock, 'Of the dock');
  const back = await supplierAt(central, 'Of central');
  const browser = await openBrowser();
  const atDock = await openWindow(browser, dock.origin, faults, { language: 'en' });
  const atCentral = await openWindow(browser, central.origin, faults, { language: 'de' });
  await goTo(atDock, '/app/sync');
  await goTo(atCentral, '/app/sync');

  const up = await written(atDock, 'Write a file: Central');
  // Of its own it says where it belongs.
  await readIn(atDock, 'Read in a file', up);
  await atDock.getByText('This station wrote it. Read it in at central.').waitFor();
  await readIn(atCentral, 'Datei einlesen', up);
  await atCentral
    // The supplier, and that somebody signed in.
    .getByText(/^\d neue Änderungen wurden aus der Datei von Dock vom .* übernommen\.$/)
    .waitFor();
  expect(await axeFindings(atCentral)).toEqual([]);
  const down = await written(atCentral, 'Datei schreiben: Dock');
  await readIn(atCentral, 'Datei einlesen', down);
  await atCentral
    .getByText(/^Diese Datei kann nicht eingelesen werden\. Die Zentrale hat sie für eine Station/)
    .waitFor();
  await readIn(atDock, 'Read in a file', down);
  await atDock.getByText(/new changes? (was|were) taken from the file of Central/).waitFor();
  expect(await axeFindings(atDock)).toEqual([]);
  for (const each of [central, dock]) {
    expect(dataOf(await each.get(`/suppliers/${there}`))).toMatchObject({ name: 'Of the dock' });
    expect(dataOf(await each.get(`/suppliers/${back}`))).toMatchObject({ name: 'Of central' });
  }

  await line.close();
  const key = await withAnotherKey(central);
  const after = await supplierAt(central, 'Of the key after');
  const again = await openWindow(browser, central.origin, faults, { language: 'de' });
  await goTo(again, '/app/sync');
  const next = await written(again, 'Datei schreiben: Dock');
  await readIn(atDock, 'Read in a file', next);
  await atDock.getByText(/signed with another key than central had: SHA-256/).waitFor();
  expect(await axeFindings(atDock)).toEqual([]);
  const field = atDock.getByLabel('Key that they named (SHA-256)');
  await field.fill('a'.repeat(64));
  await field.press('Enter');
  await atDock.getByText(/signed with another key than central had: SHA-256/).waitFor();
  await field.fill(key.replace(/(.{8})/g, '$1 '));
  await field.press('Enter');
  await atDock.getByText(/new changes? (was|were) taken from the file of Central/).waitFor();
  expect(dataOf(await dock.get(`/suppliers/${after}`))).toMatchObject({ name: 'Of the key after' });
  // What the browser says of the files that were refused, as it should.
  expect(faults.filter(fault => !/422|409/.test(fault))).toEqual([]);
});
