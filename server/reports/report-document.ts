import { parseDate, parseTimestamp } from '../../shared/contract/dates.ts';
import type { ColumnType, ReportedRows } from './report-shape.ts';

/**
 * What a report has of an answer: each value as its column can hold it, so that no row makes a view fail. What has no value, or
 * one that its column cannot hold, is left out.
 */
export function reportDocument(
  rows: Pick<ReportedRows, 'columns' | 'items'>,
  answer: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const document: Record<string, unknown> = {};
  for (const { name, type } of rows.columns) {
    const value = answer[name];
    const held = value === null || value === undefined ? undefined : readers[type](value);
    if (held !== undefined) document[name] = held;
  }
  for (const [name, items] of Object.entries(rows.items)) {
    const list = answer[name];
    if (!Array.isArray(list)) continue;
    document[name] = list.map(item => ({ id: Number(item.id), ...reportDocument(items, item) }));
  }
  return document;
}

/** What PostgreSQL takes in no text is a replacement character here: NUL, and halves of characters. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\uFFFD');
  if (Array.isArray(value)) return value.map(cleaned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [cleaned(name), cleaned(each)]));
}

const readers: Readonly<Record<ColumnType, (value: unknown) => unknown>> = {
  bigint: value => (Number.isSafeInteger(Number(value)) ? Number(value) : undefined),
  numeric: value => (Number.isFinite(value) ? value : undefined),
  boolean: value => value === true || value === 1 || value === '1',
  date: value => parseDate(String(value)) ?? undefined,
  timestamptz: value => parseTimestamp(String(value)) ?? undefined,
  text: value => cleaned(String(value)),
  jsonb: cleaned,
};
