import { expect, it } from 'vitest';
import { type KnownStation, stationNeeds } from '../../../server/enrolment/station-needs.ts';

const GIGABYTE = 1_000_000_000;
const now = new Date('2026-06-15T12:00:00.000Z');
const machine = {
  disk_free: 40 * GIGABYTE,
  disk_size: 250 * GIGABYTE,
  backup_at: '2026-06-15T02:00:00.000Z',
  is_backup_well: true,
  practised_at: null,
  crashed_at: null,
  start_failed_at: null,
  updates: 'on' as const,
  update_ring: 'stable',
  update_window: null,
};
const well: KnownStation = {
  enrolled_at: '2026-01-05T08:00:00.000Z',
  revoked_at: null,
  last_seen_at: '2026-06-15T11:59:00.000Z',
  held: 0,
  clock_offset_ms: -400,
  version: '0.2.0',
  machine,
  doubled_at: null,
  chosen_at: null,
  offered_version: null,
};
const needs = (changed: Partial<KnownStation>) =>
  stationNeeds({ ...well, ...changed }, { now, version: '0.2.0' });

it('a station that is well needs nobody, nor does one of a former version that says nothing of its machine', () => {
  expect(needs({})).toEqual([]);
  expect(needs({ machine: null })).toEqual([]);
});

it('each reason stands for itself, to the edge', () => {
  expect(needs({ held: 1 })).toEqual(['held']);
  expect(needs({ last_seen_at: '2026-06-12T12:00:00.000Z' })).toEqual([]);
  expect(needs({ last_seen_at: '2026-06-12T11:59:59.999Z', machine: null })).toEqual(['silent']);
  expect(needs({ clock_offset_ms: 120_000 })).toEqual(['clock']);
  expect(needs({ version: '0.1.0' })).toEqual(['version']);
  expect(needs({ doubled_at: now.toISOString() })).toEqual(['doubled']);
  expect(needs({ doubled_at: now.toISOString(), chosen_at: now.toISOString() })).toEqual([]);
});

it('a crash is worth asking why for a week', () => {
  const at = (crashed_at: string) => needs({ machine: { ...machine, crashed_at } });
  expect(at('2026-06-08T12:00:00.001Z')).toEqual(['crash']);
  expect(at('2026-06-08T12:00:00.000Z')).toEqual([]);
});

it('so is a start that came to nothing', () => {
  const at = (start_failed_at: string) => needs({ machine: { ...machine, start_failed_at } });
  expect(at('2026-06-08T12:00:00.001Z')).toEqual(['start']);
  expect(at('2026-06-08T12:00:00.000Z')).toEqual([]);
});

it('an update is due where the ring offers a later version, whatever central runs', () => {
  const of = (version: string | null, offered_version: string | null) => needs({ version, offered_version });
  expect(of('0.2.0', '0.2.1')).toEqual(['update']);
  expect(of('0.9.0', '0.10.0')).toEqual(['update']);
  expect(of('1.0.0-beta.1', '1.0.0')).toEqual(['update']);
  expect(of('1.0.0', '1.0.0-beta.1')).toEqual([]);
  // A pilot is ahead of central, and a ring may be put back.
  expect(of('0.3.0', '0.3.0')).toEqual([]);
  expect(of('0.3.0', '0.2.1')).toEqual([]);
  expect(of('1.0.0', '0.9.9')).toEqual([]);
  expect(of('0.1.0', null)).toEqual(['version']);
  expect(of(null, '0.3.0')).toEqual([]);
});

it('a disk is low where little is left by its size and by itself', () => {
  const free = (disk_free: number | null, disk_size: number | null) =>
    needs({ machine: { ...machine, disk_free, disk_size } });
  expect(free(1.9 * GIGABYTE, 250 * GIGABYTE)).toEqual(['disk']);
  expect(free(2 * GIGABYTE, 250 * GIGABYTE)).toEqual([]);
  expect(free(1.5 * GIGABYTE, 16 * GIGABYTE)).toEqual([]);
  expect(free(null, null)).toEqual([]);
});

it('a backup is judged by when the station last called: one that was switched off for two days missed none', () => {
  const of = (changed: Partial<typeof machine>, station: Partial<KnownStation> = {}) =>
    needs({ machine: { ...machine, ...changed } as KnownStation['machine'], ...station });
  expect(of({ is_backup_well: false })).toEqual(['backup']);
  expect(of({ backup_at: '2026-06-13T10:58:00.000Z' })).toEqual(['backup']);
  expect(of({ backup_at: '2026-06-12T12:00:00.000Z' }, { last_seen_at: '2026-06-13T13:00:00.000Z' })).toEqual(
    [],
  );
  expect(needs({ machine: { ...machine, backup_at: null } })).toEqual(['backup']);
  expect(
    needs({ machine: { ...machine, backup_at: null }, enrolled_at: '2026-06-15T10:00:00.000Z' }),
  ).toEqual([]);
});

it('the worst comes first, and one that is revoked needs nothing', () => {
  const bad = { held: 2, version: '0.1.0', clock_offset_ms: 9e6, last_seen_at: '2026-06-01T00:00:00.000Z' };
  expect(needs({ ...bad, machine: { ...machine, disk_free: 1, backup_at: null } })).toEqual([
    'held',
    'silent',
    'disk',
    'backup',
    'clock',
    'version',
  ]);
  expect(needs({ ...bad, revoked_at: now.toISOString() })).toEqual([]);
});
