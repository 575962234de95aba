import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FleetTurn, NewsFleet, type Writer } from './news-fleet.ts';

export interface FleetBenchOptions {
  /** 2,000 stations for a minute, instead of up to 200. */
  isLarge: boolean;
  /** The bundle of another version: measured by turns with this one. */
  program?: string | undefined;
  /** A folder for a profile of central's processor; absent for none. */
  profiles?: string | undefined;
}

/** Writes a second, of all together. */
const WRITES = 5;
const ALONE_SECONDS = 10;
const FEW: Scene[] = [
  { stations: 5, writer: 'central', seconds: 10 },
  { stations: 200, writer: 'central', seconds: 20 },
  { stations: 200, writer: 'stations', seconds: 20 },
];
const MANY: Scene[] = [{ stations: 2_000, writer: 'central', seconds: 60 }];

interface Scene {
  stations: number;
  writer: Writer;
  seconds: number;
}

interface Row extends FleetTurn {
  version: string;
  name: string;
  /** Cores that central needs beyond those of the writes. */
  beyond: number;
}

/**
 * What news cost a real central, and how long they take to light stations, which are in this process: each scene with
 * whoever writes alone as well, what is more is what the stations cost. Prints it, and writes `dist/bench-fleet.json`.
 */
export async function benchFleet({ isLarge, program, profiles }: FleetBenchOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-fleet-'));
  const scenes = isLarge ? MANY : FEW;
  const stations = Math.max(...scenes.map(scene => scene.stations));
  const programs = { ...(program !== undefined && { before: program }), now: undefined };
  const rows: Row[] = [];
  const fleet = await NewsFleet.open(join(folder, 'central'), stations);
  try {
    for (const scene of scenes) {
      for (const [version, program] of Object.entries(programs)) {
        await fleet.serveBy(program, profiles);
        const rate = { writer: scene.writer, writes: WRITES };
        const alone = await fleet.turn({ ...rate, stations: 0, seconds: ALONE_SECONDS });
        const turn = await fleet.turn({ ...rate, ...scene });
        const name = `${scene.stations} stations, writes at ${scene.writer}`;
        const row = { version, name, ...turn, beyond: turn.cores - alone.cores };
        tell(row);
        rows.push(row);
      }
    }
    writeFileSync(
      'dist/bench-fleet.json',
      `${JSON.stringify({ at: new Date().toISOString(), rows }, null, 2)}\n`,
    );
  } finally {
    await fleet.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function tell({ version, name, cores, beyond, news, late, ...turn }: Row): void {
  process.stdout.write(
    `fleet, ${version.padEnd(6)} ${name}: central ${cores.toFixed(2)} cores, ${beyond.toFixed(2)} beyond the writes, ` +
      `${turn.residentMB} MB (peak ${turn.peakMB}); ` +
      `news after ${news.median.toFixed(0)} ms (median), ${news.p95.toFixed(0)} (p95) of ${news.samples}; ` +
      `${turn.pulls.toFixed(0)} pulls a second, ${turn.bytes.toFixed(0)} bytes a second and station; ` +
      `${turn.failures} failures, ${late.before} late before and ${late.after} after; stations ${turn.ownCores.toFixed(2)} cores\n`,
  );
}
