import type { Collection, Family } from '../../shared/contract/define-family.ts';
import type { Field } from '../../shared/contract/fields.ts';

/** What a path of a record is called, and the field that it names; undefined where it names none. */
export interface DescribedPath {
  label: string;
  field: Field | undefined;
}

/** `items.5.quantity` is the quantity of the item 5; `items.5` a whole item; a plain name a field. */
export function describePath(family: Family, path: string, word: (english: string) => string): DescribedPath {
  const parts = path.split('.');
  let described: Family | Collection | undefined = family;
  const items: string[] = [];
  for (let index = 0; described && index < parts.length - 1; index += 2) {
    const collection: Collection | undefined = described.collections[parts[index] ?? ''];
    if (!collection) return { label: path, field: undefined };
    items.push(`${word(collection.title)} ${parts[index + 1]}`);
    described = collection;
  }
  if (parts.length % 2 === 0) return { label: items.join(', '), field: undefined };
  const name = parts.at(-1) ?? '';
  const field = described?.fields[name];
  const own = field ? word(field.label) : word(name === 'is_removed' ? 'Removed' : name);
  return { label: items.length > 0 ? `${items.join(', ')}: ${own}` : own, field };
}
