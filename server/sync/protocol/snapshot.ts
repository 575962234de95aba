import type { Commit } from '../../store/changes.ts';
import { answering, type CentralReader, type CentralTerms, cursorAt, signedHeads } from './central.ts';
import type { LogPlace } from './log.ts';
import type { Page, SnapshotPage, SnapshotRequest, SnapshotStart } from './wire.ts';

/** Central's reading of its own state for a snapshot, of one moment. */
export interface SnapshotReader<R> extends CentralReader {
  /**
   * Some records after a key, ascending by key, and what to ask after; null when they are the last. About `size`
   * characters of JSON at most, where it is given, but for a record that alone has more.
   */
  recordsAfter(key: string | null, size?: number): Pick<SnapshotPage<R>, 'records' | 'after'>;
  allHeld(): SnapshotStart['held'];
  withdrawn(): string[];
}

/**
 * One page of a snapshot. Central keeps nothing between pages: each is read as of now, and the log since `at` tells the
 * rest. A snapshot whose place this log does not have is begun anew, which the station sees by its `at`.
 */
export function snapshotPage<R>(
  request: SnapshotRequest,
  read: SnapshotReader<R>,
  terms: CentralTerms,
): SnapshotPage<R> {
  const until = placeOf(read.place());
  const isBegun = request.at !== null && read.logHashAt(request.at.sequence) === request.at.hash;
  const at = isBegun && request.at ? request.at : until;
  const start = isBegun
    ? null
    : {
        heads: signedHeads(request.station, read, terms),
        held: read.allHeld(),
        withdrawn: read.withdrawn(),
      };
  return {
    kind: 'snapshot',
    ...answering(request, read, terms),
    at: cursorAt(at, read, terms),
    until,
    ...read.recordsAfter(isBegun ? request.after : null, request.size),
    start,
  };
}

/**
 * Whether a page of the log shows that the records of a snapshot are of another log than this one: it ends before, or
 * goes on otherwise at, the place at which the last of them were read.
 */
export function isDisproved(
  { last }: Pick<Page, 'last'>,
  entries: readonly LogPlace[],
  until: LogPlace,
): boolean {
  if (last < until.sequence) return true;
  const entry = entries.find(({ sequence }) => sequence === until.sequence);
  return entry !== undefined && entry.hash !== until.hash;
}

/**
 * What a snapshot says of own commits: those up to the head of their chain are decided, but for the held ones; those
 * after it are not, whatever was known of them before.
 * @param open own commits that are not known to be decided
 * @param after own commits beyond the heads, as far as no entry of the log decided them
 */
export function ownAtSnapshot(
  { heads, held }: SnapshotStart,
  open: readonly Pick<Commit, 'chain' | 'number' | 'commit_id'>[],
  after: readonly Commit[],
): { settled: string[]; opened: Commit[] } {
  const numbers = new Map(heads.map(({ chain, number }) => [chain, number]));
  const heldIds = new Set(held.map(({ commit }) => commit.commit_id));
  const known = new Set(open.map(({ commit_id }) => commit_id));
  return {
    settled: open
      .filter(
        ({ chain, number, commit_id }) => number <= (numbers.get(chain) ?? 0) && !heldIds.has(commit_id),
      )
      .map(({ commit_id }) => commit_id),
    opened: after.filter(({ commit_id }) => !known.has(commit_id)),
  };
}

function placeOf({ sequence, hash }: LogPlace): LogPlace {
  return { sequence, hash };
}
