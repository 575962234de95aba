import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { characteristicsOf } from '../../../../renderer/screens/inspection/grid-model.ts';
import {
  type Key,
  moveOf,
  next,
  nextCell,
  SERIAL_COLUMN,
} from '../../../../renderer/screens/inspection/moves.ts';

/** The place of the caret is all that a move asks of an input, and Node has none. */
class Caret extends EventTarget {
  value: string;
  selectionStart: number;
  selectionEnd: number;

  constructor(value: string, selectionStart: number, selectionEnd = selectionStart) {
    super();
    this.value = value;
    this.selectionStart = selectionStart;
    this.selectionEnd = selectionEnd;
  }
}
beforeAll(() => {
  vi.stubGlobal('HTMLInputElement', Caret);
});
afterAll(() => {
  vi.unstubAllGlobals();
});

/** Ten samples of a length, a surface with its two buttons beside the value, and a width. */
const size = {
  rows: 10,
  characteristics: characteristicsOf({
    characteristics: {
      1: { name: 'Length', dimensions: '40', tolerance: '±1', order: 1 },
      2: { name: 'Surface', order: 2 },
      3: { name: 'Width', dimensions: '13', tolerance: '±1', order: 3 },
    },
  }),
};

type At = [row: number, column: number, part: number];

function press(keys: string, [row, column, part]: At, target: EventTarget = new EventTarget()): At | null {
  const held = keys.split('+');
  const key: Key = {
    key: held.pop() ?? '',
    ctrlKey: held.includes('Control'),
    shiftKey: held.includes('Shift'),
    altKey: held.includes('Alt'),
    metaKey: held.includes('Meta'),
    target,
  };
  const to = moveOf(key, { row, column, part }, size);
  return to && [to.row, to.column, to.part];
}

describe('a key', () => {
  it.each<[keys: string, from: At, to: At]>([
    // Through a sample, part by part, and on to the next one.
    ['Enter', [0, 0, 0], [0, 1, 0]],
    ['Enter', [0, 1, 0], [0, 1, 1]],
    ['Enter', [0, 1, 1], [0, 1, 2]],
    ['Enter', [0, 1, 2], [0, 2, 0]],
    ['Enter', [0, 2, 0], [1, 0, 0]],
    ['Enter', [9, 2, 0], [9, 2, 0]],
    ['Enter', [3, SERIAL_COLUMN, 0], [3, 0, 0]],
    // And back, past the serial numbers.
    ['Shift+Enter', [0, 2, 0], [0, 1, 2]],
    ['Shift+Enter', [0, 1, 2], [0, 1, 1]],
    ['Shift+Enter', [1, 0, 0], [0, 2, 0]],
    ['Shift+Enter', [0, 0, 0], [0, 0, 0]],
    ['Shift+Enter', [1, SERIAL_COLUMN, 0], [1, SERIAL_COLUMN, 0]],
    // From sample to sample, in the same cell.
    ['ArrowDown', [0, 1, 2], [1, 1, 2]],
    ['ArrowDown', [9, 1, 0], [9, 1, 0]],
    ['ArrowUp', [5, SERIAL_COLUMN, 0], [4, SERIAL_COLUMN, 0]],
    ['ArrowUp', [0, 1, 0], [0, 1, 0]],
    ['PageDown', [0, 2, 0], [8, 2, 0]],
    ['PageDown', [5, 2, 0], [9, 2, 0]],
    ['PageUp', [9, 2, 0], [1, 2, 0]],
    ['PageUp', [3, 2, 0], [0, 2, 0]],
    ['Control+Home', [4, 1, 2], [0, 0, 0]],
    ['Control+End', [4, SERIAL_COLUMN, 0], [9, 2, 0]],
    // From cell to cell; the serial number stands left of the first.
    ['ArrowRight', [0, 1, 2], [0, 2, 0]],
    ['ArrowRight', [0, SERIAL_COLUMN, 0], [0, 0, 0]],
    ['ArrowLeft', [0, 2, 0], [0, 1, 2]],
    ['ArrowLeft', [4, 0, 0], [4, SERIAL_COLUMN, 0]],
    ['ArrowLeft', [0, 0, 0], [0, SERIAL_COLUMN, 0]],
    ['ArrowLeft', [4, SERIAL_COLUMN, 0], [4, SERIAL_COLUMN, 0]],
  ])('%s leads from %j to %j', (keys, from, to) => {
    expect(press(keys, from)).toEqual(to);
  });

  it.each([
    'a',
    '4',
    'Tab',
    'Shift+Tab',
    'Home',
    'End',
    'Control+v',
    'Control+ArrowDown',
    'Alt+ArrowDown',
    'Meta+Enter',
    'Shift+ArrowRight',
    'Shift+ArrowLeft',
    'Escape',
  ])('%s stays what it is', keys => {
    expect(press(keys, [3, 2, 0])).toBeNull();
  });
});

it('the serial number stands left of the first part of the first cell, not of its last', () => {
  const judged = characteristicsOf({ characteristics: { 1: { name: 'Surface' } } });
  const left = (part: number) =>
    moveOf(
      {
        key: 'ArrowLeft',
        ctrlKey: false,
        shiftKey: false,
        altKey: false,
        metaKey: false,
        target: new EventTarget(),
      },
      { row: 2, column: 0, part },
      { rows: 3, characteristics: judged },
    );
  expect(left(2)).toEqual({ row: 2, column: 0, part: 1 });
  expect(left(0)).toEqual({ row: 2, column: SERIAL_COLUMN, part: 0 });
});

it.each<[what: string, isOptional: boolean, value: string, to: At]>([
  ['passes by what nobody has to judge', true, '', [3, 1, 0]],
  ['leads from its value to the verdict', true, 'scratched', [3, 0, 1]],
  ['leads to the verdict that is due', false, '', [3, 0, 1]],
])('Enter %s', (_what, is_optional, value, [row, column, part]) => {
  const characteristics = characteristicsOf({
    characteristics: { 1: { name: 'Surface', is_optional, order: 1 }, 2: { name: 'Width', order: 2 } },
  });
  const key = { key: 'Enter', ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };
  const from = { row: 3, column: 0, part: 0 };
  const to = moveOf({ ...key, target: new Caret(value, 0) }, from, { rows: 9, characteristics });
  expect(to).toEqual({ row, column, part });
});

describe('an arrow inside a value', () => {
  it.each<[where: string, caret: Caret, left: boolean, right: boolean]>([
    ['at its beginning', new Caret('40.1', 0), true, false],
    ['in its middle', new Caret('40.1', 2), false, false],
    ['at its end', new Caret('40.1', 4), false, true],
    ['that is selected whole', new Caret('40.1', 0, 4), true, true],
    ['of which a part is selected', new Caret('40.1', 0, 2), false, false],
    ['that is empty', new Caret('', 0), true, true],
  ])('%s moves the caret unless there is nowhere to go', (_where, caret, left, right) => {
    expect(press('ArrowLeft', [1, 2, 0], caret) !== null).toBe(left);
    expect(press('ArrowRight', [1, 0, 0], caret) !== null).toBe(right);
  });
});

describe('after a reading', () => {
  it('the next part follows, and after a verdict the next cell', () => {
    expect(next({ row: 0, column: 1, part: 0 }, size)).toEqual({ row: 0, column: 1, part: 1 });
    expect(nextCell({ row: 0, column: 1, part: 1 }, size)).toEqual({ row: 0, column: 2, part: 0 });
    expect(nextCell({ row: 9, column: 2, part: 0 }, size)).toEqual({ row: 9, column: 2, part: 0 });
  });
});
