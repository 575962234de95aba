import { DateTime, type TokenParser } from 'luxon';
import type { Field } from '../../shared/contract/fields.ts';
import type { SourceRow } from './csv-rows.ts';
import type { FieldSource, FileOptions } from './mapping.ts';
import { type FieldPlan, INDEX, LINE, PLACE } from './plan.ts';

/** A row, and where it stands. */
export interface PlacedRow extends SourceRow {
  /** Place in its file, or in the list of its record, from 1. */
  index?: number;
}

/** How values are written in a file, or in one column of it. */
export type Notation = Pick<FileOptions, 'date' | 'zone' | 'number'> & { no_value: readonly string[] };

/** What a row says of a field: null is "no value". A fault is a sentence that names the remedy. */
export type ColumnValue = { value: unknown } | { fault: string; column: string | null };

/** A value that does not fit what the mapping says of its column. */
class Misfit extends Error {
  readonly column: string | null;

  constructor(message: string, column: string | null) {
    super(message);
    this.column = column;
  }
}

/** The value of a field as an input of the interface, which its own schema checks afterwards. */
export function columnValue(plan: FieldPlan, row: PlacedRow, file: Notation): ColumnValue {
  const { field, source } = plan;
  const notation: Notation = { ...file, ...given(source) };
  try {
    return { value: rawValue(source, field, row, notation) ?? source.default ?? null };
  } catch (error) {
    if (error instanceof Misfit) return { fault: error.message, column: error.column };
    throw error;
  }
}

/** What stands in a column, null where that means "no value". A dotted name leads into nested objects. */
export function cellOf(row: PlacedRow, column: string, noValue: readonly string[]): unknown {
  if (column === LINE) return row.line;
  if (column === INDEX) return row.index ?? null;
  const cell = memberOf(row.values, column);
  if (cell === undefined || cell === null) return null;
  return typeof cell === 'string' && noValue.includes(cell.trim()) ? null : cell;
}

/** The texts of a key's columns as one text; null where none of them has a value. */
export function keyText(
  row: PlacedRow,
  columns: readonly string[],
  noValue: readonly string[],
): string | null {
  const cells = columns.map(column => cellOf(row, column, noValue));
  const texts = cells.map(cell => (cell === null ? null : plainText(cell).trim()));
  return texts.every(text => text === null) ? null : JSON.stringify(texts);
}

export function plainText(cell: unknown): string {
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}

function rawValue(source: FieldSource, field: Field, row: PlacedRow, notation: Notation): unknown {
  if (source.value !== undefined) return source.value;
  if (source.template !== undefined) return filled(source.template, row, notation);
  if (source.join !== undefined) {
    const texts = source.join.flatMap(template => filled(template, row, notation) ?? []);
    return texts.length > 0 ? texts.join(source.with ?? ' ') : null;
  }
  if (source.object !== undefined) return objectOf(source.object, row, notation);
  const column = source.column ?? '';
  const cell = cellOf(row, column, notation.no_value);
  return cell === null ? null : converted(cell, column, source, field, notation);
}

function converted(
  cell: unknown,
  column: string,
  source: FieldSource,
  field: Field,
  notation: Notation,
): unknown {
  if (source.values) return listed(cell, column, source);
  if (source.split !== undefined && typeof cell === 'string') {
    return cell.split(source.split).flatMap(part => (part.trim() === '' ? [] : [part.trim()]));
  }
  switch (field.kind) {
    case 'text':
    case 'long-text':
      // A number or a flag of a JSON file; texts stay exactly as they are.
      return typeof cell === 'string' ? (source.trim ? cell.trim() : cell) : plainText(cell);
    case 'date':
    case 'timestamp':
      return typeof cell === 'string' && notation.date
        ? dated(cell.trim(), column, field, notation)
        : trimmed(cell);
    case 'integer':
    case 'number':
      return typeof cell === 'string' ? numeric(cell.trim(), column, notation) : cell;
    case 'boolean':
      return typeof cell === 'string' && /^\s*(true|false)\s*$/i.test(cell)
        ? /true/i.test(cell)
        : trimmed(cell);
    default:
      return trimmed(cell);
  }
}

function listed(cell: unknown, column: string, { values = {}, otherwise }: FieldSource): unknown {
  const text = plainText(cell).trim();
  if (Object.hasOwn(values, text)) return values[text];
  if (otherwise !== undefined) return otherwise;
  const known = Object.keys(values).map(value => JSON.stringify(value));
  throw new Misfit(
    `${JSON.stringify(text)} is not among the values that the mapping lists (${known.join(', ')}). Add it there.`,
    column,
  );
}

/** Null where one of its columns has no value, so that no half of a text is left. */
function filled(template: string, row: PlacedRow, notation: Notation): string | null {
  let isComplete = true;
  const text = template.replace(PLACE, (_place, column: string) => {
    const cell = cellOf(row, column, notation.no_value);
    if (cell === null) isComplete = false;
    return plainText(cell).trim();
  });
  return isComplete ? text : null;
}

/** Members without a value are left out. */
function objectOf(
  columns: Record<string, string>,
  row: PlacedRow,
  notation: Notation,
): Record<string, unknown> | null {
  const entries = Object.entries(columns).flatMap(([name, column]) => {
    const cell = cellOf(row, column, notation.no_value);
    return cell === null
      ? []
      : [[name, typeof cell === 'string' ? numeric(cell.trim(), column, notation) : cell]];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}

const NOTATIONS = {
  comma: {
    thousands: /[.'\s]/g,
    decimal: ',',
    form: /^[+-]?(\d+|\d{1,3}([.'\s]\d{2,3})*[.'\s]\d{3})(,\d*)?$/,
  },
  point: {
    thousands: /[,'\s]/g,
    decimal: '.',
    form: /^[+-]?(\d+|\d{1,3}([,'\s]\d{2,3})*[,'\s]\d{3})(\.\d*)?$/,
  },
} as const;

/**
 * The marks of another notation taken out; the field's own schema says whether a number is left. A number whose marks stand
 * where the notation has none (12.5 where commas are decimal) would become another one, and is refused.
 */
function numeric(text: string, column: string, { number }: Notation): string {
  if (number === undefined || !/^[+-]?[\d.,'\s]+$/.test(text)) return text;
  const { thousands, decimal, form } = NOTATIONS[number];
  if (!form.test(text)) {
    throw new Misfit(
      `${JSON.stringify(text)} is no number with a decimal ${number}. Correct it, or give the notation of this file in "number".`,
      column,
    );
  }
  return text.replace(thousands, '').replace(decimal, '.').replace(/^\+/, '');
}

/** Formats that were used, parsed: reading one takes longer than reading a date by it. */
const parsers = new Map<string, TokenParser>();

function dated(
  text: string,
  column: string,
  field: Field,
  { date: formats = [], zone = 'utc' }: Notation,
): string {
  for (const format of formats) {
    const parser = parsers.get(format) ?? DateTime.buildFormatParser(format, { locale: 'en' });
    parsers.set(format, parser);
    const date = DateTime.fromFormatParser(text, parser, { zone, locale: 'en', setZone: true });
    if (!date.isValid) continue;
    // With an offset, which day it is at the site is for the field to say.
    const day = namesOffset(format) ? date.toISO() : date.toISODate();
    return (field.kind === 'date' ? day : date.toUTC().toISO()) ?? text;
  }
  throw new Misfit(
    `${JSON.stringify(text)} is no date of the form ${formats.join(' or ')}. Correct it, or add its form to "date".`,
    column,
  );
}

/** Whether a format has a token for the offset or the zone outside of quoted text. */
function namesOffset(format: string): boolean {
  return /z/i.test(format.replace(/'[^']*'/g, ''));
}

function trimmed(cell: unknown): unknown {
  return typeof cell === 'string' ? cell.trim() : cell;
}

function memberOf(values: Record<string, unknown>, column: string): unknown {
  if (Object.hasOwn(values, column)) return values[column];
  let value: unknown = values;
  for (const name of column.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Only what the column says itself; an undefined member would hide the file's. */
function given(source: FieldSource): Partial<Notation> {
  const { no_value, date, zone, number } = source;
  return {
    ...(no_value && { no_value }),
    ...(date && { date }),
    ...(zone !== undefined && { zone }),
    ...(number && { number }),
  };
}
