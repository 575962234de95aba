import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { siteSettings } from '../../../server/rules/site.ts';
import { machineSettings } from '../../../server/store/machine-settings.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import { families } from '../../../shared/families/registry.ts';
import { dataOf, errorOf } from '../identity/browser.ts';
import { ClockedStation } from '../identity/clocked-station.ts';
import { temporaryStore } from './temporary-store.ts';

let at: ClockedStation;
beforeEach(() => {
  at = new ClockedStation();
});
afterEach(() => at.end());

const historyOf = () =>
  at.station.store.database.reader.all("SELECT 1 FROM history WHERE entries LIKE '%setting:1%'").length;

it('what belongs to the machine is kept there, and is no commit', async () => {
  await at.start();
  const change = { backup_folder: '/mnt/usb', backup_keep: 3 };
  expect(dataOf(await at.call('PUT', '/x/settings', change))).toMatchObject({ ...change, time_zone: 'UTC' });
  expect(historyOf()).toBe(0);
  dataOf(await at.call('PUT', '/x/settings', { time_zone: 'Europe/Berlin', backup_keep: null }));
  expect(historyOf()).toBe(1);
  expect(at.station.store.records.get('setting', 1)?.fields).toEqual({ time_zone: 'Europe/Berlin' });
  await at.stop();
  await at.start();
  const read = dataOf(await at.call('GET', '/x/settings'));
  expect(read).toMatchObject({ time_zone: 'Europe/Berlin', backup_folder: '/mnt/usb', backup_keep: 14 });
  // Read and sent back, it changes nothing.
  expect(dataOf(await at.call('PUT', '/x/settings', read))).toEqual(read);
  expect(historyOf()).toBe(1);

  const refused = errorOf(await at.call('PUT', '/x/settings', { backup_folder: 'usb', backup_keep: 5 }));
  expect(refused).toMatchObject({ status: 422, fields: ['backup_folder'] });
  expect(dataOf(await at.call('GET', '/x/settings'))).toEqual(read);
});

it('what an earlier version kept in the record becomes the own setting of the machine', async () => {
  const { folder } = at;
  const store = await temporaryStore({ folder });
  const fields = { time_zone: 'Europe/Berlin', backup_folder: '/mnt/old', backup_keep: 30 };
  await store.gate.commit({
    actor: { rights: BY_SERVER, user: 'tester' },
    reason: null,
    work: work => work.set(families.setting, 1, fields),
    answer: () => undefined,
  });
  await store.close();
  const database = new DatabaseSync(`${folder}/holdpoint.db`, { defensive: false });
  database.exec('PRAGMA user_version = 1');
  database.close();

  const opened = await temporaryStore({ folder });
  expect(machineSettings(opened.database.reader)).toMatchObject({
    backup_folder: '/mnt/old',
    backup_keep: 30,
  });
  expect(opened.records.get('setting', 1)?.fields).toEqual(fields);
  expect(siteSettings(opened.records)).not.toHaveProperty('backup_folder');
  await opened.close();
  rmSync(folder, { recursive: true });
});
