import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../server/store/sqlite/temporary-folder.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import type { Station } from '../../../support/station.ts';
import {
  dataOf,
  faultsOf,
  startCentral,
  startStation,
  supplierAt,
  syncOf,
  until,
  untilInStep,
} from './installation.ts';

let central: Station;
let dock: Station;
let lab: Station;
beforeAll(async () => {
  central = await startCentral();
  dock = await startStation(central, 'Dock');
  lab = await startStation(central, 'Lab');
});
afterAll(async () => {
  await Promise.all([dock, lab].map(each => each?.stop()));
  await central?.stop();
});

const namesAt = async (at: Station) =>
  dataOf<{ name: string }[]>(await at.get('/suppliers', { per_page: '100' }))
    .map(({ name }) => name)
    .sort();

it('a central whose machine is set back works on, and gets back beside that what it had lost', async () => {
  await supplierAt(central, 'Before');
  await untilInStep(central, [dock, lab]);
  await central.kill();
  const image = join(temporaryFolder(), 'image');
  cpSync(central.folder, image, { recursive: true });
  await central.start();
  const lost = await supplierAt(central, 'Lost at central');
  await supplierAt(dock, 'Lost from the dock');
  await untilInStep(central, [dock, lab]);
  await Promise.all([central, dock, lab].map(each => each.kill()));

  rmSync(central.folder, { recursive: true });
  cpSync(image, central.folder, { recursive: true });
  await central.start();
  // It does not know, and gives the id and the place in its chain again.
  expect(await supplierAt(central, 'Written since')).toBe(lost);
  await Promise.all([dock.start(), lab.start()]);
  const said = await until(
    'noticed',
    () => syncOf(central),
    ({ put_back: noticed }) => (noticed?.returned ?? 0) >= 2,
  );
  expect(said.put_back?.noticed_at).toMatch(/^2\d{3}-/);
  await untilInStep(central, [dock, lab]);
  for (const each of [central, dock, lab]) {
    expect(await namesAt(each)).toEqual(['Before', 'Lost at central', 'Lost from the dock', 'Written since']);
    expect(await faultsOf(each)).toEqual([]);
  }
  for (const each of [dock, lab])
    expect(await holdpoint(environmentOf(each), 'verify', '--central')).toMatchObject({ code: 0 });
});
