import type { Collection, Family } from './define-family.ts';
import type { Field } from './fields.ts';

/** A record as stored, of any family. `fields` holds collections as maps by item id. */
export interface StoredRecord {
  key: string;
  family: string;
  id: number;
  /** +1 with every change. */
  version: number;
  /** Hash of the canonical fields; with `version` the ETag. */
  state: string;
  fields: Record<string, unknown>;
  field_set: number;
  /** ISO 8601 UTC with milliseconds. */
  created_at: string;
  updated_at: string;
  station: string;
  user: string;
}

/** An item of a collection as stored: its values, and when it was made and changed. */
export type StoredItem = Record<string, unknown> & { id: number; created_at: string; updated_at: string };

/** Values of `derived` fields, and of stored ones that are shown otherwise, by name; for items under the collection's name and the item's id. */
export interface DerivedValues {
  fields?: Record<string, unknown>;
  items?: Record<string, Record<number, Record<string, unknown>>>;
}

export type Answered = Record<string, unknown>;

export interface PresentOptions {
  /** Which collections the answer carries; default none. */
  collections?: readonly string[];
  /** Only these fields. */
  fields?: readonly string[];
  derived?: DerivedValues;
}

/**
 * The documented answer of a record: every returned field, an absent value as null, an absent list as `[]`, each in
 * the type that the document gives it (interface decisions, 2).
 */
export function present(family: Family, record: StoredRecord, options: PresentOptions = {}): Answered {
  const answer: Answered = {};
  for (const name of options.fields ?? returnedFields(family)) {
    const field = family.fields[name];
    if (field) answer[name] = presentField(field, storedValue(field, name, record, options.derived?.fields));
  }
  for (const name of options.collections ?? []) {
    const collection = family.collections[name];
    if (!collection) continue;
    const derived = options.derived?.items?.[name];
    answer[name] = itemsOf(collection, record.fields[name]).map(item =>
      presentItem(collection, item, derived?.[item.id]),
    );
  }
  return answer;
}

/** An item's answer; nested collections (the results of a sample) are always part of it. */
export function presentItem(
  collection: Collection,
  item: StoredItem,
  derived?: Record<string, unknown>,
  fields: readonly string[] = returnedFields(collection),
): Answered {
  const answer: Answered = {};
  for (const name of fields) {
    const field = collection.fields[name];
    if (!field) continue;
    const stored: Record<string, unknown> = item;
    const key = field.source === 'fields' ? name : field.source;
    const value = field.source === 'derived' ? derived?.[name] : stored[key];
    answer[name] = presentField(field, value);
  }
  for (const [name, nested] of Object.entries(collection.collections)) {
    answer[name] = itemsOf(nested, item[name]).map(entry => presentItem(nested, entry));
  }
  return answer;
}

/** The stored items of a collection in their order: by position, then id. Removed ones are left out. */
export function itemsOf(collection: Pick<Collection, 'position'>, stored: unknown): StoredItem[] {
  if (stored === null || typeof stored !== 'object') return [];
  const { position } = collection;
  const items = Object.entries(stored).map(
    ([id, item]): StoredItem => ({ ...(item as StoredItem), id: Number(id) }),
  );
  const kept = items.filter(item => item.is_removed !== true);
  return kept.sort((a, b) => placeOf(a[position]) - placeOf(b[position]) || a.id - b.id);
}

const returnedNames = new WeakMap<object, readonly string[]>();

/** Names of the fields that the documented answer has, in its order. */
export function returnedFields(described: Family | Collection): readonly string[] {
  let names = returnedNames.get(described.fields);
  if (!names) {
    names = Object.entries(described.fields).flatMap(([name, field]) => (field.returned ? [name] : []));
    returnedNames.set(described.fields, names);
  }
  return names;
}

function storedValue(
  field: Field,
  name: string,
  record: StoredRecord,
  derived: Record<string, unknown> | undefined,
): unknown {
  if (derived && name in derived) return derived[name];
  if (field.source === 'fields') return record.fields[name];
  if (field.source === 'derived') return undefined;
  return record[field.source];
}

function presentField(field: Field, value: unknown): unknown {
  if (value === undefined || value === null) return field.absent ?? null;
  return field.emit ? field.emit(value) : value;
}

function placeOf(position: unknown): number {
  return typeof position === 'number' ? position : Number.MAX_SAFE_INTEGER;
}
