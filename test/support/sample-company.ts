import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillSampleCompany, type SampleCompany } from '../../server/demo/fill-sample-company.ts';
import { createClient } from '../../shared/operations/client.ts';
import { Station } from './station.ts';

const VARIABLE = 'HOLDPOINT_TEST_SAMPLE_COMPANY';

export interface FilledFolder {
  /** A data folder that no server uses; whoever asked for it removes it. */
  folder: string;
  counts: SampleCompany['counts'];
}

/** A data folder with the sample company in it: a copy of the one that is filled once for all tests of a run. */
export async function filledFolder(): Promise<FilledFolder> {
  const { folder, noted } = await commonFolder('company', async station => {
    const today = new Date().toISOString().slice(0, 10);
    const client = createClient({ baseUrl: station.origin, token: station.token });
    return (await fillSampleCompany(client, { today })).counts;
  });
  return { folder, counts: noted };
}

/**
 * A copy of the data folder of this name, which is filled once for all tests of a run, with what the filling noted. Whoever
 * asked for it removes it.
 * @param fill answers what JSON can hold
 */
export async function commonFolder<Noted>(
  name: string,
  fill: (station: Station) => Promise<Noted>,
): Promise<{ folder: string; noted: Noted }> {
  const common = process.env[VARIABLE];
  const shared = common ?? (await mkdtemp(join(tmpdir(), 'holdpoint-sample-')));
  try {
    const place = join(shared, name);
    await fillOnce(place, fill);
    const folder = await mkdtemp(join(tmpdir(), 'holdpoint-test-'));
    await cp(join(place, 'data'), folder, { recursive: true });
    const noted = JSON.parse(await readFile(join(place, 'noted.json'), 'utf8')) as Noted;
    return { folder, noted };
  } finally {
    if (common === undefined) await rm(shared, { recursive: true });
  }
}

/** Before all tests, once for all tiers: where the common one will be. After all tests it goes. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[VARIABLE] !== undefined) return undefined;
  const shared = await mkdtemp(join(tmpdir(), 'holdpoint-sample-'));
  process.env[VARIABLE] = shared;
  return () => rm(shared, { recursive: true, force: true });
}

type Fill = (station: Station) => Promise<unknown>;

/** By the first that needs it; others that need it meanwhile wait. */
async function fillOnce(place: string, fill: Fill): Promise<void> {
  const [ready, lock] = [join(place, 'data'), join(place, 'lock')];
  await mkdir(place, { recursive: true });
  while (!existsSync(ready)) {
    try {
      await mkdir(lock);
    } catch {
      // Another worker fills it; when it fails there, it is tried here.
      await sleep(100);
      continue;
    }
    try {
      if (!existsSync(ready)) await fillFolder(place, ready, fill);
    } finally {
      await rmdir(lock);
    }
  }
}

async function fillFolder(place: string, ready: string, fill: Fill): Promise<void> {
  const folder = await mkdtemp(join(place, 'filling-'));
  const station = new Station({ folder, isWithoutJournal: true });
  await station.start();
  try {
    await writeFile(join(place, 'noted.json'), JSON.stringify(await fill(station)));
  } finally {
    await station.stop();
  }
  await rename(folder, ready);
}
