import { expect } from 'vitest';

/** Names every fault of a value at a path; none when it is right. */
export type Check = (value: unknown, path: string) => string[];

export type Fields = Record<string, unknown>;

/** Fails with a list of all faults of `value`, each with its path. */
export function expectShape(value: unknown, shape: Check): void {
  expect(shape(value, 'data')).toEqual([]);
}

/** An object with exactly the documented fields; of others, only the additive ones may be there. */
export function fields(documented: Record<string, Check>, additive: readonly string[] = []): Check {
  return (value, path) => {
    if (!isObject(value)) return [`${path}: ${JSON.stringify(value)} is not an object`];
    const known = new Set([...Object.keys(documented), ...additive]);
    return [
      ...Object.entries(documented).flatMap(([name, check]) =>
        Object.hasOwn(value, name) ? check(value[name], `${path}.${name}`) : [`${path}.${name}: missing`],
      ),
      ...Object.keys(value)
        .filter(name => !known.has(name))
        .map(name => `${path}.${name}: not documented`),
    ];
  };
}

export function list(element: Check): Check {
  return (value, path) =>
    Array.isArray(value)
      ? value.flatMap((entry, index) => element(entry, `${path}.${index}`))
      : [`${path}: ${JSON.stringify(value)} is not an array`];
}

/** The value may be absent, which is written as null. */
export function maybe(check: Check): Check {
  return (value, path) => (value === null ? [] : check(value, path));
}

export const int = leaf('an integer', Number.isSafeInteger);
export const num = leaf('a number', Number.isFinite);
export const str = leaf('a string', value => typeof value === 'string');
export const bool = leaf('a boolean', value => typeof value === 'boolean');
/** A boolean that is documented as 0 or 1. */
export const flag = leaf('0 or 1', value => value === 0 || value === 1);
export const flagText = leaf('"0" or "1"', value => value === '0' || value === '1');
export const intText = text('a string holding an integer', /^\d+$/);
export const decimalText = text('a decimal as text', /^-?\d+(\.\d+)?$/);
export const ts = text('YYYY-MM-DD HH:MM:SS', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
export const date = text('YYYY-MM-DD', /^\d{4}-\d\d-\d\d$/);
export const instant = text('ISO 8601 with milliseconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const object = leaf('an object', isObject);

export function oneOf(...allowed: readonly unknown[]): Check {
  return leaf(`one of ${JSON.stringify(allowed)}`, value => allowed.includes(value));
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(name: string, pattern: RegExp): Check {
  return leaf(name, value => typeof value === 'string' && pattern.test(value));
}

function leaf(name: string, isRight: (value: unknown) => boolean): Check {
  return (value, path) => (isRight(value) ? [] : [`${path}: ${JSON.stringify(value)} is not ${name}`]);
}
