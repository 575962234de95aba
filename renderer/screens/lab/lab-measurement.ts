import { isOutside, type LabValue, readLabValue } from '../../../shared/families/lab-data.ts';
import { judge, type Limits } from '../../../shared/quantities/tolerance.ts';
import type { Verdict } from '../inspection/grid-model.ts';

/** `within`: a value beyond a limit of quantification, of which nothing says that it is outside. */
export type LabJudgement = Verdict | 'within';

/** A measurement as it is kept: a comma in a number is a decimal comma. */
export function labText(typed: string): string {
  const text = typed.trim().replace('\u2212', '-');
  return text.replace(/^([<>]?\s*[+-]?\d*),(\d+(?:e[+-]?\d+)?)$/i, '$1.$2');
}

/** Null: nothing was typed. Undefined: it is no measurement. */
export function readLab(typed: string): LabValue | null | undefined {
  const text = labText(typed);
  return text === '' ? null : (readLabValue(text) ?? undefined);
}

/** What a measurement says to its limits; without limits nothing is judged. */
export function judgeLab(limits: Limits | null, value: LabValue | null | undefined): LabJudgement {
  if (value === null) return 'empty';
  if (value === undefined) return 'unreadable';
  if (limits === null) return 'unjudged';
  if (value.kind === 'qualified') {
    if (!isOutside(limits, value)) return 'within';
    return value.relation === '<' ? 'low' : 'high';
  }
  if (judge(limits, value.value) === 'pass') return 'pass';
  return limits.lower !== null && value.value <= limits.lower ? 'low' : 'high';
}

/** What a result says as a whole: passed only once everything that has limits was measured. Null: nothing of it is judged. */
export function verdictOfLab(
  limits: ReadonlyMap<string, Limits | null>,
  measured: Readonly<Record<string, unknown>>,
): { kind: 'passed' | 'failed' } | { kind: 'partial'; measured: number; asked: number } | null {
  const judged = [...limits].flatMap(([name, each]) => {
    if (each === null) return [];
    return Object.hasOwn(measured, name) ? [judgeLab(each, readLab(String(measured[name])))] : [];
  });
  const asked = [...limits.values()].filter(each => each !== null).length;
  if (judged.some(each => each === 'low' || each === 'high')) return { kind: 'failed' };
  if (judged.length === 0) return null;
  const isWhole = judged.length === asked && judged.every(each => each === 'pass' || each === 'within');
  return isWhole ? { kind: 'passed' } : { kind: 'partial', measured: judged.length, asked };
}

/** The measurements of a result as a person types them, with the given decimal mark. */
export function labTexts(labData: unknown, mark: string): Record<string, string> {
  const typed = (value: unknown) => String(value).replace(/^([<>]?\s*[+-]?\d*)\.(\d)/, `$1${mark}$2`);
  return Object.fromEntries(Object.entries(measuredIn(labData)).map(([name, value]) => [name, typed(value)]));
}

/**
 * The text to keep once some measurements were typed anew: the others stay as they were written, what was emptied goes,
 * what was not there comes last. The same text where nothing else is meant.
 */
export function correctedLabData(labData: unknown, typed: Readonly<Record<string, string>>): unknown {
  const before = measuredIn(labData);
  const corrected = Object.entries({ ...before, ...typed }).flatMap(([name, value]) => {
    const text = labText(String(value));
    const isAsItWas = name in before && text === labText(String(before[name]));
    return text === '' ? [] : [[name, isAsItWas ? before[name] : text] as const];
  });
  const after = JSON.stringify(Object.fromEntries(corrected));
  return after === JSON.stringify(before) ? labData : after;
}

function measuredIn(labData: unknown): Record<string, unknown> {
  try {
    const data: unknown = typeof labData === 'string' ? JSON.parse(labData) : labData;
    return typeof data === 'object' && data !== null ? { ...data } : {};
  } catch {
    // The server keeps nothing that is no JSON; what is, is shown by others.
    return {};
  }
}
