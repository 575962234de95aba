import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../server/store/sqlite/temporary-folder.ts';
import { Station } from '../support/station.ts';
import {
  assigned,
  dataOf,
  startCentral,
  startStation,
  supplierAt,
  syncOf,
  until,
  untilInStep,
} from '../system/sync/processes/installation.ts';
import { joinedByRecords } from '../system/sync/processes/joined-by-records.ts';
import { ADMINISTRATOR, openWindow } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { closeWindows, openBrowser } from './support/browser.ts';
import { goTo } from './support/go-to.ts';

let central: Station;
let dock: Station;
let browser: Browser;
let administrator: number;
const faults: string[] = [];

beforeAll(async () => {
  central = await startCentral({ HOLDPOINT_STATION_DAY_MB: '16' });
  dock = await startStation(central, 'Dock');
  administrator = dataOf<{ id: number }>(
    await central.post('/x/users', {
      is_password_temporary: false,
      ...ADMINISTRATOR,
      roles: ['administrator'],
    }),
  ).id;
  await supplierAt(dock, 'Acme');
  await untilInStep(central, [dock]);
  browser = await openBrowser();
});
afterAll(async () => {
  await closeWindows();
  for (const each of [dock, central]) await each?.stop();
});

const opened = (station: Station, language: 'en' | 'de'): Promise<Page> =>
  openWindow(browser, station.origin, faults, { language });

it('an image of central that was put back is told on the page of the exchange, with what to ask', async () => {
  await central.kill();
  const image = join(temporaryFolder(), 'image');
  cpSync(central.folder, image, { recursive: true });
  await central.start();
  await supplierAt(dock, 'Lost at central');
  await untilInStep(central, [dock]);
  await central.kill();
  rmSync(central.folder, { recursive: true });
  cpSync(image, central.folder, { recursive: true });
  await central.start();
  await until(
    'noticed',
    () => syncOf(central),
    ({ put_back: noticed }) => (noticed?.returned ?? 0) >= 1,
  );
  const english = await opened(central, 'en');
  await goTo(english, '/app/sync');
  await english.getByText(/^An earlier copy of this central was put back\. It was noticed on /).waitFor();
  await english.getByText(/had reached no station is lost: ask who worked here\./).waitFor();
  expect(await axeFindings(english)).toEqual([]);
  const german = await opened(central, 'de');
  await goTo(german, '/app/sync');
  await german.getByText(/^Ein früherer Stand dieser Zentrale wurde zurückgespielt\./).waitFor();
  await german.getByText(/ist verloren: Fragen Sie, wer hier gearbeitet hat\./).waitFor();
});

it('a history that is not whole says so on the page of its record, from when on it is, and what to do', async () => {
  const id = await supplierAt(central, 'With a past');
  dataOf(await central.put(`/suppliers/${id}`, { notes: 'Closed in August.' }));
  const far = new Station({ folder: await joinedByRecords(central) });
  try {
    await far.start();
    await untilInStep(central, [far]);
    await assigned(central, far, [administrator]);
    await central.kill();
    const english = await opened(far, 'en');
    await goTo(english, `/app/records/supplier/${id}`);
    await english.getByRole('tab', { name: 'History' }).press('Enter');
    const missing = english.getByRole('alert').filter({ hasText: 'Earlier changes are missing here' });
    await missing.getByText(/Look again when this station is connected\. A file on a stick/).waitFor();
    expect(await axeFindings(english)).toEqual([]);
    await missing.getByRole('button', { name: 'Look again' }).press('Enter');
    await missing.getByText(/could not be reached/).waitFor();
    const german = await opened(far, 'de');
    await goTo(german, `/app/records/supplier/${id}`);
    await german.getByRole('tab', { name: 'Historie' }).press('Enter');
    await german.getByText(/Eine Datei auf einem Stick bringt sie nicht mit/).waitFor();
    await central.start();
    await until(
      'connected',
      () => syncOf(far),
      ({ state }) => state === 'in_step',
    );
    await goTo(english, `/app/records/supplier/${id}`);
    await english.getByRole('tab', { name: 'History' }).press('Enter');
    await english.getByText('Closed in August.').last().waitFor();
    await missing.waitFor({ state: 'detached' });
  } finally {
    await far.stop();
    if ((await central.get('/status').catch(() => undefined)) === undefined) await central.start();
  }
});

it('a station that has used up its share is told until when it waits, and central which one waits', async () => {
  for (let n = 0; n < 20; n += 1) {
    const parts = Array.from({ length: 100 }, (_, index) => ({
      name: `Part ${n}.${index}`,
      identification: `P-${n}-${index}`,
      batch_ids: [String(index).padEnd(10_000, 'x')],
    }));
    dataOf(await dock.post('/parts/bulk', parts));
  }
  await until(
    'slowed',
    () => syncOf(dock),
    ({ state }) => state === 'slowed',
  );
  const [below, german, above] = [
    await opened(dock, 'en'),
    await opened(dock, 'de'),
    await opened(central, 'en'),
  ];
  for (const page of [below, german, above]) await goTo(page, '/app/sync');
  await below.getByText('Central takes no more of this station for now. Nothing is lost.').waitFor();
  await below.getByText(/^It is sent by itself from .*\d:\d\d.* on\.$/).waitFor();
  await below.getByRole('link', { name: /^Saved here, sending waits/ }).waitFor();
  expect(await axeFindings(below)).toEqual([]);
  await german.getByText(/^Die Zentrale nimmt vorerst nichts mehr von dieser Station an\./).waitFor();
  await german.getByText(/^Gesendet wird von selbst wieder ab /).waitFor();
  await above
    .getByText(/^It has sent as much as central takes from one station in a minute or a day\./)
    .waitFor();
  expect(faults).toEqual([]);
});
