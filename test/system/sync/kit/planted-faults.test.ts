import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../server/store/sqlite/temporary-folder.ts';
import { LoggingClient } from '../../faults/logging-client.ts';
import { checkFleet, type FleetEvidence } from './check-fleet.ts';
import { plantedFaults } from './planted-faults.ts';
import { ProcessFleet } from './process-fleet.ts';
import { writePairs } from './write-pairs.ts';

const SEED = 7;
let fleet: ProcessFleet;
let evidence: FleetEvidence;
beforeAll(async () => {
  fleet = await ProcessFleet.start({ stations: 2, seed: SEED, kinds: ['delay'] });
  const clients = fleet.all.map((station, index) => new LoggingClient(station, { seed: SEED + index }));
  for (const client of clients) {
    await client.prepare();
    await client.writeSome(25, 2);
  }
  const { pairs, log } = await writePairs(fleet, 2, SEED);
  await fleet.heal();
  await fleet.kill();
  evidence = { machines: fleet.machines, logs: [...clients.map(client => client.log), log], pairs };
});
afterAll(() => fleet?.close());

it('finds nothing where nothing is wrong', async () => {
  expect(await checkFleet(copied())).toEqual([]);
});

it.each(plantedFaults)('finds that $name', async ({ letters, plant }) => {
  const copy = copied();
  const violations = await checkFleet(plant(copy) ?? copy, letters);
  expect([...new Set(violations.map(({ letter }) => letter))]).toEqual(expect.arrayContaining(letters));
});

it('finds each of the seven by a planted fault', () => {
  const letters = new Set(plantedFaults.flatMap(fault => fault.letters));
  expect([...letters].sort().join('')).toBe('ACDKNSX');
});

/** Databases that a fault can be planted in. */
function copied(): FleetEvidence {
  const folder = temporaryFolder();
  const machines = evidence.machines.map(machine => {
    const copy = join(folder, machine.name);
    cpSync(machine.folder, copy, { recursive: true });
    return { ...machine, folder: copy };
  });
  return { ...evidence, machines };
}
