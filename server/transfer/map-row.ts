import type { FieldErrors } from '../../shared/contract/errors.ts';
import { readMembers } from '../../shared/contract/parse-input.ts';
import { cellOf, columnValue, keyText, type Notation, type PlacedRow, plainText } from './column-value.ts';
import type { BadRow } from './fault.ts';
import type { ImportRow, RowPlace, RowReference } from './import-row.ts';
import { columnAt, type FieldPlan, INDEX, type ItemPlan, LINE, type MappedPlan } from './plan.ts';

export interface MapContext {
  notationOf: (file: string) => Notation;
  /** The site's time zone, for moments that are given for days. */
  siteZone: string;
  /** The rows of an item's own file that belong to a record. */
  rowsOf: (item: ItemPlan, key: string) => PlacedRow[];
}

/** The reference's id is known only where the records are; until then this stands for it. */
const PLACEHOLDER = 1;
const VALUE_LIMIT = 200;

/** A row of another program's file as an input of the interface; or everything that is wrong with it. */
export function mapRow(plan: MappedPlan, row: PlacedRow, context: MapContext): ImportRow | BadRow[] {
  const mapping = new RowMapping(plan, context);
  const key = mapping.keyOf(row, plan.file, plan.key, plan.family.name);
  const body = mapping.membersOf(plan, row, plan.file, '', plan.family.name, key);
  const errors: FieldErrors = {};
  const numbered = plan.family.numbered?.field;
  // Where the file has no number, the server gives one, or has given it.
  if (numbered !== undefined && body[numbered] === null) delete body[numbered];
  // As an update, for a row may name a record that is there already and map a few of its fields.
  const input = readMembers(
    plan.family,
    body,
    '',
    { mode: 'patch', zone: () => context.siteZone },
    errors,
    [],
  );
  mapping.addErrors(errors);
  if (mapping.faults.length > 0) return mapping.faults;
  return {
    key,
    input: { ...input, ignored: [] },
    references: mapping.references,
    places: mapping.places,
    whole: null,
  };
}

/** Faults that name a path of the input, as faults of the row and column that the value there comes from. */
export function rowFaults(plan: MappedPlan, places: Record<string, RowPlace>, errors: FieldErrors): BadRow[] {
  return Object.entries(errors).map(([path, messages]) => {
    const item =
      Object.keys(places)
        .filter(at => path === at || path.startsWith(`${at}.`))
        .sort()
        .at(-1) ?? '';
    const { column } = columnAt(plan, path);
    const place = places[item];
    const value = column === null ? undefined : place?.values[column];
    return {
      file: place?.file ?? plan.file,
      line: place?.line ?? 1,
      column,
      value: value?.slice(0, VALUE_LIMIT) ?? null,
      message: messages.join(' '),
    };
  });
}

class RowMapping {
  readonly faults: BadRow[] = [];
  readonly references: RowReference[] = [];
  readonly places: Record<string, RowPlace> = {};
  readonly #plan: MappedPlan;
  readonly #context: MapContext;

  constructor(plan: MappedPlan, context: MapContext) {
    this.#plan = plan;
    this.#context = context;
  }

  /** The key of a record or, behind that of its record, of an item. */
  keyOf(row: PlacedRow, file: string, columns: readonly string[], kind: string): string | null {
    if (columns.length === 0) return null;
    const key = keyText(row, columns, this.#context.notationOf(file).no_value);
    if (key !== null) return key;
    const what = kind.includes('.') ? 'item' : 'row';
    this.#fault(
      row,
      file,
      columns[0] ?? null,
      `The key of the ${what} (${columns.join(', ')}) has no value. Give it one.`,
    );
    return null;
  }

  membersOf(
    members: { fields: readonly FieldPlan[]; items: readonly ItemPlan[] },
    row: PlacedRow,
    file: string,
    at: string,
    kind: string,
    key: string | null,
  ): Record<string, unknown> {
    const notation = this.#context.notationOf(file);
    const body: Record<string, unknown> = {};
    for (const plan of members.fields) {
      const read = columnValue(plan, row, notation);
      if ('fault' in read) this.#fault(row, file, read.column, read.fault);
      else body[plan.name] = this.#referred(plan, read.value, at);
    }
    const columns = members.fields.flatMap(field => field.columns);
    this.places[at] = { file, line: row.line, key, kind, values: shownValues(row, columns) };
    for (const item of members.items) {
      const path = at === '' ? item.name : `${at}.${item.name}`;
      const rows = this.#itemRows(item, row, file, key);
      body[item.name] = rows.map((itemRow, index) =>
        this.#item(item, itemRow, `${path}.${index}`, file, key),
      );
      this.#refuseRepeats(path, rows.length);
    }
    return body;
  }

  addErrors(errors: FieldErrors): void {
    this.faults.push(...rowFaults(this.#plan, this.places, errors));
  }

  #item(item: ItemPlan, row: PlacedRow, at: string, parentFile: string, parentKey: string | null) {
    const file = item.file?.name ?? parentFile;
    const own = this.keyOf(row, file, item.key, item.kind);
    const key = own === null || parentKey === null ? null : `${parentKey}${own}`;
    return this.membersOf(item, row, file, at, item.kind, key);
  }

  #itemRows(item: ItemPlan, row: PlacedRow, file: string, key: string | null): PlacedRow[] {
    if (item.from === null) return key === null ? [] : this.#context.rowsOf(item, key);
    const cell = cellOf(row, item.from, this.#context.notationOf(file).no_value);
    if (cell === null) return [];
    if (Array.isArray(cell) && cell.every(isObject)) {
      return cell.map((values, index) => ({ line: row.line, values, index: index + 1 }));
    }
    this.#fault(
      row,
      file,
      item.from,
      'This is not a list of objects. Give a list such as [{"quantity": 2}].',
    );
    return [];
  }

  #refuseRepeats(path: string, count: number): void {
    const seen = new Set<string>();
    for (let index = 0; index < count; index++) {
      const place = this.places[`${path}.${index}`];
      if (!place || place.key === null) continue;
      if (seen.has(place.key)) {
        const message =
          'Another item of this record has the same key. Give each item a key of its own, or map more columns to it.';
        this.faults.push({ file: place.file, line: place.line, column: null, value: null, message });
      }
      seen.add(place.key);
    }
  }

  #referred(plan: FieldPlan, value: unknown, at: string): unknown {
    const { target, name } = plan;
    if (value === null || !target || target.find === 'id') return value;
    const text = plainText(value);
    this.references.push({
      at,
      field: name,
      family: target.family.name,
      find: target.find,
      source: target.source,
      text,
    });
    return PLACEHOLDER;
  }

  #fault(row: PlacedRow, file: string, column: string | null, message: string): void {
    const value = column === null ? undefined : shownValues(row, [column])[column];
    this.faults.push({ file, line: row.line, column, value: value?.slice(0, VALUE_LIMIT) ?? null, message });
  }
}

function shownValues(row: PlacedRow, columns: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    columns.flatMap(column => {
      if (column === LINE || column === INDEX) return [];
      const cell = cellOf(row, column, []);
      return cell === null ? [] : [[column, plainText(cell)]];
    }),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
