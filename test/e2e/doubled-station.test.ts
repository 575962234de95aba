import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newCode } from '../server/enrolment/enrolled.ts';
import { temporaryFolder } from '../server/store/sqlite/temporary-folder.ts';
import { Station } from '../support/station.ts';
import {
  dataOf,
  startCentral,
  startStation,
  supplierAt,
  syncOf,
  until,
  untilInStep,
} from '../system/sync/processes/installation.ts';
import { ADMINISTRATOR, openWindow } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { closeWindows, openBrowser } from './support/browser.ts';
import { goTo } from './support/go-to.ts';

let central: Station;
let dock: Station;
let browser: Browser;
const faults: string[] = [];

beforeAll(async () => {
  central = await startCentral();
  dock = await startStation(central, 'Dock');
  dataOf(
    await central.post('/x/users', {
      is_password_temporary: false,
      ...ADMINISTRATOR,
      roles: ['administrator'],
    }),
  );
  await supplierAt(dock, 'Amber Glass');
  await untilInStep(central, [dock]);
  browser = await openBrowser();
});
afterAll(async () => {
  await closeWindows();
  for (const each of [dock, central]) await each?.stop();
});

/** A machine with a copy of the dock's disk, and what each of them recorded since. */
async function startClone(): Promise<Station> {
  await dock.kill();
  const image = join(temporaryFolder(), 'image');
  cpSync(dock.folder, image, { recursive: true });
  await dock.start();
  await supplierAt(dock, 'Birch Paper');
  await untilInStep(central, [dock]);
  const copied = new Station({ folder: image });
  await copied.start();
  await supplierAt(copied, 'Copper Works');
  return copied;
}

async function syncPage(station: Station, language: 'en' | 'de'): Promise<Page> {
  const page = await openWindow(browser, station.origin, faults, { language });
  await goTo(page, '/app/sync');
  return page;
}

it('tells people at both machines and at central, who choose, and lead the copy to be a station of its own', async () => {
  const clone = await startClone();
  const told = (at: Station) =>
    until(
      'told',
      () => syncOf(at),
      ({ doubled }) => doubled !== null,
    );
  const [ofDock, ofClone] = [(await told(dock)).doubled, (await told(clone)).doubled];
  expect([ofDock?.is_held_off, ofClone?.is_held_off]).toEqual([false, true]);

  const [atDock, atClone, above] = await Promise.all([
    syncPage(dock, 'en'),
    syncPage(clone, 'en'),
    syncPage(central, 'en'),
  ]);
  await atDock.getByText('For now it goes on with this one.').waitFor();
  await atClone.getByText('For now it goes on with the other one').waitFor();
  await atClone.getByText(`Central calls this machine ${ofClone?.machine}.`).waitFor();
  await atClone.getByRole('link', { name: 'Two machines, one station' }).waitFor();
  const german = await syncPage(clone, 'de');
  await german.getByText(`Die Zentrale nennt diesen Rechner ${ofClone?.machine}.`).waitFor();
  await german.getByRole('link', { name: 'Zwei Rechner, eine Station' }).waitFor();

  const table = above.getByRole('table', { name: /More than one machine calls as the station Dock/ });
  await table.getByRole('row', { name: new RegExp(`${ofClone?.machine}.*Held off`) }).waitFor();
  for (const page of [atDock, atClone, above]) expect(await axeFindings(page)).toEqual([]);
  const row = table.getByRole('row', { name: new RegExp(String(ofDock?.machine)) });
  await row.getByRole('button').click();
  await row.getByRole('button', { name: /Yes, the others are held off/ }).click();
  await above.getByText('It is said which one goes on.').waitFor();

  await atClone.getByRole('link', { name: 'Make it a station of its own' }).click();
  await atClone.getByRole('button', { name: 'Make it a station of its own' }).click();
  await atClone.getByText('Numbers on paper stay.').waitFor();
  await expect.poll(() => atClone.getByLabel("Central's address").inputValue()).toBe(central.origin);
  await atClone.getByLabel('Code').fill(await newCode(central, 'Gate'));
  expect(await axeFindings(atClone)).toEqual([]);
  // Central may not know yet that the one that goes on has sent all.
  const done = atClone.getByText('This is the station Gate now');
  await until(
    'let in',
    async () => {
      // Where it is let in by a press before, there is nothing more to press; the session of the former station is locked then.
      const button = atClone.getByRole('button', { name: 'Make it a station of its own' });
      await button.or(done).waitFor();
      if (await done.isVisible()) return true;
      await button.click({ timeout: 5_000 }).catch(() => {});
      return await done
        .waitFor({ timeout: 5_000 })
        .then(() => true)
        .catch(() => false);
    },
    isIn => isIn,
  );
  await untilInStep(central, [dock, clone]);
  await table.waitFor({ state: 'detached' });
  const names = dataOf<{ name: string }[]>(await dock.get('/suppliers')).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['Amber Glass', 'Birch Paper', 'Copper Works']);
  expect(faults).toEqual([]);
  await clone.stop();
}, 300_000);
