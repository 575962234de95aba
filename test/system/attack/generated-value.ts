import fc from 'fast-check';
import type { JsonSchema } from '../../../server/http/openapi/json-schema.ts';

/** Stands for the id of an existing record until the request is sent; `pick` says which. */
export class RecordReference {
  readonly family: string;
  readonly pick: number;
  readonly isText: boolean;

  constructor(family: string, pick: number, isText: boolean) {
    this.family = family;
    this.pick = pick;
    this.isText = isText;
  }
}

/** Stands for the id that the path has. */
export const SAME_AS_IN_PATH = Symbol('same as in the path');

export type Components = Record<string, JsonSchema>;

const ABSENT = Symbol('absent');
const LONGEST = 10_000;

/** Values that a schema of the document allows; members that need not be there seldom are, so that rules let some pass. */
export function generatedValue(schema: JsonSchema, components: Components): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    return generatedValue(components[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}, components);
  }
  if (schema.description === 'The same as in the path.') return fc.constant(SAME_AS_IN_PATH);
  const family = schema['x-reference'];
  if (family !== undefined) return referenceTo(family, schema);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(branch => generatedValue(branch, components)));
  const types = [schema.type ?? ['string', 'number', 'boolean', 'null', 'object']].flat();
  return fc.oneof(
    ...types.map(type => ({
      // Null is seldom what a client says.
      weight: type === 'null' ? 1 : 4,
      arbitrary: valueOfType(type, schema, components),
    })),
  );
}

function valueOfType(type: string, schema: JsonSchema, components: Components): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return wholeNumber(schema);
    case 'number':
      return number(schema);
    case 'array':
      return fc.array(generatedValue(schema.items ?? {}, components), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case 'object':
      return object(schema, components);
    default:
      return text(schema);
  }
}

function referenceTo(family: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  const types = [schema.type ?? [], ...(schema.anyOf ?? []).map(branch => branch.type ?? [])].flat();
  const isText = types.includes('string');
  return fc.oneof(
    { weight: 12, arbitrary: fc.nat(50).map(pick => new RecordReference(family, pick, false)) },
    { weight: isText ? 4 : 0, arbitrary: fc.nat(50).map(pick => new RecordReference(family, pick, true)) },
    { weight: types.includes('null') ? 2 : 0, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) },
  );
}

function wholeNumber({
  minimum = Number.MIN_SAFE_INTEGER,
  maximum = Number.MAX_SAFE_INTEGER,
}: JsonSchema): fc.Arbitrary<number> {
  const near = fc.integer({ min: Math.max(minimum, -10), max: Math.min(maximum, Math.max(minimum, 0) + 20) });
  return fc.oneof(
    { weight: 6, arbitrary: near },
    { weight: 1, arbitrary: fc.integer({ min: minimum, max: maximum }) },
    { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
  );
}

/** Where the schema bounds a number it is a quantity, which has six decimals at most. */
function number({ minimum, maximum }: JsonSchema): fc.Arbitrary<number> {
  if (minimum === undefined && maximum === undefined) {
    return fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -100, max: 100 }));
  }
  const [min, max] = [minimum ?? -1e9, maximum ?? 1e9];
  const millionths = fc
    .integer({
      min: Math.ceil(Math.max(min, -1_000) * 1e6),
      max: Math.floor(Math.min(max, 1_000) * 1e6),
    })
    .map(micro => micro / 1e6);
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.integer({ min: Math.ceil(Math.max(min, -5)), max: Math.floor(Math.min(max, 20)) }),
    },
    { weight: 3, arbitrary: millionths },
    { weight: 1, arbitrary: fc.constantFrom(min, max) },
  );
}

const HOSTILE = [
  '',
  ' ',
  '<script>alert(1)</script>',
  "=cmd|'/C calc'!A0",
  '\u202eevil',
  'a\r\nX-Injected: 1',
  "'; DROP TABLE records; --",
  '__proto__',
  'constructor',
  'NEAR("',
  '%_\\',
  '(a+)+$',
  '\ufeff\u200b',
  '0',
  'null',
  '1e309',
];

function text(schema: JsonSchema): fc.Arbitrary<string> {
  const { format, pattern, description = '', minLength = 0 } = schema;
  const maxLength = Math.min(schema.maxLength ?? LONGEST, LONGEST);
  const day = fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map(date => date.toISOString());
  if (format === 'date') return day.map(iso => iso.slice(0, 10));
  if (format === 'date-time') return day;
  if (pattern !== undefined && new RegExp(pattern).test('2026-01-31T08:30:00Z')) {
    const zone = fc.constantFrom('Z', '+02:00', '-11:30', '');
    return fc.tuple(day, zone).map(([iso, offset]) => `${iso.slice(0, 19)}${offset}`);
  }
  if (pattern !== undefined) {
    // A pattern that wants more (a digest) has none that is shorter, and would be sought for ever.
    const wanted = Number(/\{(\d+)\}\$$/.exec(pattern)?.[1] ?? 0);
    return fc.stringMatching(new RegExp(pattern)).filter(each => each.length < Math.max(16, wanted + 1));
  }
  // Any other path might be one of the machine that the test runs on.
  if (/whole path|where backups go/i.test(description)) return fc.constantFrom('', 'here', '../there');
  if (description.includes('YYYY-MM-DD'))
    return fc.oneof(
      day.map(iso => iso.slice(0, 10)),
      fc.constant(''),
    );
  if (description.includes('ISO 8601')) {
    const zone = fc.constantFrom('Z', '+02:00', '-11:30', '');
    return fc.oneof(
      day,
      fc.tuple(day, zone).map(([iso, offset]) => `${iso.slice(0, 19)}${offset}`),
      day.map(iso => iso.slice(0, 10)),
    );
  }
  const short = { minLength, maxLength: Math.min(maxLength, 30) };
  return fc.oneof(
    { weight: 5, arbitrary: fc.string({ unit: 'grapheme-ascii', ...short }) },
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', ...short }).map(withoutNul) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        ...HOSTILE.filter(each => each.length >= minLength && each.length <= maxLength),
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom('x'.repeat(maxLength), 'é'.repeat(maxLength)) },
  );
}

function withoutNul(value: string): string {
  return value.replaceAll('\0', ' ').toWellFormed();
}

function object(schema: JsonSchema, components: Components): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = (absence: number) =>
    fc.tuple(
      ...Object.entries(properties).map(([name, member]) => {
        const value = generatedValue(member, components).map(given => [name, given] as const);
        if (required.includes(name)) return value;
        return fc.oneof(
          { weight: 1, arbitrary: value },
          { weight: absence, arbitrary: fc.constant([name, ABSENT] as const) },
        );
      }),
    );
  const known = fc
    .oneof({ weight: 3, arbitrary: members(6) }, { weight: 1, arbitrary: members(1) })
    .map(entries => Object.fromEntries(entries.filter(([, value]) => value !== ABSENT)));
  if (additionalProperties === undefined || additionalProperties === false) return known;
  const further =
    additionalProperties === true
      ? fc.jsonValue({ maxDepth: 2 })
      : generatedValue(additionalProperties, components);
  const name = fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).filter(each => !FORBIDDEN.has(each));
  const dictionary = fc.dictionary(name, further, { maxKeys: 4, noNullPrototype: true });
  return fc.tuple(dictionary, known).map(([more, own]) => ({ ...more, ...own }));
}

/** Names that the reading of JSON refuses, whatever the schema. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
