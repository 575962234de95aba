import type { SyncState } from '../../../../shared/operations/exchange-operations.ts';
import { newCode } from '../../../server/enrolment/enrolled.ts';
import { environmentOf, holdpoint } from '../../../server/transfer/holdpoint.ts';
import type { SeededRandom } from '../../faults/seeded-random.ts';
import { dataOf } from '../kit/process-fleet.ts';
import type { Place } from './storm-site.ts';

/** What a person did, where, and what the command answered. */
export interface Attended {
  did: 'chosen' | 'separated' | 'enrolled again';
  at: string;
  heard: string;
}

interface Told {
  place: Place;
  state: SyncState;
}

/**
 * People look at the page of the exchange at each machine and do once what it says, by the commands that it names. Who goes on,
 * of several machines with one disk, is drawn; a machine that is alone with its disk always does.
 */
export async function attend(places: readonly Place[], random: SeededRandom): Promise<Attended[]> {
  const [central, ...stations] = places;
  if (!central) return [];
  const told = (await Promise.all(stations.map(look))).filter(one => one !== undefined);
  const done: Attended[] = [];
  for (const machines of Map.groupBy(told, ({ state }) => state.installation).values()) {
    if (isToChoose(machines)) done.push(...(await choose(central, random.pick(machines))));
    else for (const one of machines) done.push(...(await leave(central, one, random)));
  }
  return done;
}

async function look(place: Place): Promise<Told | undefined> {
  const answer = await unlessAway(place.station.get('/x/sync'));
  // At its start nobody can sign in for a moment.
  return answer?.status === 200 ? { place, state: dataOf(answer) as SyncState } : undefined;
}

/** Undefined where the machine is away just now: nobody can look at its screen. */
async function unlessAway<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function isToChoose(machines: readonly Told[]): boolean {
  const told = machines.flatMap(({ state }) => state.doubled ?? []);
  if (told.length === 0 || told.length < machines.length) return false;
  // Whom central goes on with is none of them: it was put back since.
  if (told.every(({ is_held_off: isHeldOff }) => isHeldOff)) return true;
  return machines.length > 1 && told.every(({ is_decided: isDecided }) => !isDecided);
}

async function choose(central: Place, { place, state }: Told): Promise<Attended[]> {
  const rows = await unlessAway(central.station.get('/x/stations'));
  const { data = [] } = (rows?.body ?? {}) as { data?: { id: number; station: string }[] };
  const row = data.find(({ station }) => station === state.installation);
  if (!row) return [];
  const words = ['station', 'choose', String(row.id), state.doubled?.machine ?? ''];
  const { output } = await holdpoint(environmentOf(central.station), ...words);
  return [{ did: 'chosen', at: place.name, heard: output.trim() }];
}

/** A new code, where it says that one is needed. */
async function leave(central: Place, { place, state }: Told, random: SeededRandom): Promise<Attended[]> {
  const isSeparate = state.doubled?.is_held_off === true && state.says.includes('--separate');
  if ((!isSeparate && state.state !== 'refused') || !place.line) return [];
  // Names are given once.
  const code = await unlessAway(newCode(central.station, `${place.name}, ${random.below(2 ** 31)}`));
  if (code === undefined) return [];
  const enrol = (...more: string[]) =>
    holdpoint(environmentOf(place.station), 'enrol', place.line?.origin ?? '', code, ...more);
  const { output } = await enrol(...(isSeparate ? ['--separate'] : []));
  return [{ did: isSeparate ? 'separated' : 'enrolled again', at: place.name, heard: output.trim() }];
}
