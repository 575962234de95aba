import type { Family } from '../../../shared/contract/define-family.ts';
import { filterFields, type ListKind, listFields } from '../../../shared/contract/list-fields.ts';

/** `filter[due_date][gte]=2026-01-31`, as it stands in the address and in the request: docs/interface/lists.md. */
export interface Condition {
  /** The whole name of the parameter. */
  name: string;
  field: string;
  operator: string;
  value: string;
}

/** What the address narrows the list by, beside the family's own filters. */
export function conditionsIn(address: URLSearchParams): Condition[] {
  return [...address].flatMap(([name, value]) => {
    const [, field, operator = 'eq'] = NAME.exec(name) ?? [];
    return field === undefined ? [] : [{ name, field, operator, value }];
  });
}

/** The same by the family's own filters, whose parameters are called as their fields are. */
export function ownConditionsIn(family: Family, address: URLSearchParams): Condition[] {
  return Object.keys(family.filters).flatMap(field => {
    const value = address.get(field);
    return value ? [{ name: field, field, operator: 'eq', value }] : [];
  });
}

const NAME = /^filter\[([^[\]]+)\](?:\[([^[\]]+)\])?$/;

export function conditionName(field: string, operator: string): string {
  return operator === 'eq' ? `filter[${field}]` : `filter[${field}][${operator}]`;
}

/** What a person is offered to narrow by: of references, which record. */
export function filterableIn(family: Family, except: readonly string[]): Map<string, ListKind> {
  const settled = new Set([...except, 'id']);
  const isOffered = (name: string) => !settled.has(name) && family.fields[name]?.reference !== 'entity';
  return new Map([...filterFields(family)].filter(([name]) => isOffered(name)));
}

export type Way = 'ascending' | 'descending';

/** Whether the list can be put in the order of a column. A reference's order would be that of ids, which nobody knows. */
export function sortable(family: Family, name: string): boolean {
  const kind = listFields(family).get(name);
  return kind !== undefined && kind !== 'reference';
}

/** Which way the list goes by this column; undefined where it is sorted by another one, or by none. */
export function wayOf(sort: string, name: string): Way | undefined {
  const [first = ''] = sort.split(',');
  if (first === name) return 'ascending';
  return first === `-${name}` ? 'descending' : undefined;
}

/** What comes after a press on the head of a column: up, down, and as lists are by themselves, newest first. */
export function nextSort(sort: string, name: string): string {
  const way = wayOf(sort, name);
  if (way === undefined) return name;
  return way === 'ascending' ? `-${name}` : '';
}

/** The address with some of its parameters changed; an empty value takes one out. */
export function changedAddress(address: URLSearchParams, values: Record<string, string>): URLSearchParams {
  const next = new URLSearchParams(address);
  for (const [name, value] of Object.entries(values)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}
