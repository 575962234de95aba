import { statfsSync, statSync } from 'node:fs';
import { STABLE } from '../../shared/contract/signed-release.ts';
import type { StationMachine } from '../../shared/contract/station-machine.ts';
import type { BackupStanding } from '../backup/backups.ts';
import type { Config } from './config.ts';
import { crashReportsIn } from './crash-reports.ts';
import { failedStarts } from './failed-starts.ts';

/** It is said with each message, and changes by the hour. */
const FRESH_MS = 600_000;

export interface MachineReportOptions {
  config: Pick<Config, 'folder' | 'updateRing' | 'updateWindow' | 'isUpdatedElsewhere'>;
  clock: () => Date;
  /** Null: nobody has looked into the folder of the backups yet. */
  backups: () => BackupStanding | null;
}

/** What a station says of its machine to central, looked at again every ten minutes, and until its backups were looked at. */
export function createMachineReport({ config, clock, backups }: MachineReportOptions): () => StationMachine {
  let kept: { at: number; report: StationMachine } | undefined;
  return () => {
    const now = clock().getTime();
    if (kept && Math.abs(now - kept.at) < FRESH_MS) return kept.report;
    const seen = backups();
    const report = {
      ...diskOf(config.folder),
      backup_at: seen?.last_at ?? null,
      is_backup_well: seen?.is_well ?? true,
      practised_at: seen?.practised?.at ?? null,
      crashed_at: lastCrash(config.folder),
      start_failed_at: failedStarts(config.folder).at(-1) ?? null,
      updates: config.isUpdatedElsewhere ? ('off' as const) : ('on' as const),
      update_ring: config.updateRing ?? STABLE,
      update_window: config.updateWindow ?? null,
    };
    kept = seen ? { at: now, report } : undefined;
    return report;
  };
}

/** By the file's own time: its name says that of the machine's time zone. */
function lastCrash(folder: string): string | null {
  const written = statSync(crashReportsIn(folder).at(-1) ?? '', { throwIfNoEntry: false })?.mtime;
  return written?.toISOString() ?? null;
}

/** Not every file system says it. */
function diskOf(folder: string): Pick<StationMachine, 'disk_free' | 'disk_size'> {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { disk_free: bavail * bsize, disk_size: blocks * bsize };
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { disk_free: null, disk_size: null };
    throw error;
  }
}
