import type { Checkpoint } from '../../shared/operations/checkpoint-operations.ts';
import type { SignedEnd } from '../keys/signed-end.ts';
import { archivedCommits, readArchives } from '../store/archive.ts';
import type { Commit } from '../store/changes.ts';
import { readCommitsAfter } from '../store/history.ts';
import type { SqlReader } from '../store/sqlite/connection.ts';
import { keptEnds } from '../store/station-ends.ts';
import type { Store } from '../store/store.ts';
import { yieldingToEventLoop } from '../store/yield-to-event-loop.ts';
import { isInLog, Log } from '../sync/log/log.ts';
import type { Decision } from '../sync/protocol/decide.ts';

/** Commits that are read at once. */
const AT_ONCE = 200;

/** The first line of a trail. */
export interface TrailHeader {
  format: 'holdpoint trail 1';
  installation: string;
  /** Version of the program that wrote it. */
  version: string;
  made_at: string;
  /** Where the log begins in it: after this entry. Null: there is no log in it. */
  log_after: { sequence: number; hash: string } | null;
  /** At central: how far each station has signed its chains itself. */
  ends?: SignedEnd[];
}

/** A line of a trail after the first; `docs/verify/README.md` describes all of them. */
export type TrailLine =
  | { sequence: number; hash: string; decisions: Decision[]; commit: Commit }
  /** What is not in the log; `is_abandoned`: another commit was put in its place, and it was issued again elsewhere. */
  | { commit: Commit; is_abandoned?: true }
  | { checkpoint: Checkpoint };

export interface TrailOptions {
  store: Store;
  version: string;
  clock: () => Date;
  /** Of now. */
  checkpoint: () => Checkpoint | undefined;
  /** Entries of the log before the first of this moment or later are left out. ISO 8601 UTC. */
  from?: string | undefined;
}

/**
 * All history of an installation, in an order in which it can be checked line by line: central's log, then the commits that
 * are not in it, then at central what installations had before they joined, then a checkpoint of the place where both end. What is written meanwhile is left out,
 * and of what they had before what has not come whole, or whose end the log does not say in the trail.
 */
export async function* trailLines(options: TrailOptions): AsyncGenerator<TrailHeader | TrailLine> {
  const { store, version, clock } = options;
  const { reader } = store.database;
  // Before it is known where the log ends: none is beyond.
  const ends = keptEnds(reader);
  const checkpoint = options.checkpoint();
  const archives = readArchives(reader);
  const lastCommit = endOfHistory(reader);
  const yieldToEventLoop = yieldingToEventLoop();
  const log = hasLog(reader) ? new Log(store.database, reader) : undefined;
  const end = checkpoint?.log?.sequence ?? 0;
  const start = (log && (await placeBefore(log, end, options.from, yieldToEventLoop))) ?? null;
  yield {
    format: 'holdpoint trail 1',
    installation: store.station,
    version,
    made_at: clock().toISOString(),
    log_after: start && { sequence: start.sequence, hash: start.hash },
    ...(ends.length > 0 && { ends }),
  };
  const begun = new Set<string>();
  for (let sequence = start?.sequence ?? 0; log && sequence < end; ) {
    const entries = log.after(sequence, Math.min(AT_ONCE, end - sequence));
    for (const { sequence: place, hash, decisions, commit } of entries) {
      yield { sequence: place, hash, decisions, commit };
      if (commit.number === 1) begun.add(commit.chain);
      await yieldToEventLoop();
    }
    sequence = entries.at(-1)?.sequence ?? end;
  }
  for (let place = 0; place < lastCommit; ) {
    const commits = readCommitsAfter(reader, place, AT_ONCE);
    for (const { sequence, commit } of commits) {
      place = sequence;
      if (sequence > lastCommit) break;
      await yieldToEventLoop();
      const isAbandoned = wasAbandoned(reader, commit);
      if (!isAbandoned && log && isInLog(reader, commit, end)) continue;
      yield { commit, ...(isAbandoned && { is_abandoned: true as const }) };
    }
    if (commits.length === 0) break;
  }
  for (const { chain, archive } of archives) {
    if (!archive.checked || !begun.has(chain)) continue;
    for (const commit of archivedCommits(reader, chain, archive)) {
      yield { commit };
      await yieldToEventLoop();
    }
  }
  if (checkpoint) yield { checkpoint };
}

/** Where the log begins in the trail: before the first entry of the moment, or where it does here. */
async function placeBefore(
  log: Log,
  end: number,
  from: string | undefined,
  yieldToEventLoop: () => Promise<void> | undefined,
): Promise<{ sequence: number; hash: string }> {
  let before = log.start();
  if (from === undefined) return before;
  while (before.sequence < end) {
    const entries = log.after(before.sequence, Math.min(AT_ONCE, end - before.sequence));
    for (const { sequence, hash, commit } of entries) {
      if (commit.at >= from) return before;
      before = { sequence, hash };
      await yieldToEventLoop();
    }
    if (entries.length === 0) break;
  }
  return before;
}

function endOfHistory(reader: SqlReader): number {
  return reader.get<{ last: number | null }>('SELECT max(sequence) AS last FROM history')?.last ?? 0;
}

/** Whether there are tables of the exchange. */
export function hasLog(reader: SqlReader): boolean {
  return reader.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'log'") !== undefined;
}

function wasAbandoned(reader: SqlReader, { chain, number, hash }: Commit): boolean {
  const sql = 'SELECT 1 FROM abandoned WHERE chain = ? AND number = ? AND hash = ?';
  return reader.get(sql, chain, number, hash) !== undefined;
}
