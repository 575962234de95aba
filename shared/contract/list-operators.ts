import type { ListKind } from './list-fields.ts';

/** How `filter[field][…]` compares; without a word it is `eq`. */
export const LIST_OPERATORS = ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'contains', 'is_null'] as const;

export type ListOperator = (typeof LIST_OPERATORS)[number];

/** Most fields that one list is sorted by. */
export const SORT_LIMIT = 3;
/** Most conditions of one list. */
export const CONDITION_LIMIT = 20;
/** Most values of one `in`. */
export const IN_LIMIT = 100;

const ONE_OF: readonly ListOperator[] = ['eq', 'ne', 'in', 'is_null'];
const ORDERED: readonly ListOperator[] = ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'is_null'];

const BY_KIND: Record<ListKind, readonly ListOperator[]> = {
  id: ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte'],
  text: ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'contains', 'is_null'],
  number: ORDERED,
  date: ORDERED,
  // A moment is hardly ever met exactly; a list of them never is meant.
  timestamp: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'is_null'],
  boolean: ['eq', 'ne', 'is_null'],
  choice: ONE_OF,
  reference: ONE_OF,
  codes: ONE_OF,
};

export function operatorsOf(kind: ListKind): readonly ListOperator[] {
  return BY_KIND[kind];
}
