import { itemsOf, type StoredItem } from '../../../shared/contract/present.ts';
import { measuredUnit } from '../../../shared/quantities/measured-unit.ts';
import { judge, type Limits, parseLimits } from '../../../shared/quantities/tolerance.ts';

/** What an inspection measures, from the copy of the template that it keeps. */
export interface Characteristic {
  id: number;
  name: string;
  operation: string;
  /** As written in the template: the nominal and its tolerance. */
  asked: string;
  isOptional: boolean;
  /** Null: only a person can judge. */
  limits: Limits | null;
  /** What its values are measured in; null: nothing says so. */
  unit: string | null;
}

/** A cell as it is typed. `passed` is a person's verdict, where no limits decide. */
export interface Entry {
  text: string;
  passed: boolean | null;
  comment: string;
}

export type Verdict = 'empty' | 'unreadable' | 'unjudged' | 'pass' | 'low' | 'high' | 'fail';

export interface Row {
  id: number;
  number: number;
  serial: string;
  entries: ReadonlyMap<number, Entry>;
}

export const emptyEntry: Entry = { text: '', passed: null, comment: '' };

/** Stands for a sample's serial number where cells are told by their characteristic, which begin with 1. */
export const SERIAL = 0;

/** The characteristics of a template's copy, in their order. */
export function characteristicsOf(template: unknown): Characteristic[] {
  const { characteristics } = isObject(template) ? template : {};
  return itemsOf({ position: 'order' }, characteristics).map(characteristicOf);
}

function characteristicOf(item: StoredItem): Characteristic {
  const [dimensions, tolerance] = [textOf(item.dimensions), textOf(item.tolerance)];
  const limits = parseLimits(dimensions, tolerance);
  return {
    id: item.id,
    name: textOf(item.name),
    operation: textOf(item.operation),
    asked: [dimensions, tolerance].filter(Boolean).join(' '),
    isOptional: item.is_optional === true,
    limits,
    unit: measuredUnit(limits?.nominal ?? null, dimensions, tolerance),
  };
}

/** The stored samples as rows, values written with the given decimal mark. */
export function rowsOf(samples: unknown, mark: string): Row[] {
  return itemsOf({ position: 'sample_number' }, samples).map(item => ({
    id: item.id,
    number: Number(item.sample_number),
    serial: textOf(item.sample_serial),
    entries: new Map(
      itemsOf({ position: 'order' }, item.results).map(({ id, value, passed, comment }) => [
        id,
        {
          text: typeof value === 'number' ? numberText(value, mark) : '',
          passed: typeof passed === 'boolean' ? passed : null,
          comment: textOf(comment),
        },
      ]),
    ),
  }));
}

export function numberText(value: number, mark: string): string {
  return String(value).replace('.', mark);
}

const NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;

/** What was typed as a number; a comma is a decimal comma. Null: nothing was typed. Undefined: it is no number. */
export function readMeasured(text: string): number | null | undefined {
  const typed = text.trim().replace('\u2212', '-');
  if (typed === '') return null;
  const value = NUMBER.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN;
  // What is too large for a number would be kept as none.
  return Number.isFinite(value) ? value : undefined;
}

/** What the cell says of its piece. */
export function verdictOf({ limits }: Pick<Characteristic, 'limits'>, { text, passed }: Entry): Verdict {
  const value = readMeasured(text);
  if (value === undefined) return 'unreadable';
  if (limits === null) {
    if (passed !== null) return passed ? 'pass' : 'fail';
    return value === null ? 'empty' : 'unjudged';
  }
  if (value === null) return 'empty';
  if (judge(limits, value) === 'pass') return 'pass';
  return limits.lower !== null && value <= limits.lower ? 'low' : 'high';
}

export function isFailing(verdict: Verdict): boolean {
  return verdict === 'fail' || verdict === 'low' || verdict === 'high';
}

/** Whether two entries are the same measurement, however their numbers are written. */
export function isSameEntry(one: Entry, other: Entry): boolean {
  const [a, b] = [readMeasured(one.text), readMeasured(other.text)];
  const isSameText = a === undefined || b === undefined ? one.text === other.text : a === b;
  return isSameText && one.passed === other.passed && one.comment.trim() === other.comment.trim();
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
