import { randomUUID } from 'node:crypto';
import type { Station } from '../../../support/station.ts';
import { FaultLog, isWritten } from '../../faults/fault-log.ts';
import { seededRandom } from '../../faults/seeded-random.ts';
import type { Pair, PairWrite } from './check-kept.ts';
import { dataOf, type ProcessFleet } from './process-fleet.ts';

const KINDS = ['same field', 'different fields'] as const;

/** The pairs, and what the client who wrote them was answered. */
export interface WrittenPairs {
  pairs: Pair[];
  log: FaultLog;
}

/**
 * Separates the machines of a fleet in step, and writes `count` pairs of each kind, each at two machines of them all that
 * the seed picks. The fleet stays separated.
 */
export async function writePairs(fleet: ProcessFleet, count: number, seed: number): Promise<WrittenPairs> {
  const random = seededRandom(seed);
  const log = new FaultLog(`P${seed}.${randomUUID().slice(0, 8)}.`);
  const wanted = KINDS.flatMap(kind => Array.from({ length: count }, () => kind));
  const ids = await inBatches(wanted, () => create(fleet.central, log));
  await fleet.untilInStep();
  fleet.separate();
  const places = wanted.map((kind, index) => {
    const one = random.pick(fleet.all);
    return { kind, id: ids[index] ?? 0, one, other: random.pick(fleet.all.filter(each => each !== one)) };
  });
  const pairs = await inBatches(places, async ({ kind, id, one, other }): Promise<Pair> => {
    const second = kind === 'same field' ? 'primary_name' : 'secondary_name';
    const first = await change(one, log, id, 'primary_name');
    return { kind, subject: `supplier:${id}`, writes: [first, await change(other, log, id, second)] };
  });
  return { pairs, log };
}

/** A few at a time, since a commit of several writes takes as long as one of one. */
async function inBatches<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += 20) {
    results.push(...(await Promise.all(items.slice(at, at + 20).map(work))));
  }
  return results;
}

async function create(station: Station, log: FaultLog): Promise<number> {
  const data = await write(station, log, { kind: 'supplier', method: 'POST', path: '/suppliers' }, 'name');
  return Number((data as { id: number }).id);
}

async function change(station: Station, log: FaultLog, id: number, path: string): Promise<PairWrite> {
  const value = `${log.prefix}${log.nextNumber}.`;
  await write(station, log, { kind: 'change', method: 'PUT', path: `/suppliers/${id}` }, path);
  return { path, value };
}

async function write(
  station: Station,
  log: FaultLog,
  request: { kind: string; method: 'POST' | 'PUT'; path: string },
  field: string,
): Promise<unknown> {
  const number = log.nextNumber;
  const marker = `${log.prefix}${number}.`;
  const body = { [field]: marker };
  log.sent({ number, marker, key: null, ...request, body });
  const answer = await station.call(request.method, request.path, { body });
  log.attempted({ operation: number, status: answer.status, answer: answer.body });
  if (!isWritten(answer.status)) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return dataOf(answer);
}
