import type { Family } from '../../shared/define-family.ts';
import type { CollectionIndex } from './sqlite/collection-table.ts';

/** The SQL of a stored field's value; an index on it is used only where this text is the same. */
export function fieldExpression(field: string): string {
  return `json_extract(document, '$.fields.${field}')`;
}

/** Fields that records of a family are looked up by: filters, references, unique numbers and what rules ask for. */
export function indexedFields(family: Family): string[] {
  const references = Object.entries(family.fields).flatMap(([name, field]) =>
    field.reference ? [name] : [],
  );
  return [...new Set([...Object.keys(family.filters), ...references, ...family.unique, ...family.indexes])];
}

/** Family first, id last: a page of the family and a lookup by a field are each one range of an index. */
export function recordIndexes(families: readonly Family[]): CollectionIndex[] {
  const page = { name: 'page', sql: '(f_family, f_id)' };
  const byField = families.flatMap(family =>
    indexedFields(family).map(field => ({
      name: fieldIndexName(family.name, field),
      // Records without the value are found by no lookup, so they need no entry.
      sql: `(f_family, ${fieldExpression(field)}, f_id) WHERE f_family = '${family.name}' AND ${fieldExpression(field)} IS NOT NULL`,
    })),
  );
  const byShipDate = {
    name: SHIP_DATE_INDEX,
    sql: `(f_family, ${SHIP_DATE}, f_id) WHERE f_family = 'shipment'`,
  };
  return [page, ...byField, byShipDate];
}

/** The documented filter of shipments: the day it shipped, else the day it is wanted for (interface decisions, 3). */
export const SHIP_DATE = `coalesce(${fieldExpression('actual_ship_date')}, ${fieldExpression('requested_ship_date')})`;
export const SHIP_DATE_INDEX = 'shipment_ship_date';

export function fieldIndexName(family: string, field: string): string {
  return `${family.replaceAll('-', '_')}_${field}`;
}
