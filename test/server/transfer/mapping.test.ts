import { describe, expect, it } from 'vitest';
import { filesOf, readMapping } from '../../../server/transfer/mapping.ts';
import { planImport } from '../../../server/transfer/plan.ts';
import { AppError, type FieldErrors } from '../../../shared/contract/errors.ts';
import { transferOrder } from '../../../shared/families/transfer-order.ts';

const STEP = { file: 'a.csv', family: 'supplier', key: 'id', fields: { name: 'name' } };
const steps = (...changes: object[]) => ({
  source: 'test',
  steps: changes.map(change => ({ ...STEP, ...change })),
});

function errorsOf(mapping: unknown): FieldErrors {
  try {
    planImport(readMapping(mapping));
  } catch (error) {
    if (error instanceof AppError) return error.errors ?? {};
    throw error;
  }
  return {};
}

describe('a mapping', () => {
  it('is taken in its simplest form', () => {
    expect(errorsOf(steps({}))).toEqual({});
  });

  const faults: [string, unknown, string, RegExp][] = [
    ['is no object', 5, 'mapping', /object/],
    ['names no source', { steps: [STEP] }, 'mapping.source', /northwind/],
    ['has no steps', { source: 'x' }, 'mapping.steps', /list of steps/],
    ['has an empty list of steps', { source: 'x', steps: [] }, 'mapping.steps', /at least one/],
    ['has a word that is none', { ...steps({}), step: 1 }, 'mapping', /step/],
    ['has a word in a step that is none', steps({ feilds: {} }), 'mapping.steps.0', /feilds/],
    [
      'names an encoding that is none',
      { ...steps({}), defaults: { encoding: 'ebcdic' } },
      'mapping.defaults.encoding',
      /utf-8/,
    ],
    [
      'names a family that there is not',
      steps({ family: 'vendor' }),
      'mapping.steps.0.family',
      /"vendor".*supplier/,
    ],
    [
      'names a family of which no records are made',
      steps({ family: 'setting', fields: {} }),
      'mapping.steps.0.family',
      /not created/,
    ],
    [
      'names a field that there is not',
      steps({ fields: { nmae: 'x' } }),
      'mapping.steps.0.fields.nmae',
      /no "nmae" in supplier.*name/,
    ],
    [
      'names what every object inherits',
      steps({ items: { constructor: { from: 'x', key: 'y', fields: {} } } }),
      'mapping.steps.0.items.constructor',
      /no "constructor"/,
    ],
    [
      'writes what the server sets',
      steps({ fields: { created_at: 'x' } }),
      'mapping.steps.0.fields.created_at',
      /server only/,
    ],
    [
      'gives a field two sources',
      steps({ fields: { name: { column: 'a', value: 'b' } } }),
      'mapping.steps.0.fields.name',
      /one of "column"/,
    ],
    [
      'gives a field no source',
      steps({ fields: { name: {} } }),
      'mapping.steps.0.fields.name',
      /one of "column"/,
    ],
    [
      'gives a field something else',
      steps({ fields: { name: 5 } }),
      'mapping.steps.0.fields.name',
      /Give a column/,
    ],
    [
      'has neither key nor match',
      { source: 'x', steps: [{ file: 'a', family: 'supplier', fields: {} }] },
      'mapping.steps.0.key',
      /tell one row from another/,
    ],
    [
      'matches what is not mapped',
      steps({ match: 'notes' }),
      'mapping.steps.0.match',
      /not among the step's fields/,
    ],
    [
      'matches what is not looked up',
      steps({ match: 'primary_phone', fields: { primary_phone: 'x' } }),
      'mapping.steps.0.match',
      /not found by primary_phone/,
    ],
    [
      'finds by what is no text',
      steps({ family: 'part', fields: { supplier_id: { column: 'x', find: 'created_at' } } }),
      'mapping.steps.0.fields.supplier_id',
      /text field of supplier/,
    ],
    [
      'finds for what names no record',
      steps({ fields: { name: { column: 'x', find: 'key' } } }),
      'mapping.steps.0.fields.name',
      /does not/,
    ],
    [
      'does not say what is inspected',
      steps({ family: 'inspection', fields: { entity_id: 'x' } }),
      'mapping.steps.0.fields.entity_id',
      /"family"/,
    ],
    [
      'has items that there are not',
      steps({ items: { lines: { from: 'x', key: 'y', fields: {} } } }),
      'mapping.steps.0.items.lines',
      /no "lines" in supplier/,
    ],
    [
      'takes items from nowhere',
      steps({ family: 'order', fields: {}, items: { items: { key: 'y', fields: {} } } }),
      'mapping.steps.0.items.items',
      /"file" and "belongs_to", or "from"/,
    ],
    [
      'joins items by nothing',
      steps({ family: 'order', fields: {}, items: { items: { file: 'b', key: 'y', fields: {} } } }),
      'mapping.steps.0.items.items',
      /go together/,
    ],
    [
      'has items without a key',
      steps({ family: 'order', fields: {}, items: { items: { from: 'b', fields: {} } } }),
      'mapping.steps.0.items.items.key',
      /column/,
    ],
  ];
  it.each(faults)('that %s is refused, by its path', (_, mapping, path, message) => {
    expect(errorsOf(mapping)).toEqual({ [path]: [expect.stringMatching(message)] });
  });

  it('is refused with every fault at once', () => {
    const mapping = steps({ fields: { a: 'x', b: 'y' } }, { family: 'vendor' });
    expect(Object.keys(errorsOf(mapping))).toEqual([
      'mapping.steps.0.fields.a',
      'mapping.steps.0.fields.b',
      'mapping.steps.1.family',
    ]);
  });

  it('names each file once', () => {
    const items = { items: { file: 'b.csv', belongs_to: 'x', key: 'y', fields: {} } };
    expect(filesOf(readMapping(steps({}, { family: 'order', items }, {})))).toEqual(['a.csv', 'b.csv']);
  });
});

it('families are exported after those that they refer to', () => {
  const order = transferOrder().map(({ name }) => name);
  for (const [first, second] of [
    ['supplier', 'part'],
    ['part', 'inventory'],
    ['location', 'inventory'],
    ['inventory', 'receiving-inspection'],
    ['specification', 'inspection'],
    ['inspection', 'lab-result'],
    ['receiving-inspection', 'ncr'],
    ['ncr', 'car'],
    ['order', 'shipment'],
    ['customer', 'order'],
  ] as const) {
    expect(order.indexOf(first), `${first} before ${second}`).toBeLessThan(order.indexOf(second));
  }
  expect(new Set(order).size).toBe(order.length);
});
