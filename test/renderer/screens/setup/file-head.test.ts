import { describe, expect, it } from 'vitest';
import { guessOptions, isJson, readHead } from '../../../../renderer/screens/setup/file-head.ts';

const file = (name: string, ...content: BlobPart[]) => new File(content, name);
/** One letter, one byte. */
const latin = (text: string) => Uint8Array.from(text, letter => letter.charCodeAt(0));
const utf16 = (text: string) =>
  new Uint8Array(Uint16Array.from(`\ufeff${text}`, each => each.charCodeAt(0)).buffer);

describe('how a file is read', () => {
  it.each([
    ['commas', 'Name,Part number\nBolt,HB-8', {}],
    [
      'semicolons, decimal commas and German dates',
      'Name;Cost;Day\nBolt;-1,5;1.5.2026',
      {
        delimiter: ';',
        number: 'comma',
        date: 'd.M.yyyy',
      },
    ],
    ['tabs', 'Name\tCost\r\nBolt\t1.5\r\n', { delimiter: '\t' }],
    ['bars', 'Name|Cost\nBolt|1.5', { delimiter: '|' }],
    ['one column', 'Name\nBolt', {}],
    ['lines of an old Mac', 'a;b\r1;2', { delimiter: ';' }],
    ['commas inside of texts', 'a;b\n"1,5 mm, red";2', { delimiter: ';' }],
    ['nothing', '', {}],
  ])('is guessed: %s', async (_name, text, options) => {
    expect(await guessOptions(file('parts.csv', text))).toEqual(options);
  });

  it.each([
    ['of Windows', latin('Name;Ort\nM\xfcller;K\xf6ln'), { encoding: 'windows-1252', delimiter: ';' }],
    [
      'of Unicode in pairs of bytes',
      utf16('Name;Ort\nMüller;Köln'),
      { encoding: 'utf-16le', delimiter: ';' },
    ],
    ['of UTF-8 with its mark', '\ufeffName;Ort\nMüller;Köln', { delimiter: ';' }],
  ])('is guessed by its letters: %s', async (_name, bytes, options) => {
    const chosen = file('parts.csv', bytes);
    expect(await guessOptions(chosen)).toEqual(options);
    expect(await readHead(chosen, options)).toEqual({
      columns: ['Name', 'Ort'],
      rows: [{ Name: 'Müller', Ort: 'Köln' }],
    });
  });

  it('is guessed where the first part of a large file ends within a letter', async () => {
    const large = `Name;Ort\n${'Mü;x\n'.repeat(50_000)}`;
    // Six bytes a line: one of these leads puts the end in the middle of the ü.
    for (const lead of ['', 'x', 'xx', 'xxx', 'xxxx', 'xxxxx'])
      expect(await guessOptions(file('a.csv', lead, large))).toEqual({ delimiter: ';' });
  });

  it.each([
    ['parts.json', {}, true],
    ['PARTS.JSONL', {}, true],
    ['parts.ndjson', {}, true],
    ['parts.csv', {}, false],
    ['json', {}, false],
    ['parts.txt', { format: 'json' }, true],
    ['parts.json', { format: 'csv' }, false],
  ] as const)('%s with %j is JSON: %s', (name, options, json) => {
    expect(isJson(name, options)).toBe(json);
  });
});

describe('the head of a table', () => {
  it('has texts by their columns; what is left out is empty', async () => {
    expect(await readHead(file('a.csv', 'a,b,c\n1,"x, ""y""\nz"\n\n2,3,4,5\n'), {})).toEqual({
      columns: ['a', 'b', 'c'],
      rows: [
        { a: '1', b: 'x, "y"\nz', c: '' },
        { a: '2', b: '3', c: '4' },
      ],
    });
  });

  it('takes quotes for letters where it is told to', async () => {
    const { rows } = await readHead(file('a.csv', 'a;b\n"5;"6'), { delimiter: ';', quote: '' });
    expect(rows).toEqual([{ a: '"5', b: '"6' }]);
  });

  it('is the first fifty rows', async () => {
    const { rows } = await readHead(file('a.csv', `a\n${'1\n'.repeat(200_000)}`), {});
    expect(rows).toHaveLength(50);
  });
});

describe('the head of JSON', () => {
  it.each([
    ['a list', 'a.json', '[{"a":1,"b":{"c":"x"}},{"d":true}]'],
    ['lines', 'a.jsonl', '{"a":1,"b":{"c":"x"}}\n\n{"d":true}\n'],
  ])('as %s has texts by their paths, columns in the order in which they come', async (_name, name, text) => {
    expect(await readHead(file(name, text), {})).toEqual({
      columns: ['a', 'b.c', 'd'],
      rows: [{ a: '1', 'b.c': 'x' }, { d: 'true' }],
    });
  });

  it('leaves out lists, which are items, and what is none', async () => {
    const { columns } = await readHead(file('a.json', '[{"a":[1],"b":null,"c":{"d":[]},"e":0}]'), {});
    expect(columns).toEqual(['e']);
  });

  it.each([
    ['a list', 'a.json', (lines: string[]) => `[${lines.join(',')}]`],
    ['a list that is written out', 'a.json', (lines: string[]) => `[\n  ${lines.join(' ,\n  ')}\n]\n`],
    ['lines', 'a.jsonl', (lines: string[]) => lines.join('\n')],
  ])(
    'of which only the first part is read, as %s, has the objects that are whole',
    async (_name, name, join) => {
      // A nested object and texts with braces come before the end of each, and the part ends in a text.
      const object = {
        id: 1,
        place: { rack: 7 },
        text: 'a }, {"b": [\\ "q',
        long: '}]{ '.repeat(5_000),
        last: 'y',
      };
      const text = join(Array.from({ length: 20 }, () => JSON.stringify(object)));
      const { columns, rows } = await readHead(file(name, text), {});
      expect(columns).toEqual(['id', 'place.rack', 'text', 'long', 'last']);
      expect(rows).toHaveLength(13);
    },
  );

  it('is at most fifty objects', async () => {
    const text = JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id })));
    expect((await readHead(file('a.json', text), {})).rows).toHaveLength(50);
  });

  it('that is none says so', async () => {
    await expect(readHead(file('a.json', '[{"a":'), {})).rejects.toThrow();
  });
});
