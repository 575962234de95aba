import type { StoredRecord } from '../../shared/contract/present.ts';
import { readJson } from '../../shared/contract/read-json.ts';
import type { Database } from '../store/sqlite/database.ts';
import { readLocal, writeLocal } from '../store/tables.ts';
import type { AuditEvent } from './event.ts';

/** Under which `local` has events that wait for ids. */
const NAME = 'audit_waiting';
/** A station without ids goes on for weeks, and its sign-ins must not fill a row without end. */
const MOST = 1_000;

/** Events that are to become records once there are ids for them; the oldest first. */
export function readWaiting(database: Pick<Database, 'get'>): AuditEvent[] {
  const text = readLocal(database, NAME);
  const known = text === undefined ? [] : readJson(text);
  return Array.isArray(known) ? known : [];
}

/** In the open transaction, in the place of those that waited. Of very many the last ones are counted only. */
export function writeWaiting(database: Pick<Database, 'run'>, events: readonly AuditEvent[]): void {
  writeLocal(database, NAME, JSON.stringify(bounded(events)));
}

/** In the open transaction: records whose ids are others' from here on become events that wait. */
export function waitAgain(database: Pick<Database, 'get' | 'run'>, records: readonly StoredRecord[]): void {
  if (records.length === 0) return;
  const events = records.map(({ fields }) => fields as unknown as AuditEvent);
  writeWaiting(database, [...readWaiting(database), ...events]);
}

function bounded(events: readonly AuditEvent[]): readonly AuditEvent[] {
  if (events.length <= MOST) return events;
  const left = events.slice(MOST - 1);
  const count = left.reduce((sum, { kind, count: more = 1 }) => sum + (kind === 'not_kept' ? more : 1), 0);
  const last = left.at(-1)?.at;
  return [...events.slice(0, MOST - 1), { kind: 'not_kept', count, ...(last && { at: last }) }];
}
