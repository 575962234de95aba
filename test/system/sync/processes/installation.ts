import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { verifyDependencies } from '../../../../server/backup/verify-dependencies.ts';
import { DATABASE_FILE, verify } from '../../../../server/store/verify/verify.ts';
import type { ConflictAnswer, SyncState } from '../../../../shared/operations/exchange-operations.ts';
import type { stationSchema } from '../../../../shared/operations/sync-operations.ts';
import { newCode } from '../../../server/enrolment/enrolled.ts';
import { type Answer, Station, type StationOptions } from '../../../support/station.ts';

/** Less than the limit of a test, which would not say what never came. */
const PATIENCE_MS = 300_000;
/** What is looked at soon is there soon; what takes long, such as a sign-in or a command, is not asked for again and again. */
const PAUSE_MS = { first: 30, last: 600, growth: 1.4 };

/** The data of a success. */
export function dataOf<Data>(answer: Answer): Data {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return (answer.body as { data: Data }).data;
}

export async function syncOf(station: Station): Promise<SyncState> {
  return dataOf(await station.get('/x/sync'));
}

export async function conflictsOf(station: Station, status = 'open'): Promise<ConflictAnswer[]> {
  return dataOf(await station.get('/x/conflicts', { status }));
}

export async function stationsOf(central: Station): Promise<z.infer<typeof stationSchema>[]> {
  return dataOf(await central.get('/x/stations'));
}

/** A central; beyond loopback with a certificate that it made itself. */
export async function startCentral(env: Record<string, string> = {}): Promise<Station> {
  const central = new Station({ role: 'central', env });
  await central.start();
  return central;
}

/** A fresh station, enrolled as `holdpoint enrol` does it while its server runs. */
export async function startStation(
  central: Station,
  name: string,
  options: StationOptions = {},
): Promise<Station> {
  const station = new Station(options);
  await station.start();
  const code = await newCode(central, name);
  dataOf(await station.post('/x/sync/enrol', { address: central.origin, code }));
  return station;
}

/** Waits until a state that the exchange comes to by itself. */
export async function until<Value>(
  what: string,
  read: () => Promise<Value>,
  isIt: (value: Value) => boolean,
): Promise<Value> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let pause = PAUSE_MS.first; ; pause = Math.min(pause * PAUSE_MS.growth, PAUSE_MS.last)) {
    const value = await read();
    if (isIt(value)) return value;
    if (Date.now() > deadline) throw new Error(`Never ${what}: ${JSON.stringify(value)}`);
    await sleep(pause);
  }
}

/** Waits until all have all, with the same digests. */
export async function untilInStep(central: Station, stations: readonly Station[]): Promise<void> {
  const all = async () => ({
    central: await syncOf(central),
    stations: await Promise.all(stations.map(syncOf)),
  });
  await until('in step', all, states =>
    states.stations.every(
      one =>
        one.state === 'in_step' &&
        one.sequence === states.central.sequence &&
        one.unsent === 0 &&
        one.digests_agree === true,
    ),
  );
}

/** Waits until what stations have of passwords is central's: to try them until one is taken costs a hash each time. */
export async function untilPasswords(central: Station, stations: readonly Station[]): Promise<void> {
  await until(
    'of the same passwords',
    async () => [central, ...stations].map(each => [...passwordsIn(each)]),
    ([wanted = [], ...others]) => {
      const present = new Map(wanted);
      return others.flat().every(([user, hash]) => present.get(user) === hash);
    },
  );
}

/** Assigns users to a station, and waits until their passwords are there: they sign in there while central is away. */
export async function assigned(central: Station, station: Station, users: readonly number[]): Promise<void> {
  const code = dataOf<{ station: { code: string } }>(await station.get('/x/session')).station.code;
  const id = (await stationsOf(central)).find(each => each.station === code)?.id;
  for (const user of users) dataOf(await central.post(`/x/stations/${id}/assign`, { user_id: user }));
  await until(
    'given',
    async () => passwordsIn(station),
    given => users.every(user => given.has(user)),
  );
}

/** Hashes of passwords in the file of a server, by the id of the user. */
export function passwordsIn({ folder }: Pick<Station, 'folder'>): Map<number, string> {
  const database = new DatabaseSync(join(folder, DATABASE_FILE), { readOnly: true, timeout: 10_000 });
  try {
    const rows = database.prepare('SELECT user_id, hash FROM user_secret ORDER BY user_id').all();
    return new Map(rows.map(row => [Number(row.user_id), String(row.hash)]));
  } finally {
    database.close();
  }
}

/** A new supplier's id. */
export async function supplierAt(station: Station, name: string): Promise<number> {
  return dataOf<{ id: number }>(await station.post('/suppliers', { name })).id;
}

/** What `verify` finds in the files of a running or stopped server. */
export async function faultsOf({ folder }: Station): Promise<string[]> {
  const { findings } = await verify(folder, verifyDependencies);
  // It keeps this process from hearing of connections that servers have closed since; the next request would take one.
  await sleep(20);
  return findings.map(({ what, where }) => `${what} ${where}`);
}
