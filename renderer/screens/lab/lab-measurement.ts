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
