import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { verifyDependencies } from '../../../../server/backup/verify-dependencies.ts';
import { moveInstallation } from '../../../../server/service/move-installation.ts';
import { Station } from '../../../support/station.ts';
import { dataOf, startStation, stationsOf, syncOf, untilInStep } from './installation.ts';

const move = (from: string, to: string) =>
  moveInstallation({ from, to, ...verifyDependencies, clock: () => new Date() });

it('a station of a central that moves to the service of its machine, and back, is the station that it was', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'holdpoint-moved-'));
  onTestFinished(() => rmSync(scratch, { recursive: true }));
  const [own, folder] = [join(scratch, 'person'), join(scratch, 'service')];
  mkdirSync(folder);
  const central = new Station({ role: 'central', folder: join(scratch, 'central') });
  await central.start();
  onTestFinished(() => central.stop());
  const person = await startStation(central, 'Dock', { folder: own });
  onTestFinished(() => person.stop());
  dataOf(await person.post('/suppliers', { name: 'Before' }));
  await untilInStep(central, [person]);
  // What central has not got yet moves along.
  await central.stop();
  dataOf(await person.post('/suppliers', { name: 'While central was away' }));
  await person.stop();

  await move(own, folder);
  await central.start();
  const service = new Station({ folder });
  await service.start();
  onTestFinished(() => service.stop());
  await untilInStep(central, [service]);
  dataOf(await service.post('/suppliers', { name: 'By the service' }));
  await untilInStep(central, [service]);
  await service.stop();

  await move(folder, own);
  await person.start();
  dataOf(await person.post('/suppliers', { name: 'After' }));
  await untilInStep(central, [person]);
  const names = dataOf<{ id: number; name: string }[]>(await central.get('/suppliers')).map(
    ({ name }) => name,
  );
  expect(names).toEqual(['Before', 'While central was away', 'By the service', 'After']);
  // One station, of which one machine calls.
  expect(await stationsOf(central)).toMatchObject([{ name: 'Dock', machines: [] }]);
  expect((await syncOf(person)).doubled).toBeNull();
});
