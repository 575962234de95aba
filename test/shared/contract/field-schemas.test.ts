import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as kinds from '../../../shared/contract/fields.ts';
import { gln, sscc } from '../../../shared/gs1/sscc.ts';

/** Schemas that were made since the test began. */
let made = 0;

beforeEach(() => {
  made = 0;
  z.config({
    postProcessor: () => {
      made += 1;
    },
  });
});
afterEach(() => {
  z.config({ postProcessor: undefined });
});

/** One of each kind and form, with bounds that no other field has. */
const fields: [what: string, () => kinds.Field][] = [
  ['text', () => kinds.text({ maximum: 12_347 })],
  ['long text', () => kinds.longText()],
  ['number as text', () => kinds.numberText()],
  ['integer', () => kinds.integer({ minimum: -12_347 })],
  ['decimal', () => kinds.decimal({ minimum: -12_347 })],
  ['measurement', () => kinds.measurement()],
  ['flag', () => kinds.flag()],
  ['flag as integer', () => kinds.flag({ as: 'integer' })],
  ['flag as text', () => kinds.flag({ as: 'text' })],
  ['date', () => kinds.date()],
  ['date of a moment', () => kinds.date({ hasTime: true })],
  ['timestamp', () => kinds.timestamp()],
  ['ISO timestamp', () => kinds.timestamp({ as: 'iso' })],
  ['choice', () => kinds.choice(['one', 'two'], { spelledAlso: ['Two'] })],
  ['reference', () => kinds.reference('lot of a test')],
  ['reference, also as text', () => kinds.reference('tank of a test', { isAlsoText: true })],
  ['reference as text', () => kinds.reference('part of a test', { as: 'text' })],
  ['list of texts', () => kinds.textList()],
  ['JSON', () => kinds.json(() => ({ input: z.never(), output: z.looseObject({}) }))],
  ['derived value', () => kinds.derived(() => z.boolean())],
  ['id', () => kinds.recordId()],
  ['id as text', () => kinds.recordId({ as: 'text' })],
  ['another reading', () => kinds.withInput(kinds.text(), usual => usual.optional())],
  ['SSCC', () => sscc()],
  ['GLN', () => gln()],
];

describe('schemas of a field', () => {
  it.each(fields)('are made when they are asked for, and once: %s', (_, define) => {
    const field = define();
    // As families do with fields that have no label of their own.
    const labelled = { ...field, label: 'Labelled' };
    expect(made).toBe(0);
    const schemas = field.schemas();
    for (const schema of [schemas.input, schemas.output, schemas.request])
      expect(schema).toBeInstanceOf(z.ZodType);
    expect(labelled.schemas()).toBe(schemas);
  });

  it('are counted here', () => {
    kinds.decimal({ minimum: -12_349 }).schemas();
    expect(made).toBeGreaterThan(0);
  });
});
