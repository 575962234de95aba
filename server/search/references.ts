import type { Family } from '../../shared/contract/define-family.ts';
import { itemsOf, type StoredRecord } from '../../shared/contract/present.ts';
import { takenOf } from '../../shared/contract/shipped-line.ts';
import { families, familyOf } from '../../shared/families/registry.ts';
import { entityPlace, itemPlace, itemReferences } from '../../shared/families/secondary-index.ts';
import type { References } from '../../shared/operations/overview-operations.ts';
import { sourcesOf } from '../store/lots.ts';
import { countIndexed, recordsAt } from '../store/secondary-index.ts';
import type { FindReads } from './find-records.ts';
import { shownFamilies, titled, titleOf } from './titles.ts';

type Out = References['out'][number];
type In = References['in'][number];

/** One way in which records refer to another one, and how those that do are read, the newest first. */
interface Way {
  family: string;
  field: string;
  read: (page: number, perPage: number) => { total: number; records: StoredRecord[] };
}

/** Everything that the record refers to, each once for a field, its items' references included. */
export function outOf(reads: FindReads, record: StoredRecord): Out[] {
  const family = familyOf(record.family);
  if (!family) return [];
  const found = new Map<string, Out>();
  const add = (field: string, target: string, id: unknown) => {
    if (typeof id !== 'number') return;
    const title = titleOf(reads.records, target, id);
    found.set(`${field} ${target} ${id}`, { field, family: target, id, title });
  };
  for (const [name, field] of Object.entries(family.fields)) {
    if (field.reference !== undefined) add(name, targetOf(field.reference, record), record.fields[name]);
  }
  for (const { collection, field, target } of itemReferences(family)) {
    for (const item of itemsIn(family, collection, record))
      add(`${collection}.${field}`, target, item[field]);
  }
  if (family.name === 'shipment') {
    const taken = itemsIn(family, 'items', record).flatMap(item => takenOf(item.taken));
    for (const { inventory_id: lot } of taken) add('items.taken', 'inventory', lot);
  }
  return [...found.values()];
}

/** Everything that refers to the record, by family and field: the first 10 of each. */
export function intoRecord(reads: FindReads, record: StoredRecord): In[] {
  return waysInto(reads, record)
    .map(way => groupOf(reads, way, 1, 10))
    .filter(({ total }) => total > 0);
}

/** One page of the records of a family that refer to the record by a field; undefined where there is no such way. */
export function pageInto(
  reads: FindReads,
  record: StoredRecord,
  wanted: { family: string; field: string; page: number; perPage: number },
): In | undefined {
  const way = waysInto(reads, record).find(
    ({ family, field }) => family === wanted.family && field === wanted.field,
  );
  return way && groupOf(reads, way, wanted.page, wanted.perPage);
}

function groupOf({ records }: FindReads, way: Way, page: number, perPage: number): In {
  const { family, field } = way;
  const read = way.read(page, perPage);
  return { family, field, total: read.total, records: read.records.map(record => titled(records, record)) };
}

function waysInto(reads: FindReads, record: StoredRecord): Way[] {
  const ways = shownFamilies.flatMap(family => [
    ...waysByField(reads, family, record),
    ...waysByItems(reads, family, record),
  ]);
  return record.family === 'inventory' ? [...ways, ...waysToLot(reads, record)] : ways;
}

function waysByField(reads: FindReads, family: Family, { family: target, id }: StoredRecord): Way[] {
  return Object.entries(family.fields).flatMap(([field, { reference }]) => {
    if (reference === ENTITY && ENTITIES.includes(target)) {
      return [{ family: family.name, field, read: byLookup(reads, entityPlace(target), id) }];
    }
    if (reference !== target) return [];
    const read: Way['read'] = (page, perPage) =>
      reads.records.page(family, { page, perPage, filters: { [field]: id }, isNewestFirst: true });
    return [{ family: family.name, field, read }];
  });
}

function waysByItems(reads: FindReads, family: Family, { family: target, id }: StoredRecord): Way[] {
  return itemReferences(family).flatMap(reference => {
    if (reference.target !== target) return [];
    const { collection, field } = reference;
    const place = itemPlace(family.name, collection, field);
    return [{ family: family.name, field: `${collection}.${field}`, read: byLookup(reads, place, id) }];
  });
}

function byLookup({ records, sql }: FindReads, place: string, id: number): Way['read'] {
  const range = { place, from: id, to: id };
  return (page, perPage) => ({
    total: countIndexed(sql, range),
    records: recordsAt(sql, records, range, {
      limit: perPage,
      offset: (page - 1) * perPage,
      order: 'newest',
    }),
  });
}

/** What names a lot otherwise than by its id: shipments that took from it; results and complaints by its number. */
function waysToLot({ records, sql }: FindReads, lot: StoredRecord): Way[] {
  const { batch_number: batch, part_id: part } = lot.fields;
  const slice =
    (found: StoredRecord[]): Way['read'] =>
    (page, perPage) => ({
      total: found.length,
      records: found.slice((page - 1) * perPage, page * perPage),
    });
  const named = (family: 'complaint' | 'lab-result', partField: string) =>
    typeof batch === 'string' && batch !== ''
      ? records
          .findBy(family, 'batch_number', batch)
          .filter(({ fields }) => (fields[partField] ?? part) === part && fields.inventory_id !== lot.id)
          .reverse()
      : [];
  const shipped = new Set(sourcesOf(sql, lot.id).flatMap(({ source }) => idOf('shipment', source)));
  const shipments = [...shipped].sort((a, b) => b - a).flatMap(id => records.get('shipment', id) ?? []);
  return [
    { family: 'shipment', field: 'items.taken', read: slice(shipments) },
    { family: 'complaint', field: 'batch_number', read: slice(named('complaint', 'part_id')) },
    { family: 'lab-result', field: 'batch_number', read: slice(named('lab-result', 'batch_part_id')) },
  ];
}

/** `entity_id` of an inspection names a part or equipment, as `entity_type` says. */
const ENTITY = 'entity';
const ENTITIES = ['part', 'equipment'];

function targetOf(reference: string, { fields }: StoredRecord): string {
  return reference === ENTITY ? String(fields.entity_type ?? families.part.name) : reference;
}

function itemsIn(family: Family, name: string, { fields }: StoredRecord): Record<string, unknown>[] {
  const collection = family.collections[name];
  return collection ? itemsOf(collection, fields[name]) : [];
}

function idOf(family: string, key: string): number[] {
  return key.startsWith(`${family}:`) ? [Number(key.slice(family.length + 1))] : [];
}
