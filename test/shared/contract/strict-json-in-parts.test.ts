import { expect, it } from 'vitest';
import { AppError } from '../../../shared/contract/errors.ts';
import { parseStrictJson } from '../../../shared/contract/strict-json.ts';
import { strictJsonInParts } from '../../../shared/contract/strict-json-in-parts.ts';
import fc from '../../support/fast-check.ts';

/** What comes of a text, and in how many steps. */
function inParts(text: string, part: number, depth?: number): { outcome: unknown; steps: number } {
  const reading = strictJsonInParts(text, depth, part);
  for (let steps = 1; ; steps += 1) {
    try {
      const { done, value } = reading.next();
      if (done) return { outcome: { value }, steps };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { outcome: { code: error.code, errors: error.errors }, steps };
    }
  }
}

function atOnce(text: string): unknown {
  try {
    return { value: parseStrictJson(text) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, errors: error.errors };
  }
}

const parts = fc.constantFrom(1, 2, 5, 17, 60);

it('reads what is read at once', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 1, '\t'), parts, (value, space, part) => {
      const text = JSON.stringify(value, null, space);
      expect(inParts(text, part).outcome).toEqual(atOnce(text));
    }),
  );
});

it('takes no text that is not taken at once, and no other way round', () => {
  const near = fc.tuple(
    fc.jsonValue({ maxDepth: 4 }),
    fc.nat(),
    fc.constantFrom(...'[]{},:"0 a\\'),
    fc.nat(2),
  );
  fc.assert(
    fc.property(near, parts, ([value, place, character, cut], part) => {
      const text = JSON.stringify(value);
      const at = place % (text.length + 1);
      const altered = text.slice(0, at) + character + text.slice(at + cut);
      const isTaken = (outcome: unknown) => Object.hasOwn(Object(outcome), 'value');
      expect(isTaken(inParts(altered, part).outcome)).toBe(isTaken(atOnce(altered)));
    }),
    { numRuns: 500 },
  );
});

it.each([
  '{"a":[{"b":1,"c":[1,2,{"d":1,"d":2}]}]}',
  '{"a":[1,2,3,{"b":[0,0,9007199254740992]}]}',
  '[[1,2],[1,{"__proto__":{"x":[1,2,3,4,5,6]}}]]',
  '{"constructor":{"a":[1,2,3,4,5]},"b":1}',
  '{"a":1,"bbbbbbbbbbbbbbbb":[1,2,3,4,5,6,7],"a":2}',
  '{"a":[1,2,3,4,5,6,7,8],"a":[1,2,3,4,5,6,7,8]}',
  '{"a":["\\u0000"]}',
])('names the fault of %s as it is named at once', text => {
  for (const part of [1, 4, 9]) expect(inParts(text, part).outcome).toEqual(atOnce(text));
});

it('refuses what is nested too deep, before it has room for all of it', () => {
  const text = '['.repeat(1_000_000);
  expect(inParts(text, 100, 20).outcome).toMatchObject({ code: 'validation_failed' });
});

it('reads a long text in steps, also where one member has almost all of it', () => {
  const row = { id: 1, text: 'x'.repeat(50) };
  const text = JSON.stringify({ commits: [{ entries: Array.from({ length: 1_000 }, () => row) }] });
  const { outcome, steps } = inParts(text, 1_000);
  expect(outcome).toEqual({ value: JSON.parse(text) });
  expect(steps).toBeGreaterThan(100);
});

it('leaves what a piece may hold to whoever reads it', () => {
  const text = '{"a":"\\u0000","__proto__":[1,2,3,4,5,6,7,8,9],"b":[1e300,9007199254740993,"\\ud800"]}';
  const reading = strictJsonInParts(text, 20, 8, piece => JSON.parse(piece));
  for (;;) {
    const { done, value } = reading.next();
    if (!done) continue;
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    return;
  }
});
