import { sequenceOf } from '../../store/history.ts';
import type { Store } from '../../store/store.ts';
import { recordsIn } from '../../store/subjects.ts';
import { inTurns, type YieldToEventLoop } from '../../store/yield-to-event-loop.ts';
import { noteArrival } from '../log/arrivals.ts';
import type { DecidedStore } from '../log/decided-store.ts';
import { foldingEntry } from '../log/fold.ts';
import { InHistory } from '../log/in-history.ts';
import type { SignedEntry } from '../protocol/packed-entries.ts';
import { logChanges } from '../protocol/received-log.ts';
import type { Cursor } from '../protocol/wire.ts';
import { puttingInHistory } from './put-in-history.ts';
import type { StationTables } from './station-tables.ts';

/**
 * In the open transaction: keeps a page of the log and folds it; own commits that it decides are settled.
 * @returns the records of own commits that it says something of
 */
export async function applyLogPage(
  store: Store,
  station: StationTables,
  { entries, cursor, decided }: { entries: readonly SignedEntry[]; cursor: Cursor; decided: DecidedStore },
  yieldToEventLoop: YieldToEventLoop,
): Promise<Set<string>> {
  const { log, pendingCommits, held, recoveryCommits, sent } = station;
  const history = new InHistory(store.database);
  for (const entry of entries) {
    await yieldToEventLoop();
    const { commit } = entry;
    // What was sent was read from there.
    const isSent = sent.get(commit.chain, commit.number)?.hash === commit.hash;
    if (!isSent) await inTurns(puttingInHistory(store, commit, history), yieldToEventLoop);
    await yieldToEventLoop();
    log.append(entry);
    await inTurns(
      foldingEntry(entry, decided, id => log.commit(id)),
      yieldToEventLoop,
    );
  }
  const [first, end] = [entries[0], entries.at(-1)];
  if (first && end)
    noteArrival(store.database, {
      first: first.sequence,
      last: end.sequence,
      at: store.gate.now(),
      clock_offset: store.gate.clockOffset,
    });
  const changes = logChanges(entries, commit => held.isHeld(commit));
  const arrived = new Map(entries.map(({ commit }) => [commit.commit_id, commit]));
  const settled = pendingCommits.openOf(changes.settled, arrived);
  const all = [
    ...settled,
    ...pendingCommits.openOf(
      changes.held.map(({ commit_id }) => commit_id),
      arrived,
    ),
  ];
  // What this station forgot, having been put back, and central holds: it is its own to issue again or to give up.
  const forgotten = changes.held.flatMap(({ commit_id: id }) => {
    const commit = arrived.get(id);
    return commit && station.isOwn(commit.chain) && !pendingCommits.includes(id) ? [commit] : [];
  });
  const touched = new Set([
    ...pendingCommits.coveredOf(entries.flatMap(entry => namedBy(entry, log))),
    ...all.flatMap(({ subjects }) => subjects),
    ...forgotten.flatMap(commit => recordsIn(commit.entries)),
  ]);
  // Read while it is known where it is kept.
  for (const key of touched) decided.get(key);
  pendingCommits.settle(settled);
  for (const one of forgotten) pendingCommits.add(one, sequenceOf(store.database, one.chain, one.number));
  held.follow(changes, end?.sequence ?? 0);
  recoveryCommits.settle(entries);
  station.keepCursor(cursor);
  station.snapshots.prove(cursor);
  return touched;
}

/** The records that an entry names, and those of what it withdraws: own commits over that are shown no more, and again where the entry is cut off. */
export function namedBy({ commit, decisions }: SignedEntry, log: StationTables['log']): string[] {
  const withdrawn = decisions.filter(({ outcome }) => outcome === 'withdrawn');
  const commits = [commit, ...withdrawn.flatMap(({ commit_id: id }) => log.commit(id) ?? [])];
  return commits.flatMap(({ entries }) => recordsIn(entries));
}
