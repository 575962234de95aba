/** A text of a label, the title first. */
export interface LabelText {
  text: string;
  isBold: boolean;
  /** Beside the size of ordinary lines. */
  scale: number;
  isInverse: boolean;
}

export interface TextRow extends LabelText {
  /** Of the letters, and from the top of the box, in its unit. */
  size: number;
  top: number;
}

export interface FitOptions {
  width: number;
  height: number;
  /** The largest and the smallest size of ordinary lines. */
  largest: number;
  smallest: number;
  measure(text: string, size: number, isBold: boolean): number;
}

const LEADING = 1.2;
const STEPS = 12;
/** Rows that a text takes at most before the size gives way. */
const MOST_ROWS = 3;

/** The rows of a label in the largest size in which all is there; in the smallest, what has no room is cut with `…`. */
export function fitText(texts: readonly LabelText[], options: FitOptions): TextRow[] {
  const { largest, smallest, height } = options;
  for (let step = 0; step <= STEPS; step += 1) {
    const size = largest - ((largest - smallest) * step) / STEPS;
    const { rows, isWhole } = rowsAt(texts, size, MOST_ROWS, options);
    if (isWhole && heightOf(rows) <= height) return rows;
  }
  const { rows } = rowsAt(texts, smallest, 1, options);
  return rows.filter(row => row.top + row.size <= height);
}

function rowsAt(texts: readonly LabelText[], base: number, most: number, options: FitOptions) {
  const rows: TextRow[] = [];
  let top = 0;
  let isWhole = true;
  for (const text of texts) {
    const size = base * text.scale;
    const wrapped = wrap(text.text, most, options.width, part => options.measure(part, size, text.isBold));
    isWhole &&= wrapped.isWhole;
    for (const part of wrapped.rows) {
      rows.push({ ...text, text: part, size, top });
      top += size * LEADING;
    }
  }
  return { rows, isWhole };
}

function heightOf(rows: readonly TextRow[]): number {
  const last = rows.at(-1);
  return last ? last.top + last.size * LEADING : 0;
}

/** Longer than what any label shows; bounds the work. */
const LONGEST = 400;

/** Breaks between words, and within one that is wider than the box. */
export function wrap(
  text: string,
  most: number,
  width: number,
  measure: (text: string) => number,
): { rows: string[]; isWhole: boolean } {
  const rows: string[] = [];
  let rest = text.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST);
  while (rest !== '') {
    const row = firstRow(rest, width, measure);
    if (rows.length === most - 1 && row.length < rest.length) {
      rows.push(cut(rest, width, measure));
      return { rows, isWhole: false };
    }
    rows.push(row.trimEnd());
    rest = rest.slice(row.length).trimStart();
  }
  return { rows, isWhole: text.length <= LONGEST };
}

function firstRow(text: string, width: number, measure: (text: string) => number): string {
  const longest = longestPrefix(text, width, measure);
  if (longest.length === text.length) return text;
  const space = text.slice(0, longest.length + 1).lastIndexOf(' ');
  return space > 0 ? text.slice(0, space) : longest;
}

function cut(text: string, width: number, measure: (text: string) => number): string {
  return `${longestPrefix(text, width, part => measure(`${part}…`))}…`;
}

/** As many whole characters as the width takes, at least one. */
function longestPrefix(text: string, width: number, measure: (text: string) => number): string {
  const characters = [...text];
  let [fits, tooLong] = [1, characters.length + 1];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (measure(characters.slice(0, middle).join('')) <= width) fits = middle;
    else tooLong = middle;
  }
  return characters.slice(0, fits).join('');
}
