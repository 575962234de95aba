import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeHeadMark } from '../../../../server/store/head-mark.ts';
import type { Store } from '../../../../server/store/store.ts';
import { createSyncTables } from '../../../../server/sync/log/tables.ts';
import { Play } from './play.ts';
import { PostgresModel } from './postgres-model.ts';
import { SimulatedCentral } from './simulated-central.ts';
import { SimulatedStation } from './simulated-station.ts';
import { copyFolder, openSimulated } from './simulated-store.ts';
import { World } from './virtual-time.ts';

/** How much of the work and of the faults there is: most schedules are short, so that more of them are played. */
export const WHOLE = 1;
const SHORT = 1 / 4;

export interface Outcome {
  /** What is wrong, a sentence each. */
  faults: string[];
  trace: readonly string[];
  /** Requests that were answered. */
  answered: number;
  /** Turns of the journal at the end. */
  turns: number;
}

export interface ScheduleOptions {
  /** Whether the key of a request is looked up again inside the gate. */
  isChecking?: boolean;
  /** Whether a process that lags begins an epoch. */
  isLaggard?: boolean;
  /** Whether a COMMIT waits for the standby; else the seed says. */
  isSynchronous?: boolean;
  /** How much of a whole one it is; else the seed says. */
  share?: number;
}

/** Plays what a seed says: who writes and reads where, and what fails; then all must be well, and is compared. */
export async function runSchedule(
  seed: number,
  { isChecking = true, isLaggard = false, isSynchronous: given, share }: ScheduleOptions = {},
): Promise<Outcome> {
  template ??= makeTemplate();
  const fresh = await template;
  const world = new World(seed);
  const undo = world.install();
  const size = share ?? (world.oneIn(5) ? WHOLE : SHORT);
  const some = (fewest: number) => fewest + (size < WHOLE ? 0 : world.random.below(2));
  const base = mkdtempSync(join(tmpdir(), 'holdpoint-simulation-'));
  const ended: Store[] = [];
  try {
    const drawn = !world.oneIn(4);
    const isSynchronous = given ?? drawn;
    const postgres = new PostgresModel(world, isSynchronous);
    const folderOf = (name: string) => {
      const folder = join(base, name);
      copyFolder(fresh, folder);
      return folder;
    };
    const centrals = Array.from({ length: some(2) }, (_, n) => {
      const name = `central ${n + 1}`;
      return new SimulatedCentral({
        world,
        postgres,
        name,
        folder: folderOf(name),
        template: fresh,
        ended,
        isChecking,
        isLaggard,
      });
    });
    const stations = Array.from({ length: some(1) }, (_, n) => {
      const name = `station ${n + 1}`;
      const carry = (request: Parameters<SimulatedCentral['exchange']>[0]) =>
        world.random.pick(centrals).exchange(request);
      return new SimulatedStation(world, name, folderOf(name), carry);
    });
    const play = new Play(world, postgres, centrals, stations, size);
    const faults = await play.run();
    for (const { store } of stations) if (store) ended.push(store);
    return {
      faults,
      trace: world.trace,
      answered: play.answered,
      turns: postgres.primary.state.turns.length,
    };
  } finally {
    await world.end();
    undo();
    for (const store of ended) await store.close().catch(() => {});
    rmSync(base, { recursive: true, force: true });
  }
}

let template: Promise<string> | undefined;

/** A folder as a new one is after its first start, but that it has no name yet. Made once for all schedules. */
async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const store = await openSimulated(new World(0), folder, true);
  await store.gate.applyRemote(() => {
    createSyncTables(store.database);
    store.database.run("DELETE FROM local WHERE name IN ('station', 'chain')");
    return { result: undefined };
  });
  await store.close();
  removeHeadMark(folder);
  return folder;
}
