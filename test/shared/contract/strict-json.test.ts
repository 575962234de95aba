import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/contract/errors.ts';
import { parseStrictJson } from '../../../shared/contract/strict-json.ts';
import fc from '../../support/fast-check.ts';

const arrays = (depth: number, inside = '') => '['.repeat(depth) + inside + ']'.repeat(depth);

function refusalOf(text: string): AppError {
  try {
    parseStrictJson(text);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text.slice(0, 100)}`);
}

describe('parseStrictJson', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        fc.pre(
          !/__proto__|"(constructor|prototype)"|\\u0000|\\ud[89a-f]/.test(text) && !/\d{16}|e\+/.test(text),
        );
        expect(parseStrictJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['a colon, brackets and escaped quotes in texts', '{"a:\\"":"b:\\\\","c":"[{\\"x\\":1}]\\\\\\""}'],
    ['the same name in different objects', '{"a":{"a":[{"a":1},{"a":2}]}}'],
    ['the largest integers', '[9007199254740991,-9007199254740991,0.1,-0,1e-400]'],
    ['a depth of 32', arrays(32)],
    ['a constructor that is a text', '{"constructor":"Smith & Sons","prototype":3}'],
    ['a whole surrogate pair, escaped', '"\\ud83d\\ude00 \\u0001"'],
    ['a name that is an escaped colon', '{"\\u003a":1}'],
  ])('reads %s', (_name, text) => {
    expect(parseStrictJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    '',
    ' ',
    '{"a":1',
    '{"a":1}}',
    "{'a':1}",
    '{"a":1,}',
    'NaN',
    '01',
    '"\u0000"',
    '"a\nb"',
    '\\',
    '"\\',
    '[1 2]',
    'undefined',
  ])('refuses %j as malformed', text => {
    expect(refusalOf(text)).toMatchObject({ status: 400, code: 'malformed', errors: undefined });
  });

  it.each([
    ['a duplicate', '{"a":1,"a":2}', 'a'],
    ['a duplicate of null', '{"a":1,"b":2,"a":null}', 'a'],
    ['a duplicate after equal values', '{"a":"x","b":"x","c":1,"c":2}', 'c'],
    ['a duplicate written with an escape', '{"name":1,"n\\u0061me":2}', 'name'],
    ['a duplicate within', '{"items":[{"id":1},{"x":{"y":1},"id":[1,2],"id":3}]}', 'items.1.id'],
    ['a duplicate of what is itself at fault', '{"a":{"__proto__":1},"a":1}', 'a'],
    ['__proto__', '{"a":[{"__proto__":{"polluted":1}}]}', 'a.0.__proto__'],
    ['__proto__ written with an escape', '{"\\u005f_proto__":{"polluted":1}}', '__proto__'],
    ['__proto__ of any value', '{"__proto__":1}', '__proto__'],
    ['constructor.prototype', '{"constructor":{"prototype":{"polluted":1}}}', 'constructor'],
    ['prototype', '{"x":{"prototype":{"polluted":1}}}', 'x.prototype'],
    ['a number that is not finite', '{"quantity":1e309}', 'quantity'],
    ['a negative number that is not finite', '[1,-1e309]', '1'],
    ['2^53', '{"id":9007199254740992}', 'id'],
    ['2^53+1', '{"id":9007199254740993}', 'id'],
    ['-2^53', '{"id":-9007199254740992}', 'id'],
    ['an integer of 20 digits at the top', '12345678901234567890', ''],
    ['a lone high surrogate', '{"name":"x\\ud800y"}', 'name'],
    ['a lone low surrogate', '{"names":["a","\\uDC00"]}', 'names.1'],
    ['a lone surrogate in a name', '{"a\\ud800":1}', 'a\ufffd'],
    ['NUL', '{"name":"a\\u0000b"}', 'name'],
    ['NUL in a name', '{"a\\u0000":1}', 'a\\u0000'],
    ['a depth of 33', `{"a":${arrays(32)}}`, `a${'.0'.repeat(31)}`],
    ['30,000 arrays', arrays(30_000), Array(32).fill('0').join('.')],
    ['30,000 objects', `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`, Array(32).fill('a').join('.')],
  ])('refuses %s and names it', (_name, text, path) => {
    const { status, code, errors } = refusalOf(text);
    expect({ status, code, paths: Object.keys(errors ?? {}) }).toEqual({
      status: 422,
      code: 'validation_failed',
      paths: [path],
    });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('keeps the named path short', () => {
    const [path = ''] = Object.keys(refusalOf(`{"${'k'.repeat(100_000)}":1e309}`).errors ?? {});
    expect(path).toBe('k'.repeat(200));
  });

  it('finds a second name wherever it stands', () => {
    const names = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(names, fc.nat(), fc.jsonValue({ maxDepth: 2 }), (keys, pick, value) => {
        const repeated = keys[pick % keys.length] ?? '';
        fc.pre(!keys.includes('__proto__'));
        const members = [...keys, repeated].map(key => `${JSON.stringify(key)} : ${JSON.stringify(value)}`);
        const { errors } = refusalOf(`[0, {"outer":{${members.join(' , ')}}}]`);
        expect(errors).toBeDefined();
      }),
    );
  });
});
