import { describe, expect, it } from 'vitest';
import { createCellStore } from '../../../../renderer/screens/inspection/cell-store.ts';
import { characteristicsOf, rowsOf, SERIAL } from '../../../../renderer/screens/inspection/grid-model.ts';
import { SERIAL_COLUMN } from '../../../../renderer/screens/inspection/moves.ts';
import { pasteTable, readTable } from '../../../../renderer/screens/inspection/paste.ts';

const [LENGTH, WIDTH, SURFACE] = [5, 6, 7];

/** Three samples of a length, a width and a surface that only a person can judge. */
function grid() {
  const store = createCellStore(
    characteristicsOf({
      characteristics: {
        [LENGTH]: { name: 'Length', dimensions: '40 mm', tolerance: '±0.5', order: 1 },
        [WIDTH]: { name: 'Width', dimensions: '13 mm', tolerance: '±0.2', order: 2 },
        [SURFACE]: { name: 'Surface', order: 3 },
      },
    }),
  );
  const samples = { 1: { sample_number: 1 }, 2: { sample_number: 2 }, 3: { sample_number: 3 } };
  store.merge(1, rowsOf(samples, '.'));
  const shown = () =>
    store.rows().map(({ id }) =>
      [SERIAL, LENGTH, WIDTH, SURFACE].map(characteristic => {
        const { text, passed } = store.get(id, characteristic).entry;
        return passed === null ? text : passed;
      }),
    );
  return { store, shown };
}

describe('a table as a spreadsheet copies it', () => {
  it.each<[name: string, text: string, table: string[][]]>([
    [
      'lines of Windows, and the one that ends the last',
      '1\t2\r\n3\t4\r\n',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['lines of an old Mac', '1\r2', [['1'], ['2']]],
    ['empty cells and lines, which keep their place', '1\t\t2\n\n3', [['1', '', '2'], [''], ['3']]],
    ['blanks around values', ' 20.1 \t x ', [['20.1', 'x']]],
    ['quotes around values', '"40"\t"a b"', [['40', 'a b']]],
    ['a single value', '1,52\r\n', [['1,52']]],
  ])('has %s', (_name, text, table) => {
    expect(readTable(text)).toEqual(table);
  });
});

describe('filling the grid', () => {
  it('goes to the right and down from a cell; empty values leave their cells as they are', () => {
    const { store, shown } = grid();
    store.type(1, WIDTH, { text: '13' });
    const pasted = pasteTable(store, readTable('40,1\t\tok\r\n39.9\t12.8\tn.i.O.\r\n'), {
      row: 0,
      column: 0,
    });
    expect(shown()).toEqual([
      ['', '40,1', '13', true],
      ['', '39.9', '12.8', false],
      ['', '', '', ''],
    ]);
    expect(pasted).toMatchObject({ filled: 5, unread: [], beyond: 0 });
  });

  it('says what has no cell, and fills what has one', () => {
    const { store, shown } = grid();
    const pasted = pasteTable(store, readTable('40.1\t13\n40.2\t13.1\n40.3\t13.2'), { row: 1, column: 1 });
    expect(shown()[1]).toEqual(['', '', '40.1', '13']);
    expect(shown()[2]).toEqual(['', '', '40.2', '13.1']);
    expect(pasted).toMatchObject({ filled: 4, beyond: 2, unread: [] });
  });

  it('names what it cannot read by its sample and characteristic, and leaves the cell', () => {
    const { store, shown } = grid();
    store.type(2, WIDTH, { text: '12.90' });
    const pasted = pasteTable(store, readTable('40.3\tmuch\tgreen\n1e999\tok'), { row: 1, column: 0 });
    expect(pasted.unread).toEqual([
      { sample: 2, characteristic: 'Width', text: 'much' },
      { sample: 2, characteristic: 'Surface', text: 'green' },
      { sample: 3, characteristic: 'Length', text: '1e999' },
      { sample: 3, characteristic: 'Width', text: 'ok' },
    ]);
    expect(shown()[1]).toEqual(['', '40.3', '12.90', '']);
    expect(pasted.filled).toBe(1);
  });

  it.each(['1.234,5', '1,234.5', '2026-01-02', '40 mm', '=A1', '12e', '#REF!'])(
    'does not take %j for a number',
    text => {
      const { store } = grid();
      expect(pasteTable(store, [[text]], { row: 0, column: 0 })).toMatchObject({
        filled: 0,
        unread: [{ sample: 1, characteristic: 'Length', text }],
      });
    },
  );

  it('takes a number with an exponent', () => {
    const { store, shown } = grid();
    expect(pasteTable(store, [['1.5e0']], { row: 0, column: 0 })).toMatchObject({ filled: 1, unread: [] });
    expect(shown()[0]?.[1]).toBe('1.5e0');
  });

  it('takes serial numbers as they are written', () => {
    const { store, shown } = grid();
    pasteTable(store, readTable('007\t39.9\nA-2\t40.1'), { row: 0, column: SERIAL_COLUMN });
    expect(shown().map(([serial, length]) => [serial, length])).toEqual([
      ['007', '39.9'],
      ['A-2', '40.1'],
      ['', ''],
    ]);
    expect(pasteTable(store, [['A-4']], { row: 3, column: SERIAL_COLUMN })).toMatchObject({
      filled: 0,
      beyond: 1,
    });
  });

  it('can be taken back: it gives what stood there before', () => {
    const { store, shown } = grid();
    store.type(1, LENGTH, { text: '40.10', comment: 'burr' });
    store.type(2, SURFACE, { passed: false });
    const before = shown();
    const pasted = pasteTable(store, readTable('39\t13\tok\n39\t13\tok'), { row: 0, column: 0 });
    expect(store.get(1, LENGTH).entry).toMatchObject({ text: '39', comment: 'burr' });
    for (const { sample, characteristic, entry } of pasted.before) store.type(sample, characteristic, entry);
    expect(shown()).toEqual(before);
    expect(pasted.before).toHaveLength(6);
  });

  it('of thousands of values counts those that have no cell', () => {
    const { store } = grid();
    const line = Array.from({ length: 50 }, (_, index) => index).join('\t');
    const table = readTable(Array.from({ length: 1_000 }, () => line).join('\r\n'));
    expect(pasteTable(store, table, { row: 0, column: 0 })).toMatchObject({ filled: 9, beyond: 49_991 });
  });
});

describe('a verdict in words', () => {
  it.each<[passed: boolean, words: string[]]>([
    [true, ['ok', 'OK', 'pass', 'Passed', 'yes', 'bestanden', 'gut', 'ja', 'i.O.', 'i. O.', 'io', '✓']],
    [
      false,
      [
        'fail',
        'Failed',
        'no',
        'nok',
        'nicht bestanden',
        'schlecht',
        'nein',
        'n.i.O.',
        'n. i. O.',
        'nio',
        '✗',
      ],
    ],
  ])('is %s', (passed, words) => {
    for (const word of words) {
      const { store } = grid();
      pasteTable(store, [[word]], { row: 0, column: 2 });
      expect(store.get(1, SURFACE).entry.passed, word).toBe(passed);
    }
  });

  it.each(['okay then', 'not ok', 'x', 'passing'])('%j is none', word => {
    const { store } = grid();
    expect(pasteTable(store, [[word]], { row: 0, column: 2 }).unread).toHaveLength(1);
    expect(store.get(1, SURFACE).entry.passed).toBeNull();
  });
});
