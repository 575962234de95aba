import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

/** What was measured of one operation at one size. */
export interface Row {
  size: number;
  operation: string;
  connections: number;
  /** Operations a second. */
  bare: number;
  holdpoint: number;
  ratio: number;
  /** How many times slower than at the smallest size; 1 is no growth. */
  growth?: { bare: number; holdpoint: number };
}

export interface Facts {
  server: string;
  size: number;
  after: string;
  residentMB: number;
  fileMB: number;
}

export interface Measured {
  /** ISO 8601 */
  at: string;
  starts: { bare: number; holdpoint: number; ratio: number } | undefined;
  rows: readonly Row[];
  facts: readonly Facts[];
}

const PAGE = 'docs/speed.md';
const BEGIN = '<!-- What stands up to the end of it `npm run bench -- --write` writes. -->';
const END = '<!-- The end of what it writes. -->';

/** Puts the table of a run into `docs/speed.md`, in the place of the one before. */
export function writeTable(measured: Measured): void {
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no place for the table.`);
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${textOf(measured)}\n${END}${after}`);
}

function textOf({ at, starts, rows, facts }: Measured): string {
  const [processor] = cpus();
  const machine = `${cpus().length} cores of ${processor?.model.trim() ?? 'an unknown processor'}, ${Math.round(totalmem() / 1024 ** 3)} GB, Node ${process.versions.node}, SQLite ${process.versions.sqlite}`;
  const sizes = [...new Set(rows.map(({ size }) => size))];
  const operations = [...new Set(rows.map(nameOf))];
  const rowOf = (name: string, size: number) => rows.find(row => row.size === size && nameOf(row) === name);
  const largest = sizes.at(-1) ?? 0;
  const head = [
    '',
    ...sizes.map(size => `${number(size)} records`),
    `growth (the bare server's own)`,
    `requests a second, at ${number(largest)}`,
  ];
  const lines = operations.map(name => {
    const last = rowOf(name, largest);
    const growth = last?.growth;
    return [
      name,
      ...sizes.map(size => rowOf(name, size)?.ratio.toFixed(2) ?? '–'),
      growth ? `${growth.holdpoint.toFixed(2)} (${growth.bare.toFixed(2)})` : '–',
      last ? number(rounded(last.holdpoint)) : '–',
    ];
  });
  const memory = facts.flatMap(({ server, size, after, residentMB, fileMB }) =>
    server === 'holdpoint' && size === largest
      ? `${after}: ${residentMB} MB of memory, ${fileMB} MB on disk`
      : [],
  );
  return [
    `${at.slice(0, 10)}, ${machine}.`,
    '',
    ...table(head, lines),
    '',
    `With ${number(largest)} records, ${memory.join('; ')}.`,
    ...(starts
      ? [
          `A start takes ${starts.holdpoint} ms, the bare server's ${starts.bare} ms (${starts.ratio.toFixed(2)}).`,
        ]
      : []),
    '',
  ].join('\n');
}

function nameOf({ operation, connections }: Row): string {
  return `${operation}, ${connections === 1 ? '1 connection' : `${connections} connections`}`;
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...lines.map(line)];
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** To two digits: more says nothing. */
function rounded(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.round(value / unit) * unit;
}
