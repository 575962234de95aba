import type { Commit } from '../../store/changes.ts';
import { CHAIN_START, type ChainHead, sequenceOf } from '../../store/history.ts';
import type { Store } from '../../store/store.ts';
import { recordsIn } from '../../store/subjects.ts';
import { keepDecided } from '../log/decided-store.ts';
import { sha256 } from '../log/log.ts';
import { beginAgain } from '../protocol/received-log.ts';
import type { StationTables } from './station-tables.ts';

/**
 * In the open transaction, when central knows this station's chain otherwise: what the received log does not hold at its
 * place is abandoned, and what it does not know at all is issued again, in a chain that was never used. Returns its head.
 * @param as what a commit says from now on; nothing of one that is not issued again
 */
export function startNewChain(
  chain: string,
  { gate, database, pending }: Pick<Store, 'gate' | 'database' | 'pending'>,
  station: StationTables,
  as: (commit: Commit) => Commit | undefined = commit => commit,
): ChainHead {
  const { log, held, pendingCommits } = station;
  const unplaced = station.unplaced(Number.MAX_SAFE_INTEGER);
  const again = beginAgain(
    unplaced.flatMap(one => as(one) ?? []),
    commit => log.has(commit),
    chain,
    sha256,
  );
  const open = new Set(unplaced.filter(({ commit_id }) => pendingCommits.includes(commit_id)));
  const keys = new Set(again.flatMap(({ entries }) => recordsIn(entries)));
  const covered = pendingCommits.coveredOf([...keys]);
  // Where the log was cut for records that follow, a commit that it decided is undecided from now on.
  for (const key of keys) {
    const record = covered.has(key) ? undefined : pending.getByKey(key);
    if (record) keepDecided(database, record);
  }
  pendingCommits.settle(pendingCommits.openOf([...open].map(({ commit_id }) => commit_id)));
  for (const { chain: former, number, hash } of unplaced) {
    database.run('INSERT INTO abandoned (chain, number, hash) VALUES (?, ?, ?)', former, number, hash);
  }
  station.enterChain(chain);
  for (const commit of again) pendingCommits.add(commit, gate.receive(commit));
  // A held one stands where the log has it.
  for (const { commit_id } of open) {
    const placed = held.isHeld(commit_id) ? log.commit(commit_id) : undefined;
    if (placed) pendingCommits.add(placed, sequenceOf(database, placed.chain, placed.number));
  }
  const { number, hash } = again.at(-1) ?? CHAIN_START;
  return { number, hash };
}
