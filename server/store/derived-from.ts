import { canonicalJson } from '../../shared/contract/canonical-json.ts';
import type { Family } from '../../shared/contract/define-family.ts';
import { itemCodes } from '../../shared/contract/list-fields.ts';
import { readJson } from '../../shared/contract/read-json.ts';
import { lotNumberField } from '../../shared/families/lot-number.ts';
import { families } from '../../shared/families/registry.ts';
import { itemReferences } from '../../shared/families/secondary-index.ts';
import { indexedFields } from './family-index.ts';
import type { SqlReader } from './sqlite/connection.ts';
import type { Database } from './sqlite/database.ts';
import { readLocal, writeLocal } from './tables.ts';

/** The name under which `local` keeps what the derived tables were worked out of. */
const NAME = 'derived_from';

type DerivedFrom = Readonly<Record<string, string>>;

/** By family, what its description says is worked out of its records: another text where that is something else. */
const derivedFrom: DerivedFrom = Object.fromEntries(
  Object.values<Family>(families).map(family => {
    const { name, search, codes } = family;
    const codesOfItems = itemCodes(family);
    return [
      name,
      canonicalJson({
        search,
        codes,
        items: itemReferences(family),
        ...(codesOfItems.length > 0 && { codesOfItems }),
        fields: indexedFields(family),
        // What speaks of a lot by its number is found by one form of it.
        numbers: lotNumberField(name) === undefined ? [] : [lotNumberField(name)],
      }),
    ];
  }),
);

/**
 * The families of which the version that used the file last has not worked out what this one does: it did not know them,
 * or less of them. None for a file of a version that does not say.
 */
export function underivedFamilies(sql: Pick<SqlReader, 'get'>): string[] {
  const text = readLocal(sql, NAME);
  if (text === undefined) return [];
  // Nothing of a note that is damaged: everything is worked out anew then.
  const noted: DerivedFrom = Object(readJson(text));
  return Object.keys(derivedFrom).filter(name => noted[name] !== derivedFrom[name]);
}

/** Whether the version that used the file last keeps lot numbers in its facts as they were typed: 0.1.0, which says nothing. */
export function keepsNumbersAsTyped(sql: Pick<SqlReader, 'get'>): boolean {
  return readLocal(sql, NAME) === undefined;
}

/** In the open transaction: everything is worked out by this version. */
export function noteDerived(database: Pick<Database, 'get' | 'run'>): void {
  const text = canonicalJson(derivedFrom);
  if (readLocal(database, NAME) !== text) writeLocal(database, NAME, text);
}
