import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { canonicalJson } from '../../shared/contract/canonical-json.ts';
import { AppError, type FieldErrors, invalid } from '../../shared/contract/errors.ts';
import { shown } from '../../shared/contract/field-schemas.ts';
import { type ParsedInput, readInput } from '../../shared/contract/parse-input.ts';
import { itemsOf, type StoredRecord } from '../../shared/contract/present.ts';
import { foldNumber } from '../../shared/contract/typed-number.ts';
import { readLabData } from '../../shared/families/lab-data.ts';
import { failedMeasurements } from '../../shared/families/measured.ts';
import { families } from '../../shared/families/registry.ts';
import {
  LAB_IMPORT_LIMIT,
  type LabImport,
  type LabImportRequest,
} from '../../shared/operations/lab-import.ts';
import type { Reads } from '../rules/lot-state.ts';

export type LabImportRow = LabImport['rows'][number] & {
  /** What is written; undefined where the row is at fault. */
  input: ParsedInput | undefined;
};

export interface LabImportPlan {
  rows: LabImportRow[];
  unused: string[];
}

const PLAIN = ['batch_number', 'testing_id', 'testing_date', 'inspector_name'] as const;

/**
 * Reads an instrument's table into lab results that could be written: every row with what is wrong with it and what
 * fails its limits, before anything is written.
 * @param zone the site's, for moments that are given for days
 * @throws AppError `not_found` for the template; 422 where the table as a whole cannot be read
 */
export function planLabImport(
  records: Reads['records'],
  request: LabImportRequest,
  zone: string,
): LabImportPlan {
  const template = records.get('specification', request.template_id);
  if (!template) {
    throw new AppError('not_found', `There is no inspection template with the id ${request.template_id}.`);
  }
  const { header, lines } = tableOf(request);
  const measured = measurementsOf(request, template, header);
  const plain = PLAIN.flatMap(name => {
    const column = request.columns?.[name] ?? name;
    if (header.includes(column)) return [[name, column] as const];
    if (name === 'batch_number' || request.columns?.[name] !== undefined)
      throw noColumn(column, header, `columns.${name}`);
    return [];
  });
  const used = new Set([...measured.map(([column]) => column), ...plain.map(([, column]) => column)]);
  const seen = new Set<string>();
  const rows = lines.map(({ line, values }) => {
    const textIn = (column: string) => (values[header.indexOf(column)] ?? '').trim();
    const measurements = Object.fromEntries(
      measured.flatMap(([column, name]) => {
        const value = textIn(column);
        return value === '' ? [] : [[name, request.has_decimal_comma ? value.replace(',', '.') : value]];
      }),
    );
    const body = Object.fromEntries(
      plain.flatMap(([name, column]) => (textIn(column) === '' ? [] : [[name, textIn(column)]])),
    );
    if (body.testing_date !== undefined) body.testing_date = dayIn(body.testing_date, request.date_order);
    const isShort = values.length !== header.length;
    const row = rowOf(
      records,
      template,
      { line, body, measurements, zone },
      isShort ? [countFault(values.length, header.length)] : [],
    );
    return { ...row, repeats: repeatedBy(records, row, seen) };
  });
  return { rows, unused: header.filter(column => !used.has(column)) };
}

/** The answer to the plan, once it is written or for a dry run. */
export function labImportAnswer(
  { rows, unused }: LabImportPlan,
  ids: readonly (number | null)[] | null,
): LabImport {
  return {
    is_written: ids !== null,
    rows: rows.map(({ input: _, ...row }, index) => ({ ...row, id: ids?.[index] ?? null })),
    repeated: rows.filter(({ repeats }) => repeats !== null).length,
    bad: rows.filter(({ faults }) => faults.length > 0).length,
    failing: rows.filter(({ failed_measurements: failed }) => failed.length > 0).length,
    unused_columns: unused,
  };
}

/** @throws AppError 422 that names every row at fault: all rows or none */
export function requireGoodRows({ rows }: LabImportPlan): void {
  const bad = rows.filter(({ faults }) => faults.length > 0);
  if (bad.length === 0) return;
  throw invalid(Object.fromEntries(bad.slice(0, 100).map(({ line, faults }) => [`line ${line}`, faults])));
}

/** 21.11.2026 has one reading everywhere; with slashes it is the file's to say which. Any other text stays as it is. */
function dayIn(text: string, order: LabImportRequest['date_order']): string {
  const match = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})$/.exec(text);
  if (!match) return text;
  const [, first = '', separator, second = '', year] = match;
  if (separator === '/' && order === undefined) return text;
  const isMonthFirst = separator === '/' && order === 'month_first';
  const [day, month] = isMonthFirst ? [second, first] : [first, second];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/**
 * The result that says the same of the lot already, so that a file that comes twice counts once; 0 where an earlier row of the
 * file does. What was measured anew has another day, testing number or value.
 */
function repeatedBy(records: Reads['records'], row: LabImportRow, seen: Set<string>): number | null {
  if (row.input === undefined) return null;
  const own = sayingOf(row.input.fields);
  const known = records
    .findBy('lab-result', 'batch_number', row.batch_number)
    .find(({ fields }) => sayingOf(fields) === own);
  const isTwice = seen.has(own);
  seen.add(own);
  return known?.id ?? (isTwice ? 0 : null);
}

function sayingOf(fields: Record<string, unknown>): string {
  const { batch_number, specification_id, testing_date = null, testing_id = null, lab_data } = fields;
  const measured = Object.entries(JSON.parse(String(lab_data ?? '{}'))).map(([name, value]) => [
    name,
    String(value),
  ]);
  return canonicalJson([
    foldNumber(String(batch_number)),
    specification_id,
    testing_date,
    testing_id,
    Object.fromEntries(measured),
  ]);
}

function rowOf(
  records: Reads['records'],
  template: StoredRecord,
  read: { line: number; body: Record<string, string>; measurements: Record<string, string>; zone: string },
  found: readonly string[],
): LabImportRow {
  const { line, body, measurements, zone } = read;
  const batch = body.batch_number ?? '';
  const faults = [...found];
  const lots = batch === '' ? [] : records.findBy('inventory', 'batch_number', batch);
  if (batch === '') faults.push('The lot number is missing. Complete the row.');
  else if (lots.length === 0)
    faults.push(`There is no lot ${shown(batch)}. Correct the number, or receive the lot first.`);
  else if (new Set(lots.map(({ fields }) => fields.part_id)).size > 1) {
    faults.push(
      `The number ${shown(batch)} names lots of several parts. Write this result by hand and choose the lot.`,
    );
  }
  const labData = JSON.stringify(measurements);
  const readable = readLabData(labData);
  for (const [name, value] of Object.entries(measurements)) {
    if (!readable.has(name))
      faults.push(`${name}: ${shown(value)} is not a number. Give a number, <0.05, >100 or ND.`);
  }
  if (Object.keys(measurements).length === 0)
    faults.push('The row has no measurement. Complete it, or leave it out.');
  const lot = lots.length === 1 ? (lots[0]?.id ?? null) : null;
  const input =
    faults.length > 0
      ? undefined
      : parsed(
          { ...body, inventory_id: lot, specification_id: template.id, lab_data: labData },
          zone,
          faults,
        );
  return {
    line,
    batch_number: batch,
    inventory_id: lot,
    measurements,
    failed_measurements: failedMeasurements(template, labData),
    repeats: null,
    faults,
    id: null,
    input,
  };
}

function parsed(body: Record<string, unknown>, zone: string, faults: string[]): ParsedInput | undefined {
  const errors: FieldErrors = {};
  const input = readInput(families['lab-result'], body, { mode: 'create', zone: () => zone }, errors);
  for (const [path, messages] of Object.entries(errors)) faults.push(`${path}: ${messages.join(' ')}`);
  return faults.length === 0 ? input : undefined;
}

/** Column and measurement. */
function measurementsOf(
  { measurements }: LabImportRequest,
  template: StoredRecord,
  header: readonly string[],
): [column: string, name: string][] {
  const names = itemsOf({ position: 'order' }, template.fields.characteristics).map(({ name }) =>
    String(name),
  );
  if (measurements !== undefined) {
    for (const column of Object.keys(measurements)) {
      if (!header.includes(column)) throw noColumn(column, header, `measurements.${column}`);
    }
    return Object.entries(measurements);
  }
  const found = header.flatMap((column): [string, string][] => {
    const name = names.find(each => each.toLowerCase() === column.toLowerCase());
    return name === undefined ? [] : [[column, name]];
  });
  if (found.length > 0) return found;
  const message = `No column is called like a characteristic of the template (${names.join(', ')}). Give "measurements": measurement by column.`;
  throw invalid({ measurements: [message] });
}

function tableOf({ csv, delimiter }: LabImportRequest): {
  header: string[];
  lines: { line: number; values: string[] }[];
} {
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(csv, {
      bom: true,
      delimiter: delimiter ?? ',',
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    }) as unknown as typeof records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalid({ csv: [`The table cannot be read: ${error.message}.`] });
  }
  const [first, ...rest] = records;
  if (!first || rest.length === 0)
    throw invalid({ csv: ['The table has no rows below the names of the columns.'] });
  if (rest.length > LAB_IMPORT_LIMIT) {
    throw invalid({
      csv: [`The table has ${rest.length} rows. The most is ${LAB_IMPORT_LIMIT}: split the file.`],
    });
  }
  const header = first.record.map(name => name.trim());
  const twice = header.find((name, index) => header.indexOf(name) !== index);
  if (twice !== undefined)
    throw invalid({ csv: [`The column ${shown(twice)} stands twice. Rename one of them.`] });
  return { header, lines: rest.map(({ record, info }) => ({ line: info.lines, values: record })) };
}

function noColumn(column: string, header: readonly string[], path: string): AppError {
  return invalid({ [path]: [`The table has no column ${shown(column)}. It has: ${header.join(', ')}.`] });
}

function countFault(found: number, expected: number): string {
  return `The row has ${found} values, the first line names ${expected} columns. Quote values that hold the delimiter.`;
}
