import { AppError } from '../../../shared/contract/errors.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { families } from '../../../shared/families/registry.ts';
import { AUDIT_TRAIL } from '../../audit/event.ts';
import { waitAgain } from '../../audit/waiting.ts';
import { readCommitText } from '../../store/commit-text.ts';
import { CHAIN_START, newChain } from '../../store/history.ts';
import { blocksInUse } from '../../store/moved.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import { tableOf } from '../../store/sqlite/documents.ts';
import type { Store } from '../../store/store.ts';
import { syncRules } from '../log/rules.ts';
import { createSyncTables } from '../log/tables.ts';
import { type MovingReport, moveRecords } from './moving.ts';
import { noteHeldOff, StationStore } from './station-store.ts';

/** What an installation that holds records of its own needs beside its first block. */
export interface Joining {
  /** Further blocks, as many as `blocksToMove` says but one. */
  further: readonly number[];
  /** Who asks for it, when, and what history says of it. */
  user: string;
  at: string;
  reason: string;
}

/**
 * Makes a store a station of a central, in one transaction: ids come from the blocks that central gave, and commits go
 * into a chain that is sent. What only the setup of a fresh installation has written is left behind; central has its
 * own. Records of its own move to the new blocks (`moveRecords`).
 * @param keep writes in the same transaction what else belongs to it
 * @returns what was moved; undefined for a fresh installation
 * @throws AppError `conflict` when there are records and no `joining`; nothing is changed then
 */
export async function joinCentral(
  store: Store,
  block: number,
  keep: () => void = () => {},
  joining?: Joining,
): Promise<MovingReport | undefined> {
  const { database, gate, ids } = store;
  const chain = newChain(store.station);
  return gate.applyRemoteInParts(async put => {
    const hasRecords = hasOwnRecords(database);
    if (hasRecords && !joining) throw new AppError('conflict', RECORDS_MEANWHILE);
    const blocks = [block, ...(joining?.further ?? [])].sort((a, b) => a - b);
    createSyncTables(database);
    const station = new StationStore(store, syncRules, database);
    const removals = hasRecords ? [] : recordsOfSetup(store);
    const report =
      hasRecords && joining
        ? await moveRecords(store, { ...joining, blocks, chain, pendingCommits: station.pendingCommits, put })
        : undefined;
    if (!report) waitAgain(database, eventsIn(store));
    for (const [index, each] of blocks.entries()) ids.adopt(each, index === 0);
    station.enterChain(chain);
    keep();
    if (!report) await put({ removals, place: { chain, head: CHAIN_START } });
    return report;
  });
}

/**
 * A station enrols again at its central, in one transaction. Another machine with the same disk may have done so before, and
 * given the same ids: this one sends nothing of what it has before it has read what central has, as one that was put back.
 * @param keep as of `joinCentral`
 */
export function joinAgain({ database, gate, ids }: Store, block: number, keep: () => void): Promise<void> {
  return gate.applyRemote(() => {
    if (!ids.blocks().includes(block)) ids.adopt(block, false);
    noteHeldOff(database);
    keep();
    return { result: undefined };
  });
}

/** How many blocks of ids the records need that move when this installation joins; 0 when it is a fresh one. */
export function blocksToMove({ database, collection }: Store): number {
  const { reader } = database;
  return hasOwnRecords(reader) ? blocksInUse(reader, tableOf(collection)).length : 0;
}

/** Whether the store holds more than the setup of a fresh installation has written, and what it noted of itself. */
function hasOwnRecords(sql: Pick<SqlReader, 'get'>): boolean {
  const written = `SELECT 1 FROM history WHERE user <> '${AUDIT_TRAIL}' AND (user <> 'setup' OR number > 1) LIMIT 1`;
  return sql.get(written) !== undefined;
}

function recordsOfSetup({ database, pending }: Store): string[] {
  return database
    .all<{ entries: string }>('SELECT entries FROM history')
    .flatMap(({ entries }) => readCommitText(entries)?.entries ?? [])
    .map(({ subject }) => subject)
    .filter(key => pending.getByKey(key) !== undefined);
}

/** What happened here before it joined is noted anew, under ids of its own block. */
function eventsIn({ pending }: Store): StoredRecord[] {
  return [...pending.all(families['audit-event'].name)];
}

const RECORDS_MEANWHILE =
  'Records were written here while the installation was let in as a fresh one. Enrol again: they are moved then.';
