import type { Collection, Family } from './define-family.ts';

/** A reference whose record `expand` puts beside its id. */
export interface Expansion {
  /** What it is asked for by, and the member of the answer: `supplier` for `supplier_id`. */
  name: string;
  field: string;
  /** The family of the record. */
  target: string;
}

/** What can be expanded in a record, or in an item of a collection. */
export function expansionsOf({ fields }: Family | Collection): readonly Expansion[] {
  const known = made.get(fields);
  if (known) return known;
  const found = Object.entries(fields).flatMap(([field, { reference: target, returned }]) => {
    // What an inspection inspects is of the family that its `entity_type` says.
    if (target === undefined || target === 'entity' || !returned) return [];
    return [{ name: field.endsWith('_id') ? field.slice(0, -3) : `${field}_${target}`, field, target }];
  });
  made.set(fields, found);
  return found;
}

const made = new WeakMap<object, readonly Expansion[]>();
