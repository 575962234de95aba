import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Station } from '../../support/station.ts';
import type { Target } from './logging-client.ts';
import { type PlantedFault, planted, plantFault } from './plant-fault.ts';
import { stationInProcess } from './station-in-process.ts';

/** A station whose disk can be filled to the last byte and freed again while it runs. */
export interface SmallDisk {
  /** How the disk is filled, for the summary. */
  how: string;
  target: Target;
  folder: string;
  /** Leaves so many bytes, about. */
  fill(left: number): void;
  free(): void;
  /** Ends the station in order and gives the disk back when `read` is done with the folder. */
  close(read: () => Promise<void>): Promise<void>;
}

const MEBIBYTES = 128;

/** On a memory disk of its own where this user may mount one; else by SQLite's own limit of pages. */
export async function smallDisk(fault?: PlantedFault): Promise<SmallDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-disk-'));
  return mounted(folder) ? onMemoryDisk(folder, fault) : withPageLimit(folder, fault);
}

function mounted(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${MEBIBYTES}m,mode=700`, 'tmpfs', folder], {
      stdio: 'pipe',
    });
    return true;
  } catch (error) {
    // Not root, not Linux, or a container without the right to mount.
    if (error instanceof Error) return false;
    throw error;
  }
}

async function onMemoryDisk(folder: string, fault: PlantedFault | undefined): Promise<SmallDisk> {
  const filler = join(folder, 'filler');
  const station = new Station({ folder, env: planted({ fault }) });
  const unmount = () => {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await station.start();
  } catch (error) {
    unmount();
    throw error;
  }
  return {
    how: `a memory disk of ${MEBIBYTES} MiB`,
    target: station,
    folder,
    fill(left) {
      const { bavail, bsize } = statfsSync(folder);
      const descriptor = openSync(filler, 'a');
      try {
        let open = bavail * bsize - left;
        while (open > 0) open -= writeSync(descriptor, Buffer.alloc(Math.min(open, 2 ** 20)));
      } catch (error) {
        // The server wrote at the same time: it is full all the same.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      } finally {
        closeSync(descriptor);
      }
    },
    free: () => rmSync(filler, { force: true }),
    async close(read) {
      try {
        await station.stop();
        await read();
      } finally {
        await station.kill();
        unmount();
      }
    },
  };
}

async function withPageLimit(folder: string, fault: PlantedFault | undefined): Promise<SmallDisk> {
  const unplant = fault && plantFault(fault);
  const station = await stationInProcess(folder);
  const { database } = station.store;
  const pages = () => Number(database.get<{ page_count: number }>('PRAGMA page_count')?.page_count);
  return {
    how: "SQLite's limit of pages, where no disk can be mounted",
    target: station,
    folder,
    fill: left => database.exec(`PRAGMA max_page_count = ${pages() + Math.floor(left / 4_096)}`),
    free: () => database.exec('PRAGMA max_page_count = 1073741823'),
    async close(read) {
      try {
        await station.close();
        await read();
      } finally {
        unplant?.();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
