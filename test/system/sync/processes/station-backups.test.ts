import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BackupStateAnswer } from '../../../../shared/operations/backup-operations.ts';
import { errorOf, newCode } from '../../../server/enrolment/enrolled.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import { Station } from '../../../support/station.ts';
import {
  dataOf,
  startCentral,
  startStation,
  stationsOf,
  supplierAt,
  until,
  untilInStep,
} from './installation.ts';

const SECRET = 'Wolfram-Zangenwerk';

/** A station's disk is lost; what it sent to its central brings it back on another machine. Real processes and commands. */
describe('backups of a station at central', () => {
  const place = mkdtempSync(join(tmpdir(), 'holdpoint-at-central-'));
  const stick = join(place, 'stick.txt');
  let central: Station;
  let dock: Station;
  let fresh: Station | undefined;
  beforeAll(async () => {
    central = await startCentral();
    dock = await startStation(central, 'Dock');
  });
  afterAll(async () => {
    await fresh?.stop();
    await dock?.stop();
    await central?.stop();
    rmSync(place, { recursive: true, force: true });
  });

  const state = async (station = dock) => dataOf<BackupStateAnswer>(await station.get('/x/backups'));
  const keptAtCentral = async () =>
    (await stationsOf(central)).find(({ name }) => name === 'Dock')?.kept_backup;
  const folders = () => {
    const root = join(central.folder, 'station-backups');
    return existsSync(root) ? readdirSync(root).map(name => join(root, name)) : [];
  };

  it('plain ones never leave the station, and it says why', async () => {
    await supplierAt(dock, SECRET);
    dataOf(await dock.post('/x/backups'));
    expect((await dock.put('/x/settings', { sends_backups: true })).status).toBe(200);
    const { at_central: told, warnings } = await until('told', state, one => one.at_central?.says != null);
    expect(told).toMatchObject({ kept: null, sending: null, is_by_policy: false });
    expect(warnings).toContainEqual(expect.stringContaining('takes encrypted ones only'));
    expect(folders()).toEqual([]);
  });

  it('what is on its way goes on after the death of the station and of central, while records go first', async () => {
    // Random text packs badly: some megabytes.
    for (let nth = 0; nth < 60; nth += 1)
      await dock.post('/suppliers', {
        name: `S ${nth}`,
        notes: randomBytes(24_000).toString('hex').slice(0, 9_000),
      });
    const made = await holdpoint(environmentOf(dock), 'backup-key', '--out', stick);
    expect(made.code, made.output).toBe(0);
    await untilInStep(central, [dock]);
    dataOf(await dock.post('/x/backups'));
    const atCentral = () => folders().flatMap(folder => readdirSync(folder).map(name => join(folder, name)));
    const partAtCentral = () => atCentral().find(name => name.endsWith('.part'));
    const cutOff = async (end: () => Promise<void>) => {
      while (partAtCentral() === undefined && (await keptAtCentral()) === null) await sleep(5);
      await end();
    };
    await cutOff(() => dock.kill());
    const before = partAtCentral();
    expect(before).toBeDefined();
    const had = statSync(String(before)).size;
    await dock.start();
    await cutOff(() => central.kill());
    // Nothing of what had arrived was given up, whether more came meanwhile or all of it.
    const sizes = atCentral().map(name => statSync(name).size);
    expect(Math.max(...sizes)).toBeGreaterThanOrEqual(had);
    await central.start();
    const id = await supplierAt(dock, 'While it is sent');
    await until(
      'there',
      () => central.get(`/suppliers/${id}`),
      ({ status }) => status === 200,
    );
    const kept = await until('kept', keptAtCentral, one => one != null);
    const [newest] = (await state()).backups;
    expect(kept).toEqual({ at: newest?.at, bytes: newest?.bytes, count: 1 });
    const [folder = ''] = folders();
    const [file = ''] = readdirSync(folder);
    const stored = readFileSync(join(folder, file));
    expect(stored.equals(readFileSync(String(newest?.file)))).toBe(true);
    // It is what the station encrypted, and no key to it lies at central.
    expect(stored.includes(SECRET)).toBe(false);
    expect(stored.toString('latin1', 0, 32)).toMatch(/^age-encryption\.org\/v1\n-> X25519/);
    const { at_central: told, warnings } = await until('noted', state, one => one.at_central?.kept !== null);
    expect(told).toMatchObject({ kept: { file, bytes: stored.length }, sending: null, says: null });
    expect(warnings.filter(warning => /central/i.test(warning))).toEqual([]);
    // Nothing of it is left to wait.
    expect(readdirSync(join(dock.folder, 'sending'))).toEqual([]);
  });

  it('a backup of central has none of them', async () => {
    const own = dataOf<{ file: string }>(await central.post('/x/backups'));
    const [folder = ''] = folders();
    const stored = readFileSync(join(folder, readdirSync(folder)[0] ?? ''));
    expect(readFileSync(own.file).includes(stored.subarray(200, 300))).toBe(false);
  });

  it('is fetched by an administrator and brought back on a new machine, which enrols anew', async () => {
    const id = String((await stationsOf(central)).find(({ name }) => name === 'Dock')?.id);
    const at = environmentOf(central);
    await dock.kill();
    const fetched = await holdpoint(at, 'station', 'fetch-backup', id, '--to', place);
    expect(fetched.code, fetched.output).toBe(0);
    const file = /^(\S+\.db\.age)$/m.exec(fetched.output)?.[1] ?? '';
    const list = await holdpoint(at, 'station', 'backups', id);
    expect(list.output).toMatch(/FETCHED/);
    const trail = await central.get('/x/audit', { kind: 'station_backup_fetched' });
    expect(dataOf<unknown[]>(trail)).toHaveLength(1);

    const folder = join(place, 'fresh');
    mkdirSync(folder);
    const restored = await holdpoint({ HOLDPOINT_DATA: folder }, 'restore', file, '--key-file', stick);
    expect(restored.code, restored.output).toBe(0);
    // Its policy comes before what the backup's settings say.
    const policy = join(place, 'policy.json');
    writeFileSync(policy, '{"sends_backups":false}', { mode: 0o600 });
    fresh = new Station({ folder, env: { HOLDPOINT_POLICY: policy } });
    await fresh.start();
    const code = await newCode(central, 'Dock anew');
    dataOf(await fresh.post('/x/sync/enrol', { address: central.origin, code }));
    await untilInStep(central, [fresh]);
    const names = dataOf<{ name: string }[]>(await fresh.get('/suppliers', { per_page: 100 })).map(
      ({ name }) => name,
    );
    expect(names).toEqual(expect.arrayContaining([SECRET, 'While it is sent']));
    expect((await stationsOf(central)).map(({ name }) => name)).toEqual(['Dock anew']);
    // Where others could write the policy's folder it is not in force, as on a machine without root.
    const isInForce = dataOf<{ faults: unknown[] }>(await fresh.get('/x/machine-policy')).faults.length === 0;
    expect(isInForce).toBe(process.getuid?.() === 0);
    if (!isInForce) return;
    expect((await state(fresh)).at_central).toBeNull();
    const refused = await fresh.put('/x/settings', { sends_backups: true });
    expect([refused.status, errorOf(refused).errors]).toEqual([
      422,
      { sends_backups: [expect.stringContaining('policy')] },
    ]);
  });
});
