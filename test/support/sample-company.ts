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
  const common = process.env[VARIABLE];
  const shared = common ?? (await mkdtemp(join(tmpdir(), 'holdpoint-sample-')));
  try {
    await fillOnce(shared);
    const folder = await mkdtemp(join(tmpdir(), 'holdpoint-test-'));
    await cp(join(shared, 'data'), folder, { recursive: true });
    const counts = JSON.parse(await readFile(join(shared, 'counts.json'), 'utf8')) as FilledFolder['counts'];
    return { folder, counts };
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

/** By the first that needs it; others that need it meanwhile wait. */
async function fillOnce(shared: string): Promise<void> {
  const [ready, lock] = [join(shared, 'data'), join(shared, 'lock')];
  while (!existsSync(ready)) {
    try {
      await mkdir(lock);
    } catch {
      // Another worker fills it; when it fails there, it is tried here.
      await sleep(100);
      continue;
    }
    try {
      if (!existsSync(ready)) await fill(shared, ready);
    } finally {
      await rmdir(lock);
    }
  }
}

async function fill(shared: string, ready: string): Promise<void> {
  const folder = await mkdtemp(join(shared, 'filling-'));
  const station = new Station({ folder });
  await station.start();
  try {
    const today = new Date().toISOString().slice(0, 10);
    const client = createClient({ baseUrl: station.origin, token: station.token });
    const { counts } = await fillSampleCompany(client, { today });
    await writeFile(join(shared, 'counts.json'), JSON.stringify(counts));
  } finally {
    await station.stop();
  }
  await rename(folder, ready);
}
