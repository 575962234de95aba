import { z } from 'zod';
import { sameJson } from '../../../shared/contract/canonical-json.ts';
import { parseTimestamp } from '../../../shared/contract/dates.ts';
import type { Collection } from '../../../shared/contract/define-family.ts';
import { shown } from '../../../shared/contract/field-schemas.ts';
import type { Field, FieldKind } from '../../../shared/contract/fields.ts';
import {
  ARRAY_LIMIT,
  CLOCK_OFFSET_LIMIT,
  COMMIT_LIMIT,
  depthOf,
  HOLD_LIMIT,
  ID_LIMIT,
  TEXT_LIMIT,
  VALUE_DEPTH,
} from '../../../shared/contract/limits.ts';
import { memberCount } from '../../../shared/contract/member-count.ts';
import { familyOf, familyOfKey } from '../../../shared/families/registry.ts';
import type { Change, Commit, Entry } from '../../store/changes.ts';
import { furtherOf } from '../../store/commit-text.ts';
import { HOLD_SUBJECT, isRecord } from '../../store/subjects.ts';

type Described = Pick<Collection, 'fields' | 'collections'>;

/**
 * What of a commit no version writes, in words: a moment that is none, an id or a number that cannot be, a value that its
 * field does not take. It would reach every reader of the record and of its history. What arrives passes what a local
 * write passes; names that this version does not know pass by their depth and their length alone.
 */
export function formFault(commit: Commit): string | undefined {
  const { at, clock_offset: offset, clock_at_least: atLeast, reason, entries } = commit;
  if (entries.length > COMMIT_LIMIT) return `It changes more than ${COMMIT_LIMIT} records.`;
  if (parseTimestamp(at) !== at) return `${shown(at)} is no moment in UTC with milliseconds.`;
  if (offset !== null && Math.abs(offset) > CLOCK_OFFSET_LIMIT) return `No clock is off by ${offset} ms.`;
  if (reason !== null && reason.length > TEXT_LIMIT)
    return `The reason is longer than ${TEXT_LIMIT} characters.`;
  if (atLeast != null && parseTimestamp(atLeast) !== atLeast)
    return `${shown(atLeast)} is no moment in UTC with milliseconds.`;
  for (const entry of entries) {
    const fault = entryFault(entry);
    if (fault !== undefined) return fault;
  }
  // Its proof is judged by its own rules, and a text that was signed is as long as a commit.
  const { authorship: _, ...further } = furtherOf(commit);
  return unknownFault('The commit', further);
}

function entryFault(entry: Entry): string | undefined {
  const { subject, changes } = entry;
  if (subject.startsWith(HOLD_SUBJECT)) return holdFault(entry);
  const family = familyOfKey(subject);
  if (!isRecord(subject) || (!family && familyOf(subject.slice(0, subject.lastIndexOf(':')))))
    return `${subject} is no record.`;
  for (const change of changes) {
    const { path, new: value } = change;
    const fault = valueFault(family, path, value) ?? unknownFault(path, furtherIn(change));
    if (fault !== undefined) return fault;
  }
  // Who judges the one would not see the other.
  if (isAnyTwice(changes)) return `A value of ${subject} is changed twice.`;
  if (memberCount(entry) === ENTRY_MEMBERS) return undefined;
  const { subject: _, changes: __, ...further } = entry;
  return unknownFault(subject, further);
}

/** The changes of most entries are so few that looking through them costs less than a set of their paths. */
const FEW = 16;

function isAnyTwice(changes: readonly Change[]): boolean {
  if (changes.length > FEW) return new Set(changes.map(({ path }) => path)).size < changes.length;
  return changes.some(({ path }, place) => changes.findIndex(one => one.path === path) < place);
}

/** What is said of a held commit is short, and something. */
function holdFault({ subject, changes, ...further }: Entry): string | undefined {
  if (changes.length === 0) return `${subject} says nothing.`;
  if (changes.length > HOLD_LIMIT) return `${subject} says more than ${HOLD_LIMIT} things.`;
  for (const change of changes) {
    const { path, old, new: value, over } = change;
    if (over.length > HOLD_LIMIT) return `${path} of ${subject} is over more than ${HOLD_LIMIT} changes.`;
    const fault =
      unknownFault(path, old) ?? unknownFault(path, value) ?? unknownFault(path, furtherIn(change));
    if (fault !== undefined) return fault;
  }
  return unknownFault(subject, further);
}

function furtherIn(change: Change): object | undefined {
  if (memberCount(change) === CHANGE_MEMBERS) return undefined;
  const { path: _, old: __, new: ___, over: ____, ...further } = change;
  return further;
}

const CHANGE_MEMBERS = 4;
const ENTRY_MEMBERS = 2;

function valueFault(family: Described | undefined, path: string, value: unknown): string | undefined {
  if (!path.includes('.'))
    return OF_EVERY_OBJECT.has(path) ? noPath(path) : fieldFault(family?.fields[path], path, value);
  const steps = path.split('.');
  if (steps.some(step => OF_EVERY_OBJECT.has(step))) return noPath(path);
  let described = family;
  for (let step = 0; step + 1 < steps.length; step += 2) {
    const name = steps[step] ?? '';
    // Below a plain value there is none.
    if (!isItemId(steps[step + 1] ?? '') || described?.fields[name]) return noPath(path);
    described = described?.collections[name];
  }
  if (steps.length % 2 === 0) return itemFault(described, path, value);
  const name = steps.at(-1) ?? '';
  return ITEM_TIMES.has(name) ? workedOut(path) : fieldFault(described?.fields[name], path, value);
}

/** They follow from the commits' times. */
const ITEM_TIMES: ReadonlySet<string> = new Set(['created_at', 'updated_at']);

function workedOut(path: string): string {
  return `${path} is worked out by every machine and written by none.`;
}

function noPath(path: string): string {
  return `${path} is no path of a record.`;
}

/** `constructor`, `toString` …: no version gives them to a field, and whoever looks them up finds what is none. */
const OF_EVERY_OBJECT: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** A whole added item, with the items in it. */
function itemFault(described: Described | undefined, path: string, value: unknown): string | undefined {
  if (!described || value === null) return unknownFault(path, value);
  if (typeof value !== 'object' || Array.isArray(value)) return `${path} is no item: ${shown(value)}.`;
  for (const [name, member] of Object.entries(value)) {
    if (OF_EVERY_OBJECT.has(name)) return noPath(`${path}.${name}`);
    const nested = described.collections[name];
    const fault = nested
      ? itemsFault(nested, `${path}.${name}`, member)
      : memberFault(described.fields[name], `${path}.${name}`, member);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** What every machine works out of an item takes the place of what came with it. */
function memberFault(field: Field | undefined, path: string, value: unknown): string | undefined {
  return field && field.source !== 'fields' ? tooDeep(path, value) : fieldFault(field, path, value);
}

function itemsFault(described: Described, path: string, items: unknown): string | undefined {
  if (typeof items !== 'object' || items === null || Array.isArray(items))
    return `${path} are no items: ${shown(items)}.`;
  for (const [id, item] of Object.entries(items)) {
    const fault = isItemId(id) ? itemFault(described, `${path}.${id}`, item) : `${path}.${id} is no item.`;
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isItemId(id: string): boolean {
  return /^[1-9]\d*$/.test(id) && Number(id) < ID_LIMIT;
}

/** Within every limit of texts and of lists. */
const SHORT = 200;

/** What tells at a look that a value is as it is kept: most are, and asking the schema costs ten times as much. */
const PLAIN: Partial<Record<FieldKind, (value: unknown, field: Field) => boolean>> = {
  text: isPlainText,
  'long-text': isPlainText,
  'text-list': value => Array.isArray(value) && value.length <= SHORT && value.every(isShortText),
  boolean: value => typeof value === 'boolean',
  choice: (value, { choices }) => typeof value === 'string' && choices?.includes(value) === true,
  reference: value => Number.isSafeInteger(value) && Number(value) > 0,
};

/** Where a field reads less than it answers (a login, a unit), its schema says which texts. */
function isPlainText(value: unknown, { schemas }: Field): boolean {
  if (typeof value !== 'string' || value.length > SHORT) return false;
  const { input, output } = schemas();
  if (input !== output) return false;
  // A field may take less than every text has.
  return input instanceof z.ZodString && value.length <= (input.maxLength ?? SHORT);
}

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= SHORT;
}

/** Values that the server writes down have the form in which they are answered; a later version may keep more in them. */
function fieldFault(field: Field | undefined, path: string, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (!field) return unknownFault(path, value);
  if (field.source !== 'fields') return workedOut(path);
  if (PLAIN[field.kind]?.(value, field)) return undefined;
  if (TAKEN.get(field)?.has(value)) return undefined;
  const isWrittenDown = field.kind === 'json' && !field.writable;
  const read = field.schemas()[isWrittenDown ? 'output' : 'input'].safeParse(value);
  if (!read.success) return `${path}: ${read.error.issues[0]?.message}`;
  if (isWrittenDown) return tooDeep(path, value);
  const isStored = read.data === value || sameJson(read.data, value);
  if (!isStored) return `${path}: ${shown(value)} is not as it is kept.`;
  noteTaken(field, value);
  return undefined;
}

/** Units, days and numbers that a field's schema has just taken: it takes them again, and asking it costs ten times as much. */
const TAKEN = new WeakMap<Field, Set<unknown>>();
const MOST_TAKEN = 100;

function noteTaken(field: Field, value: unknown): void {
  if (typeof value !== 'number' && !isShortText(value)) return;
  const taken = TAKEN.get(field);
  if (taken && taken.size < MOST_TAKEN) taken.add(value);
  else TAKEN.set(field, new Set([value]));
}

/** What this version does not know keeps the limits of what it knows. */
function unknownFault(path: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return tooDeep(path, value) ?? (isTooLong(value) ? `${path} is longer than any value.` : undefined);
}

function isTooLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > TEXT_LIMIT;
  if (typeof value !== 'object' || value === null) return false;
  const members = Object.values(value);
  return members.length > ARRAY_LIMIT || members.some(isTooLong);
}

function tooDeep(path: string, value: unknown): string | undefined {
  return depthOf(value, VALUE_DEPTH + 1) > VALUE_DEPTH ? `${path} is nested too deeply.` : undefined;
}
