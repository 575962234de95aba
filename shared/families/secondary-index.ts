import type { Family } from '../contract/define-family.ts';
import { itemCodes } from '../contract/list-fields.ts';
import { oncePerObject } from '../contract/once-per.ts';
import { openMatterOf } from '../contract/open-matters.ts';
import { itemsOf, type StoredRecord } from '../contract/present.ts';
import { families, familyOf } from './registry.ts';

/** A value by which a record is found, beside the indexes on its fields. */
export interface IndexEntry {
  /** What kind of value it is: `code`, `order.items.part_id`, `open.ncr_open`. */
  place: string;
  value: string | number;
}

export const CODE = 'code';
/** Reports by the inspection that raised them: a failed inspection without one needs attention. */
export const RAISED_BY_INSPECTION = 'ncr.inspection_id';

/** The longest code that is told from another one by its end; longer ones are found by their beginning. */
const CODE_LIMIT = 200;

/** Nothing to trim, to normalise or that storage cannot keep: most codes, and a third of the time that the rest takes. */
const ASCII = /^[!-~](?:[ -~]*[!-~])?$/;

/** One form of a code, whatever its case, and of what storage cannot keep. */
export function foldCode(code: string): string {
  if (code.length <= CODE_LIMIT && ASCII.test(code)) return code.toLowerCase();
  const plain = code.trim().toWellFormed().replaceAll('\0', '\ufffd').normalize('NFC').toLowerCase();
  return plain.length <= CODE_LIMIT ? plain : [...plain].slice(0, CODE_LIMIT).join('');
}

/** The place of a reference or a code that items hold: `order.items.part_id`. */
export function itemPlace(family: string, collection: string, field: string): string {
  return `${family}.${collection}.${field}`;
}

/** The place of numbers that items of the family hold in this field; undefined where they hold none. */
export function codesPlace(family: Family, field: string): string | undefined {
  const held = itemCodes(family).find(one => one.field === field);
  return held && itemPlace(family.name, held.collection, field);
}

/** The place of what an inspection inspects, which its `entity_type` says the family of. */
export function entityPlace(family: string): string {
  return `inspection.entity_id.${family}`;
}

interface ItemReference {
  collection: string;
  field: string;
  target: string;
}

/** Where items of a family refer to other records: asked for with every record that is written. */
export const itemReferences = oncePerObject((family: Family): readonly ItemReference[] =>
  Object.entries(family.collections).flatMap(([collection, { fields }]) =>
    Object.entries(fields).flatMap(([field, { reference: target }]) =>
      target === undefined ? [] : [{ collection, field, target }],
    ),
  ),
);

/** Values by which a record is found; each once. A pure function of the record. */
export function indexEntriesOf(
  record: Pick<StoredRecord, 'family' | 'fields' | 'created_at'>,
): readonly IndexEntry[] {
  const family = familyOf(record.family);
  if (!family) return [];
  const found: IndexEntry[] = [];
  const known = new Set<string>();
  const add = (place: string, value: string | number) => {
    const name = `${place} ${typeof value} ${value}`;
    if (!known.has(name)) found.push({ place, value });
    known.add(name);
  };
  const addCodes = (place: string, value: unknown) => {
    for (const code of Array.isArray(value) ? value : [value]) {
      if (typeof code === 'string' && foldCode(code) !== '') add(place, foldCode(code));
    }
  };
  for (const name of family.codes) addCodes(CODE, record.fields[name]);
  for (const { collection, field } of itemReferences(family)) {
    const described = family.collections[collection];
    if (!described) continue;
    for (const item of itemsOf(described, record.fields[collection])) {
      const id = item[field];
      if (typeof id === 'number') add(itemPlace(family.name, collection, field), id);
    }
  }
  for (const { collection, field } of itemCodes(family)) {
    const described = family.collections[collection];
    if (!described) continue;
    for (const item of itemsOf(described, record.fields[collection]))
      addCodes(itemPlace(family.name, collection, field), item[field]);
  }
  const { entity_id: entity, entity_type: kind } = record.fields;
  if (family === families.inspection && typeof entity === 'number') add(entityPlace(String(kind)), entity);
  const raisedBy = record.fields.inspection_id;
  if (family === families.ncr && typeof raisedBy === 'number') add(RAISED_BY_INSPECTION, raisedBy);
  const open = openMatterOf(record);
  if (open) add(`open.${open.matter}`, open.day);
  return found;
}
