import type { Collection, Family } from '../../../shared/contract/define-family.ts';
import { memberCount } from '../../../shared/contract/member-count.ts';
import { familyOfKey } from '../../../shared/families/registry.ts';
import { type Entry, mapOf } from '../../store/changes.ts';
import { itemCounter } from '../../store/ids.ts';
import { isCreation } from '../protocol/decide.ts';

/** An id that an entry gives, by the counter that it is of: the family, or `itemCounter`. */
export interface CreatedId {
  counter: string;
  id: number;
}

/** What is written to a record. */
interface Written {
  subject: string;
  changes: readonly { path: string; new: unknown }[];
}

type Described = Pick<Family | Collection, 'name' | 'collections'>;

/** The ids of the record and the items that an entry creates, in the order of its changes; none of families that this version does not know. */
export function createdIds(entry: Entry): CreatedId[] {
  const family = familyOfKey(entry.subject);
  if (!family) return [];
  const record = { counter: family.name, id: Number(entry.subject.slice(family.name.length + 1)) };
  return [...(isCreation(entry) ? [record] : []), ...createdItems(entry)];
}

/** Those of the items alone. */
export function createdItems({ subject, changes }: Written): CreatedId[] {
  const family = familyWithItems(subject);
  return family ? changes.flatMap(({ path, new: value }) => itemsAt(family, path.split('.'), value)) : [];
}

/** An item, and where in its record it stands. */
export interface PlacedItem extends CreatedId {
  path: string;
}

/** The items that the changes of an entry lie in, of each change the outermost first. */
export function itemsChanged({ subject, changes }: Entry): PlacedItem[] {
  const family = familyWithItems(subject);
  return family ? changes.flatMap(({ path }) => itemsOn(family, path.split('.'))) : [];
}

function itemsOn(described: Described, [name = '', id, ...rest]: string[], outer = ''): PlacedItem[] {
  const collection = Object.hasOwn(described.collections, name) ? described.collections[name] : undefined;
  if (!collection || id === undefined) return [];
  const path = `${outer}${name}.${id}`;
  const within = itemsOn(collection, rest, `${path}.`);
  return collection.idsFromClient
    ? within
    : [{ counter: itemCounter(collection), id: Number(id), path }, ...within];
}

/** The family of a record that can have items. */
export function familyWithItems(subject: string): Family | undefined {
  const family = familyOfKey(subject);
  return family && memberCount(family.collections) > 0 ? family : undefined;
}

/** Those of an item that is added, or of a collection that is given whole. */
function itemsAt(described: Described, [name = '', id, ...rest]: string[], value: unknown): CreatedId[] {
  // The log may hold what names what every object has.
  const collection = Object.hasOwn(described.collections, name) ? described.collections[name] : undefined;
  if (!collection) return [];
  if (id === undefined)
    return Object.entries(mapOf(value)).flatMap(([item, members]) => itemIn(collection, item, members));
  return rest.length === 0 ? itemIn(collection, id, value) : itemsAt(collection, rest, value);
}

function itemIn(collection: Collection, id: string, members: unknown): CreatedId[] {
  const within = Object.entries(collection.collections).flatMap(([name]) =>
    itemsAt(collection, [name], mapOf(members)[name]),
  );
  // What a client names, names something else by its id.
  return collection.idsFromClient
    ? within
    : [{ counter: itemCounter(collection), id: Number(id) }, ...within];
}
