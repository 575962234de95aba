import { sameJson } from '../../../shared/contract/canonical-json.ts';
import { familyOf } from '../../../shared/families/registry.ts';
import type { Commit } from '../../store/changes.ts';
import { sequenceOf } from '../../store/history.ts';
import { reserverOfOwn } from '../../store/reserve-ids.ts';
import type { Store } from '../../store/store.ts';
import { recordsIn } from '../../store/subjects.ts';
import type { YieldToEventLoop } from '../../store/yield-to-event-loop.ts';
import { noteArrival } from '../log/arrivals.ts';
import { Conflicts } from '../log/conflicts.ts';
import { type DecidedStore, plain } from '../log/decided-store.ts';
import type { SnapshotRecord } from '../log/snapshot-record.ts';
import { ownAtSnapshot } from '../protocol/snapshot.ts';
import { NEW_SNAPSHOT, type SnapshotPage, type SnapshotStart } from '../protocol/wire.ts';
import { putInHistory } from './put-in-history.ts';
import type { StationTables } from './station-tables.ts';

const NO_START: SnapshotStart = { heads: [], held: [], withdrawn: [] };

/**
 * In the open transaction: puts the records of a page in the place of those between the last page and its end. Those
 * that central does not have were of a log that it lost.
 * @returns records beside these whose own commits are decided from now on, or are not any more
 */
export async function takeRecords(
  store: Store,
  station: StationTables,
  { page, records, decided }: { page: SnapshotPage; records: SnapshotRecord[]; decided: DecidedStore },
  yieldToEventLoop: YieldToEventLoop,
): Promise<Set<string>> {
  const { snapshots } = station;
  const { after: from, start: begun } = snapshots.state() ?? NEW_SNAPSHOT;
  const start = page.start ?? begun ?? NO_START;
  const conflicts = new Conflicts(store.database);
  const reserveOwn = reserverOfOwn(store.ids);
  const keys = new Set(records.map(({ record }) => record.key));
  for (const key of snapshots.keysBetween(from, page.after)) {
    if (keys.has(key)) continue;
    decided.put(key, undefined);
    conflicts.replace(key, []);
  }
  for (const { record, conflicts: known, commits } of records) {
    await yieldToEventLoop();
    const before = decided.get(record.key);
    if (!before || !sameJson(plain(before), record)) {
      decided.put(record.key, record);
      const family = familyOf(record.family);
      if (family) reserveOwn(family, record.id, record.fields);
    }
    conflicts.replace(record.key, known);
    for (const commit of commits) keepCommit(store, station, commit);
  }
  if (page.after === null) return end(store, station, { page, start, decided });
  snapshots.keep({ at: page.at, after: page.after, start });
  return new Set();
}

/** What the snapshot says beside the records: own commits, held ones, and where the log goes on. */
function end(
  store: Store,
  station: StationTables,
  { page, start, decided }: { page: SnapshotPage; start: SnapshotStart; decided: DecidedStore },
): Set<string> {
  const { at, until } = page;
  const { log, pendingCommits, held, snapshots } = station;
  for (const { commit } of start.held) keepCommit(store, station, commit);
  log.beginAt({ sequence: at.sequence, hash: at.hash });
  noteArrival(store.database, {
    first: 1,
    last: at.sequence,
    at: store.gate.now(),
    clock_offset: store.gate.clockOffset,
  });
  snapshots.keepHeads(start.heads);
  const beyond = station.unplaced(Number.MAX_SAFE_INTEGER).filter(one => !log.isKnown(one.commit_id));
  const { settled, opened } = ownAtSnapshot(start, pendingCommits.places(), beyond);
  const own = start.held.flatMap(({ commit }) => (station.isOwn(commit.chain) ? [commit] : []));
  opened.push(...own.filter(({ commit_id }) => !pendingCommits.includes(commit_id)));
  const closing = pendingCommits.openOf(settled);
  const touched = new Set([
    ...closing.flatMap(({ subjects }) => subjects),
    ...opened.flatMap(({ entries }) => recordsIn(entries)),
  ]);
  // Read while it is known where each is kept.
  for (const key of touched) decided.get(key);
  pendingCommits.settle(closing);
  for (const one of opened) pendingCommits.add(one, sequenceOf(store.database, one.chain, one.number));
  held.replace(start.held, start.withdrawn);
  station.keepCursor(at);
  snapshots.end(until.sequence > at.sequence ? until : undefined);
  return touched;
}

/** Of a commit in the part of the log that was taken as a snapshot. */
function keepCommit(store: Store, station: StationTables, commit: Commit): void {
  putInHistory(store, commit);
  station.log.keepCommit(commit);
}
