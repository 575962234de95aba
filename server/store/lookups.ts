import type { FamilyName } from '../../shared/families/registry.ts';
import { columnOf, isFolded } from './family-index.ts';
import { indexNameOf } from './sqlite/collection-table.ts';

/** How the records of a family are found by a field. */
export interface Lookup {
  sql: string;
  /** The column holds the text folded. */
  isFolded: boolean;
}

/** Lookups of a table, each made once: a text that is put together for every read is also hashed anew, to find its prepared statement. */
export class Lookups {
  readonly #table: string;
  readonly #known = new Map<FamilyName, Map<string, Lookup>>();

  constructor(table: string) {
    this.#table = table;
  }

  of(family: FamilyName, field: string): Lookup {
    const known = this.#known.get(family)?.get(field);
    if (known !== undefined) return known;
    const column = columnOf(family, field);
    const sql = `SELECT key, document, seal FROM "${this.#table}" INDEXED BY "${indexNameOf(this.#table, column)}"
      WHERE f_family = '${family}' AND ${column} = ? ORDER BY f_id`;
    const made: Lookup = { sql, isFolded: isFolded(family, field) };
    const ofFamily = this.#known.get(family) ?? new Map<string, Lookup>();
    this.#known.set(family, ofFamily.set(field, made));
    return made;
  }
}
