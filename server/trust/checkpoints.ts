import { canonicalJson } from '../../shared/contract/canonical-json.ts';
import type { Checkpoint, CheckpointFile } from '../../shared/operations/checkpoint-operations.ts';
import { headOf } from '../store/history.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import type { Store } from '../store/store.ts';
import { readLocal } from '../store/tables.ts';
import { Log } from '../sync/log/log.ts';
import type { Authority } from './authority-key.ts';
import { checkpointFile, signCheckpoint } from './checkpoint.ts';
import { hasLog } from './trail.ts';

type ChainPlace = NonNullable<Checkpoint['chain']>;

/** For how long one place is signed with one time. In milliseconds. */
const FRESH_MS = 60_000;

/** An installation's word on where its history stands. */
export interface Checkpoints {
  /** Of now; the same one again for a minute while nothing was written. Undefined while there is no history. */
  present(): Checkpoint | undefined;
}

export interface CheckpointsOptions {
  store: Store;
  authority: Authority;
  clock: () => Date;
}

export function createCheckpoints({ store, authority, clock }: CheckpointsOptions): Checkpoints {
  let last: { checkpoint: Checkpoint; text: string; made: number } | undefined;
  return {
    present() {
      const { reader } = store.database;
      const { chain } = store.gate;
      const [log, head, others] = [logPlace(store), headOf(reader, chain), otherEnds(reader, chain)];
      if (!log && head.number === 0 && others.length === 0) return undefined;
      const now = performance.now();
      const places = { log, chain: head.number > 0 ? { chain, ...head } : null, others };
      const text = canonicalJson(places);
      if (last?.text !== text || now - last.made > FRESH_MS) {
        const least = store.clockWatch.standing()?.atLeast;
        const standing = {
          installation: store.station,
          at: clock().toISOString(),
          ...(least !== undefined && { clock_at_least: least }),
          ...places,
        };
        last = { checkpoint: signCheckpoint(authority, standing), text, made: now };
      }
      return last.checkpoint;
    },
  };
}

/** How far central's log is here: all of it at central, what was received at a station. */
function logPlace({ database }: Store): Checkpoint['log'] {
  const { reader } = database;
  const epoch = readLocal(reader, 'epoch') ?? cursorEpoch(reader);
  if (epoch === undefined || epoch === '') return null;
  const { sequence, hash } = new Log(database, reader).place();
  return sequence > 0 ? { epoch, sequence, hash } : null;
}

/** Of a station that has heard of central. */
function cursorEpoch(reader: SqlReader): string | undefined {
  const text = readLocal(reader, 'cursor');
  if (text === undefined) return undefined;
  const cursor: { epoch: string } = JSON.parse(text);
  return cursor.epoch;
}

/**
 * The ends of chains that neither the log nor the present chain covers: a restored installation writes in another chain than
 * before, and one that joined as well. At central all that stands is in the log, and where what installations had before they joined ends.
 */
function otherEnds(reader: SqlReader, present: string): ChainPlace[] {
  if (readLocal(reader, 'epoch') !== undefined) return [];
  const chains = reader.all<{ chain: string }>(
    `WITH RECURSIVE named (chain) AS (SELECT min(chain) FROM history
       UNION ALL SELECT (SELECT min(chain) FROM history WHERE chain > named.chain) FROM named WHERE named.chain IS NOT NULL)
     SELECT chain FROM named WHERE chain IS NOT NULL AND chain <> ?`,
    present,
  );
  const isLogged = hasLog(reader)
    ? 'EXISTS (SELECT 1 FROM log AS l WHERE l.chain = h.chain AND l.number = h.number)'
    : '0';
  return chains.flatMap(({ chain }) => {
    const end = reader.get<ChainPlace & { isLogged: number }>(
      `SELECT chain, number, hash, ${isLogged} AS isLogged FROM history AS h WHERE chain = ? AND NOT EXISTS
         (SELECT 1 FROM abandoned AS a WHERE a.chain = h.chain AND a.number = h.number AND a.hash = h.hash)
       ORDER BY number DESC LIMIT 1`,
      chain,
    );
    return end && end.isLogged === 0 ? [{ chain, number: end.number, hash: end.hash }] : [];
  });
}

/** The own one and central's, as a file that is kept elsewhere; undefined while there is none. */
export function readCheckpointsOf(
  checkpoints: Checkpoints,
  ofCentral: Checkpoint[] = [],
): CheckpointFile | undefined {
  const own = checkpoints.present();
  return own && checkpointFile([own, ...ofCentral]);
}
