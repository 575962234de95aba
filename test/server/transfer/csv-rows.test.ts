import { describe, expect, it } from 'vitest';
import { csvLine } from '../../../server/transfer/exported-record.ts';
import fc from '../../support/fast-check.ts';
import { fieldsByLine, mappingOf, readFiles } from './reading.ts';

const NAMES = { name: 'name', notes: 'notes' };
const readCsv = (content: string | Buffer, file: object = {}) =>
  readFiles(mappingOf('supplier', NAMES, {}, file), { 'a.csv': content });

describe('the lines of CSV', () => {
  const cases: [string, string, number[]][] = [
    ['LF', 'name,notes\na,1\nb,2\n', [2, 3]],
    ['CR LF', 'name,notes\r\na,1\r\nb,2', [2, 3]],
    ['CR alone', 'name,notes\ra,1\rb,2\r', [2, 3]],
    ['line ends inside of quotes', 'name,notes\n"a\nx\ny",1\nb,2\n', [2, 5]],
    ['CR LF inside of quotes', 'name,notes\r\n"a\r\nx",1\r\nb,2\r\n', [2, 4]],
    ['empty lines', 'name,notes\n\n\na,1\n\nb,2\n', [4, 6]],
    ['a header over two lines', 'name,"notes"\na,"1\n2"\nb,2', [2, 4]],
  ];
  it.each(cases)('are counted with %s', async (_, content, lines) => {
    const reading = await readCsv(content);
    expect(reading.faults).toEqual([]);
    expect(fieldsByLine(reading).map(([line]) => line)).toEqual(lines);
  });

  it('are counted behind a bad row, too', async () => {
    const reading = await readCsv('name,notes\n"a\na",1,2\nb\nc,3\n');
    expect(reading.faults.map(({ line, message }) => [line, message.slice(0, 20)])).toEqual([
      [2, 'The row has 3 values'],
      [4, 'The row has 1 values'],
    ]);
    expect(fieldsByLine(reading)).toEqual([[5, { name: 'c', notes: '3' }]]);
  });
});

describe('texts', () => {
  it('come verbatim: markup, formulas, quotes, delimiters, blanks, emoji, text from right to left', async () => {
    const texts = [
      '<b>x</b>',
      "=cmd|'/C calc'!A0",
      'say "hi"',
      'a,b',
      ' x ',
      '👩‍🔬',
      'שלום',
      "O'Hara; +5",
      '@x',
      '-1',
    ];
    const content = `name,notes\n${texts.map(text => `"${text.replaceAll('"', '""')}",1\n`).join('')}`;
    const { rows } = await readCsv(content);
    expect(rows.map(row => row.input.fields.name)).toEqual(texts);
  });

  it('of every kind come as they were written', async () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 30 })
      .filter(value => !value.includes('\0') && value.trim() !== '');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { maxLength: 8 }), async pairs => {
        const quote = (value: string) => `"${value.replaceAll('"', '""')}"`;
        const content = ['name,notes', ...pairs.map(pair => pair.map(quote).join(','))].join('\n');
        const { rows } = await readCsv(content);
        expect(rows.map(row => [row.input.fields.name, row.input.fields.notes])).toEqual(pairs);
      }),
      { numRuns: 30 },
    );
  });

  it('with a quote in the middle are not quoted', async () => {
    const { rows } = await readCsv('name,notes\n3" pipe,1\n');
    expect(rows[0]?.input.fields.name).toBe('3" pipe');
  });

  it('that begin with a blank go on with the value before, where the file does not quote', async () => {
    const reading = await readCsv('name,notes\nBiscuits, Ltd.,1\nA, B, C,2\nd,e\nf,g,h\n', {
      space_continues: true,
    });
    expect(fieldsByLine(reading)).toEqual([
      [2, { name: 'Biscuits, Ltd.', notes: '1' }],
      [3, { name: 'A, B, C', notes: '2' }],
      [4, { name: 'd', notes: 'e' }],
    ]);
    expect(reading.faults).toMatchObject([{ line: 5 }]);
  });

  it('that are too many are told how to go on, where that would help', async () => {
    const { faults } = await readCsv('name,notes\nA, B,1\nf,g,h\n');
    expect(faults).toMatchObject([
      {
        line: 2,
        message: expect.stringMatching(
          /set "files": \{"[^"]+": \{"space_continues": true\}\} in the mapping/,
        ),
      },
      { line: 3, message: expect.stringMatching(/columns\. Quote values that hold the delimiter ","\.$/) },
    ]);
  });
});

describe('the file', () => {
  const utf8 = 'name,notes\nMünster,1\n';
  const readable: [string, string | Buffer, object][] = [
    ['UTF-8', utf8, {}],
    ['UTF-8 with a byte order mark', `\ufeff${utf8}`, {}],
    ['windows-1252', Buffer.from(utf8, 'latin1'), { encoding: 'windows-1252' }],
    ['latin1', Buffer.from(utf8, 'latin1'), { encoding: 'latin1' }],
    ['UTF-16', Buffer.from(`\ufeff${utf8}`, 'utf16le'), { encoding: 'utf-16le' }],
    [
      'UTF-16 with the other order of bytes',
      Buffer.from(`\ufeff${utf8}`, 'utf16le').swap16(),
      { encoding: 'utf-16be' },
    ],
    ['semicolons', utf8.replaceAll(',', ';'), { delimiter: ';' }],
    ['tabs', utf8.replaceAll(',', '\t'), { delimiter: '\t' }],
    ['another quote', "name,notes\n'Münster',1\n", { quote: "'" }],
  ];
  it.each(readable)('is read as %s', async (_, content, file) => {
    expect(fieldsByLine(await readCsv(content, file))).toEqual([[2, { name: 'Münster', notes: '1' }]]);
  });

  const broken: [string, string | Buffer, object, Record<string, unknown>][] = [
    [
      'is not UTF-8',
      Buffer.from('name,notes\na,1\nM\xfcnster,1\n', 'latin1'),
      {},
      { line: 3, message: /not UTF-8.*windows-1252/ },
    ],
    [
      'is cut in the middle of a character',
      Buffer.from(utf8).subarray(0, 13),
      {},
      { line: 2, message: /not UTF-8/ },
    ],
    [
      'is UTF-16 unasked',
      Buffer.from(`\ufeff${utf8}`, 'utf16le'),
      {},
      { line: 1, message: /"encoding": "utf-16le"/ },
    ],
    [
      'is UTF-16 of the other order of bytes unasked',
      Buffer.from(`\ufeff${utf8}`, 'utf16le').swap16(),
      {},
      { line: 1, message: /"encoding": "utf-16be"/ },
    ],
    [
      'is UTF-16 unasked and has no mark',
      Buffer.from(utf8, 'utf16le'),
      {},
      { line: 1, message: /"encoding": "utf-16le"/ },
    ],
    [
      'has another delimiter',
      'name;notes\na;1\n',
      {},
      { line: 1, column: 'name', message: /"delimiter": ";"/ },
    ],
    [
      'lacks a column',
      'name,remarks\na,1\n',
      {},
      { line: 1, column: 'notes', message: /no column "notes".*name, remarks/ },
    ],
    ['has a column twice', 'name,notes,name\na,1,b\n', {}, { line: 1, message: /"name" stands twice/ }],
    ['is empty', '', {}, { line: 1, message: /empty/ }],
    [
      'has a quote that is never closed',
      'name,notes\na,1\n"b,2\nc,3\n',
      {},
      { line: 3, message: /never closed/ },
    ],
    [
      'has a row of many megabytes',
      `name,notes\n"${'x'.repeat(5_000_000)}",2\n`,
      {},
      { line: 2, message: /never closed/ },
    ],
  ];
  it.each(broken)('that %s is refused with the place and the remedy', async (_, content, file, fault) => {
    const reading = await readCsv(content, file);
    const message = expect.stringMatching(fault.message as RegExp);
    expect(reading.faults).toEqual([expect.objectContaining({ file: 'a.csv', ...fault, message })]);
  });

  it('with a NUL in a row loses that row', async () => {
    const reading = await readCsv('name,notes\na\0,1\nb,2\n');
    expect(reading.faults).toMatchObject([{ line: 2, message: expect.stringContaining('NUL') }]);
    expect(reading.rows).toHaveLength(1);
  });

  it('is read with the columns that it has beside those that are mapped, which are listed', async () => {
    const content = 'fax,name,notes,web\n1,a,b,2\n';
    expect((await readCsv(content)).unmapped).toEqual({ 'a.csv': ['fax', 'web'] });
    expect((await readCsv(content, { ignore: ['fax'] })).unmapped).toEqual({ 'a.csv': ['web'] });
    expect((await readCsv(content, { ignore: ['fax', 'web'] })).unmapped).toEqual({});
  });
});

it('reads what an export writes', async () => {
  const cells = ['a,b', 'say "x"', 'two\r\nlines', ' blank ', '#5'];
  const content = csvLine(['name', 'notes']) + cells.map(cell => csvLine([cell, cell])).join('');
  expect((await readCsv(content)).rows.map(row => row.input.fields.notes)).toEqual(cells);
});
