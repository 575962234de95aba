import type { Collection, Family } from '../../shared/contract/define-family.ts';
import type { Field } from '../../shared/contract/fields.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { decimalOf, formatDecimal } from '../../shared/quantities/decimal.ts';

/**
 * The form in which records leave and come back: every stored field under its name as it is stored, what the server
 * sets included, and the items of each collection with their ids. `whole-row.ts` reads it.
 */
export function exportedRecord(
  family: Family,
  { id, fields }: Pick<StoredRecord, 'id' | 'fields'>,
): Exported {
  return exportedMembers(family, id, fields);
}

export type Exported = Record<string, unknown> & { id: number };

/** Of collections whose items can be taken away: such an item is kept, and marked. */
export const REMOVED = 'is_removed';

/** Fields that are stored with a record or item; the others are its id, its times, and what rules work out. */
export function storedFields(described: Family | Collection): [string, Field][] {
  return Object.entries(described.fields).filter(([, field]) => field.source === 'fields');
}

/** The header of a family's CSV, one column a field. */
export function recordColumns(family: Family): string[] {
  return ['id', ...storedFields(family).map(([name]) => name)];
}

/** The header of a collection's own CSV: `record` is the id of the record that the item belongs to. */
export function itemColumns(collection: Collection): string[] {
  const names = storedFields(collection).map(([name]) => name);
  const removed = collection.isWholeList ? [REMOVED] : [];
  return ['record', 'id', ...names, ...removed, ...Object.keys(collection.collections)];
}

/** One line of CSV (RFC 4180) with its line end. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(value => quoted(toCell(value))).join(',')}\r\n`;
}

/**
 * What a spreadsheet would take for a formula gets an apostrophe, which it shows as text. An empty text gets one as
 * well, to tell it from no value; and so does what begins with apostrophes before either, so that `textOfCell` has one
 * reading.
 */
const GUARDED = /^'*(?:[=+\-@\t\r]|$)/;
const HAS_GUARD = /^'+(?:[=+\-@\t\r]|$)/;

export function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return GUARDED.test(value) ? `'${value}` : value;
  return typeof value === 'number' ? formatDecimal(decimalOf(value)) : JSON.stringify(value);
}

/** The text of a cell that `toCell` made of a text; null where there is none. */
export function textOfCell(cell: string): string | null {
  if (cell === '') return null;
  return HAS_GUARD.test(cell) ? cell.slice(1) : cell;
}

function exportedMembers(
  described: Family | Collection,
  id: number,
  fields: Record<string, unknown>,
): Exported {
  const exported: Exported = { id };
  for (const [name] of storedFields(described)) exported[name] = fields[name] ?? null;
  for (const [name, collection] of Object.entries(described.collections)) {
    exported[name] = exportedItems(collection, fields[name]);
  }
  return exported;
}

/** In the order of their ids: their places stand in their own fields. */
function exportedItems(collection: Collection, stored: unknown): Exported[] {
  return Object.entries(stored ?? {})
    .map(([id, item]) => ({
      ...exportedMembers(collection, Number(id), item),
      ...(item[REMOVED] === true ? { [REMOVED]: true } : {}),
    }))
    .sort((a, b) => a.id - b.id);
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
