import type { Family } from './define-family.ts';
import type { Field } from './fields.ts';
import { oncePerObject } from './once-per.ts';

/** The record's id in `sort` and `filter`, also where its documented answer has none. */
export const ID = 'id';

/** What lists compare by: of each kind of field another way. */
export type ListKind =
  | 'id'
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'choice'
  | 'reference'
  /** Numbers that items hold: a record has as many as its items. */
  | 'codes';

const KINDS: Partial<Record<Field['kind'], ListKind>> = {
  text: 'text',
  'long-text': 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  choice: 'choice',
  reference: 'reference',
};

/**
 * What a family's lists sort and filter by, each by an index: its filters, references, numbers and codes that are looked
 * up, what its `lists` names, and its id, which says when it was made well enough: each further index costs every write. None for families without lists.
 */
export const listFields = oncePerObject((family: Family): ReadonlyMap<string, ListKind> => {
  const { fields, filters, unique, indexes, lists } = family;
  const references = Object.keys(fields).filter(name => fields[name]?.reference !== undefined);
  const names = isListed(family)
    ? [...lists, ...Object.keys(filters), ...unique, ...references, ...indexes]
    : [];
  const found = new Map<string, ListKind>(isListed(family) ? [[ID, 'id']] : []);
  for (const name of names) {
    const kind = KINDS[fields[name]?.kind ?? 'json'];
    if (kind) found.set(name, kind);
  }
  return found;
});

/** The kinds by which the family's lists are narrowed: what they are sorted by, and numbers that items hold. */
export function filterFields(family: Family): ReadonlyMap<string, ListKind> {
  const listed = listFields(family);
  const codes = isListed(family) ? itemCodes(family).filter(({ field }) => !listed.has(field)) : [];
  return codes.length === 0
    ? listed
    : new Map([...listed, ...codes.map(({ field }) => [field, 'codes'] as const)]);
}

/** What a list is narrowed by: a field of the family, or of its items where those are numbers that find the record. */
export function listedField(family: Family, name: string): Field | undefined {
  if (Object.hasOwn(family.fields, name)) return family.fields[name];
  const held = itemCodes(family).find(({ field }) => field === name);
  return held && family.collections[held.collection]?.fields[name];
}

/** By which numbers of its items a record of the family is found. */
export const itemCodes = oncePerObject((family: Family): readonly { collection: string; field: string }[] =>
  Object.entries(family.collections).flatMap(([collection, { codes }]) =>
    codes.map(field => ({ collection, field })),
  ),
);

/** Whether the family has a list of the general kind. */
function isListed({ operations: { documented, extensions }, isByMachine }: Family): boolean {
  return !isByMachine && (documented?.kinds.includes('list') === true || extensions.includes('list'));
}
