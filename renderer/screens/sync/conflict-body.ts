import type { Collection, Family } from '../../../shared/contract/define-family.ts';

/**
 * The body of an update that gives a path its value: `items.7.quantity` becomes that field of that item. Of a list that
 * is always written whole, the items that stay are named as well.
 */
export function bodyAt(
  described: Family | Collection,
  path: string,
  value: unknown,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  const [name = '', item, ...rest] = path.split('.');
  if (item === undefined) return { [name]: value };
  const collection = described.collections[name];
  if (!collection) return {};
  const entries = membersIn(fields[name]);
  const inner = bodyAt(collection, rest.join('.'), value, membersIn(entries[item]));
  const others = Object.keys(entries).filter(
    id => collection.isWholeList && id !== item && membersIn(entries[id]).is_removed !== true,
  );
  return { [name]: [...others.map(id => ({ id: Number(id) })), { id: Number(item), ...inner }] };
}

/** What a path holds in a record as it is stored. */
export function valueAt(fields: Record<string, unknown>, path: string): unknown {
  return path.split('.').reduce<unknown>((value, part) => membersIn(value)[part] ?? null, fields);
}

function membersIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
