import type { Language } from '../../shared/operations/paper-operations.ts';

/** A document as it is said, before it is laid out: plain data, so that a thread can be given it. */
export interface Paper {
  language: Language;
  company: string;
  title: string;
  /** What people call the record: its number or name. */
  number: string;
  /** What a scan of the code opens: `holdpoint://ncr/12`. */
  link: string;
  /** Which record in which state this is. */
  identity: string;
  /** Who printed it, and when. */
  printed: string;
  /** With `{page}` and `{pages}`. */
  pageOf: string;
  /** Said at the end where a character had to be replaced. */
  replaced: string;
  /** The moment of printing, ISO 8601 UTC. */
  at: string;
  blocks: Block[];
}

export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'facts'; facts: Fact[] }
  | { kind: 'text'; label: string; text: string }
  | { kind: 'notice'; tone: Tone; text: string }
  | { kind: 'table'; columns: Column[]; rows: Cell[][] };

export type Fact = readonly [label: string, value: string];

/** Said by the frame's shape as well as by its colour: of what is wrong it is thick. */
export type Tone = 'plain' | 'wrong';

export interface Column {
  label: string;
  /** Its share of the width, beside the others'. */
  share: number;
  isNumber?: boolean;
}

export type Cell = string | MarkedCell;

/** What is wrong: marked by a shape and by words. */
export interface MarkedCell {
  text: string;
  shape: 'up' | 'down' | 'cross';
  words: string;
}

/** Beyond these a document is refused before it is laid out: nobody reads it, and it holds up those who wait behind it. */
export const MOST_CELLS = 8_000;
export const MOST_LINES = 4_000;
/** The same, found out by the layout. */
export const MOST_PAGES = 200;

/** Of all tables. */
export function cellsOf(blocks: readonly Block[]): number {
  return blocks.reduce(
    (sum, block) => sum + (block.kind === 'table' ? block.rows.length * block.columns.length : 0),
    0,
  );
}

/** Line ends that people typed. */
export function linesOf(blocks: readonly Block[]): number {
  return JSON.stringify(blocks).split('\\n').length;
}
