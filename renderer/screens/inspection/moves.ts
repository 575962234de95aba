import type { Characteristic } from './grid-model.ts';
/** The column of the samples' serial numbers, before the first characteristic. */
export const SERIAL_COLUMN = -1;

/** Rows that Page Up and Page Down go. */
const PAGE = 8;

export interface GridSize {
  rows: number;
  characteristics: readonly Characteristic[];
}

/** What of a key's event says where it leads. */
export type Key = Pick<React.KeyboardEvent, 'key' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey' | 'target'>;

/** Where a key leads from a place; null: it stays what it is (a caret's move, a character, Tab). */
export function moveOf(event: Key, from: Place, size: GridSize): Place | null {
  const { key, ctrlKey, shiftKey, altKey, metaKey } = event;
  if (altKey || metaKey) return null;
  const last = size.rows - 1;
  const down = (by: number): Place => ({ ...from, row: Math.min(last, Math.max(0, from.row + by)) });
  if (ctrlKey) {
    if (key === 'Home') return { row: 0, column: 0, part: 0 };
    if (key === 'End') return { row: last, column: size.characteristics.length - 1, part: 0 };
    return null;
  }
  switch (key) {
    case 'Enter':
      if (shiftKey) return previous(from, size);
      return isPassedBy(event.target, from, size) ? nextCell(from, size) : next(from, size);
    case 'ArrowDown':
      return down(1);
    case 'ArrowUp':
      return down(-1);
    case 'PageDown':
      return down(PAGE);
    case 'PageUp':
      return down(-PAGE);
    case 'ArrowRight':
      return !shiftKey && isAtEdge(event.target, 'end') ? next(from, size) : null;
    case 'ArrowLeft':
      return !shiftKey && isAtEdge(event.target, 'start') ? leftOf(from, size) : null;
    default:
      return null;
  }
}

/** Left of the first characteristic stands the serial number, which Enter passes by. */
function leftOf(from: Place, size: GridSize): Place {
  const isFirst = from.column <= 0 && from.part === 0;
  return isFirst ? { row: from.row, column: SERIAL_COLUMN, part: 0 } : previous(from, size);
}

/** The next part of the cell, the next cell of the sample, the next sample. At the very end it stays. */
export function next(from: Place, { rows, characteristics }: GridSize): Place {
  const { row, column, part } = from;
  if (part < lastPart(characteristics[column])) return { row, column, part: part + 1 };
  if (column < characteristics.length - 1) return { row, column: column + 1, part: 0 };
  return row < rows - 1 ? { row: row + 1, column: 0, part: 0 } : from;
}

/** The next cell, past what is left of this one. */
export function nextCell(from: Place, size: GridSize): Place {
  return next({ ...from, part: lastPart(size.characteristics[from.column]) }, size);
}

/** What nobody has to judge, and nobody has begun to. */
function isPassedBy(target: EventTarget, { column }: Place, { characteristics }: GridSize): boolean {
  const isEmpty = target instanceof HTMLInputElement && target.value === '';
  return isEmpty && characteristics[column]?.isOptional === true;
}

function previous(from: Place, { characteristics }: GridSize): Place {
  const { row, column, part } = from;
  if (part > 0) return { row, column, part: part - 1 };
  if (column === SERIAL_COLUMN) return from;
  const before = column > 0 ? column - 1 : characteristics.length - 1;
  if (column === 0 && row === 0) return from;
  return { row: column > 0 ? row : row - 1, column: before, part: lastPart(characteristics[before]) };
}

function lastPart(characteristic: Characteristic | undefined): number {
  return characteristic?.limits === null ? 2 : 0;
}

/** A value that has just been reached is selected whole, and no caret stands in it yet. */
function isAtEdge(target: EventTarget, edge: 'start' | 'end'): boolean {
  if (!(target instanceof HTMLInputElement)) return true;
  const { selectionStart, selectionEnd, value } = target;
  if (selectionStart === 0 && selectionEnd === value.length) return true;
  const at = edge === 'start' ? 0 : value.length;
  return selectionStart === at && selectionEnd === at;
}

/** A place in the grid: sample, characteristic, and the part of the cell (`cellParts`). */
export interface Place {
  row: number;
  column: number;
  part: number;
}
