import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../shared/contract/errors.ts';
import type { Comparison } from '../../../shared/operations/exchange-operations.ts';
import type { Store } from '../../store/store.ts';
import { recordHashes } from '../log/record-hashes.ts';
import type { HttpTransport } from './http-transport.ts';
import type { PushPullLoop } from './push-pull-loop.ts';

const TRIES = 20;
const STEP_MS = 100;
const STEPS = 50;
const RECORDS_SHOWN = 100;
/** For how long a person waits where central asks for patience, in seconds. */
const PATIENCE = 10;

type Asked = Pick<HttpTransport, 'digests'>;

/**
 * Compares all decided records with central's at the same place of its log, by family, and where they differ record by
 * record.
 * @throws AppError `unavailable` when both do not come to stand at one place, CentralFailure
 */
export async function compareWithCentral(
  store: Store,
  engine: PushPullLoop,
  transport: Asked,
): Promise<Comparison> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const theirs = await patiently(() => transport.digests());
    engine.notify();
    for (let step = 0; step < STEPS && engine.digests().sequence < theirs.sequence; step += 1) {
      await sleep(STEP_MS);
    }
    const own = engine.digests();
    if (own.sequence !== theirs.sequence || engine.reader.logHashAt(own.sequence) !== theirs.hash) continue;
    const names = new Set([...Object.keys(own.digests), ...Object.keys(theirs.digests)]);
    const families: Comparison['families'] = [];
    for (const family of [...names].sort()) {
      const isSame = own.digests[family] === theirs.digests[family];
      const records = isSame
        ? []
        : await differingRecords({ store, engine, transport, family, place: own.sequence });
      families.push({ family, is_same: isSame, records });
    }
    return { sequence: own.sequence, is_same: families.every(one => one.is_same), families };
  }
  throw new AppError(
    'unavailable',
    'This station and central did not come to stand at the same place of the log. Try again when less is written, and see GET /api/v2/x/sync.',
  );
}

/** Null where the log goes on meanwhile. */
async function differingRecords({
  store,
  engine,
  transport,
  family,
  place,
}: {
  store: Store;
  engine: PushPullLoop;
  transport: Asked;
  family: string;
  place: number;
}): Promise<Comparison['families'][number]['records']> {
  const theirs = await patiently(() => transport.digests(family));
  const own = await recordHashes(store, family);
  if (theirs.sequence !== place || engine.digests().sequence !== place || !theirs.records) return null;
  const { records } = theirs;
  const keys = [...new Set([...Object.keys(own), ...Object.keys(records)])].sort();
  return keys
    .filter(key => own[key] !== records[key])
    .slice(0, RECORDS_SHOWN)
    .map(key => ({ key, is_here: own[key] !== undefined, is_at_central: records[key] !== undefined }));
}

/** @throws AppError `unavailable` where central asks for more patience than a person has */
async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'too_many_requests') throw error;
      const seconds = Number(error.headers['Retry-After']);
      const isSoon = seconds <= PATIENCE && tries < TRIES;
      if (!isSoon) throw new AppError('unavailable', error.message, { headers: error.headers });
      await sleep(seconds * 1_000);
    }
  }
}
