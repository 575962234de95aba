import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importFiles } from '../server/transfer/importing.ts';
import type { Station } from '../support/station.ts';
import { dataOf, startCentral, startStation, untilInStep } from '../system/sync/processes/installation.ts';
import { ADMINISTRATOR, openWindow } from './support/app.ts';
import { axeFindings } from './support/axe.ts';
import { closeWindows, openBrowser } from './support/browser.ts';
import { goTo } from './support/go-to.ts';

let central: Station;
let dock: Station;
let office: Station;
let browser: Browser;
const faults: string[] = [];
const DIFFERS = 'Positionen dieser Sendung wurden anderswo geändert';
const at = { part: 0, shipment: 0, line: 0 };

/** A shipment of 50 that the dock closed while central was away; the office made 57 of it, and added 7. */
beforeAll(async () => {
  central = await startCentral();
  dock = await startStation(central, 'Dock');
  office = await startStation(central, 'Office');
  dataOf(
    await central.post('/x/users', {
      is_password_temporary: false,
      ...ADMINISTRATOR,
      roles: ['administrator'],
    }),
  );
  const made = async (path: string, body: object) => dataOf<{ id: number }>(await dock.post(path, body)).id;
  at.part = await made('/parts', { name: 'Jar', unit_of_measure: 'units' });
  const part_id = at.part;
  const lot = { part_id, quantity_accepted: 100, serial_number: 'L' };
  await made('/receiving-inspections', { items: [lot] });
  at.shipment = await made('/shipments', { shipment_number: 'SH-1' });
  const items = `/shipments/${at.shipment}/items`;
  at.line = await made(items, { part_id, quantity: 50 });
  await untilInStep(central, [dock, office]);
  await central.kill();
  dataOf(
    await dock.put(`/shipments/${at.shipment}`, { actual_ship_date: new Date().toISOString().slice(0, 10) }),
  );
  dataOf(await office.put(`${items}/${at.line}`, { part_id, quantity: 57, reason: 'By phone.' }));
  dataOf(await office.post(items, { part_id, quantity: 7 }));
  await central.start();
  await untilInStep(central, [dock, office]);
  browser = await openBrowser();
});
afterAll(async () => {
  await closeWindows();
  for (const each of [dock, office, central]) await each?.stop();
});

const opened = (station: Station, language: 'en' | 'de') =>
  openWindow(browser, station.origin, faults, { language, user: ADMINISTRATOR });

it('shows a shipment whose lines say something else than was taken; no door changes them to anything but that', async () => {
  const { kind, total } =
    dataOf<{ kind: string; total: number }[]>(await office.get('/x/attention')).find(
      each => each.kind === 'shipments_differ',
    ) ?? {};
  expect([kind, total]).toEqual(['shipments_differ', 1]);
  const item = `/shipments/${at.shipment}/items/${at.line}`;
  const record = `/shipments/${at.shipment}`;
  const put = { quantity: 50 };
  for (const refused of [
    await office.put(item, { quantity: 51, reason: 'So it was.' }),
    await office.patch(record, { items: [{ id: at.line, quantity: 51 }], reason: 'So it was.' }),
    await office.post(`${record}/items`, { part_id: at.part, quantity: 0 }),
  ]) {
    expect(refused.status, JSON.stringify(refused.body)).toBe(409);
    expect(JSON.stringify(refused.body)).toContain('The shipment is closed');
  }
  for (const refused of [
    await office.put(item, put),
    await office.patch(record, { items: [{ id: at.line, ...put }] }),
  ]) {
    expect(refused.status, JSON.stringify(refused.body)).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('reason');
  }
  // Tokens of a station import nothing.
  const exported = await central.get('/x/exports/shipment');
  const mapping = {
    source: exported.headers.get('holdpoint-station') ?? '',
    steps: [{ format: 'holdpoint', file: 's.jsonl', family: 'shipment' }],
  };
  const text = typeof exported.body === 'string' ? exported.body : `${JSON.stringify(exported.body)}\n`;
  expect(text).toContain('"quantity":57');
  const job = await importFiles(central, mapping, {
    's.jsonl': text.replace('"quantity":57', '"quantity":51'),
  });
  expect(job.bad_rows).toMatchObject([{ message: expect.stringContaining('The shipment is closed') }]);
});

it('is found from the page of conflicts, and put back line by line with a reason', async () => {
  const german = await opened(dock, 'de');
  await goTo(german, '/app/conflicts');
  await german.getByRole('heading', { name: 'Anders versandt, als ihre Positionen sagen' }).waitFor();
  await german.getByRole('link', { name: 'SH-1' }).click();
  await german.getByRole('alert', { name: DIFFERS }).waitFor();
  await german.getByText('Für diese Position wurde nichts entnommen.').waitFor();
  expect(await axeFindings(german)).toEqual([]);

  const page = await opened(office, 'en');
  await goTo(page, `/app/shipping/${at.shipment}`);
  await page.getByText('Taken for this line: 50 EA of Jar').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  for (let left = 2; left > 0; left--) {
    const ways = page.getByRole('button', { name: 'Put the line back to what was taken' });
    await expect.poll(() => ways.count()).toBe(left);
    await ways.first().click();
    await page.getByRole('textbox', { name: 'Reason' }).fill('It went as it was.');
    await page.getByRole('textbox', { name: 'Reason' }).press('Enter');
  }
  await page.getByRole('alert', { name: 'Lines of this shipment' }).waitFor({ state: 'detached' });
  await untilInStep(central, [dock, office]);
  await german.getByRole('alert', { name: DIFFERS }).waitFor({ state: 'detached' });
  const { data } = Object(await central.get('/x/attention').then(({ body }) => body));
  expect(data).toContainEqual(expect.objectContaining({ kind: 'shipments_differ', total: 0 }));
  expect(faults).toEqual([]);
});
