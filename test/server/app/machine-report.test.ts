import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CRASHES } from '../../../server/app/crash-reports.ts';
import { FAILED_STARTS, failedStarts, noteFailedStart } from '../../../server/app/failed-starts.ts';
import { createMachineReport } from '../../../server/app/machine-report.ts';
import type { BackupStanding } from '../../../server/backup/backups.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';

const practised = {
  at: '2026-06-01T03:00:00.000Z',
  file: 'x',
  records: 1,
  commits: 1,
  seconds: 1,
  fault: null,
};

it('is looked at again after ten minutes, either way, and at once until the backups were looked at', () => {
  let now = Date.parse('2026-06-15T12:00:00.000Z');
  let seen: BackupStanding | null = null;
  const report = createMachineReport({
    config: { folder: temporaryFolder() },
    clock: () => new Date(now),
    backups: () => seen,
  });
  expect(report()).toMatchObject({ backup_at: null, is_backup_well: true, practised_at: null });
  seen = { last_at: '2026-06-15T02:00:00.000Z', is_well: true, practised };
  expect(report()).toMatchObject({
    backup_at: seen.last_at,
    is_backup_well: true,
    practised_at: practised.at,
  });
  seen = { last_at: '2026-06-15T12:00:00.000Z', is_well: false, practised };
  now += 599_999;
  expect(report()).toMatchObject({ backup_at: '2026-06-15T02:00:00.000Z', is_backup_well: true });
  now += 1;
  expect(report()).toMatchObject({ backup_at: seen.last_at, is_backup_well: false });
  seen = { last_at: null, is_well: true, practised: null };
  now -= 3_600_000;
  expect(report()).toMatchObject({ backup_at: null, is_backup_well: true, practised_at: null });
});

it('a disk that is not there says nothing', () => {
  const folder = join(temporaryFolder(), 'gone');
  rmSync(folder, { recursive: true, force: true });
  const report = createMachineReport({ config: { folder }, clock: () => new Date(0), backups: () => null });
  expect(report()).toMatchObject({ disk_free: null, disk_size: null });
});

it('says when the server crashed last', () => {
  const folder = temporaryFolder();
  const said = () =>
    createMachineReport({ config: { folder }, clock: () => new Date(0), backups: () => null })();
  expect(said().crashed_at).toBeNull();
  mkdirSync(join(folder, CRASHES), { recursive: true });
  for (const day of [1, 2]) {
    const path = join(folder, CRASHES, `report.2026060${day}.120000.17.0.001.json`);
    writeFileSync(path, '{}');
    utimesSync(path, new Date(), new Date(`2026-06-0${day}T10:00:00.000Z`));
  }
  expect(said().crashed_at).toBe('2026-06-02T10:00:00.000Z');
});

it('says when the server could not start last', () => {
  const folder = temporaryFolder();
  const said = () =>
    createMachineReport({ config: { folder }, clock: () => new Date(0), backups: () => null })();
  expect(said().start_failed_at).toBeNull();
  for (let day = 1; day <= 25; day += 1) noteFailedStart(folder, new Date(Date.UTC(2026, 5, day)));
  expect(said().start_failed_at).toBe('2026-06-25T00:00:00.000Z');
  expect(failedStarts(folder)).toHaveLength(20);
  writeFileSync(join(folder, FAILED_STARTS), '["');
  expect(said().start_failed_at).toBeNull();
});

it('says whose updates it gets, when, and whether by its central', () => {
  const said = (policy: Partial<Parameters<typeof createMachineReport>[0]['config']>) => {
    const config = { folder: temporaryFolder(), ...policy };
    return createMachineReport({ config, clock: () => new Date(0), backups: () => null })();
  };
  expect(said({})).toMatchObject({ updates: 'on', update_ring: 'stable', update_window: null });
  const hours = { updateRing: 'pilot', updateWindow: '22:00-05:00' };
  expect(said({ ...hours, isUpdatedElsewhere: true })).toMatchObject({
    ...{ updates: 'off', update_ring: 'pilot', update_window: '22:00-05:00' },
  });
});
