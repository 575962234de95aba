import type { ZoneOf } from './dates.ts';
import type { Collection } from './define-family.ts';
import { type FieldErrors, refuse } from './errors.ts';
import { shown } from './field-schemas.ts';
import { type Field, type RequiredOn, readField } from './fields.ts';
import { ARRAY_LIMIT } from './limits.ts';
import { oncePerObject } from './once-per.ts';

/** What a client sent, read by the family's fields: stored values by field name; null clears. */
export interface ParsedInput {
  fields: Record<string, unknown>;
  items: Record<string, ParsedItem[]>;
  /** Paths as the client wrote them, by field name, where it used another name. */
  paths: Record<string, string>;
  /** Where the record stood in the body of a bulk write: `0`. */
  path?: string;
  /** Paths of names that the family does not know or that only the server sets. */
  ignored: string[];
}

/** One item of a collection; without an id it is a new one. */
export interface ParsedItem {
  id: number | null;
  fields: Record<string, unknown>;
  items: Record<string, ParsedItem[]>;
  paths: Record<string, string>;
  /** Where it stood in the body, for error messages of rules: `items.0`; empty when it is the body. */
  path: string;
}

export interface ParseOptions {
  mode: RequiredOn;
  /** The site's time zone: a moment that is given for a day is the day that it falls on there. Without one it is refused. */
  zone?: ZoneOf;
  /** Names that the operation reads itself, such as `id`, or `order_id` beside the path's. */
  passes?: readonly string[];
  /** Further fields that must be given, and their reading of "absent". */
  required?: readonly string[];
}

/** A family, a collection, or the few fields of an operation of its own. */
export interface Described {
  fields: Record<string, Field>;
  collections: Record<string, Collection>;
}

/**
 * Reads the body of a write for a family or a collection's item. Every fault of the body is collected and thrown as
 * one 422 whose keys are the paths as the client wrote them (`items.0.part_id`).
 */
export function parseInput(described: Described, body: unknown, options: ParseOptions): ParsedInput {
  const errors: FieldErrors = {};
  const input = readInput(described, body, options, errors);
  refuse(errors);
  return input;
}

/** As `parseInput`, but notes faults in the caller's `errors`; what could be read is judged further beside them. */
export function readInput(
  described: Described,
  body: unknown,
  options: ParseOptions,
  errors: FieldErrors,
): ParsedInput {
  const ignored: string[] = [];
  return { ...readMembers(described, body, '', options, errors, ignored), ignored };
}

/** As `readInput`, under a prefix: for single items, bulk writes and import. */
export function readMembers(
  described: Described,
  body: unknown,
  prefix: string,
  options: ParseOptions,
  errors: FieldErrors,
  ignored: string[],
): Omit<ParsedInput, 'ignored'> {
  const fields: Record<string, unknown> = {};
  const items: Record<string, ParsedItem[]> = {};
  const paths: Record<string, string> = {};
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    const remedy = `${shown(body)} is not an object. Give an object with the fields of the record.`;
    errors[prefix === '' ? 'body' : prefix.slice(0, -1)] = [remedy];
    return { fields, items, paths };
  }
  const given = body as Record<string, unknown>;
  const known = readableOf(described)[options.mode];

  for (const { name, field, aliases, isRequired } of known.fields) {
    const key = givenName(given, name, aliases);
    if (key !== undefined && key !== name) paths[name] = `${prefix}${key}`;
    const value =
      key === undefined ? undefined : readValue(field, given[key], `${prefix}${key}`, options.zone, errors);
    const mustBe = isRequired || options.required?.includes(name);
    if (mustBe && isMissing(key === undefined ? undefined : given[key], options.mode)) {
      errors[`${prefix}${key ?? name}`] = [`${field.label} is missing. Give ${requirement(field)}.`];
    } else if (value !== undefined) {
      fields[name] = value;
    }
  }
  for (const [name, collection] of known.collections) {
    if (given[name] === undefined || given[name] === null) continue;
    items[name] = readItems(collection, given[name], `${prefix}${name}`, options, errors, ignored);
  }
  for (const name of Object.keys(given)) {
    if (!known.names.has(name) && !options.passes?.includes(name)) ignored.push(`${prefix}${name}`);
  }
  return { fields, items, paths };
}

/** What is read of a body, by mode. */
const readableOf = oncePerObject((described: Described) => {
  const collections = Object.entries(described.collections);
  const by = (mode: RequiredOn) => {
    const fields = Object.entries(described.fields).flatMap(([name, field]) =>
      field.writable
        ? { name, field, aliases: aliasesOf(described, field, mode), isRequired: requires(field, mode) }
        : [],
    );
    const names = fields.flatMap(({ name, aliases }) => [name, ...aliases]);
    return { fields, collections, names: new Set([...names, ...Object.keys(described.collections)]) };
  };
  return { create: by('create'), put: by('put'), patch: by('patch') };
});

function readItems(
  collection: Collection,
  value: unknown,
  path: string,
  { mode, zone }: ParseOptions,
  errors: FieldErrors,
  ignored: string[],
): ParsedItem[] {
  if (!Array.isArray(value)) {
    errors[path] = [`${shown(value)} is not a list. Give a list of objects.`];
    return [];
  }
  const limit = Math.min(collection.limit, ARRAY_LIMIT);
  if (value.length > limit) {
    errors[path] = [
      `The list has ${value.length} entries. The most is ${limit}; send the rest in further writes.`,
    ];
    return [];
  }
  const seen = new Set<number>();
  return value.map((entry, index) => {
    const itemPath = `${path}.${index}`;
    const id = readItemId(entry, itemPath, errors);
    const isTwice = id !== null && seen.has(id);
    if (isTwice) errors[`${itemPath}.id`] = [`${id} stands twice in the list. Give each item once.`];
    if (id !== null) seen.add(id);
    const itemMode: RequiredOn = id === null ? 'create' : mode;
    const members = readMembers(
      collection,
      entry,
      `${itemPath}.`,
      { mode: itemMode, ...(zone !== undefined && { zone }), passes: ['id'] },
      errors,
      ignored,
    );
    return { id: isTwice ? null : id, path: itemPath, ...members };
  });
}

function readItemId(entry: unknown, path: string, errors: FieldErrors): number | null {
  if (entry === null || typeof entry !== 'object') return null;
  const id = (entry as { id?: unknown }).id;
  if (id === undefined || id === null || id === '') return null;
  const number = typeof id === 'string' && /^\d{1,16}$/.test(id) ? Number(id) : id;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number > 0) return number;
  errors[`${path}.id`] = [`${shown(id)} is not an id. Give the item's id, or leave it out to add an item.`];
  return null;
}

/**
 * The further names of a field. One that answers use for something else (a lot's `location_id`: where it stands today) is
 * read on create alone, where nothing was answered yet: an answer that is sent back would change the record.
 */
export function aliasesOf(
  { fields }: Pick<Described, 'fields'>,
  { aliases }: Field,
  mode: RequiredOn,
): readonly string[] {
  return mode === 'create' ? aliases : aliases.filter(alias => fields[alias]?.returned !== true);
}

/** The name under which the client sent this field; an alias wins over the field's own name. */
function givenName(
  given: Record<string, unknown>,
  name: string,
  aliases: readonly string[],
): string | undefined {
  for (const alias of aliases) if (given[alias] !== undefined) return alias;
  return given[name] === undefined ? undefined : name;
}

/** Undefined when the value is at fault (the error is noted) or absent. */
function readValue(
  field: Field,
  value: unknown,
  path: string,
  zone: ZoneOf | undefined,
  errors: FieldErrors,
): unknown {
  if (value === undefined) return undefined;
  if (value === null || (value === '' && readsEmptyAsNone.has(field.kind))) return null;
  const result = readField(field, value, zone);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const key = [path, ...issue.path].join('.');
    errors[key] = [...(errors[key] ?? []), issue.message];
  }
  return undefined;
}

/** Forms and spreadsheets send an empty text for "no value"; only texts can be empty themselves. */
const readsEmptyAsNone = new Set([
  'integer',
  'number',
  'boolean',
  'date',
  'timestamp',
  'choice',
  'reference',
  'json',
]);

/** A partial update needs no field, but it cannot clear one that must be there. */
function requires(field: Field, mode: RequiredOn): boolean {
  return mode === 'patch' ? field.requiredOn.length > 0 : field.requiredOn.includes(mode);
}

function isMissing(value: unknown, mode: RequiredOn): boolean {
  if (value === undefined) return mode !== 'patch';
  return value === null || value === '';
}

function requirement(field: Field): string {
  if (field.choices) return `one of ${field.choices.join(', ')}`;
  if (field.reference) return `the id of a record (${field.reference})`;
  return (
    { number: 'a number', integer: 'a whole number', date: 'a date, YYYY-MM-DD' }[field.kind as string] ??
    'a value'
  );
}
