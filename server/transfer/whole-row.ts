import type { Collection, Family } from '../../shared/contract/define-family.ts';
import { shown } from '../../shared/contract/field-schemas.ts';
import { type Field, readField } from '../../shared/contract/fields.ts';
import type { ParsedItem } from '../../shared/contract/parse-input.ts';
import type { SourceRow } from './csv-rows.ts';
import { REMOVED, storedFields, textOfCell } from './exported-record.ts';
import type { BadRow } from './fault.ts';
import type { ImportRow } from './import-row.ts';
import type { HoldpointPlan } from './plan.ts';

export interface WholeRowContext {
  isCsv: boolean;
  /** The site's time zone, for moments that are given for days. */
  siteZone: string;
  /** The rows of a collection's own file, by the record that they belong to. */
  itemRows: (item: HoldpointPlan['items'][number], record: string) => SourceRow[];
}

interface Members {
  /** As stored: items by their ids. */
  whole: Record<string, unknown>;
  /** What a client may write of it. */
  fields: Record<string, unknown>;
  items: Record<string, ParsedItem[]>;
}

interface Cursor {
  file: string;
  line: number;
  isCsv: boolean;
  /** Where in the row: `items.0.`; empty in the row itself. */
  path: string;
}

interface ItemList {
  rows: SourceRow[];
  file: string;
  isCsv: boolean;
}

/**
 * A row that `export` wrote. With an id it is that record: the one that is here takes what a client may write, one that
 * is not here is put back as it was. Without an id it is a new record like any other.
 */
export function readWholeRow(
  plan: HoldpointPlan,
  row: SourceRow,
  { isCsv, siteZone, itemRows }: WholeRowContext,
): ImportRow | BadRow[] {
  const reading = new WholeReading(siteZone);
  const cursor = { file: plan.file, line: row.line, isCsv, path: '' };
  const id = reading.idOf(row.values, cursor);
  const lists: Record<string, ItemList> = {};
  for (const item of plan.items) {
    lists[item.name] = { rows: id === null ? [] : itemRows(item, String(id)), file: item.file, isCsv: true };
  }
  const { whole, ...input } = reading.membersOf(plan.family, row.values, cursor, lists);
  if (reading.faults.length > 0) return reading.faults;
  return {
    key: null,
    input: { ...input, paths: {}, ignored: [] },
    references: [],
    places: { '': { file: plan.file, line: row.line, key: null, kind: plan.family.name, values: {} } },
    whole: id === null ? null : { id, fields: whole, hasNewItems: reading.hasNewItems },
  };
}

class WholeReading {
  readonly faults: BadRow[] = [];
  hasNewItems = false;
  readonly #siteZone: string;

  constructor(siteZone: string) {
    this.#siteZone = siteZone;
  }

  membersOf(
    described: Family | Collection,
    values: Record<string, unknown>,
    cursor: Cursor,
    lists: Record<string, ItemList> = {},
  ): Members {
    const members: Members = { whole: {}, fields: {}, items: {} };
    for (const [name, field] of storedFields(described)) {
      if (!Object.hasOwn(values, name)) continue;
      const value = this.#valueOf(field, values[name], name, cursor);
      if (value !== null) members.whole[name] = value;
      if (field.writable) members.fields[name] = value;
    }
    for (const [name, collection] of Object.entries(described.collections)) {
      const list = lists[name] ?? this.#list(values[name], name, cursor);
      if (list) this.#addItems(members, name, collection, list, cursor);
    }
    return members;
  }

  /** Null where the row has none. */
  idOf(values: Record<string, unknown>, cursor: Cursor): number | null {
    const given = values.id;
    if (given === undefined || given === null || given === '') return null;
    const id = typeof given === 'string' && /^[1-9]\d{0,15}$/.test(given) ? Number(given) : given;
    if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0) return id;
    this.#fault(
      cursor,
      'id',
      given,
      `${shown(given)} is not an id. Give a whole number from 1, or none for a new record.`,
    );
    return null;
  }

  #addItems(members: Members, name: string, collection: Collection, list: ItemList, cursor: Cursor): void {
    const stored: Record<string, unknown> = {};
    members.items[name] = list.rows.flatMap((row, index) => {
      const path = `${cursor.path}${name}.${index}`;
      const at = { file: list.file, line: row.line, isCsv: list.isCsv, path: `${path}.` };
      const id = this.idOf(row.values, at);
      const { whole, ...input } = this.membersOf(collection, row.values, at);
      const isRemoved = row.values[REMOVED] === true || row.values[REMOVED] === 'true';
      if (id === null) this.hasNewItems = true;
      else stored[id] = isRemoved ? { ...whole, [REMOVED]: true } : whole;
      return isRemoved ? [] : [{ id, ...input, path, paths: {} }];
    });
    if (Object.keys(stored).length > 0) members.whole[name] = stored;
  }

  #valueOf(field: Field, given: unknown, name: string, cursor: Cursor): unknown {
    const value = cursor.isCsv ? valueOfCell(field, String(given)) : given;
    if (value === null || value === undefined) return null;
    // What only the server sets has no form of input.
    const isWrittenDown = field.kind === 'json' && !field.writable;
    const result = isWrittenDown
      ? field.schemas().output.safeParse(value)
      : readField(field, value, () => this.#siteZone);
    if (result.success) return result.data;
    this.#fault(cursor, name, given, result.error.issues.map(issue => issue.message).join(' '));
    return null;
  }

  /** The items inside of a row; in CSV, those of an item itself, as JSON. */
  #list(given: unknown, name: string, cursor: Cursor): ItemList | null {
    const value = cursor.isCsv && typeof given === 'string' ? parsedJson(given) : given;
    if (value === undefined || value === null || value === '') return null;
    if (Array.isArray(value) && value.every(entry => entry !== null && typeof entry === 'object')) {
      return { rows: value.map(values => ({ line: cursor.line, values })), file: cursor.file, isCsv: false };
    }
    this.#fault(cursor, name, given, `${shown(given)} is not a list of objects.`);
    return null;
  }

  #fault({ file, line, isCsv, path }: Cursor, name: string, given: unknown, message: string): void {
    const value = given === null || given === undefined ? null : shown(given);
    this.faults.push({ file, line, column: isCsv ? name : `${path}${name}`, value, message });
  }
}

/** Texts stand in a cell as they are; lists and objects as JSON. */
function valueOfCell(field: Field, cell: string): unknown {
  const text = textOfCell(cell);
  if (text === null) return null;
  switch (field.kind) {
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'text-list':
      return parsedJson(text);
    case 'json':
      // Lab data is kept as the text that was written; other fields are not a text.
      return field.writable && field.schemas().input.safeParse(text).success ? text : parsedJson(text);
    default:
      return text;
  }
}

/** The text itself where it is no JSON: the field's schema says what it should be. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
