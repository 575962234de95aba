import { isMisdated } from '../../shared/contract/moment-of.ts';
import type { StationMachine } from '../../shared/contract/station-machine.ts';
import {
  BACKUP_HOURS,
  CRASH_DAYS,
  DISK_LEFT,
  SILENT_DAYS,
  STATION_NEEDS,
  type StationNeed,
} from '../../shared/operations/sync-operations.ts';
import type { StationSummary } from './stations.ts';

/** What central knows of a station. */
export type KnownStation = Pick<
  StationSummary,
  'enrolled_at' | 'revoked_at' | 'last_seen_at' | 'held' | 'clock_offset_ms' | 'version' | 'machine'
> & {
  doubled_at: string | null;
  chosen_at: string | null;
  /** By its ring; null: none is known. */
  offered_version: string | null;
};

const HOUR_MS = 3_600_000;

/**
 * Why a person should look after a station, the worst first; nothing where it is revoked. By when it last called, not by now, its
 * backup is judged: while a station is switched off, none is due.
 * @param version of central's program
 */
export function stationNeeds(
  station: KnownStation,
  { now, version }: { now: Date; version: string },
): StationNeed[] {
  if (station.revoked_at !== null) return [];
  const {
    last_seen_at: seen,
    enrolled_at: enrolled,
    machine,
    version: own,
    offered_version: offered,
  } = station;
  const heard = Date.parse(seen ?? enrolled);
  const is: Record<StationNeed, boolean> = {
    doubled: station.doubled_at !== null && station.chosen_at === null,
    held: station.held > 0,
    silent: now.getTime() - heard > SILENT_DAYS * 24 * HOUR_MS,
    disk: isDiskLow(machine),
    backup: machine !== null && isBackupMissed(machine, { heard, enrolled }),
    crash: isLately(machine?.crashed_at, now),
    start: isLately(machine?.start_failed_at, now),
    clock: isMisdated({ clock_offset: station.clock_offset_ms }),
    update: own !== null && offered !== null && isOlder(own, offered),
    version: own !== null && offered === null && own !== version,
  };
  return STATION_NEEDS.filter(need => is[need]);
}

function isLately(at: string | null | undefined, now: Date): boolean {
  return at != null && now.getTime() - Date.parse(at) < CRASH_DAYS * 24 * HOUR_MS;
}

function isDiskLow(machine: StationMachine | null): boolean {
  const { disk_free: free, disk_size: size } = machine ?? { disk_free: null, disk_size: null };
  return free !== null && size !== null && free < DISK_LEFT.bytes && free < size * DISK_LEFT.share;
}

/** A station that has just enrolled has a day to make its first one. */
function isBackupMissed(machine: StationMachine, { heard, enrolled }: { heard: number; enrolled: string }) {
  const since = Date.parse(machine.backup_at ?? enrolled);
  return !machine.is_backup_well || heard - since > BACKUP_HOURS * HOUR_MS;
}

/** Versions as `1.2.3` and `1.2.3-beta.1`, which comes before it; of trial versions only whether it is the same one is known. */
function isOlder(one: string, other: string): boolean {
  const [first, second] = [partsOf(one), partsOf(other)];
  const at = first.numbers.findIndex((number, index) => number !== second.numbers[index]);
  if (at >= 0) return (first.numbers[at] ?? 0) < (second.numbers[at] ?? 0);
  return first.trial !== second.trial && first.trial !== '';
}

function partsOf(version: string) {
  const [numbers = '', ...trial] = version.split('-');
  return { numbers: numbers.split('.').map(Number), trial: trial.join('-') };
}
