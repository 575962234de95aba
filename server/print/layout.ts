import type { Block, Cell, Column, Fact, Paper, Tone } from './paper.ts';
import { breakable, REPLACEMENT } from './printable.ts';

/** A4 in points, and its margins. */
const PAGE_WIDTH = 595.28;
const MARGIN = 40;
const WIDTH = PAGE_WIDTH - 2 * MARGIN;
const PADDING = 5;
const GREY = '#555555';
const RED = '#a50e0e';

type Node = object | string;

/**
 * Lays a document out for pdfmake. Every column has a width of its own in points: a column that follows its content
 * would let a long word push the table off the page.
 */
export function layOut(paper: Paper, printable: (text: string) => string): object {
  const said = eachText(paper, text => breakable(printable(text)));
  const isReplaced = JSON.stringify(said.blocks).includes(REPLACEMENT) || said.number.includes(REPLACEMENT);
  return {
    pageSize: 'A4',
    pageMargins: [MARGIN, 48, MARGIN, 52],
    defaultStyle: { font: 'Roboto', fontSize: 9, lineHeight: 1.15 },
    info: {
      title: `${said.title} ${said.number}`,
      author: said.company,
      creator: 'Holdpoint',
      producer: 'Holdpoint',
      creationDate: new Date(paper.at),
    },
    language: paper.language,
    displayTitle: true,
    header: (page: number) => (page === 1 ? '' : runningHead(said)),
    footer: (page: number, pages: number) => foot(said, page, pages),
    content: [
      head(said),
      ...drawnAll(said.blocks),
      ...(isReplaced ? [{ text: said.replaced, fontSize: 8, color: GREY, margin: [0, 12, 0, 0] }] : []),
    ],
  };
}

function head({ company, title, number, link, identity }: Paper): Node {
  return {
    columns: [
      {
        width: '*',
        stack: [
          { text: company, fontSize: 11, color: GREY },
          { text: title, fontSize: 18, bold: true, margin: [0, 4, 0, 0] },
          { text: number, fontSize: 13, margin: [0, 0, 0, 4] },
          { text: identity, fontSize: 7.5, color: GREY },
        ],
      },
      { width: 74, qr: link, fit: 74, eccLevel: 'M', alignment: 'right' },
    ],
    columnGap: 16,
    margin: [0, -8, 0, 12],
  };
}

/** Says on every page what it is a page of. */
function runningHead({ company, title, number }: Paper): Node {
  const text = oneLine(`${title} · ${number} · ${company}`);
  return { text, fontSize: 8, color: GREY, margin: [MARGIN, 24, MARGIN, 0], maxHeight: 10, noWrap: true };
}

function foot({ printed, identity, pageOf }: Paper, page: number, pages: number): Node {
  const place = pageOf.replace('{page}', String(page)).replace('{pages}', String(pages));
  return {
    margin: [MARGIN, 8, MARGIN, 0],
    stack: [
      { canvas: [{ type: 'line', x1: 0, y1: 0, x2: WIDTH, y2: 0, lineWidth: 0.5, lineColor: GREY }] },
      {
        columns: [
          { width: WIDTH - 90, text: `${oneLine(printed)}\n${identity}` },
          { width: 90, text: place, alignment: 'right' },
        ],
        fontSize: 7.5,
        color: GREY,
        margin: [0, 4, 0, 0],
      },
    ],
  };
}

/** A name of any length takes one line of a margin. */
function oneLine(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}

/** A heading stays with what it is of: in its table, which repeats it on each page, or in one piece with what is short. */
function drawnAll(blocks: readonly Block[]): Node[] {
  return blocks.flatMap((block, index) => {
    const [before, after] = [blocks[index - 1], blocks[index + 1]];
    if (block.kind === 'heading') {
      if (after?.kind === 'table') return [];
      const alone = heading(block.text);
      return after && isShort(after) ? [{ stack: [alone, drawn(after)], unbreakable: true }] : [alone];
    }
    if (before?.kind !== 'heading') return [drawn(block)];
    if (block.kind === 'table') return [table(block, before.text)];
    return isShort(block) ? [] : [drawn(block)];
  });
}

/** Fits on any page. */
function isShort(block: Block): boolean {
  if (block.kind === 'facts') return block.facts.length <= 30;
  if (block.kind !== 'text' && block.kind !== 'notice') return false;
  return block.text.length <= 1_000 && block.text.split('\n').length <= 12;
}

function heading(text: string): Node {
  return { text, fontSize: 12, bold: true, margin: [0, 14, 0, 5] };
}

function drawn(block: Block): Node {
  switch (block.kind) {
    case 'heading':
      return heading(block.text);
    case 'facts':
      return facts(block.facts);
    case 'text':
      return {
        stack: [
          ...(block.label === '' ? [] : [{ text: block.label, color: GREY, fontSize: 8 }]),
          { text: block.text, preserveLeadingSpaces: true },
        ],
        margin: [0, 4, 0, 6],
      };
    case 'notice':
      return notice(block.text, block.tone);
    case 'table':
      return table(block, null);
  }
}

/** Two facts beside each other. */
function facts(all: readonly Fact[]): Node {
  const rows: Node[][] = [];
  for (let from = 0; from < all.length; from += 2) {
    rows.push([0, 1].map(index => fact(all[from + index])));
  }
  const width = WIDTH / 2 - 2 * PADDING;
  return {
    table: { widths: [width, width], body: rows },
    layout: lines({ hLineWidth: () => 0.5 }),
    margin: [0, 0, 0, 6],
  };
}

function fact([label, value]: Fact = ['', '']): Node {
  return { stack: [{ text: label, color: GREY, fontSize: 8 }, { text: value }] };
}

/** A frame, thick where something is wrong. */
function notice(text: string, tone: Tone): Node {
  const width = tone === 'wrong' ? 2 : 0.75;
  return {
    table: {
      widths: [WIDTH - 2 * PADDING - 2 * width],
      body: [[{ text, bold: tone === 'wrong', margin: [2, 3, 2, 3] }]],
    },
    layout: lines({
      hLineWidth: () => width,
      vLineWidth: () => width,
      hLineColor: () => (tone === 'wrong' ? RED : GREY),
      vLineColor: () => (tone === 'wrong' ? RED : GREY),
    }),
    margin: [0, 6, 0, 6],
  };
}

interface Tabular {
  columns: readonly Column[];
  rows: readonly (readonly Cell[])[];
}

function table({ columns, rows }: Tabular, heading: string | null): Node {
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  const free = WIDTH - 2 * PADDING * columns.length;
  const alignment = (index: number) => (columns[index]?.isNumber ? 'right' : 'left');
  const headingRows = heading === null ? [] : [headingRow(heading, columns.length)];
  const first = headingRows.length;
  return {
    table: {
      headerRows: first + 1,
      keepWithHeaderRows: 1,
      widths: columns.map(({ share }) => (free * share) / shares),
      body: [
        ...headingRows,
        columns.map(({ label }, index) => ({
          text: label,
          bold: true,
          fontSize: 8,
          alignment: alignment(index),
        })),
        ...rows.map(row => row.map((cell, index) => cellNode(cell, alignment(index)))),
      ],
    },
    layout: lines({
      hLineWidth: index => (index < first ? 0 : index <= first + 1 ? 1 : 0.5),
      fillColor: index => (index === first ? '#eeeeee' : null),
    }),
    margin: [0, 2, 0, 10],
  };
}

function headingRow(text: string, columns: number): Node[] {
  const cell = { text, fontSize: 12, bold: true, colSpan: columns, margin: [-PADDING, 8, 0, 3] };
  return [cell, ...Array.from({ length: columns - 1 }, () => '')];
}

const SHAPE = 6;

/** A shape and words beside the value: colour alone is lost on a copy, and on many readers. */
function cellNode(cell: Cell, alignment: 'left' | 'right'): Node {
  if (typeof cell === 'string') return { text: cell, alignment };
  // Outside the value, so that it cannot be taken for a mark of the column before it.
  const shape = { width: SHAPE, canvas: shapes[cell.shape](), margin: [0, 2, 0, 0] };
  const value = { width: '*', text: cell.text, bold: true, alignment };
  return {
    stack: [
      {
        columns: alignment === 'right' ? [value, shape] : [shape, value],
        columnGap: 2,
      },
      { text: cell.words, fontSize: 6.5, color: RED, alignment },
    ],
  };
}

const point = (x: number, y: number) => ({ x: x * SHAPE, y: y * SHAPE });
const polygon = (...points: { x: number; y: number }[]) => ({
  type: 'polyline',
  closePath: true,
  lineWidth: 0.5,
  lineColor: RED,
  color: RED,
  points,
});
const stroke = (from: { x: number; y: number }, to: { x: number; y: number }) => ({
  type: 'line',
  lineWidth: 1.5,
  lineColor: RED,
  x1: from.x,
  y1: from.y,
  x2: to.x,
  y2: to.y,
});

/** New ones each time: pdfmake moves them to where they are drawn. */
const shapes = {
  up: () => [polygon(point(0, 1), point(0.5, 0), point(1, 1))],
  down: () => [polygon(point(0, 0), point(0.5, 1), point(1, 0))],
  cross: () => [stroke(point(0, 0), point(1, 1)), stroke(point(0, 1), point(1, 0))],
};

interface Lines {
  hLineWidth?: (index: number) => number;
  vLineWidth?: () => number;
  hLineColor?: () => string;
  vLineColor?: () => string;
  fillColor?: (index: number) => string | null;
}

function lines(wanted: Lines): object {
  return {
    hLineWidth: () => 0,
    vLineWidth: () => 0,
    hLineColor: () => '#bbbbbb',
    paddingLeft: () => PADDING,
    paddingRight: () => PADDING,
    paddingTop: () => 2,
    paddingBottom: () => 2,
    ...wanted,
  };
}

/** The document with every text of it made printable; what a scanner reads stays as it is. */
function eachText(paper: Paper, printable: (text: string) => string): Paper {
  const { link, at, language, ...rest } = paper;
  return { ...mapTexts(rest, printable), link, at, language };
}

function mapTexts<Value>(value: Value, map: (text: string) => string): Value;
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map(entry => mapTexts(entry, map));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, mapTexts(entry, map)]));
}
