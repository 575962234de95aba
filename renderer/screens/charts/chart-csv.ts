import type { Cell, ChartTable } from './chart-table.tsx';

/** A number holds fifteen; what was worked out is off in the last. */
const DIGITS = 14;
/** A spreadsheet takes a text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A table as CSV (RFC 4180) in UTF-8 with a byte order mark, by which spreadsheets know the encoding. Numbers have a
 * decimal point and no separators; a text that would be a formula gets an apostrophe.
 */
export function chartCsv({ columns, rows }: ChartTable): Blob {
  const lines = [columns.map(({ label }) => label), ...rows.map(row => row.map(({ value }) => value))];
  const text = lines.map(line => `${line.map(written).join(',')}\r\n`).join('');
  return new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' });
}

function written(value: Cell['value']): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(Number(value.toPrecision(DIGITS)));
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
