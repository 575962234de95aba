import type { RxDocumentData, RxJsonSchema } from 'rxdb';
import type { SqlValue } from './connection.ts';

/** The type that every value of a column has; it is what makes a comparison in SQL mean the same as RxDB's. */
export type ColumnKind = 'string' | 'number' | 'boolean';

/** A property of the document that is also a column. */
export interface PropertyColumn {
  /** The column's name. */
  name: string;
  kind: ColumnKind;
  /** The path in the document, as a Mango query names it. */
  path: string;
  /** Whether SQL orders the column as RxDB orders the values: by UTF-16 code unit. */
  isSortable: boolean;
}

/** Columns that an instance asks for with `columns`. */
export interface ExtraColumn extends PropertyColumn {
  /** Its type in `CREATE TABLE`. */
  type: string;
}

/** The columns every collection has. For the order by `key` see `CollectionTable.isOrderedByKey`. */
export function ownColumns(primaryPath: string): PropertyColumn[] {
  return [
    { name: 'key', kind: 'string', path: primaryPath, isSortable: true },
    { name: 'deleted', kind: 'boolean', path: '_deleted', isSortable: true },
    { name: 'lwt', kind: 'number', path: '_meta.lwt', isSortable: true },
  ];
}

/** @throws Error for a property that is not declared in the schema with one scalar type. */
export function extraColumns<RxDocType>(
  schema: RxJsonSchema<RxDocumentData<RxDocType>>,
  properties: readonly string[],
): ExtraColumn[] {
  const declared: Partial<Record<string, { type?: unknown }>> = schema.properties;
  return properties.map(property => {
    const type = declared[property]?.type;
    const column = typeof type === 'string' ? columnTypes[type] : undefined;
    if (column === undefined || !/^\w+$/.test(property))
      throw new Error(`"${property}" cannot be a column: the schema must declare it with one scalar type.`);
    return { ...column, name: `f_${property}`, path: property, isSortable: column.kind !== 'string' };
  });
}

const columnTypes: Partial<Record<string, { kind: ColumnKind; type: string }>> = {
  string: { kind: 'string', type: 'TEXT' },
  integer: { kind: 'number', type: 'INTEGER' },
  number: { kind: 'number', type: 'REAL' },
  boolean: { kind: 'boolean', type: 'INTEGER' },
};

/**
 * The value to store in an extra column; a missing property is NULL.
 * @throws TypeError when it is null or of another type than the schema says: the column would then lie to queries.
 */
export function columnValue(column: ExtraColumn, document: RxDocumentData<unknown>): SqlValue {
  const value: unknown = Reflect.get(document, column.path);
  if (value === undefined) return null;
  if (typeof value !== column.kind || Number.isNaN(value))
    throw new TypeError(`"${column.path}" is a column and must be a ${column.kind} or missing.`);
  return toSql(value);
}

/** A scalar as it is stored: booleans are 0 and 1. */
export function toSql(value: unknown): SqlValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError(`A ${typeof value} is no column value.`);
}
