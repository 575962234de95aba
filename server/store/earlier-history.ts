import type { StoredRecord } from '../../shared/contract/present.ts';
import type { Commit } from './changes.ts';
import type { SqlReader } from './sqlite/connection.ts';
import { readLocal } from './tables.ts';

/**
 * A station that took records in place of central's log has no history of what was before. It asks central for that record
 * by record, when somebody looks, and keeps it in the tables `earlier_…` beside its own history: each commit by its place
 * in central's log, each record with the place from which on its list is whole (0: from the beginning). All of it is of
 * the log before the place at which the received one begins, and is dropped when that place is another one.
 */

/** Where the received log begins; undefined where it is there from its first entry. */
export function logStart(reader: Pick<SqlReader, 'get'>): { sequence: number; hash: string } | undefined {
  const place = JSON.parse(readLocal(reader, 'log_start') ?? 'null');
  return place === null || place.sequence === 0 ? undefined : place;
}

/** Whether records are being taken in place of the log: until then it is not known where the log goes on. */
export function isTakingRecords(reader: Pick<SqlReader, 'get'>): boolean {
  return readLocal(reader, 'snapshot') !== undefined;
}

/** The place from which on the list of a record's commits is whole; undefined where central was never asked. */
export function earlierSince(reader: Pick<SqlReader, 'get'>, key: string): number | undefined {
  if (!hasTables(reader)) return undefined;
  return reader.get<{ since: number }>('SELECT since FROM earlier_record WHERE subject = ?', key)?.since;
}

/** Whether commits of a record are missing here, which central has. */
export function isHistoryMissing(
  reader: Pick<SqlReader, 'get'>,
  { key, creator }: Pick<StoredRecord, 'key' | 'creator'>,
): boolean {
  if (isTakingRecords(reader)) return true;
  const start = logStart(reader);
  return start !== undefined && earlierSince(reader, key) !== 0 && !isSince(reader, creator, start.sequence);
}

/** Whether a commit was decided after a place of the log, or is not decided yet. */
function isSince(reader: Pick<SqlReader, 'get'>, commit: string, sequence: number): boolean {
  return (
    reader.get('SELECT 1 FROM log WHERE commit_id = ? AND sequence > ? LIMIT 1', commit, sequence) !==
      undefined || reader.get('SELECT 1 FROM undecided WHERE commit_id = ?', commit) !== undefined
  );
}

function hasTables(reader: Pick<SqlReader, 'get'>): boolean {
  return reader.get("SELECT 1 FROM sqlite_schema WHERE name = 'earlier_record'") !== undefined;
}

/** Where a commit stands in the order of arrival here; what was asked for before all else, in the order of central's log. */
export function placeOf(
  reader: Pick<SqlReader, 'get'>,
  { chain, number, hash }: Pick<Commit, 'chain' | 'number' | 'hash'>,
): number {
  const at = 'WHERE chain = ? AND number = ? AND hash = ?';
  const place = (table: string) =>
    reader.get<{ sequence: number }>(`SELECT sequence FROM ${table} ${at}`, chain, number, hash)?.sequence;
  const earlier = hasTables(reader) ? place('earlier_commit') : undefined;
  return earlier === undefined ? (place('history') ?? 0) : earlier - Number.MAX_SAFE_INTEGER;
}

/** What a list of a record's commits is read from, in SQL: columns of `history` and `part`, in the order of `part, sequence`. */
export interface HistorySource {
  from: string;
  parameters: (string | number)[];
}

/** Of what stands in history after the log's beginning, or is not decided; 1 is what was asked for, 0 what was here already. */
export const SINCE_START = 2;

/**
 * The commits of a record with those from before the log's beginning, each once: what was asked for goes by its place in
 * central's log, and central's word on what stands at a place of a chain counts. Undefined where all stand in history.
 */
export function withEarlier(
  reader: Pick<SqlReader, 'get'>,
  key: string,
  subject: number,
  standing: string,
): HistorySource | undefined {
  const start = logStart(reader);
  if (!start || !hasTables(reader)) return undefined;
  const from = `FROM (
    SELECT 1 AS part, earlier.* FROM earlier_subject AS s JOIN earlier_commit AS earlier USING (sequence)
      WHERE s.subject = ?
    UNION ALL
    SELECT CASE
      WHEN EXISTS (SELECT 1 FROM log AS l WHERE l.chain = history.chain AND l.number = history.number
        AND l.sequence > ?) THEN ${SINCE_START}
      WHEN EXISTS (SELECT 1 FROM log AS l WHERE l.chain = history.chain AND l.number = history.number)
        OR EXISTS (SELECT 1 FROM snapshot_commit AS c WHERE c.commit_id = history.commit_id) THEN 0
      ELSE ${SINCE_START} END, history.*
      FROM history_subject AS s JOIN history USING (sequence)
      WHERE s.subject = ? AND ${standing} AND NOT EXISTS (SELECT 1 FROM earlier_commit AS e
        JOIN earlier_subject AS of ON of.sequence = e.sequence AND of.subject = ?
        WHERE e.chain = history.chain AND e.number = history.number))`;
  return { from, parameters: [key, start.sequence, subject, key] };
}
