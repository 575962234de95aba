import { readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { environmentOf, holdpoint } from '../../server/transfer/holdpoint.ts';
import { isObject } from '../../support/expect-shape.ts';
import { type Answer, Station } from '../../support/station.ts';

/** A record that was answered 2xx. */
interface Given {
  id: number;
  items: number[];
  number: string;
}

/** The whole way: back up under load, go on, lose, restore, verify, go on. Real processes, the real command line. */
describe('the drill', () => {
  const station = new Station();
  beforeAll(() => station.start());
  afterAll(async () => {
    await station.stop();
  });
  const run = (...words: string[]) => holdpoint(environmentOf(station), ...words);

  it('brings back what the backup has, and gives no id and no number twice', async () => {
    const part = dataOf(await station.post('/parts', { name: 'Jar', unit_of_measure: 'units' })).id;
    const before: Given[] = [];
    const load = new AbortController();
    const writers = [1, 2, 3].map(() => writeUntil(load.signal, station, Number(part), before));
    await expect.poll(() => before.length).toBeGreaterThan(30);

    const second = temporaryFolder();
    const answered = before.length;
    const backup = await run('backup', '--to', second);
    expect(backup.output).toMatch(/ records and \d+ commits, .*, verified, in /);
    expect(backup.code).toBe(0);
    const [name = ''] = readdirSync(second);
    expect(name).toMatch(/^holdpoint-\d{8}T\d{9}Z\.db$/);
    const during = await run('verify');
    expect(during.output).toMatch(
      /^Nothing is wrong with .*holdpoint\.db: \d+ commits in 1 chain and \d+ records/m,
    );
    await expect.poll(() => before.length).toBeGreaterThan(answered + 20);
    load.abort();
    await Promise.all(writers);

    const refused = await run('restore', join(second, name));
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('is in use by another')]);
    await station.kill();
    const restored = await run('restore', join(second, name));
    expect(restored.output).toMatch(/It has \d+ commits that the backup lacks, the newest of \d{4}-/);
    expect(restored.output).toMatch(/of block 1, which was never used here/);
    expect(restored.code).toBe(0);
    const verified = await run('verify');
    expect([verified.code, verified.output]).toEqual([0, expect.stringContaining('Nothing is wrong')]);

    await station.start();
    const kept = await everyOrder(station);
    // What was answered before the backup began is in it.
    for (const { id, number } of before.slice(0, answered)) expect(kept.get(id)).toBe(number);
    expect(kept.size).toBeLessThan(before.length);
    const after: Given[] = [];
    for (let turn = 0; turn < 20; turn += 1) await write(station, Number(part), after);
    for (const facet of [
      (given: Given) => [given.id],
      (given: Given) => given.items,
      (given: Given) => [given.number],
    ]) {
      const given = [...before, ...after].flatMap<number | string>(facet);
      expect(new Set(given).size).toBe(given.length);
    }
    const final = await run('verify');
    expect([final.code, final.output]).toEqual([0, expect.stringMatching(/in 2 chains/)]);
  });

  it('tells the state of the backups, with the warning until there is a second place', async () => {
    const state = dataOf(await station.get('/x/backups'));
    expect(state).toMatchObject({
      folder: join(station.folder, 'backups'),
      keep: 14,
      last_at: null,
      age_seconds: null,
      backups: [],
      warning: expect.stringContaining('Name a folder on another disk or machine'),
    });
    await expect.poll(() => station.output).toContain('Name a folder on another disk or machine');
    const relative = await station.put('/x/settings', { backup_folder: 'here' });
    expect(relative.status).toBe(422);
    const second = temporaryFolder();
    await station.put('/x/settings', { backup_folder: second, backup_keep: 2 });
    for (let turn = 0; turn < 3; turn += 1) {
      const made = await station.post('/x/backups');
      expect(made.status).toBe(201);
      expect(dataOf(made)).toMatchObject({ verified: true, file: expect.stringContaining(second) });
    }
    const now = dataOf(await station.get('/x/backups'));
    expect(now).toMatchObject({ folder: second, keep: 2, warning: null });
    expect(now.backups).toHaveLength(2);
    expect(Number(now.age_seconds)).toBeLessThan(600);
    await station.put('/x/settings', { backup_folder: null });
  });

  it('backs up without a server, and verify ends with 1 and the remedy on a file that somebody changed', async () => {
    await station.kill();
    const folder = temporaryFolder();
    const backup = await run('backup', '--to', folder);
    expect(backup.code, backup.output).toBe(0);
    const [name = ''] = readdirSync(folder);
    const file = join(folder, name);
    expect((await run('verify', file)).code).toBe(0);
    const shell = new DatabaseSync(file);
    shell.exec("UPDATE bucket SET n = n + 1; DELETE FROM allocation WHERE counter = 'order'");
    shell.close();
    const { code, stdout } = await run('verify', file);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^1\. The count of records is \d+, not \d+\.\n {3}bucket of .*\n {3}.*holdpoint rebuild/,
    );
    expect(stdout).toMatch(/\n\d+ things are wrong with .*\.db: .* read in [\d.]+ s\.\n$/);
    rmSync(file);
    expect(await run('verify', file)).toMatchObject({
      code: 1,
      output: `holdpoint: There is no database ${file}.\n`,
    });
    await station.start();
  });
});

describe('a server on a store that lost its end', () => {
  const station = new Station();
  beforeAll(() => station.start());
  afterAll(async () => {
    await station.stop();
  });

  it('reads, refuses writes with the way out, says so in its log, and is well after the way out', async () => {
    for (let turn = 0; turn < 5; turn += 1) await station.post('/suppliers', { name: `S${turn}` });
    await station.kill();
    const log = join(station.folder, 'holdpoint.db-wal');
    truncateSync(log, statSync(log).size - 5_000);
    await station.start();
    await expect.poll(() => station.output).toMatch(/History ends at commit 6; commit 7 had been written/);
    expect((await station.get('/status')).status).toBe(200);
    expect(await station.get('/suppliers')).toMatchObject({ status: 200, body: { meta: { total: 4 } } });
    const refused = await station.post('/suppliers', { name: 'S6' });
    expect(refused).toMatchObject({
      status: 503,
      body: {
        code: 'unavailable',
        message: expect.stringMatching(/holdpoint verify.*holdpoint restore/),
      },
    });
    expect((await station.post('/x/backups')).status).toBe(409);
    await station.kill();
    const env = environmentOf(station);
    const verified = await holdpoint(env, 'verify');
    expect([verified.code, verified.stdout]).toEqual([
      1,
      expect.stringMatching(/^1\. History ends at commit 6; commit 7 had been written/),
    ]);
    const restored = await holdpoint(env, 'restore', join(station.folder, 'holdpoint.db'));
    expect(restored.code, restored.output).toBe(0);
    await station.start();
    expect((await station.post('/suppliers', { name: 'S6' })).status).toBe(201);
    expect((await holdpoint(env, 'verify')).code).toBe(0);
  });
});

async function writeUntil(signal: AbortSignal, station: Station, part: number, log: Given[]): Promise<void> {
  // Paced, so that a slow machine has no more to back up and verify than a fast one.
  while (!signal.aborted) {
    await write(station, part, log);
    await sleep(20);
  }
}

async function write(station: Station, part: number, log: Given[]): Promise<void> {
  const order = await station.post('/orders', {
    items: [{ part_id: part, quantity: 1, serial_number: 'L' }],
  });
  const { id, items, order_number } = dataOf(order);
  const given = Array.isArray(items) ? items.map(item => Number(isObject(item) ? item.id : undefined)) : [];
  log.push({ id: Number(id), items: given, number: String(order_number) });
}

async function everyOrder(station: Station): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (let page = 1; ; page += 1) {
    const { body } = await station.get('/orders', { per_page: 500, page });
    const rows = isObject(body) && Array.isArray(body.data) ? body.data : [];
    for (const row of rows) found.set(Number(row.id), String(row.order_number));
    if (rows.length < 500) return found;
  }
}

function dataOf({ body }: Answer): Record<string, unknown> {
  const data = isObject(body) ? body.data : undefined;
  if (!isObject(data)) throw new Error(JSON.stringify(body));
  return data;
}
