import { parse } from 'csv-parse/browser/esm/sync';
import type { FileOptions } from './mapping.ts';

/** Columns and first rows of a file, as they are read by its options. */
export interface FileHead {
  columns: string[];
  rows: Record<string, string>[];
}

const HEAD_BYTES = 256 * 1024;
const HEAD_ROWS = 50;

/** @throws Error that says why the file cannot be read so */
export async function readHead(file: File, options: FileOptions): Promise<FileHead> {
  const isCut = file.size > HEAD_BYTES;
  const bytes = await file.slice(0, HEAD_BYTES).arrayBuffer();
  const text = new TextDecoder(options.encoding ?? 'utf-8').decode(bytes);
  return isJson(file.name, options) ? jsonHead(text, isCut) : csvHead(text, options);
}

export function isJson(name: string, { format }: FileOptions): boolean {
  return format === undefined ? /\.(json|jsonl|ndjson)$/i.test(name) : format === 'json';
}

/** The beginning of a CSV file, by which its delimiter is guessed. */
export async function guessOptions(file: File): Promise<FileOptions> {
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const encoding = guessEncoding(bytes);
  if (isJson(file.name, {})) return {};
  const text = new TextDecoder(encoding ?? 'utf-8').decode(bytes);
  const first = text.split(/\r?\n|\r/, 1)[0] ?? '';
  const counts = [',', ';', '\t', '|'].map(each => [each, first.split(each).length] as const);
  const [delimiter] = counts.toSorted((one, other) => other[1] - one[1])[0] ?? [','];
  const { rows } = csvHead(text, { delimiter });
  const values = rows.flatMap(row => Object.values(row));
  const hasComma = values.some(value => /^-?\d+,\d+$/.test(value));
  const date = values.some(value => /^\d{1,2}\.\d{1,2}\.\d{4}$/.test(value)) ? 'd.M.yyyy' : undefined;
  return {
    ...(encoding && { encoding }),
    ...(delimiter !== ',' && { delimiter }),
    ...(hasComma && { number: 'comma' }),
    ...(date && { date }),
  };
}

function guessEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  try {
    // A letter that the cut halves is no fault of the file.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return undefined;
  } catch {
    return 'windows-1252';
  }
}

function csvHead(text: string, { delimiter = ',', ...options }: FileOptions): FileHead {
  const quote = options.quote === '' ? null : '"';
  const lines: string[][] = parse(text.replace(/^\ufeff/, ''), {
    delimiter,
    quote,
    escape: quote,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    to: HEAD_ROWS + 1,
  });
  const [columns = [], ...rows] = lines;
  return {
    columns,
    rows: rows.map(row => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? '']))),
  };
}

function jsonHead(text: string, isCut: boolean): FileHead {
  const objects = text.trimStart().startsWith('[') ? arrayHead(text, isCut) : linesHead(text, isCut);
  const rows = objects.slice(0, HEAD_ROWS).map(object => leavesOf(object));
  return { columns: [...new Set(rows.flatMap(row => Object.keys(row)))], rows };
}

/** Of an array that is cut, the objects that are whole. */
function arrayHead(text: string, isCut: boolean): unknown[] {
  const whole: unknown = JSON.parse(isCut ? `${text.slice(0, endOfObjects(text))}]` : text);
  return Array.isArray(whole) ? whole : [];
}

/** Texts, also the one in which the part ends, and brackets. */
const TOKENS = /"(?:[^"\\]+|\\.)*\\?(?:"|$)|[{}[\]]/g;

/** Where as many objects of an array end as are read; braces in texts and in nested objects end none. */
function endOfObjects(text: string): number {
  let depth = 0;
  let count = 0;
  let end = 0;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') depth += 1;
    if (token !== '}' && token !== ']') continue;
    depth -= 1;
    if (depth !== 1) continue;
    end = index + 1;
    count += 1;
    if (count === HEAD_ROWS) break;
  }
  return end;
}

function linesHead(text: string, isCut: boolean): unknown[] {
  const lines = text.split('\n').filter(line => line.trim() !== '');
  return (isCut ? lines.slice(0, -1) : lines).slice(0, HEAD_ROWS).map((line): unknown => JSON.parse(line));
}

/** Texts by column; dots lead into nested objects, and lists are items. */
function leavesOf(value: unknown, path = ''): Record<string, string> {
  if (Array.isArray(value) || value === null || value === undefined) return {};
  if (typeof value !== 'object') return { [path]: String(value) };
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, inner]) => leavesOf(inner, path === '' ? name : `${path}.${name}`)),
  );
}
