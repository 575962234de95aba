import { describe, expect, it } from 'vitest';
import { mappingOf, readFiles } from './reading.ts';

/** The value that one cell becomes in a field of a family, or the fault of its row. */
async function read(
  cell: string,
  field: string,
  source: object,
  family = 'part',
  file: object = {},
): Promise<unknown> {
  const mapping = mappingOf(family, { [field]: { column: 'x', ...source } }, {}, file);
  const { rows, faults } = await readFiles(mapping, { 'a.csv': `x,y\n"${cell.replaceAll('"', '""')}",\n` });
  return rows.length > 0 ? rows[0]?.input.fields[field] : faults[0]?.message;
}

describe('a column becomes', () => {
  const values: [string, string, string, object, unknown, string?][] = [
    ['text, as it is', ' a  b ', 'name', {}, ' a  b '],
    ['text without the blanks around it', ' a  b ', 'name', { trim: true }, 'a  b'],
    ['no value where it is empty', ' ', 'name', {}, null],
    ['no value where the mapping says so', 'NULL', 'name', { no_value: ['NULL'] }, null],
    ['text that is empty to others', '', 'name', { no_value: ['NULL'] }, ''],
    ['its default without a value', '', 'reorder_point', { default: 5 }, 5],
    ['a number', ' 2.50 ', 'reorder_point', {}, 2.5],
    ['a number with a decimal comma', '1.234,5', 'reorder_point', { number: 'comma' }, 1234.5],
    [
      'a number with a decimal comma and apostrophes',
      "1'234,5",
      'reorder_point',
      { number: 'comma' },
      1234.5,
    ],
    ['a number with commas between thousands', '1,234.5', 'reorder_point', { number: 'point' }, 1234.5],
    [
      'a number in groups of two, as in India',
      '12,34,567.5',
      'reorder_point',
      { number: 'point' },
      1234567.5,
    ],
    ['a number with a sign', '+3', 'reorder_point', { number: 'point' }, 3],
    ['yes', 'TRUE', 'is_activity', {}, true],
    ['no', '0', 'is_activity', {}, false],
    ['what its text stands for', 'F', 'is_finished_product', { values: { F: true, R: false } }, true],
    [
      'what any other text stands for',
      'X',
      'is_finished_product',
      { values: { F: true }, otherwise: false },
      false,
    ],
    ['a list', ' a | b ||', 'barcodes', { split: '|' }, ['a', 'b']],
    ['a choice', 'kg', 'unit_of_measure', {}, 'kg'],
    ['a date', '2024-02-29', 'order_date', {}, '2024-02-29', 'order'],
    [
      'the date of a time',
      '1996-07-04 00:00:00.000',
      'order_date',
      { date: 'yyyy-MM-dd HH:mm:ss.SSS' },
      '1996-07-04',
      'order',
    ],
    [
      'a date by the second of two forms',
      '4.7.96',
      'order_date',
      { date: ['yyyy-MM-dd', 'd.M.yy'] },
      '1996-07-04',
      'order',
    ],
    [
      'a date with the name of the month',
      '4 July 1996',
      'order_date',
      { date: 'd LLLL yyyy' },
      '1996-07-04',
      'order',
    ],
    ['markup, verbatim', '<script>=1+1</script>', 'name', {}, '<script>=1+1</script>'],
  ];
  it.each(values)('%s', async (_, cell, field, source, value, family = 'part') => {
    expect(await read(cell, field, source, family)).toEqual(value);
  });

  const faults: [string, string, string, object, RegExp, string?][] = [
    ['a number that is none', 'twelve', 'reorder_point', {}, /"twelve" is not a number/],
    ['a decimal comma unasked', '1,5', 'reorder_point', {}, /"1,5" is not a number/],
    ...(
      [
        ['comma', '1,234.5'],
        ['comma', '12.5'],
        ['comma', '1.2.3'],
        ['point', '1.234,5'],
        ['point', '12,5'],
        ['point', '1,2345'],
      ] as const
    ).map(([number, text]): (typeof faults)[number] => [
      `${text}, where the ${number} is decimal`,
      text,
      'reorder_point',
      { number },
      new RegExp(`"${text}" is no number with a decimal ${number}`),
    ]),
    ['too many decimals', '0.1234567', 'reorder_point', {}, /six decimals/],
    [
      'a date that does not exist',
      '31.02.2024',
      'order_date',
      { date: 'dd.MM.yyyy' },
      /"31.02.2024" is no date of the form dd.MM.yyyy/,
      'order',
    ],
    ['a date of another form', '04/07/1996', 'order_date', {}, /not a calendar date/, 'order'],
    [
      'a text that is not listed',
      'X',
      'is_finished_product',
      { values: { F: true } },
      /"X" is not among .*"F"/,
    ],
    ['a choice that there is not', 'KG', 'unit_of_measure', {}, /"KG" is not allowed. Allowed: /],
    ['an id that is none', 'A7', 'supplier_id', { find: 'id' }, /"A7" is not the id/],
  ];
  it.each(faults)('a fault with its remedy: %s', async (_, cell, field, source, message, family = 'part') => {
    expect(await read(cell, field, source, family)).toMatch(message);
  });

  it('what its file says, unless the field says otherwise', async () => {
    const file = { date: 'dd.MM.yyyy', number: 'comma', no_value: ['-'] };
    expect(await read('04.07.1996', 'order_date', {}, 'order', file)).toBe('1996-07-04');
    expect(await read('1,5', 'reorder_point', {}, 'part', file)).toBe(1.5);
    expect(await read('1,500.0', 'reorder_point', { number: 'point' }, 'part', file)).toBe(1500);
    expect(await read('-', 'name', {}, 'part', file)).toBeNull();
  });
});

describe('several columns become', () => {
  const columns = 'street,town,fax,a\n12 High St,Ely,NULL,1.5\nNULL,NULL,NULL,NULL\n';
  const fields = async (family: string, sources: object) => {
    const mapping = mappingOf(family, sources, {}, { no_value: ['NULL'] });
    return (await readFiles(mapping, { 'a.csv': columns })).rows.map(row => row.input.fields);
  };

  it('a text by a template; none where one of them has no value', async () => {
    const template = '{street}, {town} (line {$line}, row {$index})';
    expect(await fields('supplier', { name: { template } })).toEqual([
      { name: '12 High St, Ely (line 2, row 1)' },
      { name: null },
    ]);
  });

  it('a text of those that have a value', async () => {
    const sources = { notes: { join: ['{street}', '{town}', 'Fax {fax}'], with: '\n' } };
    expect(await fields('supplier', sources)).toEqual([{ notes: '12 High St\nEly' }, { notes: null }]);
  });

  it('an object of those that have a value, as it was written', async () => {
    const sources = { lab_data: { object: { pH: 'a', 'of none': 'fax' } } };
    expect(await fields('lab-result', sources)).toEqual([{ lab_data: '{"pH":"1.5"}' }, { lab_data: null }]);
  });

  it('and a constant needs none', async () => {
    expect(await fields('part', { is_activity: { value: true } })).toEqual([
      { is_activity: true },
      { is_activity: true },
    ]);
  });
});

describe('a bad row', () => {
  it('is listed with every fault of it: line, column, value, remedy', async () => {
    const fields = {
      name: 'n',
      reorder_point: 'r',
      unit_of_measure: 'u',
      barcodes: { column: 'b', split: ' ' },
    };
    const { faults, rows } = await readFiles(mappingOf('part', fields), {
      'a.csv': 'n,r,u,b\nx,y,z,1 2\nx,1,kg,\n',
    });
    expect(faults.map(({ message: _, ...place }) => place)).toEqual([
      { file: 'a.csv', line: 2, column: 'u', value: 'z' },
      { file: 'a.csv', line: 2, column: 'r', value: 'y' },
    ]);
    expect(rows).toHaveLength(1);
  });

  it('names the column of a measurement', async () => {
    const fields = { lab_data: { object: { 'pH value': 'ph', chlorides: 'cl' } } };
    const { faults } = await readFiles(mappingOf('lab-result', fields), {
      'a.csv': 'ph,cl\n3.5,0.1\n3.5,much\n',
    });
    expect(faults).toMatchObject([
      { line: 3, column: 'cl', value: 'much', message: expect.stringContaining('number') },
    ]);
  });

  it('is one without a key, or with that of another row', async () => {
    const { faults, rows } = await readFiles(mappingOf('part', { name: 'n' }, { key: ['k', 'l'] }), {
      'a.csv': 'k,l,n\n1,2,a\n,,b\n 1 ,2,c\n12,,d\n1,3,e\n',
    });
    expect(faults).toMatchObject([
      { line: 3, column: 'k', message: expect.stringContaining('no value') },
      { line: 4, column: 'k', value: '1, 2', message: expect.stringContaining('Line 2 has the same key') },
    ]);
    expect(rows.map(row => row.input.fields.name)).toEqual(['a', 'd', 'e']);
  });
});

describe('rows are left out', () => {
  it('that have a certain text in a column', async () => {
    const step = { leave_out: { n: ['0', ''] } };
    const { rows, faults } = await readFiles(mappingOf('part', { name: 'n' }, step), {
      'a.csv': 'n,x\n0,\n,\n 0 ,\n00,\n',
    });
    expect(faults).toEqual([]);
    expect(rows.map(row => row.input.fields.name)).toEqual(['00']);
  });

  it('that repeat a key, where rows repeat', async () => {
    const step = { key: 'k', distinct: true };
    const { rows, faults } = await readFiles(mappingOf('location', { name: 'k' }, step), {
      'a.csv': 'k\nA\nB\nA\nA\n',
    });
    expect(faults).toEqual([]);
    expect(rows.map(row => row.input.fields.name)).toEqual(['A', 'B']);
  });
});

describe('items', () => {
  const items = (source: object) => ({
    source: 'test',
    steps: [
      {
        file: 'orders.json',
        family: 'order',
        key: 'no',
        fields: { order_number: 'no' },
        items: { items: source },
      },
    ],
  });
  const fields = { part_id: 'sku', quantity: 'amount' };
  const ofFile = items({ file: 'lines.csv', belongs_to: 'order', key: 'sku', fields });
  const byNumber = items({ file: 'lines.csv', belongs_to: 'order', key: 'no', fields });

  it('come from a second file, in whatever order that is', async () => {
    const { rows, faults } = await readFiles(ofFile, {
      'orders.json': '{"no": 1}{"no": "2"}{"no": 3}',
      'lines.csv': 'order,sku,amount\n2,A,5\n1,B,6\n2,C,7\n',
    });
    expect(faults).toEqual([]);
    const quantities = rows.map(row => row.input.items.items?.map(item => item.fields.quantity));
    expect(quantities).toEqual([[6], [5, 7], []]);
    expect(rows[1]?.references.map(({ at, text }) => [at, text])).toEqual([
      ['items.0', 'A'],
      ['items.1', 'C'],
    ]);
    expect(rows[1]?.places['items.1']).toMatchObject({ file: 'lines.csv', line: 4 });
  });

  it('of no record, without a key, or twice in a record are bad rows', async () => {
    const { rows, faults } = await readFiles(byNumber, {
      'orders.json': '{"no": 1}{"no": 2}',
      'lines.csv': 'order,no,sku,amount\n9,1,A,5\n,1,B,6\n1,1,C,7\n1,1,C,8\n2,,D,1\n',
    });
    const told = faults.map(({ file, line, column, value, message }) => [
      file,
      line,
      column,
      value,
      message.slice(0, 32),
    ]);
    expect(told.sort()).toEqual([
      ['lines.csv', 2, null, '9', 'There is no row with the key 9 i'],
      ['lines.csv', 3, 'order', null, 'The row does not say which recor'],
      ['lines.csv', 5, null, null, 'Another item of this record has '],
      ['lines.csv', 6, 'no', '', 'The key of the item (no) has no '],
    ]);
    expect(rows).toEqual([]);
  });

  it('come from the list inside of an object', async () => {
    const nested = items({ from: 'body.lines', key: '$index', fields });
    const { rows, faults, unmapped } = await readFiles(nested, {
      'orders.json':
        '{"no": 1, "body": {"lines": [{"sku": "A", "amount": 1}, {"sku": "A", "amount": "2.5"}]}}\n{"no": 2}',
    });
    expect(faults).toEqual([]);
    expect(unmapped).toEqual({});
    expect(rows.map(row => row.input.items.items?.map(item => item.fields.quantity))).toEqual([[1, 2.5], []]);
  });

  it('are at fault by their own line and column', async () => {
    const { faults } = await readFiles(ofFile, {
      'orders.json': '{"no": 1}',
      'lines.csv': 'order,sku,amount\n1,A,1\n1,B,many\n1,C,\n',
    });
    expect(faults).toMatchObject([
      { file: 'lines.csv', line: 3, column: 'amount', value: 'many' },
      { file: 'lines.csv', line: 4, column: 'amount', message: expect.stringContaining('missing') },
    ]);
    const nested = items({ from: 'lines', key: '$index', fields });
    const { faults: inList } = await readFiles(nested, {
      'orders.json': '\n{"no": 1, "lines": [{"sku": "A", "amount": -1}]}{"no": 2, "lines": 5}',
    });
    expect(inList).toMatchObject([
      {
        file: 'orders.json',
        line: 2,
        column: 'amount',
        value: '-1',
        message: expect.stringContaining('least is 0'),
      },
      {
        file: 'orders.json',
        line: 2,
        column: 'lines',
        value: '5',
        message: expect.stringContaining('list of objects'),
      },
    ]);
  });
});
