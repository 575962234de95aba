import { z } from 'zod';
import { sameJson } from '../contract/canonical-json.ts';
import { AppError } from '../contract/errors.ts';
import { shown } from '../contract/field-schemas.ts';
import { parseStrictJson } from '../contract/strict-json.ts';
import { judge, type Limits } from '../quantities/tolerance.ts';

/**
 * The measurements of a lab result: interface 2.14. Kept as the JSON text that was written, so that the order of the
 * keys and the way numbers were written survive; answered as numbers.
 */
export type LabValue =
  | { kind: 'number'; value: number }
  /** Beyond a limit of quantification; `limit` is null for "not detected". */
  | { kind: 'qualified'; text: string; relation: '<' | '>'; limit: number | null };

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const QUALIFIED = /^([<>])\s*(\S+)$/;
const NOT_DETECTED = /^(ND|n\.d\.|not detected)$/i;

/** Reads `lab_data` as a client writes it, text or object, and gives the text to keep. */
export const labDataText = z.unknown().transform((given, context) => {
  const fail = (message: string, path: string[] = []) => {
    context.issues.push({ code: 'custom', input: given, message, path });
  };
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  let data: unknown = given;
  if (typeof given === 'string') {
    try {
      data = parseStrictJson(given);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      fail(`The text cannot be read: ${error.message}`);
      return z.NEVER;
    }
  }
  if (data === null || typeof data !== 'object' || Array.isArray(data)) {
    fail(`${shown(given)} is not a JSON object. Give for example {"pH": "3.51"}, as text or as an object.`);
    return z.NEVER;
  }
  const entries = Object.entries(data);
  for (const [name, value] of entries) {
    if (readLabValue(value) === null) {
      fail(
        `${shown(value)} is not a number. Give a number, <0.05, >100 or ND, or leave the measurement out.`,
        [name],
      );
    }
  }
  return text;
});

/** The measurements of a stored text, in its order. */
export function readLabData(text: unknown): Map<string, LabValue> {
  const data = typeof text === 'string' ? parseObject(text) : null;
  const values = new Map<string, LabValue>();
  for (const [name, value] of Object.entries(data ?? {})) {
    const read = readLabValue(value);
    if (read) values.set(name, read);
  }
  return values;
}

/** The documented answer: names and numbers. */
export function labNumbers(text: unknown): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const [name, value] of readLabData(text)) if (value.kind === 'number') numbers[name] = value.value;
  return numbers;
}

/** Whether a text is what the documented answer says of another: it leaves out what is no number, and how numbers were written. */
export function isLabAnswer(given: unknown, stored: unknown): boolean {
  if (typeof given !== 'string' || typeof stored !== 'string') return false;
  return sameJson(parseObject(given), labNumbers(stored));
}

/** The additive answer: what is not a number, as written. */
export function labQualified(text: unknown): Record<string, string> {
  const qualified: Record<string, string> = {};
  for (const [name, value] of readLabData(text)) if (value.kind === 'qualified') qualified[name] = value.text;
  return qualified;
}

/** A value beyond a limit of quantification is outside only where every value that it can stand for is. */
export function isOutside(limits: Limits, value: LabValue): boolean {
  if (value.kind === 'number') return judge(limits, value.value) === 'fail';
  if (value.limit === null) return false;
  if (value.relation === '<') return limits.lower !== null && value.limit <= limits.lower;
  return limits.upper !== null && value.limit >= limits.upper;
}

/** A measurement as a client writes it, number or text; null: it is none. */
export function readLabValue(value: unknown): LabValue | null {
  if (typeof value === 'number') return Number.isFinite(value) ? { kind: 'number', value } : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (NUMBER.test(text)) {
    const number = Number(text);
    return Number.isFinite(number) ? { kind: 'number', value: number } : null;
  }
  if (NOT_DETECTED.test(text)) return { kind: 'qualified', text: value, relation: '<', limit: null };
  const [, relation, limit] = QUALIFIED.exec(text) ?? [];
  if ((relation === '<' || relation === '>') && limit !== undefined && NUMBER.test(limit)) {
    return { kind: 'qualified', text: value, relation, limit: Number(limit) };
  }
  return null;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Of two texts of lab data only the measurements that differ, as they were written. */
export function differingLabData(old: unknown, now: unknown): { old: string; now: string } {
  const [before, after] = [readLabData(old), readLabData(now)];
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    name => textOf(before.get(name)) !== textOf(after.get(name)),
  );
  const said = (data: Map<string, LabValue>) =>
    names.flatMap(name => (data.has(name) ? [`${name}: ${textOf(data.get(name))}`] : [])).join(', ');
  return { old: said(before), now: said(after) };
}

function textOf(value: LabValue | undefined): string {
  if (value === undefined) return '';
  return value.kind === 'number' ? String(value.value) : value.text;
}
