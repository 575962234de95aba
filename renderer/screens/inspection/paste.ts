import type { CellStore } from './cell-store.ts';
import { type Characteristic, type Entry, readMeasured, SERIAL } from './grid-model.ts';
import { SERIAL_COLUMN } from './moves.ts';

export interface Pasted {
  filled: number;
  /** What was neither a number nor a verdict; its cells are as they were. */
  unread: { sample: number; characteristic: string; text: string }[];
  /** Values for which the grid has no cell. */
  beyond: number;
  /** What stood in the filled cells. */
  before: { sample: number; characteristic: number; entry: Entry }[];
}

const PASSED = /^(ok|pass(ed)?|yes|bestanden|gut|ja|i\.? ?o\.?|✓)$/i;
const FAILED = /^(fail(ed)?|no|nok|nicht bestanden|schlecht|nein|n\.? ?i\.? ?o\.?|✗)$/i;

/** Rows and columns as a spreadsheet copies them: lines of values with tabs between. */
export function readTable(text: string): string[][] {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  return lines.map(line => line.split('\t').map(value => value.trim().replace(/^"(.*)"$/, '$1')));
}

/** Fills the grid from a cell on, to the right and down. Empty values leave their cells as they are. */
export function pasteTable(
  store: CellStore,
  table: readonly string[][],
  from: { row: number; column: number },
): Pasted {
  const pasted: Pasted = { filled: 0, unread: [], beyond: 0, before: [] };
  const fill = (sample: number, characteristic: number, change: Partial<Entry>) => {
    pasted.before.push({ sample, characteristic, entry: store.get(sample, characteristic).entry });
    store.type(sample, characteristic, change);
    pasted.filled += 1;
  };
  table.forEach((line, down) => {
    line.forEach((text, right) => {
      if (text === '') return;
      const row = store.rows()[from.row + down];
      const column = from.column + right;
      if (row && column === SERIAL_COLUMN) {
        fill(row.id, SERIAL, { text });
        return;
      }
      const characteristic = store.characteristics[column];
      if (!row || !characteristic) {
        pasted.beyond += 1;
        return;
      }
      const change = readValue(characteristic, text);
      if (change === null) {
        pasted.unread.push({ sample: row.number, characteristic: characteristic.name, text });
        return;
      }
      fill(row.id, characteristic.id, change);
    });
  });
  return pasted;
}

/** Words are a verdict only where no limits decide. */
function readValue({ limits }: Characteristic, text: string): Partial<Entry> | null {
  if (readMeasured(text) !== undefined) return { text };
  if (limits !== null) return null;
  if (PASSED.test(text)) return { passed: true };
  return FAILED.test(text) ? { passed: false } : null;
}
