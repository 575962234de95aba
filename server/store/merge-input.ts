import type { Collection, Family } from '../../shared/contract/define-family.ts';
import { oncePerObject } from '../../shared/contract/once-per.ts';
import type { ParsedInput, ParsedItem } from '../../shared/contract/parse-input.ts';
import { type Fields, mapOf } from './changes.ts';

/** Of the unit of work, what gives items their ids and notes what is at fault. */
interface Merging {
  nextItemId(collection: Collection): number;
  blame(path: string, message: string): void;
}

/** What is stored where nothing is given. */
export const fallbacksOf = oncePerObject(
  ({ fields }: Family | Collection): Fields =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, { fallback }]) =>
        fallback === undefined ? [] : [[name, fallback]],
      ),
    ),
);

/**
 * The fields as a client's input leaves them: what it does not name stays, null clears, items with an id change and
 * those without one are added, which gives them their id. Blames an item that is not there, and too many.
 */
export function mergeInput(
  described: Family | Collection,
  fields: Fields,
  input: Pick<ParsedInput, 'fields' | 'items'>,
  work: Merging,
): Fields {
  const merged: Fields = { ...fields };
  for (const name of Object.keys(input.fields)) {
    const value = input.fields[name];
    const field = described.fields[name];
    if (field?.isAsAnswered?.(value, fields[name])) continue;
    const stored = value ?? field?.fallback;
    if (stored === undefined) delete merged[name];
    else merged[name] = stored;
  }
  for (const [name, items] of Object.entries(input.items)) {
    const collection = described.collections[name];
    if (collection) merged[name] = mergeItems(collection, mapOf(merged[name]), items, work);
  }
  return merged;
}

function mergeItems(
  collection: Collection,
  stored: Fields,
  items: readonly ParsedItem[],
  work: Merging,
): Fields {
  const merged: Fields = { ...stored };
  if (collection.isWholeList) markRemoved(merged, items);
  let last: number | undefined;
  for (const item of items) {
    if (item.id !== null) {
      if (merged[item.id] === undefined && !collection.idsFromClient) {
        const remedy = `There is no ${collection.title.toLowerCase()} ${item.id} here. Leave id out to add one.`;
        work.blame(`${item.path}.id`, remedy);
      }
      merged[item.id] = mergeInput(collection, mapOf(merged[item.id]), item, work);
      last = undefined;
      continue;
    }
    const position: number = (last ?? lastPosition(collection, merged)) + 1;
    // Where clients give ids, the counter does not know which are taken.
    do item.id = work.nextItemId(collection);
    while (merged[item.id] !== undefined);
    // After the input: a position of null is none given, and an item without one would sort behind those added later.
    const made: Fields = {
      [collection.position]: position,
      ...mergeInput(collection, fallbacksOf(collection), item, work),
    };
    merged[item.id] = made;
    last = Math.max(position - 1, Number(made[collection.position] ?? 0));
  }
  if (Object.keys(merged).length > collection.limit) {
    const path = items[0]?.path.replace(/\.\d+$/, '') ?? collection.name;
    work.blame(path, `A record holds at most ${collection.limit} of these.`);
  }
  return merged;
}

/** The list is the whole list: entries without an id take that of the item of the same name; the rest is removed. */
function markRemoved(stored: Fields, items: readonly ParsedItem[]): void {
  const named = new Set(items.map(item => item.id));
  for (const item of items) {
    if (item.id !== null) continue;
    const same = Object.entries(stored).find(
      ([id, entry]) => !named.has(Number(id)) && mapOf(entry).name === item.fields.name,
    );
    if (!same) continue;
    item.id = Number(same[0]);
    named.add(item.id);
  }
  for (const [id, entry] of Object.entries(stored)) {
    const { is_removed: _, ...item } = mapOf(entry);
    stored[id] = named.has(Number(id)) ? item : { ...item, is_removed: true };
  }
}

function lastPosition(collection: Collection, items: Fields): number {
  const positions = Object.values(items).map(item => Number(mapOf(item)[collection.position] ?? 0));
  return Math.max(0, ...positions);
}
