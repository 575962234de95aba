import type { Collection, Family } from '../../../shared/contract/define-family.ts';
import type { Field } from '../../../shared/contract/fields.ts';
import { familyOf } from '../../../shared/families/registry.ts';
import type { ListedBy } from '../../../shared/operations/operation-types.ts';
import { itemsIn } from '../whole-record.ts';

export type Correction = ListedBy<'x.corrections.list'>;

export interface Subject {
  family: Family;
  id: number;
}

export function subjectOf({ subject }: Pick<Correction, 'subject'>): Subject | null {
  const [name = '', id] = (subject ?? '').split(':');
  const family = familyOf(name);
  return family ? { family, id: Number(id) } : null;
}

/** The items on the way to a value, as people count or call them, and its field; undefined: none that is known. */
export interface CorrectedValue {
  /** `{ collection: 'items', place: 2 }`; the name of what was measured where the template says one. */
  steps: { collection: string; place: number | null; name: string | null }[];
  field: Field | undefined;
}

/**
 * What a path says of the record as it is now: items by their place in it, from 1 (null: it is not there), results by the
 * characteristic that the inspection's copy of the template names.
 */
export function correctedValue(
  family: Family,
  path: string,
  record: Record<string, unknown> | undefined,
): CorrectedValue {
  const parts = path.split('.');
  const steps: CorrectedValue['steps'] = [];
  let described: Pick<Collection, 'fields' | 'collections'> | undefined = family;
  let stored = record;
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [collection = '', id] = [parts[at], Number(parts[at + 1])];
    const inner: Collection | undefined = described?.collections[collection];
    const items = itemsIn(inner, stored?.[collection]);
    const found = items.find(item => item.id === id);
    const position = inner?.position ? found?.[inner.position] : undefined;
    const name = collection === 'results' ? characteristicName(record, id) : null;
    const place = typeof position === 'number' && collection === 'samples' ? position : null;
    steps.push({ collection, place: place ?? (found ? items.indexOf(found) + 1 : null), name });
    described = inner;
    stored = found;
  }
  const field = parts.length % 2 === 1 ? described?.fields[parts.at(-1) ?? ''] : undefined;
  return { steps, field };
}

function characteristicName(record: Record<string, unknown> | undefined, id: number): string | null {
  const { characteristics } = Object(record?.template);
  const { name } = Object(Object(characteristics)[id]);
  return typeof name === 'string' ? name : null;
}
