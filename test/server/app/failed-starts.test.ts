import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { failedStarts } from '../../../server/app/failed-starts.ts';
import { Station } from '../../support/station.ts';

it('a start that comes to nothing is noted, and one that succeeds is not', async () => {
  const station = new Station();
  onTestFinished(() => station.stop());
  await station.start();
  expect(failedStarts(station.folder)).toEqual([]);
  await station.kill();
  const [file, elsewhere] = ['holdpoint.db', 'elsewhere.db'].map(name => join(station.folder, name)) as [
    string,
    string,
  ];
  renameSync(file, elsewhere);
  await expect(station.start()).rejects.toThrow(/cannot start/);
  renameSync(elsewhere, file);
  await station.start();
  expect(failedStarts(station.folder)).toHaveLength(1);
  // Another server in the folder is no fault of this machine.
  const second = new Station({ folder: station.folder });
  onTestFinished(() => second.stop());
  await expect(second.start()).rejects.toThrow(/in use/);
  expect(failedStarts(station.folder)).toHaveLength(1);
});
