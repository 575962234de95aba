import type { Collection, Family } from '../../shared/contract/define-family.ts';
import type { AnswerOf } from '../../shared/operations/operation-types.ts';
import { type ReadOptions, useCall } from '../api/calls.ts';

/** A record with everything that is stored of it: `GET /x/records/{family}/{id}`. Items are maps by id. */
export type WholeRecord = AnswerOf<'x.records.read'>;

export function useWholeRecord(family: string, id: number, options: ReadOptions = {}) {
  return useCall('x.records.read', { params: { family, id } }, options);
}

/** For `If-Match`, as the server writes it: the version and the head of the state (interface decisions, 2). */
export function wholeEtag({ version, state }: WholeRecord): string {
  return `"${version}-${state.slice(0, 16)}"`;
}

/** The stored fields as a form and a write have them: collections as lists in their order. */
export function editableValues(family: Family, { fields }: WholeRecord): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(family.fields)) if (fields[name] !== undefined) values[name] = fields[name];
  for (const [name, collection] of Object.entries(family.collections)) {
    values[name] = itemsIn(collection, fields[name]);
  }
  return values;
}

/** The same item for the same stored one, which an answer that did not change it keeps: its row is not drawn again. */
const withId = new WeakMap<object, Record<string, unknown>>();

/** Items in their order, those without a place last; those that a whole list has left out are not shown. */
export function itemsIn(collection: Collection | undefined, stored: unknown): Record<string, unknown>[] {
  if (typeof stored !== 'object' || stored === null) return [];
  const items = Object.entries(stored as Record<string, Record<string, unknown>>).map(([id, item]) => {
    const known = withId.get(item) ?? { ...item, id: Number(item.id ?? id) };
    withId.set(item, known);
    return known;
  });
  const position = (item: Record<string, unknown>) =>
    Number(item[collection?.position ?? ''] ?? Number.MAX_SAFE_INTEGER);
  return items
    .filter(item => item.is_removed !== true)
    .toSorted((one, other) => position(one) - position(other) || Number(one.id) - Number(other.id));
}
