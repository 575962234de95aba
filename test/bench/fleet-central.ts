import type { Entry } from '../../server/store/changes.ts';
import { createCentralClient } from '../../server/sync/client/central-client.ts';
import type { LightFleet } from '../system/sync/fleet/light-fleet.ts';
import type { LightStation } from '../system/sync/fleet/light-station.ts';
import type { BenchMachine } from './bench-machine.ts';
import type { CountingProxy } from './counting-proxy.ts';

/** What something that central does for a station costs. */
export interface Cost {
  /** Milliseconds of central's processor. */
  ms: number;
  /** Bytes on the wire, both ways. */
  bytes: number;
}

export interface FleetCosts {
  /** A question for news and its answer, without any. */
  message: Cost;
  /** Each entry of the log in a full answer. */
  entry: Cost;
  /** Each commit that central takes, of many at once. */
  commit: Cost;
}

const MESSAGES = 300;
const PAGES = 40;

/**
 * What central's work costs, one kind at a time, with no station connected but the one that asks. The fleet has to have
 * written a few hundred commits, and is closed.
 */
export async function costsOf(
  central: BenchMachine,
  proxy: CountingProxy,
  fleet: LightFleet,
): Promise<FleetCosts> {
  const [station] = fleet.stations;
  if (!station) throw new Error('There is no station.');
  const costOf = async (work: () => Promise<number>): Promise<Cost> => {
    proxy.reset();
    const before = central.process.cpuSeconds();
    const count = await work();
    const ms = ((central.process.cpuSeconds() - before) * 1_000) / count;
    return { ms, bytes: (proxy.up + proxy.down) / count };
  };
  const line = createCentralClient({
    address: `http://127.0.0.1:${proxy.port}`,
    key: station.key,
    trust: {},
  });
  try {
    const message = await costOf(async () => {
      for (let count = 0; count < MESSAGES; count += 1) await station.pullFrom(line, station.cursor);
      return MESSAGES;
    });
    const entry = await costOf(async () => {
      let entries = 0;
      for (let count = 0; count < PAGES; count += 1) entries += await station.pullFrom(line, station.start);
      return entries;
    });
    const commit = await costOf(async () => {
      const before = station.counts.commits;
      for (let count = 0; count < 1_000; count += 1) station.write(editOf(station, count));
      const { signal } = new AbortController();
      while (station.unsent.length > 0) await station.step(line, signal);
      return station.counts.commits - before;
    });
    return { message, entry, commit };
  } finally {
    line.close();
  }
}

function editOf({ block }: LightStation, count: number): Entry[] {
  const subject = `supplier:${block * 2 ** 20 + 500_000 + count}`;
  return [{ subject, changes: [{ path: 'name', old: null, new: `Costs ${count}`, over: [] }] }];
}
