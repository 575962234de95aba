import type { ParsedInput } from '../../shared/contract/parse-input.ts';

/** A row of a file as it goes from the reading thread to the write gate: read, mapped and of the right shape. */
export interface ImportRow {
  /** Null: the mapping finds the record by a field, or the row says its id. */
  key: string | null;
  /** In place of the ids of `references` stands 1. */
  input: ParsedInput;
  references: RowReference[];
  /** Where the record (`''`) and each of its items (`items.0`) come from. */
  places: Record<string, RowPlace>;
  /** The record as an export wrote it, server's own values included; null in files of other programs. */
  whole: WholeRow | null;
}

export interface WholeRow {
  id: number;
  /** As stored: items by their ids. */
  fields: Record<string, unknown>;
  /** Items without an id: a record that is here can take them, one that is put back cannot. */
  hasNewItems: boolean;
}

export interface RowPlace {
  file: string;
  line: number;
  /** The item's own key, with that of its record before it. */
  key: string | null;
  /** `order.items` */
  kind: string;
  /** The columns that are mapped, as they stand in the file. */
  values: Record<string, string>;
}

/** A field that names a record by something else than its id. */
export interface RowReference {
  /** Path of the item, `''` for the record itself. */
  at: string;
  field: string;
  family: string;
  /** `key`, or the field of the family that is looked in. */
  find: string;
  source: string;
  /** As it stands in the file. */
  text: string;
}
