import type { Family } from '../../shared/contract/define-family.ts';
import type { ParsedInput, ParsedItem } from '../../shared/contract/parse-input.ts';

/** How the client wrote a field's path: under its alias, and items by their place in the body. */
export function pathsOf(family: Family, input: ParsedInput | null): (field: string, item?: number) => string {
  return (field, item) => {
    const found = item === undefined ? input : findItem(input, item);
    if (found) return found.paths[field] ?? (found.path ? `${found.path}.${field}` : field);
    return item === undefined ? field : itemPath(family, item, field);
  };
}

function findItem(input: Pick<ParsedInput, 'items'> | null, id: number): ParsedItem | undefined {
  for (const items of Object.values(input?.items ?? {})) {
    for (const item of items) {
      const found = item.id === id ? item : findItem(item, id);
      if (found) return found;
    }
  }
  return undefined;
}

function itemPath(family: Family, id: number, field: string): string {
  const [name = 'items'] = Object.keys(family.collections);
  return `${name}.${id}.${field}`;
}
