import { describe, expect, it } from 'vitest';
import { tableRows } from '../../../server/demo/table-rows.ts';

describe('a table that stands as text', () => {
  it('gives a record for each row, by the names of its columns', () => {
    const rows = tableRows(
      ['name', 'kind'],
      `
      Oat & Amber | Bakery
      Kestrel Point | Hotel
    `,
    );
    expect(rows).toEqual([
      { name: 'Oat & Amber', kind: 'Bakery' },
      { name: 'Kestrel Point', kind: 'Hotel' },
    ]);
  });

  it.each(['Oat & Amber', 'Oat & Amber | Bakery | Town'])('refuses a row with other cells: %s', row => {
    expect(() => tableRows(['name', 'kind'], row)).toThrow(`of 2 cells: ${row}`);
  });
});
