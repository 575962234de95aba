import { memberCount } from '../../../shared/contract/member-count.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import type { SqlReader } from '../../store/sqlite/connection.ts';
import type { LogEntry } from '../protocol/log.ts';
import { isPlain } from '../protocol/packed-entries.ts';

const PLACE = 'SELECT sequence FROM log WHERE commit_id = ? ORDER BY sequence LIMIT 1';

/**
 * A decided record with its place in the log. A station does not write its own new record again only to note where
 * central's log decided it: 0 means that no entry but its creator's has decided anything of it.
 */
export function withPlace<Found extends StoredRecord | undefined>(
  sql: Pick<SqlReader, 'get'>,
  record: Found,
): Found {
  if (!record || record.folded > 0) return record;
  return { ...record, folded: sql.get<{ sequence: number }>(PLACE, record.creator)?.sequence ?? 0 };
}

/** The places in the log of commits that are applied and meet nothing, by their ids. */
export function placesOf(entries: readonly LogEntry[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const { commit, decisions, sequence } of entries) {
    if (isPlain(commit, decisions)) places.set(commit.commit_id, sequence);
  }
  return places;
}

/** Whether a record as it stands is the decided one but for its place, which is that of its creator among `places`. */
export function isInPlace(
  standing: StoredRecord,
  decided: StoredRecord,
  places: ReadonlyMap<string, number>,
): boolean {
  return (
    standing.folded === 0 &&
    places.get(decided.creator) === decided.folded &&
    [standing, decided].every(({ version, writers }) => version === 1 && memberCount(writers) === 0) &&
    standing.creator === decided.creator &&
    standing.state === decided.state &&
    standing.field_set === decided.field_set &&
    standing.created_at === decided.created_at &&
    standing.updated_at === decided.updated_at &&
    standing.station === decided.station &&
    standing.user === decided.user
  );
}
