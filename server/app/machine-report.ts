import { statfsSync } from 'node:fs';
import type { StationMachine } from '../../shared/contract/station-machine.ts';
import type { BackupStanding } from '../backup/backups.ts';

/** It is said with each message, and changes by the hour. */
const FRESH_MS = 600_000;

export interface MachineReportOptions {
  /** The data folder. */
  folder: string;
  clock: () => Date;
  /** Null: nobody has looked into the folder of the backups yet. */
  backups: () => BackupStanding | null;
}

/** What a station says of its machine to central, looked at again every ten minutes, and until its backups were looked at. */
export function createMachineReport({ folder, clock, backups }: MachineReportOptions): () => StationMachine {
  let kept: { at: number; report: StationMachine } | undefined;
  return () => {
    const now = clock().getTime();
    if (kept && Math.abs(now - kept.at) < FRESH_MS) return kept.report;
    const seen = backups();
    const report = {
      ...diskOf(folder),
      backup_at: seen?.last_at ?? null,
      is_backup_well: seen?.is_well ?? true,
      practised_at: seen?.practised?.at ?? null,
    };
    kept = seen ? { at: now, report } : undefined;
    return report;
  };
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
