import type { Family } from '../../shared/contract/define-family.ts';
import { ID, listFields } from '../../shared/contract/list-fields.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { foldNumber } from '../../shared/contract/typed-number.ts';
import { lotNumberField } from '../../shared/families/lot-number.ts';
import { wayKey } from '../../shared/families/places.ts';
import { families, familyOf } from '../../shared/families/registry.ts';
import { foldCode } from '../../shared/families/secondary-index.ts';
import type { CollectionIndex, ComputedColumns } from './sqlite/collection-table.ts';
import type { SqlValue } from './sqlite/connection.ts';

/** Fields that records of a family are looked up by: filters, references, unique numbers and what rules ask for. */
export function indexedFields(family: Family): string[] {
  const references = Object.entries(family.fields).flatMap(([name, field]) =>
    field.reference ? [name] : [],
  );
  return [...new Set([...Object.keys(family.filters), ...references, ...family.unique, ...family.indexes])];
}

/** The day a shipment shipped, else the one it is wanted for: the documented filter (interface decisions, 3). */
export const SHIP_DATE = 'actual_ship_date, requested_ship_date';

/** The installation that wrote an audit event: its chain says so, and no field. */
export const WRITTEN_BY = 'station of the record';

/** Places in the order of the way, kinds and storage classes apart: `wayKey`. */
export const WAY = 'kind, storage_class, walking_order, name';

/** What audit events are looked for by: in order of the first, the others beside it in an index of their own. */
export const AUDIT_PLACES = ['at', 'kind', 'author', 'subject', WRITTEN_BY] as const;

const FURTHER: Readonly<Record<string, readonly string[]>> = {
  shipment: [SHIP_DATE],
  location: [WAY],
  'audit-event': [WRITTEN_BY],
};

/**
 * What each family's records are looked up by, in its columns `value_1`, `value_2` …: names of fields; of several, the
 * first that has a value. The families share the columns, and so a few indexes: SQLite looks at every index of a table
 * for every row that it writes.
 */
const places: ReadonlyMap<string, readonly string[]> = new Map(
  Object.values<Family>(families).map(family => {
    const listed = [...listFields(family).keys()].filter(name => name !== ID);
    const all = [...indexedFields(family), ...(FURTHER[family.name] ?? []), ...listed];
    return [family.name, [...new Set(all)]];
  }),
);
/** Texts are kept as people compare them: trimmed, without case, composed. */
const folded: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.values<Family>(families).map(({ name, fields, isByMachine }) => {
    const texts = (places.get(name) ?? []).filter(place => /text$/.test(fields[place]?.kind ?? ''));
    return [name, new Set(isByMachine ? [] : texts)];
  }),
);
const names = Array.from(
  { length: Math.max(...places.values().map(list => list.length)) },
  (_, place) => `value_${place + 1}`,
);
const empty: readonly SqlValue[] = names.map(() => null);

/** The column of a family's field, or of `SHIP_DATE`, `WAY`. */
export function columnOf(family: string, field: string): string {
  const name = names[places.get(family)?.indexOf(field) ?? -1];
  if (name === undefined) throw new Error(`The records of ${family} have no index by ${field}.`);
  return name;
}

/** Whether the column of a family's field holds its text folded, so that what it finds may differ in case. */
export function isFolded(family: string, field: string): boolean {
  return folded.get(family)?.has(field) === true;
}

/** A value as the column of a family's field holds it. */
export function soughtValue(family: string, field: string, value: string | number): string | number {
  return typeof value === 'string' && isFolded(family, field) ? foldCode(value) : value;
}

/** A value as records are found by it: a lot number however people write it, anything else exactly as it is. */
export function comparedValue(family: string, field: string, value: unknown): unknown {
  return typeof value === 'string' && lotNumberField(family) === field ? foldNumber(value) : value;
}

/** Family first, id last: a page of the family and a lookup by a field are each one range of an index. */
export function recordIndexes(): CollectionIndex[] {
  // Records without the value are found by no lookup, so they need no entry.
  const byValue = names.map(name => ({ name, sql: `(f_family, ${name}, f_id) WHERE ${name} IS NOT NULL` }));
  // The events of a period are filtered and counted within the index, however many there are.
  const [moment, ...narrowing] = AUDIT_PLACES.map(place => columnOf('audit-event', place));
  const columns = `f_family, ${moment}, f_id, ${narrowing.join(', ')}`;
  const byMoment = { name: 'audit', sql: `(${columns}) WHERE f_family = 'audit-event'` };
  return [{ name: 'page', sql: '(f_family, f_id)' }, ...byValue, byMoment];
}

export const indexedValues: ComputedColumns<StoredRecord> = {
  names,
  definition: JSON.stringify(
    [...places].map(([family, list]) => [
      family,
      list.map(place => (isFolded(family, place) ? `${place} folded` : place)),
    ]),
  ),
  of: record => {
    const { family } = record;
    const list = familyOf(family) && places.get(family);
    if (list === undefined || list.length === 0) return empty;
    const values = [...empty];
    for (let place = 0; place < list.length; place += 1) values[place] = valueIn(record, list[place] ?? '');
    return values;
  },
};

/** What the column of a record's field holds. */
export function valueIn({ family, id, fields, station }: StoredRecord, place: string): SqlValue {
  if (place === WRITTEN_BY) return station;
  if (place === WAY) return wayKey(id, fields);
  if (place !== SHIP_DATE) {
    const value = fields[place];
    return typeof value === 'string' && isFolded(family, place) ? foldCode(value) : scalar(value);
  }
  const [actual = '', requested = ''] = SHIP_DATE.split(', ');
  return scalar(fields[actual]) ?? scalar(fields[requested]);
}

/** As the column keeps it; a list or an object is found by no lookup. */
function scalar(value: unknown): SqlValue {
  if (typeof value === 'string') return value;
  // Numbers are bound as floating point, which takes eight bytes.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  return typeof value === 'boolean' ? Number(value) : null;
}
