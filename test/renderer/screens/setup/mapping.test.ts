import { describe, expect, it } from 'vitest';
import {
  assignColumn,
  editableStep,
  fieldOfColumn,
  filesOf,
  type Mapping,
  mappingText,
  parseMapping,
  withKey,
  withOptions,
} from '../../../../renderer/screens/setup/mapping.ts';

const step = {
  file: 'parts.csv',
  family: 'part',
  key: 'SKU',
  fields: {
    name: 'Name',
    supplier_id: { column: 'Supplier', find: 'name', none: ['-'] },
    notes: { value: 'imported' },
  },
};
const mapping: Mapping = { source: 'parts', steps: [step] };
const fieldsOf = ({ steps }: Mapping) => steps[0]?.fields;

describe('a text', () => {
  it('that is a mapping is read, also with a byte order mark, and nothing of it is lost', () => {
    const whole = { ...mapping, remark: 'ours', files: { 'parts.csv': { delimiter: ';', quote: '' } } };
    expect(parseMapping(`\ufeff${mappingText(whole)}`)).toEqual(whole);
  });

  it.each([
    '',
    '{',
    '[]',
    '{"source":"a","steps":[]}',
    '{"steps":[{"file":"a","family":"part"}]}',
    'a;b\n1;2',
  ])('%j is none', text => {
    expect(parseMapping(text)).toBeUndefined();
  });
});

it('names each of its files once', () => {
  const items = { lines: { file: 'lines.csv' }, others: {} };
  const steps = [step, { file: 'orders.csv', family: 'order', items }, step];
  expect(filesOf({ source: 'a', steps })).toEqual(['parts.csv', 'orders.csv', 'lines.csv']);
});

it.each<[name: string, steps: Mapping['steps'], isEditable: boolean]>([
  ['one step', [step], true],
  ['several steps', [step, step], false],
  ['an export', [{ ...step, format: 'holdpoint' }], false],
])('%s can be edited column by column: %s', (_name, steps, isEditable) => {
  expect(editableStep({ source: 'a', steps }) === steps[0]).toBe(isEditable);
});

it.each([
  ['Name', { name: 'name', find: 'key' }],
  ['Supplier', { name: 'supplier_id', find: 'name' }],
  ['Shelf', undefined],
  ['imported', undefined],
])('the column %s becomes %j', (column, field) => {
  expect(fieldOfColumn(step, column)).toEqual(field);
});

describe('a column', () => {
  it('becomes a field', () => {
    expect(fieldsOf(assignColumn(mapping, 'Shelf', { name: 'identification' }))).toEqual({
      ...step.fields,
      identification: 'Shelf',
    });
  });

  it('becomes another field, and is no longer the one before', () => {
    expect(fieldsOf(assignColumn(mapping, 'Name', { name: 'identification' }))).toEqual({
      identification: 'Name',
      supplier_id: step.fields.supplier_id,
      notes: step.fields.notes,
    });
  });

  it('takes the place of the column that was the field', () => {
    expect(fieldsOf(assignColumn(mapping, 'Shelf', { name: 'name' }))).toMatchObject({ name: 'Shelf' });
  });

  it('is left out', () => {
    const fields = fieldsOf(assignColumn(mapping, 'Name', null));
    expect(fields).toEqual({ supplier_id: step.fields.supplier_id, notes: step.fields.notes });
    expect(fieldsOf(assignColumn(mapping, 'Shelf', null))).toEqual(step.fields);
  });

  it('keeps how its values are read, whatever finds their record', () => {
    const found = (find: string) =>
      fieldsOf(assignColumn(mapping, 'Supplier', { name: 'supplier_id', find }))?.supplier_id;
    expect(found('primary_name')).toEqual({ column: 'Supplier', none: ['-'], find: 'primary_name' });
    expect(found('key')).toEqual({ column: 'Supplier', none: ['-'] });
  });

  it('is written shortly where nothing is said but its name', () => {
    const byName = assignColumn(mapping, 'Maker', { name: 'company_id', find: 'name' });
    expect(fieldsOf(byName)?.company_id).toEqual({ column: 'Maker', find: 'name' });
    expect(fieldsOf(assignColumn(byName, 'Maker', { name: 'company_id', find: 'key' }))?.company_id).toBe(
      'Maker',
    );
  });
});

it('a key and options are changed, and the rest stays as it is', () => {
  expect(withKey(mapping, 'Name')).toEqual({ ...mapping, steps: [{ ...step, key: 'Name' }] });
  const read = withOptions({ ...mapping, files: { b: { delimiter: '|' } } }, 'parts.csv', { delimiter: ';' });
  expect(read.files).toEqual({ b: { delimiter: '|' }, 'parts.csv': { delimiter: ';' } });
  const kept = withOptions(read, 'parts.csv', { number: 'comma' });
  expect(kept.files?.['parts.csv']).toEqual({ delimiter: ';', number: 'comma' });
  expect(withOptions(kept, 'parts.csv', { delimiter: undefined }).files?.['parts.csv']).toStrictEqual({
    number: 'comma',
  });
  expect(mapping).not.toHaveProperty('files');
});
