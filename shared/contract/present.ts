import type { Collection, Family } from './define-family.ts';
import type { Field, FieldSource } from './fields.ts';

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
  /** The commit that created the record. */
  creator: string;
  writers: PathWriters;
  /**
   * The entry of central's log that decided the record last; 0 where there is none yet, and on the station that made the
   * record also where it is the creator's.
   */
  folded: number;
}

/**
 * Which commit wrote the value of a path, for paths that were written after the record was created (`name`,
 * `items.1048601.quantity`; `items.1048601` for an added item). A list, the standing write first, where several
 * stations wrote without having seen each other's values.
 */
export type PathWriters = Record<string, string | PathWrite[]>;

export interface PathWrite {
  commit: string;
  value: unknown;
}

/** An item of a collection as stored: its values, and when it was made and changed. */
export type StoredItem = Record<string, unknown> & { id: number; created_at: string; updated_at: string };

/** Values of `derived` fields, and of stored ones that are shown otherwise, by name; for items under the collection's name and the item's id. */
export interface DerivedValues {
  fields?: Record<string, unknown>;
  items?: Record<string, Record<number, Record<string, unknown>>>;
}

export type Answered = Record<string, unknown>;

/** What `present` makes of a record: for the types another thing than any object. */
export type RecordAnswer = Answered & { 'made by present': true };

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
export function present(family: Family, record: StoredRecord, options: PresentOptions = {}): RecordAnswer {
  const { fields } = record;
  const derived = options.derived?.fields;
  const { list, absent } = membersOf(family, options.fields);
  const answer = { ...absent } as RecordAnswer;
  for (const member of list) {
    const { name, source } = member;
    let value: unknown;
    if (derived !== undefined && name in derived) value = derived[name];
    else if (source === 'fields') value = fields[name];
    else if (source !== 'derived') value = record[source];
    if (value !== undefined && value !== null) answer[name] = answerValue(member, value);
  }
  for (const name of options.collections ?? []) {
    const collection = family.collections[name];
    if (!collection) continue;
    const derivedItems = options.derived?.items?.[name];
    answer[name] = itemsOf(collection, fields[name]).map(item =>
      presentItem(collection, item, derivedItems?.[item.id]),
    );
  }
  return answer;
}

/** An item's answer; nested collections (the results of a sample) are always part of it. */
export function presentItem(
  collection: Collection,
  item: StoredItem,
  derived?: Record<string, unknown>,
  fields?: readonly string[],
): RecordAnswer {
  const stored: Record<string, unknown> = item;
  const { list, absent } = membersOf(collection, fields);
  const answer = { ...absent } as RecordAnswer;
  for (const member of list) {
    const { name, source } = member;
    const value = source === 'derived' ? derived?.[name] : stored[source === 'fields' ? name : source];
    if (value !== undefined && value !== null) answer[name] = answerValue(member, value);
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

/** Names of the fields that the documented answer has, in its order. */
export function returnedFields(described: Family | Collection): readonly string[] {
  return membersOf(described).list.map(({ name }) => name);
}

/** Members of an item in answers, the lists that stand in it included. */
export function itemMembers(collection: Collection): string[] {
  return [...returnedFields(collection), ...Object.keys(collection.collections)];
}

/** How one member of an answer is made: what a field says of it, at hand. */
interface Member {
  name: string;
  source: FieldSource;
  emit: Field['emit'];
}

interface Members {
  list: readonly Member[];
  /** The answer of a record with no values. Answers are copies of it, because members that are there are set faster. */
  absent: Readonly<Answered>;
}

/** Worked out once, because every record of every list is answered by them: by the fields, then by those chosen. */
const members = new WeakMap<object, WeakMap<object, Members>>();

/** Of the chosen fields, else of those that the documented answer has. */
function membersOf({ fields }: Family | Collection, chosen?: readonly string[]): Members {
  const known = members.get(fields)?.get(chosen ?? fields);
  if (known !== undefined) return known;
  const names = chosen ?? Object.keys(fields).filter(name => fields[name]?.returned);
  const described = names.flatMap(name => {
    const field = fields[name];
    return field ? [{ name, field }] : [];
  });
  const made: Members = {
    list: described.map(({ name, field: { source, emit } }) => ({ name, source, emit })),
    absent: Object.fromEntries(described.map(({ name, field }) => [name, field.absent ?? null])),
  };
  const ofFields = members.get(fields) ?? new WeakMap<object, Members>();
  members.set(fields, ofFields.set(chosen ?? fields, made));
  return made;
}

function answerValue({ emit }: Member, value: unknown): unknown {
  return emit === undefined ? value : emit(value);
}

function placeOf(position: unknown): number {
  return typeof position === 'number' ? position : Number.MAX_SAFE_INTEGER;
}
