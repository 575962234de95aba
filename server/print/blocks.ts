import type { Block, Cell, Fact, Tone } from './paper.ts';
import type { TextKey } from './texts.ts';
import type { Words } from './words.ts';

export const heading = (text: string): Block => ({ kind: 'heading', text });
export const facts = (...shown: Fact[]): Block => ({ kind: 'facts', facts: shown });
export const paragraph = (label: string, text: string): Block => ({ kind: 'text', label, text });
export const notice = (tone: Tone, text: string): Block => ({ kind: 'notice', tone, text });

/** What people noted, where they did. */
export function notes({ say }: Words, { notes: text }: Record<string, unknown>): Block[] {
  return text ? [paragraph(say('notes'), String(text))] : [];
}

/** A column of a table: its share of the width beside the others', what it says of a row, and whether that is a number. */
export type Shown<Row> = readonly [
  label: TextKey,
  share: number,
  cell: (row: Row, index: number) => Cell,
  isNumber?: 'number',
];

export function table<Row>({ say }: Words, rows: readonly Row[], shown: readonly Shown<Row>[]): Block {
  return {
    kind: 'table',
    columns: shown.map(([label, share, , kind]) => ({
      label: say(label),
      share,
      ...(kind === 'number' && { isNumber: true }),
    })),
    rows: rows.map((row, index) => shown.map(([, , cell]) => cell(row, index))),
  };
}

/** A table below its heading; nothing where there are no rows. */
export function headedTable<Row>(
  words: Words,
  title: TextKey,
  rows: readonly Row[],
  shown: readonly Shown<Row>[],
): Block[] {
  return rows.length === 0 ? [] : [heading(words.say(title)), table(words, rows, shown)];
}
