import type { PropertyColumn } from './collection-columns.ts';
import { toSql } from './collection-columns.ts';
import type { SqlValue } from './connection.ts';

/**
 * A condition on the columns of a collection's table. It holds for every document that the selector matches;
 * when `isExact`, for no other.
 */
export interface SqlCondition {
  sql: string;
  parameters: readonly SqlValue[];
  isExact: boolean;
}

/** Columns by the path of the property that they hold. */
export type ColumnsByPath = ReadonlyMap<string, PropertyColumn>;

/**
 * A Mango selector as SQL. Only what provably means the same as in RxDB's matcher (mingo) is translated: comparisons of
 * columns, whose values have one known type, and their combinations. The rest is left to the matcher, as a filter.
 */
export function toCondition(selector: unknown, columns: ColumnsByPath): SqlCondition {
  if (!isPlainObject(selector)) return unknown;
  return all(
    Object.entries(selector).map(([key, value]) => {
      if (!key.startsWith('$')) return propertyCondition(columns.get(key), value);
      if (!Array.isArray(value)) return unknown;
      const parts = value.map(part => toCondition(part, columns));
      if (key === '$and') return all(parts);
      if (key === '$or') return some(parts);
      if (key === '$nor') return not(some(parts));
      return unknown;
    }),
  );
}

/** A Mango sort as `ORDER BY` terms, or undefined when SQL would order otherwise than RxDB. */
export function toOrder(
  sort: readonly Partial<Record<string, 'asc' | 'desc'>>[],
  columns: ColumnsByPath,
): string | undefined {
  const terms: string[] = [];
  for (const part of sort) {
    const [path = '', direction] = Object.entries(part)[0] ?? [];
    const column = columns.get(path);
    if (column === undefined || !column.isSortable) return undefined;
    // Missing values come first, as NULL does in SQLite.
    terms.push(`${column.name} ${direction === 'desc' ? 'DESC' : 'ASC'}`);
  }
  return terms.join(', ');
}

const unknown: SqlCondition = { sql: 'TRUE', parameters: [], isExact: false };
const always: SqlCondition = { sql: 'TRUE', parameters: [], isExact: true };
const never: SqlCondition = { sql: 'FALSE', parameters: [], isExact: true };

function propertyCondition(column: PropertyColumn | undefined, matcher: unknown): SqlCondition {
  if (column === undefined) return unknown;
  if (!isPlainObject(matcher)) return compare(column, '$eq', matcher);
  const entries = Object.entries(matcher);
  if (entries.length === 0 || entries.some(([operator]) => !operator.startsWith('$'))) return unknown;
  return all(entries.map(([operator, operand]) => compare(column, operator, operand)));
}

function compare(column: PropertyColumn, operator: string, operand: unknown): SqlCondition {
  switch (operator) {
    case '$eq':
      return equals(column, operand);
    case '$ne':
      return not(equals(column, operand));
    case '$in':
      return isOneOf(column, operand);
    case '$nin':
      return not(isOneOf(column, operand));
    case '$gt':
      return orders(column, '>', operand);
    case '$gte':
      return orders(column, '>=', operand);
    case '$lt':
      return orders(column, '<', operand);
    case '$lte':
      return orders(column, '<=', operand);
    case '$exists':
      return exact(`${column.name} IS ${operand ? 'NOT NULL' : 'NULL'}`);
    case '$not':
      return not(propertyCondition(column, operand));
    default:
      return unknown;
  }
}

function equals(column: PropertyColumn, operand: unknown): SqlCondition {
  if (operand === null || operand === undefined) return exact(`${column.name} IS NULL`);
  if (!isScalar(operand)) return unknown;
  if (typeof operand !== column.kind) return never;
  if (!isComparable(operand)) return unknown;
  // A literal, because partial indexes (WHERE deleted = 0) are not used for a value that comes later.
  if (typeof operand === 'boolean') return exact(`${column.name} = ${toSql(operand)}`);
  return exact(`${column.name} = ?`, toSql(operand));
}

function isOneOf(column: PropertyColumn, operand: unknown): SqlCondition {
  if (!Array.isArray(operand) || operand.length > maximumListLength) return unknown;
  if (!operand.every(value => value === null || (isScalar(value) && isComparable(value)))) return unknown;
  const values = operand.filter(value => typeof value === column.kind).map(toSql);
  const list = exact(`${column.name} IN (${values.map(() => '?').join(', ')})`, ...values);
  return operand.includes(null) ? some([list, exact(`${column.name} IS NULL`)]) : list;
}

function orders(column: PropertyColumn, sign: string, operand: unknown): SqlCondition {
  if (!isScalar(operand)) return unknown;
  if (typeof operand !== column.kind) return never;
  return isComparable(operand) ? exact(`${column.name} ${sign} ?`, toSql(operand)) : unknown;
}

/** Longer lists go to the matcher: SQLite bounds the number of values, and each length is a statement of its own. */
const maximumListLength = 200;

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/**
 * SQLite compares text by code point, JavaScript by UTF-16 code unit, and a lone surrogate is stored as another
 * character. Against an operand of characters below U+D800 none of this makes a difference.
 */
function isComparable(value: string | number | boolean): boolean {
  if (typeof value === 'string') return !/[\ud800-\uffff]/.test(value);
  return !Number.isNaN(value);
}

function exact(sql: string, ...parameters: SqlValue[]): SqlCondition {
  return { sql, parameters, isExact: true };
}

function all(parts: readonly SqlCondition[]): SqlCondition {
  const isExact = parts.every(part => part.isExact);
  const telling = parts.filter(part => part.sql !== always.sql);
  if (telling.length === 0) return isExact ? always : unknown;
  return { ...joined(telling, ' AND '), isExact };
}

function some(parts: readonly SqlCondition[]): SqlCondition {
  if (parts.length === 0) return never;
  if (parts.some(part => part.sql === always.sql)) return parts.includes(always) ? always : unknown;
  return { ...joined(parts, ' OR '), isExact: parts.every(part => part.isExact) };
}

function joined(parts: readonly SqlCondition[], operator: string): Omit<SqlCondition, 'isExact'> {
  return {
    sql: parts.length === 1 ? (parts[0]?.sql ?? '') : `(${parts.map(part => part.sql).join(operator)})`,
    parameters: parts.flatMap(part => part.parameters),
  };
}

/** `IS NOT TRUE`, because a comparison with a missing value is NULL in SQL and false in the matcher. */
function not(condition: SqlCondition): SqlCondition {
  return condition.isExact ? { ...condition, sql: `(${condition.sql}) IS NOT TRUE` } : unknown;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
