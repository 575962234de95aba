import { type Cursor, NEW_SNAPSHOT, type SnapshotPage } from '../../../../server/sync/protocol/wire.ts';
import { type Station, sorted } from './machines.ts';
import type { Protocol, SnapshotRecord } from './protocol-table.ts';

/** The log cannot be folded from its beginning: only it is cut, and records are asked for. */
export function cutAnew(before: Station, to: Cursor): Station {
  const { log, start, known, offers: open, nextPlace } = before;
  const above = log.filter(({ sequence }) => sequence > to.sequence);
  const all = [
    ...above.filter(({ sequence }) => sequence <= start.sequence),
    ...known,
    ...above.filter(({ sequence }) => sequence > start.sequence),
    ...open,
  ];
  const offers = all.map(({ commit, countersignature }, index) => ({
    commit,
    countersignature,
    place: nextPlace + index,
  }));
  return {
    ...before,
    log: log.filter(({ sequence }) => sequence <= to.sequence),
    start: to.sequence < start.sequence ? { sequence: to.sequence, hash: to.hash } : start,
    cursor: to,
    offers,
    known: [],
    nextPlace: nextPlace + all.length,
    heads: {},
    until: null,
    snapshot: NEW_SNAPSHOT,
  };
}

/** A page of records; the last one also says what is decided of own commits. */
export function takeRecords(
  before: Station,
  page: SnapshotPage,
  p: Protocol,
): { station: Station; touched: string[] } {
  const { at, after, until } = page;
  const start = page.start ?? before.snapshot?.start ?? { heads: [], held: [], withdrawn: [] };
  const last = before.snapshot?.after ?? '';
  const isInPage = (key: string) => key > last && (after === null || key <= after);
  const rest = Object.entries(before.records).filter(([key]) => !isInPage(key));
  const given = page.records.flatMap(one => (isSnapshotRecord(one) ? [[one.key, one.record] as const] : []));
  const records = sorted(Object.fromEntries([...rest, ...given]));
  const touched = [...Object.keys(before.records), ...Object.keys(records)].filter(isInPage);
  if (after !== null) {
    return { station: { ...before, records, snapshot: { at, after, start } }, touched };
  }
  const heads = Object.fromEntries(start.heads.map(({ chain, number }) => [chain, number]));
  const inLog = new Set(before.log.flatMap(({ decisions }) => decisions.map(one => one.commit_id)));
  const beyond = p.ownAfter(before, heads).filter(({ commit_id }) => !inLog.has(commit_id));
  const { settled, opened } = p.ownAtSnapshot(start, p.undecided(before), beyond);
  const held = Object.fromEntries(start.held.map(({ commit, reason }) => [commit.commit_id, reason]));
  const reopened = new Set([...opened.map(one => one.commit_id), ...Object.keys(held)]);
  const known = new Set([...before.settled, ...settled]);
  const next: Station = {
    ...before,
    records,
    base: records,
    start: { sequence: at.sequence, hash: at.hash },
    cursor: at,
    heads,
    held,
    withdrawn: start.withdrawn,
    settled: [...known].filter(id => !reopened.has(id)).sort(),
    until: until.sequence > at.sequence ? until : null,
    snapshot: null,
  };
  const own = before.own.flatMap(({ entries }) => entries.map(({ subject }) => subject));
  return { station: next, touched: [...touched, ...own] };
}

function isSnapshotRecord(value: unknown): value is SnapshotRecord {
  return typeof value === 'object' && value !== null && 'key' in value;
}
