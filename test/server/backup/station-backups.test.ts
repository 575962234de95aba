import { execFileSync, spawnSync } from 'node:child_process';

import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepStationBackups } from '../../../server/backup/station-backups.ts';

import { Station } from '../../support/station.ts';
import { dataOf } from '../../system/sync/processes/installation.ts';
import { callWith, type EnrolledStation, enrolledStation, errorOf } from '../enrolment/enrolled.ts';
import { backupOf, type Sent } from './sent-backup.ts';

/** So many days ago. */
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describe('central and the backups of stations', () => {
  let central: Station;
  let dock: EnrolledStation;
  let yard: EnrolledStation;
  beforeAll(async () => {
    central = new Station({ role: 'central', env: { HOLDPOINT_STATION_BACKUPS_GB: '0.0001' } });
    await central.start();
    dock = await enrolledStation(central, 'Dock');
    yard = await enrolledStation(central, 'Yard');
  });
  afterAll(() => central.stop());

  const send = (from: number, part: Buffer, { about }: Sent, key = dock.key, change: object = {}) =>
    callWith(central, key, 'POST', '/x/stations/backup', {
      ...about,
      from,
      data: part.toString('base64'),
      ...change,
    });
  const idOf = async (name: string) =>
    dataOf<{ id: number; name: string }[]>(await central.get('/x/stations')).find(one => one.name === name)
      ?.id;
  const kept = async (name = 'Dock') =>
    dataOf<{ file: string; at: string; fetched: { by: string | null }[] }[]>(
      await central.get(`/x/stations/${await idOf(name)}/backups`),
    );

  it('it takes one in parts, goes on where it was cut, also after its own death, and keeps it once it is whole', async () => {
    const made = ago(9);
    const backup = backupOf(dock.station, made);
    const { bytes } = backup;
    expect(dataOf(await send(0, Buffer.alloc(0), backup))).toMatchObject({ received: 0, is_kept: false });
    expect(dataOf(await send(0, bytes.subarray(0, 10_000), backup))).toMatchObject({ received: 10_000 });
    await central.kill();
    await central.start();
    // Sent again, or beyond what is there, it counts for nothing.
    expect(dataOf(await send(0, bytes.subarray(0, 10_000), backup))).toMatchObject({ received: 10_000 });
    expect(dataOf(await send(20_000, bytes.subarray(20_000), backup))).toMatchObject({ received: 10_000 });
    expect(await kept()).toEqual([]);
    expect(dataOf(await send(10_000, bytes.subarray(10_000), backup))).toEqual({
      received: bytes.length,
      is_kept: true,
      pause_ms: expect.any(Number),
    });
    // Its answer may have been lost.
    expect(dataOf(await send(10_000, bytes.subarray(10_000), backup))).toMatchObject({ is_kept: true });
    const stored = join(central.folder, 'station-backups', dock.station, backup.about.file);
    expect(readFileSync(stored).equals(bytes)).toBe(true);
    const [station] = dataOf<{ kept_backup: unknown }[]>(await central.get('/x/stations'));
    expect(station?.kept_backup).toEqual({ at: made, bytes: bytes.length, count: 1 });
  });

  it('it refuses what is no encrypted backup of the station that sends it, and what is not what was announced', async () => {
    const backup = backupOf(dock.station, ago(8));
    const plain = Buffer.from('SQLite format 3\0');
    const refused = async (answer: ReturnType<typeof send>) => {
      const given = await answer;
      const { errors, message } = errorOf(given);
      return [given.status, errors ?? message];
    };
    expect(await refused(send(0, plain, backup))).toEqual([
      422,
      { data: [expect.stringContaining('no file of age')] },
    ]);
    expect(await refused(send(0, backup.bytes, backupOf(yard.station, ago(8))))).toEqual([
      422,
      { file: [expect.stringContaining('no backup of the station that sends it')] },
    ]);
    for (const file of ['holdpoint-20260201T080000000Z.db', '../../holdpoint.db', `${backup.about.file}/..`])
      expect((await send(0, backup.bytes, backup, dock.key, { file })).status).toBe(422);
    expect(await refused(send(0, backup.bytes, backup, dock.key, { bytes: 100_001 }))).toEqual([
      413,
      expect.stringContaining('HOLDPOINT_STATION_BACKUPS_GB'),
    ]);
    const other = { digest: '0'.repeat(64) };
    expect(await refused(send(0, backup.bytes, backup, dock.key, other))).toEqual([
      409,
      expect.stringContaining('sent again'),
    ]);
    expect((await send(0, backup.bytes, backup, dock.key, { bytes: 30_000 })).status).toBe(422);
    // Nobody but a station sends, and no station fetches.
    const byToken = await central.post('/x/stations/backup', { ...backup.about, from: 0 });
    expect([byToken.status, errorOf(byToken).code]).toEqual([403, 'forbidden']);
    const [first] = await kept();
    const path = `/x/stations/${await idOf('Dock')}/backups`;
    for (const of of [path, `${path}/${first?.file}`])
      expect((await callWith(central, dock.key, 'GET', of)).status).toBe(403);
    expect((await callWith(central, yard.key, 'GET', path)).status).toBe(403);
    expect(readdirSync(join(central.folder, 'station-backups', dock.station))).toEqual([first?.file]);
  });

  it('it keeps as many as it is set to, and no more than fit into what it keeps of one station', async () => {
    const days = [7, 6, 5].map(ago);
    const times = async () => (await kept()).map(({ at }) => at);
    for (const at of days) {
      const backup = backupOf(dock.station, at, 30_000);
      expect(dataOf(await send(0, backup.bytes, backup))).toMatchObject({ is_kept: true });
    }
    // Of 100 kB three of 30 kB, and nothing of the one of 40 kB.
    expect(await times()).toEqual(days.toReversed());
    expect((await central.put('/x/settings', { station_backups_keep: 2 })).status).toBe(200);
    const last = ago(4);
    const backup = backupOf(dock.station, last, 30_000);
    expect(dataOf(await send(0, backup.bytes, backup))).toMatchObject({ is_kept: true });
    expect(await times()).toEqual([last, days[2]]);
    expect((await central.put('/x/settings', { station_backups_keep: 0 })).status).toBe(200);
    const none = backupOf(dock.station, ago(3), 30_000);
    expect((await send(0, none.bytes, none)).status).toBe(409);
    expect(await kept()).toHaveLength(2);
    expect((await central.put('/x/settings', { station_backups_keep: null })).status).toBe(200);
  });

  it('it gives one to an administrator, and its trail and its list say to whom', async () => {
    const [newest] = await kept();
    const id = await idOf('Dock');
    const answer = await central.fetch(`${central.origin}/api/v2/x/stations/${id}/backups/${newest?.file}`, {
      headers: { authorization: `Bearer ${central.bearer}` },
    });
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '30000']);
    const stored = join(central.folder, 'station-backups', dock.station, String(newest?.file));
    expect(Buffer.from(await answer.arrayBuffer()).equals(readFileSync(stored))).toBe(true);
    const trail = await central.get('/x/audit', { kind: 'station_backup_fetched' });
    expect(dataOf(trail)).toMatchObject([
      { details: { station: dock.station, name: 'Dock', file: newest?.file }, address: '127.0.0.1' },
    ]);
    expect((await kept())[0]).toMatchObject({ fetched: [{ by: expect.any(String) }] });
    for (const file of [
      '..%2F..%2Fholdpoint.db',
      'holdpoint.db',
      newest?.file.replace('holdpoint-2', 'holdpoint-1'),
    ])
      expect([400, 404]).toContain((await central.get(`/x/stations/${id}/backups/${file}`)).status);
    expect((await central.get(`/x/stations/${await idOf('Yard')}/backups/${newest?.file}`)).status).toBe(404);
    const reader = dataOf<{ secret: string }>(
      await central.post('/x/tokens', { name: 'reader', scopes: ['read', 'write'] }),
    );
    expect((await callWith(central, reader.secret, 'GET', `/x/stations/${id}/backups`)).status).toBe(403);
  });
});

/** What central keeps, by itself: with a clock and a disk of the test's own. */
describe('what central keeps of stations', () => {
  const folders: string[] = [];
  const station = '0a1b2c3d-0000-4000-8000-000000000001';
  const folderNow = () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-kept-'));
    folders.push(folder);
    return folder;
  };
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const settings = () => ({ station_backups_keep: 3, station_backups_days: 90 });
  const whole = ({ about, bytes }: Sent) => ({ ...about, from: 0, data: bytes.toString('base64') });

  it('the newest of a station stays whatever its age, until its key is void', async () => {
    const data = folderNow();
    let now = new Date('2026-02-01T00:00:00Z');
    let active = new Set([station]);
    const keeping = keepStationBackups({ data, clock: () => now, settings, active: () => active });
    for (const day of ['30', '31'])
      await keeping.take(station, whole(backupOf(station, `2026-01-${day}T08:00:00.000Z`)));
    now = new Date('2026-12-01T00:00:00Z');
    keeping.start();
    keeping.close();
    expect(keeping.list(station).map(({ at }) => at)).toEqual(['2026-01-31T08:00:00.000Z']);
    active = new Set();
    keeping.start();
    keeping.close();
    expect(keeping.list(station)).toEqual([]);
  });

  it('stations share what it takes in a second, and who comes much too early is sent away', async () => {
    let at = 0;
    const options = { data: folderNow(), clock: () => new Date(), now: () => at, settings };
    const keeping = keepStationBackups({ ...options, active: () => new Set() });
    const other = '0a1b2c3d-0000-4000-8000-000000000002';
    const part = (of: string, nth: number) => {
      const backup = backupOf(of, '2026-01-31T08:00:00.000Z', 100_000);
      return keeping.take(of, { ...whole(backup), bytes: 10 ** 9, from: nth });
    };
    expect((await part(station, 0)).pause_ms).toBe(50);
    expect((await part(other, 0)).pause_ms).toBe(100);
    // Sixty stations come at once: none may come again before all had their turn.
    for (let nth = 100; nth < 160; nth += 1) {
      const third = `0a1b2c3d-0000-4000-8000-000000000${nth}`;
      await part(third, 0);
    }
    const last = '0a1b2c3d-0000-4000-8000-000000000159';
    await expect(part(last, 0)).rejects.toMatchObject({
      code: 'too_many_requests',
      headers: { 'Retry-After': '4' },
    });
    at = 60_000;
    expect((await part(station, 0)).pause_ms).toBe(50);
  });

  it('a disk that fills up takes no more of them, and leaves room for records', async context => {
    const data = folderNow();
    // Not root, not Linux, or a container without the right to mount.
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', data]).status !== 0)
      return context.skip();
    try {
      const keeping = keepStationBackups({
        data,
        clock: () => new Date(),
        settings,
        active: () => new Set(),
      });
      const first = backupOf(station, ago(2), 100_000);
      await keeping.take(station, whole(first));
      const { bavail, bsize } = statfsSync(data);
      writeFileSync(join(data, 'filler'), Buffer.alloc(bavail * bsize - 850_000));
      const next = backupOf(station, ago(1), 100_000);
      await expect(keeping.take(station, whole(next))).rejects.toMatchObject({ code: 'storage_full' });
      expect(keeping.list(station)).toHaveLength(1);
      const left = statfsSync(data);
      expect(left.bavail * left.bsize).toBeGreaterThan(800_000);
      rmSync(join(data, 'filler'));
      await expect(keeping.take(station, whole(next))).resolves.toMatchObject({ is_kept: true });
      expect(existsSync(join(data, 'station-backups', station, first.about.file))).toBe(true);
    } finally {
      execFileSync('umount', ['-l', data]);
    }
  });
});
