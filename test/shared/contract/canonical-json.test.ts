import { describe, expect, it } from 'vitest';
import { canonicalJson, sameJson } from '../../../shared/contract/canonical-json.ts';
import fc from '../../support/fast-check.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const keys = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'B',
    '10',
    '9',
    '-1',
    '1a',
    'é',
    '\u{1f600}',
    '__proto__',
    'constructor',
    'toString',
    '',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const { json } = fc.letrec<{ json: Json }>(tie => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -5, max: 5 }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('json'), { maxLength: 4 }),
    fc
      .array(fc.tuple(keys, tie('json')), { maxLength: 6 })
      .map(members => Object.fromEntries(members) as Json),
  ),
}));

/** The definition, without regard to speed. */
function reference(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(reference).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== null);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${reference(member)}`).join(',')}}`;
}

/** The same value with its members in another order and null ones added. */
function disguised(value: Json): Json {
  if (Array.isArray(value)) return value.map(disguised);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, disguised(member)] as const);
  const unused = ['zz', '0', 'A'].filter(key => !Object.hasOwn(value, key)).map(key => [key, null] as const);
  return Object.fromEntries([...unused, ...members.toReversed()]);
}

describe('canonicalJson', () => {
  it.each([
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ a: null, b: undefined, c: 0 }, '{"c":0}'],
    [{ a: { b: null } }, '{"a":{}}'],
    [[null, undefined, 1], '[null,null,1]'],
    [new Array(2), '[null,null]'],
    [{ a: [{ d: 1, c: null }] }, '{"a":[{"d":1}]}'],
    [{ 9: 1, 10: 2, B: 3, a: 4 }, '{"10":2,"9":1,"B":3,"a":4}'],
    [{ items: { 9: { b: 1, a: 2 }, 10: {} } }, '{"items":{"10":{},"9":{"a":2,"b":1}}}'],
    [{ '\u{1f600}': 1, '\uffff': 2 }, '{"\u{1f600}":1,"\uffff":2}'],
    [JSON.parse('{"__proto__":{"b":1,"a":2},"A":1}'), '{"A":1,"__proto__":{"a":2,"b":1}}'],
    [-0, '0'],
    [{ a: -0 }, '{"a":0}'],
    [1e21, '1e+21'],
    [0.1, '0.1'],
    ['"\n\ud800', '"\\"\\n\\ud800"'],
    [true, 'true'],
    [null, 'null'],
    [undefined, 'null'],
    [[], '[]'],
    [{}, '{}'],
    [Object.assign(Object.create(null), { b: 1, a: 2 }), '{"a":2,"b":1}'],
  ])('of %o is %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, Symbol('x'), new Date(0), new Map(), /x/])(
    'refuses %s, wherever it stands',
    value => {
      for (const whole of [value, [value], { a: value }, { 1: value }, { 1: 1, b: [value] }]) {
        expect(() => canonicalJson(whole)).toThrow(TypeError);
      }
    },
  );

  it('is what the definition says', () => {
    fc.assert(
      fc.property(json, value => {
        expect(canonicalJson(value)).toBe(reference(value));
      }),
      { numRuns: 2000 },
    );
  });

  it('does not depend on the order of members or on null ones', () => {
    fc.assert(
      fc.property(json, value => {
        expect(canonicalJson(disguised(value))).toBe(canonicalJson(value));
      }),
      { numRuns: 1000 },
    );
  });

  it('stays the same when it is read and written again', () => {
    fc.assert(
      fc.property(json, value => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it('sorts any number of keys', () => {
    const names = fc.uniqueArray(fc.string({ maxLength: 4 }), { minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(names, list => {
        const text = canonicalJson(Object.fromEntries(list.map(name => [`k${name}`, 1])));
        const written = Object.keys(JSON.parse(text));
        expect(written).toEqual(list.map(name => `k${name}`).sort());
      }),
    );
  });

  it('leaves the value untouched', () => {
    fc.assert(
      fc.property(json, value => {
        const before = JSON.stringify(value);
        canonicalJson(value);
        expect(JSON.stringify(value)).toBe(before);
      }),
    );
  });
});

describe('sameJson', () => {
  it.each([
    [{ a: 1, b: null }, { a: 1 }, true],
    [{ a: undefined }, {}, true],
    [null, undefined, true],
    [0, -0, true],
    [[null], [], false],
    [{}, [], false],
    [{}, null, false],
    [1, '1', false],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: '{}' }, { a: {} }, false],
    [[1, 2], [2, 1], false],
  ])('of %j and %j is %s', (a, b, isSame) => {
    expect(sameJson(a, b)).toBe(isSame);
    expect(sameJson(b, a)).toBe(isSame);
  });

  it('says whether the canonical texts agree', () => {
    const pairs = fc.oneof(
      fc.tuple(json, json),
      json.map(value => [value, disguised(value)] as const),
    );
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        expect(sameJson(a, b)).toBe(reference(a) === reference(b));
      }),
      { numRuns: 1000 },
    );
  });
});
