import type { Collection, Family } from './define-family.ts';
import { oncePerObject } from './once-per.ts';

/** A reference whose record `expand` puts beside its id. */
export interface Expansion {
  /** What it is asked for by, and the member of the answer: `supplier` for `supplier_id`. */
  name: string;
  field: string;
  /** The family of the record. */
  target: string;
}

/** What can be expanded in a record, or in an item of a collection. */
export const expansionsOf = oncePerObject(({ fields }: Family | Collection): readonly Expansion[] =>
  Object.entries(fields).flatMap(([field, { reference: target, returned }]) => {
    // What an inspection inspects is of the family that its `entity_type` says.
    if (target === undefined || target === 'entity' || !returned) return [];
    return [{ name: field.endsWith('_id') ? field.slice(0, -3) : `${field}_${target}`, field, target }];
  }),
);
