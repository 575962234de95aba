import type { AuditDetails, AuditKind } from '../../shared/families/audit-event.ts';
import { families } from '../../shared/families/registry.ts';
import type { Fields } from '../store/changes.ts';
import type { UnitOfWork } from '../store/unit-of-work.ts';

/** Author in history of what the machine notes of itself. Who did it, the event says. */
export const AUDIT_TRAIL = 'audit-trail';

/** Characters of one text of an event: names of files and people are shorter. */
const TEXT = 500;
/** Texts of one list of an event. */
const LIST = 100;

/** What happened. Whatever is not given there was not: nobody signed in, no record, once. */
export interface AuditEvent {
  kind: AuditKind;
  /** Login of the person, or name of the integration. */
  author?: string | undefined;
  /** The name of that person then. */
  author_name?: string | undefined;
  address?: string | undefined;
  /** Family and id of a record. */
  subject?: string | undefined;
  count?: number | undefined;
  details?: AuditDetails | undefined;
  /** Where it is noted later than it happened. ISO 8601 UTC with milliseconds. */
  at?: string | undefined;
}

/** In a unit of work, with what it is about: both are written, or neither. */
export function putEvent(work: UnitOfWork, event: AuditEvent): void {
  work.byServer(() => work.insert(families['audit-event'], fieldsOf(event, work.at)));
}

function fieldsOf({ details, ...event }: AuditEvent, now: string): Fields {
  const { kind, at = now, author, author_name, address, subject, count } = event;
  const fields = {
    kind,
    at,
    author: bounded(author),
    author_name: bounded(author_name),
    address: bounded(address),
    subject,
    count,
    details: details && given(details, short),
  };
  return given(fields, value => value);
}

function given<Value>(members: Readonly<Record<string, Value>>, read: (value: Value) => unknown): Fields {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, read(value)]));
}

function short(value: AuditDetails[string]): unknown {
  if (typeof value === 'string') return bounded(value);
  return Array.isArray(value) ? value.slice(0, LIST).map(each => bounded(String(each))) : value;
}

/** Whole characters: half of a pair cannot be kept. */
function bounded(text: string | undefined): string | undefined {
  return text === undefined || text.length <= TEXT
    ? text?.toWellFormed()
    : `${text.slice(0, TEXT - 1)}…`.toWellFormed();
}
