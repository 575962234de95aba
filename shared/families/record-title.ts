import type { Family } from '../contract/define-family.ts';
import type { StoredRecord } from '../contract/present.ts';
import { familyOf } from './registry.ts';

/** As much of a record as its name needs; the answer of a documented read, under `fields`, does as well. */
export type Named = Pick<StoredRecord, 'id' | 'fields'>;

/** What people call a record: its number or name; `Receipt 12` where it has none. */
export function recordTitle(family: Pick<Family, 'title' | 'nameFields'>, record: Named): string {
  for (const name of family.nameFields) {
    const value = record.fields[name];
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') return String(value);
  }
  return `${family.title} ${record.id}`;
}

/**
 * What tells records of one name apart, such as the part of a lot and its expiry; null where there is nothing to say.
 * `titleOf` gives the title of a record that this one refers to, null where it is not there.
 */
export function recordSubtitle(
  family: Pick<Family, 'title' | 'nameFields' | 'detailFields' | 'fields'>,
  record: Named,
  titleOf: (family: string, id: number) => string | null,
): string | null {
  const title = recordTitle(family, record);
  const details = family.detailFields.flatMap(name => {
    const value = record.fields[name];
    const target = family.fields[name]?.reference;
    if (target !== undefined && familyOf(target) && typeof value === 'number')
      return titleOf(target, value) ?? [];
    return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : [];
  });
  const said = details.filter(detail => detail !== title);
  return said.length > 0 ? said.join(' · ') : null;
}
