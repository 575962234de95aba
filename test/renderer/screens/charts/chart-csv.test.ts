import { describe, expect, it } from 'vitest';
import { chartCsv } from '../../../../renderer/screens/charts/chart-csv.ts';

const linesOf = async (label: string, ...values: (string | number | null)[]) => {
  const table = {
    columns: [{ label }],
    rows: values.map(value => [{ value, shown: 'shown', path: '/app' }]),
  };
  return (await chartCsv(table).text()).split('\r\n');
};

describe('a table to keep', () => {
  it('is of UTF-8 with its mark, by rows and columns, each line ended', async () => {
    const table = {
      columns: [{ label: 'Größe' }, { label: 'n', isNumber: true }],
      rows: [
        [{ value: 'a' }, { value: 1 }],
        [{ value: null }, { value: 0 }],
      ],
    };
    const blob = chartCsv(table);
    expect(blob.type).toBe('text/csv;charset=utf-8');
    const bytes = Buffer.from(await blob.arrayBuffer());
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(bytes.subarray(3).toString()).toBe('Größe,n\r\na,1\r\n,0\r\n');
  });

  it.each([
    [12, '12'],
    [-0.5, '-0.5'],
    [1_234_567.25, '1234567.25'],
    // What was worked out is off in the last digit that a number holds.
    [0.1 + 0.2, '0.3'],
    [12.3 - 12.12, '0.18'],
    [1e-7, '1e-7'],
    [null, ''],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['5" pipe', '"5"" pipe"'],
    ['=1+2', "'=1+2"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['\tx', "'\tx"],
    ['=a,"b"', '"\'=a,""b"""'],
    ['a=1', 'a=1'],
  ])('writes %j as %s', async (value, written) => {
    expect((await linesOf('Value', value))[1]).toBe(written);
  });

  it('keeps a text of several lines in one cell, and heads no column with a formula', async () => {
    expect((await linesOf('=A1', 'a\nb')).slice(0, 2)).toEqual(["'=A1", '"a\nb"']);
  });
});
