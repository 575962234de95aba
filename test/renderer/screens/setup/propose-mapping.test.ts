import { describe, expect, it } from 'vitest';
import type { FileHead } from '../../../../renderer/screens/setup/file-head.ts';
import { assignColumn, type FileOptions } from '../../../../renderer/screens/setup/mapping.ts';
import {
  exportedMapping,
  LINE,
  proposeMapping,
  waysToFind,
  writableFields,
} from '../../../../renderer/screens/setup/propose-mapping.ts';
import type { Field } from '../../../../shared/contract/fields.ts';
import { families } from '../../../../shared/families/registry.ts';

const { inventory, ncr, order, part, shipment, supplier } = families;

const german: Record<string, string> = { Supplier: 'Lieferant', 'Reorder point': 'Meldebestand' };
const labelOf = ({ label }: Field) => german[label] ?? label;

/** A table of one line: the columns, and beneath each its own name. */
function head(columns: string[], ...rows: string[][]): FileHead {
  const lines = rows.length === 0 ? [columns] : rows;
  return {
    columns,
    rows: lines.map(line => Object.fromEntries(columns.map((column, at) => [column, line[at] ?? '']))),
  };
}

const propose = (columns: string[], options: FileOptions = {}, family: typeof part | typeof order = part) =>
  proposeMapping({ file: 'parts 2026.csv', family, head: head(columns), options, labelOf });
const fieldsOf = (columns: string[], family: typeof part | typeof order = part) =>
  propose(columns, {}, family).steps[0]?.fields;

describe('a proposal', () => {
  it('is of one file, by how it is read', () => {
    expect(propose(['Name'], { delimiter: ';' })).toEqual({
      source: 'parts 2026',
      files: { 'parts 2026.csv': { delimiter: ';' } },
      steps: [{ file: 'parts 2026.csv', family: 'part', key: LINE, fields: { name: 'Name' } }],
    });
    expect(propose(['Name'])).not.toHaveProperty('files');
  });

  it.each([
    ['Name', 'name'],
    ['NAME', 'name'],
    ['Part number', 'identification'],
    ['part_number', 'identification'],
    ['PartNumber', 'identification'],
    ['identification', 'identification'],
    ['Reorder point', 'reorder_point'],
    ['reorderPoint', 'reorder_point'],
    ['Meldebestand', 'reorder_point'],
    ['unit_of_measure', 'unit_of_measure'],
  ])('takes the column %s for %s', (column, field) => {
    expect(fieldsOf([column])).toEqual({ [field]: column });
  });

  it('takes a second name of the interface as well', () => {
    expect(fieldsOf(['drawing_id', 'contact_id'], order)).toEqual({ customer_id: 'contact_id' });
  });

  it.each([
    // A name finds its record by what the record is called, an id by the key of its own row.
    ['Supplier', { column: 'Supplier', find: 'name' }],
    ['Lieferant', { column: 'Lieferant', find: 'name' }],
    ['supplier_id', 'supplier_id'],
    ['Supplier ID', 'Supplier ID'],
  ])('takes the column %s for a supplier, found by %j', (column, source) => {
    expect(fieldsOf([column])).toEqual({ supplier_id: source });
  });

  it('leaves out what names no field that can be written', () => {
    expect(fieldsOf(['Shelf', 'id', 'created_at', 'Created'])).toEqual({});
  });

  it('takes each column once', () => {
    const fields = fieldsOf(['Name', 'Supplier', 'Parent part', 'Part number']) ?? {};
    const columns = Object.values(fields).map(source =>
      typeof source === 'string' ? source : source.column,
    );
    expect(columns.toSorted()).toEqual(['Name', 'Parent part', 'Part number', 'Supplier']);
    // Two fields that a language calls alike: the first is meant.
    const alike = ({ label }: Field) => (/contact: name/.test(label) ? 'Ansprechpartner' : label);
    const contacts = {
      file: 'a.csv',
      family: supplier,
      head: head(['Ansprechpartner']),
      options: {},
      labelOf: alike,
    };
    expect(proposeMapping(contacts).steps[0]?.fields).toEqual({ primary_name: 'Ansprechpartner' });
  });

  it('knows every field by its own name and by its label', () => {
    for (const family of [part, order, supplier, inventory, ncr, shipment]) {
      for (const [name, field] of writableFields(family)) {
        for (const column of [name, field.label]) {
          const mapping = proposeMapping({
            file: 'a.csv',
            family,
            head: head([column]),
            options: {},
            labelOf,
          });
          const found = Object.keys(mapping.steps[0]?.fields ?? {});
          // Of fields with the same words the first is meant.
          expect(found, `${family.name} ${column}`).toHaveLength(1);
          if (column === name) expect(found).toEqual([name]);
        }
      }
    }
  });
});

describe('what is here already', () => {
  it('is found by its number, so that no part is added a second time', () => {
    expect(propose(['Name', 'Part number']).steps[0]).toMatchObject({ match: 'identification' });
    expect(propose(['Order number'], {}, order).steps[0]).toMatchObject({ match: 'order_number' });
  });

  it('is sought by no number that the file does not have, nor by one that many records share', () => {
    expect(propose(['Name']).steps[0]).not.toHaveProperty('match');
    const lots = { file: 'a.csv', family: inventory, head: head(['Lot number']), options: {}, labelOf };
    expect(proposeMapping(lots).steps[0]).not.toHaveProperty('match');
  });

  it('is sought no more where a person has left its column out', () => {
    const proposed = propose(['Name', 'Part number']);
    expect(assignColumn(proposed, 'Part number', null).steps[0]).not.toHaveProperty('match');
    expect(assignColumn(proposed, 'Name', null).steps[0]).toMatchObject({ match: 'identification' });
  });
});

describe('what tells rows apart', () => {
  const keyOf = (columns: string[], ...rows: string[][]) =>
    proposeMapping({ file: 'a.csv', family: part, head: head(columns, ...rows), options: {}, labelOf })
      .steps[0]?.key;

  it.each<[columns: string[], rows: string[][], key: string]>([
    [
      ['Name', 'SKU'],
      [
        ['a', '1'],
        ['b', '2'],
      ],
      'SKU',
    ],
    [
      ['Name', 'Artikelnummer'],
      [
        ['a', '1'],
        ['b', '2'],
      ],
      'Artikelnummer',
    ],
    [
      ['Name', 'No.'],
      [
        ['a', '1'],
        ['b', '2'],
      ],
      'No.',
    ],
    // A number that comes twice, or that is missing, tells nothing apart.
    [
      ['SKU', 'Part number'],
      [
        ['1', 'A'],
        ['1', 'B'],
      ],
      'Part number',
    ],
    [
      ['SKU', 'Part number'],
      [
        ['1', 'A'],
        ['', 'B'],
      ],
      'Part number',
    ],
    [
      ['SKU', 'Name'],
      [
        ['1', 'A'],
        ['1', 'B'],
      ],
      LINE,
    ],
    [
      ['Name', 'Colour'],
      [
        ['a', '1'],
        ['b', '2'],
      ],
      LINE,
    ],
  ])('of %j with %j is %s', (columns, rows, key) => {
    expect(keyOf(columns, ...rows)).toBe(key);
  });
});

describe('files of an export', () => {
  it('are read as it wrote them, each family after those that it names', () => {
    expect(exportedMapping(['part.jsonl', 'supplier.jsonl'])).toEqual({
      source: 'holdpoint',
      steps: [
        { format: 'holdpoint', file: 'supplier.jsonl', family: 'supplier' },
        { format: 'holdpoint', file: 'part.jsonl', family: 'part' },
      ],
    });
  });

  it('of tables have their items in files of their own', () => {
    expect(exportedMapping(['order.csv', 'order-items.csv'], 'dock')).toEqual({
      source: 'dock',
      steps: [
        {
          format: 'holdpoint',
          file: 'order.csv',
          family: 'order',
          items: { items: { file: 'order-items.csv' } },
        },
      ],
    });
  });

  it.each([[['parts.csv']], [['part.jsonl', 'parts.csv']], [['order-items.csv']], [[]]])(
    '%j are not those of one',
    files => {
      expect(exportedMapping(files)).toBeUndefined();
    },
  );
});

describe('a record that another file names', () => {
  it.each([
    ['a supplier', supplier, ['name', 'primary_name', 'secondary_name']],
    ['a part', part, ['name', 'identification']],
    ['an order', order, ['order_number', 'po_number', 'serial_number']],
  ])('%s is found by its texts, the likeliest first', (_name, family, ways) => {
    expect(waysToFind(family)).toEqual(ways);
  });
});
