import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../server/store/sqlite/temporary-folder.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import { tell } from '../../faults/expect-sound.ts';
import { LoggingClient } from '../../faults/logging-client.ts';
import { checkFleet } from '../kit/check-fleet.ts';
import { ProcessFleet } from '../kit/process-fleet.ts';
import { restoredSize as size } from './away-size.ts';

const SEED = 77;

let fleet: ProcessFleet;
beforeAll(async () => {
  fleet = await ProcessFleet.start({ stations: size.stations, seed: SEED, kinds: ['delay'] });
});
afterAll(() => fleet?.close());

it(
  `central is restored from a backup (${size.restores}): ${size.stations} stations × ${size.operations} operations before it, after it and while central is away`,
  async () => {
    const { central, stations } = fleet;
    const clients = fleet.all.map((station, index) => new LoggingClient(station, { seed: SEED + index }));
    const [, ...ofStations] = clients;
    for (const client of clients) await client.prepare();
    for (let turn = 1; turn <= size.restores; turn += 1) {
      await writeAll(clients);
      await fleet.untilInStep();
      const folder = temporaryFolder();
      const backedUp = await holdpoint(environmentOf(central), 'backup', '--to', folder);
      expect(backedUp).toMatchObject({ code: 0 });
      const [file = ''] = readdirSync(folder).filter(name => name.endsWith('.db'));
      // What central wrote itself after the backup comes back from the stations, once they have it.
      await writeAll(clients);
      await fleet.untilInStep();
      await central.kill();
      await writeAll(ofStations);
      expect(await holdpoint(environmentOf(central), 'restore', join(folder, file))).toMatchObject({
        code: 0,
      });
      const began = performance.now();
      await central.start();
      await writeAll(ofStations);
      await fleet.untilInStep();
      tell(
        `restore ${turn}, ${stations.length} stations: in step after ${((performance.now() - began) / 1_000).toFixed(0)} s`,
      );
    }
    const violations = await checkFleet({
      machines: fleet.machines,
      logs: clients.map(({ log }) => log),
      pairs: [],
    });
    expect(violations.slice(0, 20), `of ${violations.length}`).toEqual([]);
  },
  300_000 + size.stations * size.operations * 1_000,
);

async function writeAll(clients: readonly LoggingClient[]): Promise<void> {
  await Promise.all(clients.map(client => client.writeSome(size.operations, 2)));
}
