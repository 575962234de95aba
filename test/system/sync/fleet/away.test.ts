import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DATABASE_FILE } from '../../../../server/store/verify/verify.ts';
import { Connection, prepare } from '../../../bench/client.ts';
import type { Station } from '../../../support/station.ts';
import { tell } from '../../faults/expect-sound.ts';
import { dataOf, ProcessFleet } from '../kit/process-fleet.ts';
import { faultsOf, syncOf } from '../processes/installation.ts';
import { MEMORY_LIMIT, awaySize as size } from './away-size.ts';
import { memoryOf } from './memory-of.ts';

const LIMIT_MS = 300_000 + size.edits * 60;
const WRITERS = 16;

let fleet: ProcessFleet;
beforeAll(async () => {
  fleet = await ProcessFleet.start({ stations: 2, seed: 1, kinds: ['delay'] });
});
afterAll(() => fleet?.close());

it(
  `a station comes back with ${size.edits} edits, and both sides are killed ${size.kills} times while it sends them`,
  async () => {
    const { central } = fleet;
    const [away, home] = fleet.stations;
    if (!away || !home) throw new Error('There are two stations.');
    const machines = fleet.machines;
    const peaks = new Map<string, number>();
    const watching = setInterval(() => {
      for (const { name, folder } of machines)
        peaks.set(name, Math.max(peaks.get(name) ?? 0, memoryOf(folder)));
    }, 1_000);
    try {
      fleet.separate();
      const began = performance.now();
      const ids = await createAll(away);
      const last = await editAll(away, ids);
      const written = performance.now();
      await fleet.reconnect();
      const start = (await syncOf(central)).sequence ?? 0;
      for (let kill = 1; kill <= 2 * size.kills; kill += 1) {
        await untilSequence(central, start + ((size.edits + size.records) * kill) / (2 * size.kills + 1));
        const killed = kill % 2 === 0 ? central : away;
        await killed.kill();
        await killed.start();
      }
      await fleet.heal();
      const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(0);
      tell(
        `${size.edits} edits: written in ${seconds(began, written)} s, in step after ${seconds(written, performance.now())} s ` +
          `with ${size.kills} kills a side; peak memory ${[...peaks].map(([name, peak]) => `${name} ${peak} MB`).join(', ')}`,
      );
      for (const each of [central, home]) {
        // Once each: what was created, and every change.
        expect(commitsOf(each, away)).toBe(commitsOf(away, away));
        for (const id of ids) {
          expect(dataOf(await each.get(`/suppliers/${id}`))).toMatchObject({ primary_name: last.get(id) });
        }
      }
      expect(commitsOf(central, away)).toBeGreaterThanOrEqual(size.edits + size.records);
      for (const each of fleet.all) expect(await faultsOf(each)).toEqual([]);
      expect(Math.max(...peaks.values())).toBeLessThan(MEMORY_LIMIT);
    } finally {
      clearInterval(watching);
    }
  },
  LIMIT_MS,
);

async function createAll(station: Station): Promise<number[]> {
  const ids: number[] = [];
  for (let number = 0; number < size.records; number += 1) {
    ids.push((dataOf(await station.post('/suppliers', { name: `Supplier ${number}` })) as { id: number }).id);
  }
  return ids;
}

/** Answers what each record was given last: every one has a single writer. */
async function editAll(station: Station, ids: readonly number[]): Promise<Map<number, string>> {
  const port = Number(new URL(station.origin).port);
  const last = new Map<number, string>();
  const writer = async (first: number) => {
    const own = ids.filter((_, index) => index % WRITERS === first);
    const connection = await Connection.open(port);
    for (let edit = first; edit < size.edits; edit += WRITERS) {
      const id = own[Math.floor(edit / WRITERS) % own.length] ?? 0;
      const value = `Edit ${edit}`;
      const body = JSON.stringify({ primary_name: value });
      await connection.send(prepare('PUT', `/api/v2/suppliers/${id}`, port, station.token, body));
      last.set(id, value);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, first) => writer(first)));
  return last;
}

async function untilSequence(central: Station, sequence: number): Promise<void> {
  while (((await syncOf(central)).sequence ?? 0) < sequence) await sleep(50);
}

/** How many commits of the author a machine has. */
function commitsOf({ folder }: Station, author: Station): number {
  const installation = chainOf(author);
  const database = new DatabaseSync(join(folder, DATABASE_FILE), { readOnly: true });
  try {
    const sql = 'SELECT count(*) AS count FROM log WHERE chain = ?';
    return Number(database.prepare(sql).get(installation)?.count);
  } finally {
    database.close();
  }
}

/** The chain of most of its commits. */
function chainOf({ folder }: Station): string {
  const database = new DatabaseSync(join(folder, DATABASE_FILE), { readOnly: true });
  try {
    const sql = 'SELECT chain FROM history GROUP BY chain ORDER BY count(*) DESC LIMIT 1';
    return String(database.prepare(sql).get()?.chain);
  } finally {
    database.close();
  }
}
