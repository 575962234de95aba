import { sameJson } from '../../shared/contract/canonical-json.ts';
import type { Collection, Family } from '../../shared/contract/define-family.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import type { Authorship } from '../keys/authorship.ts';

/** One changed path of a record, as history keeps it and as sync sends it. */
export interface Change {
  /** `name`, `items.1048601.quantity`; `items.1048601` is a whole added item. */
  path: string;
  old: unknown;
  new: unknown;
  /** The commits that wrote the value that the author saw. */
  over: string[];
}

export type Fields = Record<string, unknown>;
type Described = Pick<Family | Collection, 'fields' | 'collections'>;

/** Without what every object has: a value that this version does not know may be named `toString`. */
const NOTHING: Readonly<Record<string, never>> = Object.create(null);

/** A collection that this version does not know. */
export const UNKNOWN: Pick<Collection, 'name' | 'fields' | 'collections'> = {
  name: '',
  fields: NOTHING,
  collections: NOTHING,
};

/** Item times follow from the commits' times, so they are no changes of their own. */
const ITEM_TIMES = ['created_at', 'updated_at'];

/**
 * What differs between two states of a record, path by path. Collections are compared item by item and field by field,
 * so that two stations' edits of one order meet only where they touch the same value.
 */
export function diffFields(family: Described, before: Fields, after: Fields): Omit<Change, 'over'>[] {
  const changes: Omit<Change, 'over'>[] = [];
  collect(family, before, after, '', changes);
  return changes;
}

function collect(
  described: Described,
  before: Fields,
  after: Fields,
  prefix: string,
  changes: Omit<Change, 'over'>[],
): void {
  for (const name of namesOf(before, after)) {
    const isUnknown = !described.fields[name] && isItems(before[name]) && isItems(after[name]);
    const collection = described.collections[name] ?? (isUnknown ? UNKNOWN : undefined);
    if (collection) {
      collectItems(collection, mapOf(before[name]), mapOf(after[name]), `${prefix}${name}.`, changes);
    } else if (!sameJson(before[name] ?? null, after[name] ?? null)) {
      changes.push({ path: `${prefix}${name}`, old: before[name] ?? null, new: after[name] ?? null });
    }
  }
}

function collectItems(
  collection: Described,
  before: Fields,
  after: Fields,
  prefix: string,
  changes: Omit<Change, 'over'>[],
): void {
  for (const [id, item] of Object.entries(after)) {
    const old = before[id];
    const path = `${prefix}${id}`;
    if (old === undefined) changes.push({ path, old: null, new: withoutTimes(collection, mapOf(item)) });
    else collect(collection, withoutOwnTimes(mapOf(old)), withoutOwnTimes(mapOf(item)), `${path}.`, changes);
  }
}

/**
 * The record's fields after a commit's changes: what history folds to. Item times come from the commit.
 *
 * By the form of paths and values alone, whatever a family has: names of fields and ids of items by turns, and a map of
 * objects by ids is a collection. So every version of the program folds a commit to the same record.
 * @param own where several commits are folded one after the other: what one of them copied the next one changes
 */
export function applyChanges(
  fields: Fields,
  changes: readonly Pick<Change, 'path' | 'new'>[],
  at: string,
  own = new OwnCopies(),
): Fields {
  const result = own.of(fields);
  for (const change of changes) {
    const { path, new: value } = change;
    // An altered station sees it held, and shows what it wrote itself: no member has the name.
    if (path.includes('__proto__')) continue;
    if (path.includes('.')) setPath(result, path.split('.'), { value, at, own });
    else setField(result, path, value);
  }
  return result;
}

function setField(target: Fields, name: string, value: unknown): void {
  if (value === null) delete target[name];
  else target[name] = value;
}

/** Copies to be changed, one of each map: of a record with thousands of items not all of them for each. */
export class OwnCopies {
  readonly #made = new WeakSet<object>();

  of<Value>(value: Readonly<Record<string, Value>>): Record<string, Value> {
    if (this.#made.has(value)) return value;
    const copy = { ...value };
    this.#made.add(copy);
    return copy;
  }
}

interface Setting {
  value: unknown;
  at: string;
  own: OwnCopies;
}

function setPath(target: Fields, path: readonly string[], setting: Setting): void {
  const { value, at, own } = setting;
  const [name, id, ...rest] = path;
  if (name === undefined) return;
  if (id === undefined) {
    setField(target, name, value);
    return;
  }
  const items = own.of(mapOf(target[name]));
  target[name] = items;
  if (rest.length === 0) {
    items[id] = withTimes(value, at);
    return;
  }
  const item = own.of(mapOf(items[id]));
  item.updated_at = at;
  items[id] = item;
  setPath(item, rest, setting);
}

/** An added item with its times, nested items included. */
function withTimes(item: unknown, at: string): unknown {
  if (item !== null && !isObject(item)) return item;
  const members = Object.entries(mapOf(item)).map(([name, value]) => [
    name,
    isItems(value) ? eachItem(value, nested => mapOf(withTimes(nested, at))) : value,
  ]);
  return { ...Object.fromEntries(members), created_at: at, updated_at: at };
}

/** Whether a value has the form of a collection. No field of an item takes such a value. */
export function isItems(value: unknown): value is Fields {
  if (!isObject(value)) return false;
  const items = Object.entries(value);
  return items.length > 0 && items.every(([id, item]) => ITEM_ID.test(id) && isObject(item));
}

const ITEM_ID = /^[1-9]\d*$/;

function isObject(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function withoutTimes(collection: Described, item: Fields): Fields {
  const result = withoutOwnTimes(item);
  for (const [name, nested] of Object.entries(collection.collections)) {
    const items = Object.entries(mapOf(item[name]));
    if (items.length === 0) delete result[name];
    else
      result[name] = Object.fromEntries(items.map(([id, entry]) => [id, withoutTimes(nested, mapOf(entry))]));
  }
  for (const [name, value] of Object.entries(result))
    if (value === null || value === undefined) delete result[name];
  return result;
}

function withoutOwnTimes(item: Fields): Fields {
  const result = { ...item };
  for (const name of ITEM_TIMES) delete result[name];
  return result;
}

function namesOf(before: Fields, after: Fields): Set<string> {
  return new Set([...Object.keys(before), ...Object.keys(after)]);
}

/** A collection or an item as stored; nothing stored is an empty one. */
export function mapOf(value: unknown): Fields {
  return value !== null && typeof value === 'object' ? (value as Fields) : {};
}

/** A collection with each of its items mapped. */
export function eachItem(items: unknown, map: (item: Fields, id: string) => Fields): Fields {
  return Object.fromEntries(Object.entries(mapOf(items)).map(([id, item]) => [id, map(mapOf(item), id)]));
}

/** One subject of a commit: a record and what the commit changed of it. */
export interface Entry {
  /** `supplier:1048583` */
  subject: string;
  changes: Change[];
}

/** A commit as history keeps it and as sync sends it. */
export interface Commit {
  /** The station and its incarnation; with `number` the place in the chain. */
  chain: string;
  number: number;
  /** Permanent, kept when the commit must be numbered again. */
  commit_id: string;
  /** For people, never for order. ISO 8601 UTC. */
  at: string;
  /** The clock of who wrote it minus central's, in milliseconds, as last compared; null where it was not. */
  clock_offset: number | null;
  /**
   * What the clock of who wrote it should at least have said, where it was not confirmed then. ISO 8601 UTC. Kept beside the
   * entries, as versions keep it that do not know it.
   */
  clock_at_least?: string;
  /** By whom it was made, signed by that person's session; absent where no person made it, or one without a key. */
  authorship?: Authorship;
  user: string;
  reason: string | null;
  entries: Entry[];
  previous_hash: string;
  hash: string;
}

/** A record on its way into the store, as a rule sees it. Rules may change `fields` and write further records. */
export interface PlannedChange {
  family: Family;
  id: number;
  before: StoredRecord | undefined;
  fields: Fields;
  /** Whether the client named this field in its request; false for what a rule writes. */
  isGiven(field: string): boolean;
  /** True when another rule writes the record, false for a client's request. */
  isByRule: boolean;
  /** The path of a field, or of an item's field, as the client wrote it, for error messages. */
  pathOf(field: string, item?: number): string;
  /** Set by a rule: the paths that it writes over every value that stations wrote for them, which ends their conflicts. */
  isOverAll?: (path: string) => boolean;
}
