import { sameJson } from '../../shared/contract/canonical-json.ts';
import type { Collection, Family } from '../../shared/contract/define-family.ts';
import type { FieldErrors } from '../../shared/contract/errors.ts';
import type { Field } from '../../shared/contract/fields.ts';
import type { ParsedInput } from '../../shared/contract/parse-input.ts';
import type { ChangedValue } from '../../shared/contract/permission.ts';

/** The values of a form or of a write's body: those of the interface, collections as lists. */
export type Values = Record<string, unknown>;

/** The body of a create: what has a value. */
export function withoutEmpty(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)));
}

/** The body of a partial update: what differs from the beginning; an emptied text clears. */
export function changesOf(family: Pick<Family, 'collections'>, before: Values, after: Values): Values {
  const changed = Object.entries(after).flatMap(([name, value]): [string, unknown][] => {
    if (isSame(value, before[name])) return [];
    const collection = family.collections[name];
    return [[name, collection ? changedItems(collection, before[name], value) : cleared(value)]];
  });
  return Object.fromEntries(changed);
}

/** What changed, put back over the record that it was typed over. */
export function withChanges(family: Family, before: Values, changes: Values): Values {
  const items = Object.entries(changes).filter(([name]) => {
    const collection = family.collections[name];
    return collection && !collection.isWholeList;
  });
  const merged = items.map(([name, changed]): [string, Values[]] => {
    const list = listOf(changed);
    const known = listOf(before[name]).map(item => ({ ...item, ...list.find(({ id }) => id === item.id) }));
    return [name, [...known, ...list.filter(({ id }) => id === undefined)]];
  });
  return { ...before, ...changes, ...Object.fromEntries(merged) };
}

/** What the body of a write changes of a record, value by value, as it has been read: by which it is judged before it is sent. */
export function changedValues(
  before: Values,
  { fields, items }: Pick<ParsedInput, 'fields' | 'items'>,
  prefix = '',
): ChangedValue[] {
  const own = Object.entries(fields).flatMap(([name, value]): ChangedValue[] => {
    const [old, now] = [before[name] ?? null, value ?? null];
    return sameJson(old, now) ? [] : [{ path: `${prefix}${name}`, old, new: now }];
  });
  const inner = Object.entries(items).flatMap(([name, list]) =>
    list.flatMap((item, index): ChangedValue[] => {
      const path = `${prefix}${name}.${item.id ?? index}`;
      const known = listOf(before[name]).find(({ id }) => id === item.id && id !== undefined);
      return known ? changedValues(known, item, `${path}.`) : [{ path, old: null, new: item.fields }];
    }),
  );
  return [...own, ...inner];
}

/**
 * Errors by the places of items in the form. The body of a change leaves out items that stay as they are, and its faults name
 * items by their places in it.
 */
export function errorsInForm(
  family: Pick<Family, 'collections'>,
  shown: Values,
  sent: Values,
  errors: FieldErrors,
): FieldErrors {
  const entries = Object.entries(errors).map(([path, messages]): [string, string[]] => {
    const [name = '', place = '', ...rest] = path.split('.');
    const item = family.collections[name] && listOf(sent[name])[Number(place)];
    if (!item) return [path, messages];
    const list = listOf(shown[name]);
    const isNew = ({ id }: Values) => id === undefined;
    const before = listOf(sent[name]).slice(0, Number(place)).filter(isNew).length;
    const found = isNew(item) ? list.filter(isNew)[before] : list.find(({ id }) => id === item.id);
    const at = found ? list.indexOf(found) : Number(place);
    return [[name, at, ...rest].join('.'), messages];
  });
  return Object.fromEntries(entries);
}

export function isRequired(field: Field): boolean {
  return field.requiredOn.includes('create');
}

/** A quantity's unit stands beside it, and a density's two. */
export function unitOf(name: string, values: Values): string | undefined {
  if (name === 'density') {
    const { density_mass_unit: mass, density_volume_unit: volume } = values;
    return mass && volume ? `${mass}/${volume}` : undefined;
  }
  const unit = values.unit_of_measure ?? values.lot_unit;
  return typeof unit === 'string' && /quantity|reorder_point/.test(name) ? unit : undefined;
}

/**
 * Items that a list leaves out stay, so only those that changed are sent, each with what changed of it: what others do
 * to the rest is not written over. A list that is the whole list names every item, and what was emptied of it: values
 * that an item leaves out stay as well.
 */
function changedItems(collection: Collection, before: unknown, after: unknown): unknown {
  return listOf(after).flatMap(item => {
    if (item.id === undefined) return [withoutEmpty(item)];
    const old = listOf(before).find(({ id }) => id === item.id) ?? {};
    const changed = Object.entries(item).flatMap(([name, value]): [string, unknown][] =>
      isSame(value, old[name]) ? [] : [[name, cleared(value)]],
    );
    if (collection.isWholeList) return [{ ...withoutEmpty(item), ...Object.fromEntries(changed) }];
    return changed.length === 0 ? [] : [{ id: item.id, ...Object.fromEntries(changed) }];
  });
}

/** An emptied text is no value. */
function cleared(value: unknown): unknown {
  return value === '' ? null : value;
}

function listOf(value: unknown): Values[] {
  return Array.isArray(value) ? value : [];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

export function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
