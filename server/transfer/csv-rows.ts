import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Info, parse } from 'csv-parse';
import { FileFault } from './fault.ts';
import { fileText, type ImportFile, newlinesIn } from './file-text.ts';
import type { FileOptions } from './mapping.ts';

/** One row of a file: values by column as the file has them, texts in CSV and any JSON in JSON. */
export interface SourceRow {
  /** Where it begins, from 1. */
  line: number;
  values: Record<string, unknown>;
}

export interface RowReading {
  file: ImportFile;
  options: FileOptions;
  /** The columns that the mapping names; the header must have them. */
  needed: readonly string[];
  /** Called once, with the columns that the file has. */
  onColumns: (columns: readonly string[]) => void;
  onBadRow: (line: number, message: string) => void;
}

const ROW_LIMIT = 4 * 1024 * 1024;

/** @throws FileFault where the file as a whole cannot be read by the mapping */
export async function* csvRows(reading: RowReading): AsyncGenerator<SourceRow> {
  const { file, options } = reading;
  const { delimiter = ',', quote = '"' } = options;
  const parser = parse({
    delimiter,
    quote: quote === '' ? null : quote,
    escape: quote === '' ? null : quote,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    // A quote inside of an unquoted value is a character like any other: 3" pipe.
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: ROW_LIMIT,
  });
  const feeding = pipeline(Readable.from(fileText(file, options.encoding)), parser);
  // The parser throws what ends the feeding, too.
  feeding.catch(() => {});
  let header: string[] | undefined;
  // The parser takes CR LF inside of quotes for two lines, so lines are counted here.
  let lastLine = 0;
  let emptyLines = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const line = lastLine + 1 + (info.empty_lines - emptyLines);
      emptyLines = info.empty_lines;
      lastLine = line + record.reduce((sum, value) => sum + newlinesIn(value), 0);
      if (header === undefined) {
        header = record;
        checkHeader(reading, header, delimiter);
        reading.onColumns(header);
        continue;
      }
      const row = options.space_continues ? continued(record, header.length, delimiter) : record;
      if (row.length !== header.length)
        reading.onBadRow(line, wrongCount(reading, row, header.length, delimiter));
      else if (row.some(value => value.includes('\0')))
        reading.onBadRow(line, 'The row holds a NUL character. Remove it.');
      else yield { line, values: byColumn(header, row) };
    }
  } catch (error) {
    if (error instanceof CsvError) throw brokenRow(file, error, lastLine + 1);
    throw error;
  } finally {
    parser.destroy();
  }
  if (header === undefined)
    throw new FileFault(file.name, 'The file is empty. Its first line must name the columns.');
}

function checkHeader({ file, needed }: RowReading, header: readonly string[], delimiter: string): void {
  const twice = header.find((name, index) => header.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new FileFault(
      file.name,
      `The column ${JSON.stringify(twice)} stands twice in the header. Rename one of them.`,
    );
  }
  const missing = needed.find(name => !header.includes(name));
  if (missing === undefined) return;
  const other = [',', ';', '\t', '|'].find(
    mark => mark !== delimiter && header.length === 1 && header[0]?.includes(mark),
  );
  const found =
    other === undefined
      ? `It has: ${header.join(', ')}. Change the mapping or the header.`
      : `Its values seem to be separated by ${JSON.stringify(other)}: set ${optionOf(file, { delimiter: other })}.`;
  throw new FileFault(file.name, `The file has no column ${JSON.stringify(missing)}. ${found}`, {
    column: missing,
  });
}

function continued(record: readonly string[], count: number, delimiter: string): readonly string[] {
  if (record.length <= count) return record;
  const joined: string[] = [];
  for (const value of record) {
    if (value.startsWith(' ') && joined.length > 0) joined.push(`${joined.pop()}${delimiter}${value}`);
    else joined.push(value);
  }
  return joined;
}

function byColumn(header: readonly string[], row: readonly string[]): Record<string, string> {
  return Object.fromEntries(header.map((name, index) => [name, row[index] ?? '']));
}

function wrongCount(
  { file }: RowReading,
  row: readonly string[],
  expected: number,
  delimiter: string,
): string {
  return `The row has ${row.length} values, the header names ${expected} columns. ${remedy()}`;

  function remedy(): string {
    if (row.length < expected) return 'Complete the row.';
    const quote = `Quote values that hold the delimiter ${JSON.stringify(delimiter)}`;
    if (continued(row, expected, delimiter).length !== expected) return `${quote}.`;
    return `${quote}, or set ${optionOf(file, { space_continues: true })}: a value that begins with a blank then goes on with the one before it.`;
  }
}

/** Where an option of a file stands, as people paste it. */
function optionOf({ name }: ImportFile, option: FileOptions): string {
  const members = Object.entries(option).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  return `"files": {${JSON.stringify(name)}: {${members.join(', ')}}} in the mapping`;
}

function brokenRow(file: ImportFile, error: CsvError, line: number): FileFault {
  const message =
    error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE'
      ? `A quote that is opened in this row is never closed. Close it, or set ${optionOf(file, { quote: '' })} if the file quotes nothing.`
      : `The row cannot be read: ${error.message}`;
  return new FileFault(file.name, message, { line });
}
