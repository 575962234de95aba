import type { Checkpoint } from '../../shared/operations/checkpoint-operations.ts';
import { headOf } from '../store/history.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import type { Store } from '../store/store.ts';
import { readLocal } from '../store/tables.ts';
import { Log } from '../sync/log/log.ts';
import type { Authority } from './authority-key.ts';
import { signCheckpoint } from './checkpoint.ts';

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
  let last: { checkpoint: Checkpoint; made: number } | undefined;
  return {
    present() {
      const { reader } = store.database;
      const { chain } = store.gate;
      const [log, head] = [logPlace(store), headOf(reader, chain)];
      if (!log && head.number === 0) return undefined;
      const now = performance.now();
      const isSame =
        last?.checkpoint.log?.hash === log?.hash &&
        last?.checkpoint.log?.epoch === log?.epoch &&
        last?.checkpoint.chain?.hash === (head.number > 0 ? head.hash : undefined);
      if (!last || !isSame || now - last.made > FRESH_MS) {
        const standing = {
          installation: store.station,
          at: clock().toISOString(),
          log,
          chain: head.number > 0 ? { chain, ...head } : null,
        };
        last = { checkpoint: signCheckpoint(authority, standing), made: now };
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
