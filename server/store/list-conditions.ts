import { ID } from '../../shared/contract/list-fields.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { familyOf } from '../../shared/families/registry.ts';
import { codesPlace, indexEntriesOf } from '../../shared/families/secondary-index.ts';
import { valueIn } from './family-index.ts';

/** A value as an index holds it: texts folded, booleans 0 and 1, moments ISO 8601 in UTC. */
export type IndexValue = string | number;

export interface Bound {
  value: IndexValue;
  isIncluded: boolean;
}

/** What a list wants of one field's value. A record without the value passes none of the tests. */
export type ListTest =
  | { kind: 'in'; values: readonly IndexValue[] }
  | { kind: 'range'; from?: Bound; to?: Bound }
  | { kind: 'contains'; text: string }
  | { kind: 'any' };

export interface ListCondition {
  /** One of the family's `filterFields`. */
  field: string;
  test: ListTest;
  /** Wanted are the records that do not pass, those without a value among them. */
  isNegated: boolean;
}

/** The condition that a field holds a value. */
export function isValue(field: string, value: IndexValue): ListCondition {
  return { field, test: { kind: 'in', values: [value] }, isNegated: false };
}

export interface SortKey {
  /** One of the family's `listFields`, but not its id, which comes last in any case. */
  field: string;
  isDescending: boolean;
}

/** What the index has of a record, to compare it with what was asked for. */
export function indexValueOf(record: StoredRecord, field: string): IndexValue | null {
  const value = field === ID ? record.id : valueIn(record, field);
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** Whether a record is one that the list wants. */
export function isWanted(record: StoredRecord, { field, test, isNegated }: ListCondition): boolean {
  return indexValuesOf(record, field).some(value => passes(value, test)) !== isNegated;
}

/** Of numbers that items hold, all of them. */
function indexValuesOf(record: StoredRecord, field: string): IndexValue[] {
  const family = familyOf(record.family);
  const place = family && codesPlace(family, field);
  if (place === undefined) return [indexValueOf(record, field) ?? []].flat();
  return indexEntriesOf(record).flatMap(entry => (entry.place === place ? [entry.value] : []));
}

function passes(value: IndexValue, test: ListTest): boolean {
  switch (test.kind) {
    case 'in':
      return test.values.includes(value);
    case 'range':
      return isBeyond(value, test.from, 1) && isBeyond(value, test.to, -1);
    case 'contains':
      return typeof value === 'string' && value.includes(test.text);
    case 'any':
      return true;
  }
}

function isBeyond(value: IndexValue, bound: Bound | undefined, direction: 1 | -1): boolean {
  if (!bound) return true;
  const order = compareValues(value, bound.value) * direction;
  return order > 0 || (order === 0 && bound.isIncluded);
}

/** The order of SQLite: numbers before texts, texts by their bytes. */
export function compareValues(one: IndexValue, other: IndexValue): number {
  if (typeof one === 'string' && typeof other === 'string')
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return typeof one === 'number' ? -1 : 1;
}

/** The order of a list: by its keys, records without a value last whichever way a key goes, then by id. */
function compareRecords(
  one: StoredRecord,
  other: StoredRecord,
  sort: readonly SortKey[],
  isNewestFirst: boolean,
): number {
  for (const { field, isDescending } of sort) {
    const [a, b] = [indexValueOf(one, field), indexValueOf(other, field)];
    if (a === null || b === null) {
      if (a !== b) return a === null ? 1 : -1;
      continue;
    }
    const order = compareValues(a, b);
    if (order !== 0) return isDescending ? -order : order;
  }
  return isNewestFirst ? other.id - one.id : one.id - other.id;
}

/** Whether records stand in the order of a list, none of them twice. */
export function areInOrder(
  records: readonly StoredRecord[],
  sort: readonly SortKey[],
  isNewestFirst: boolean,
): boolean {
  return records.every((record, place) => {
    const before = records[place - 1];
    return !before || compareRecords(before, record, sort, isNewestFirst) < 0;
  });
}
