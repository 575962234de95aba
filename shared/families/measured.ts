import { itemsOf, type StoredItem, type StoredRecord } from '../contract/present.ts';
import { judge, parseLimits } from '../quantities/tolerance.ts';
import { isOutside, readLabData } from './lab-data.ts';
import { acceptanceOf } from './plan-sampling.ts';

/*
 * What measurements say by the limits of their template (interface decisions, 5.3 and 5.7): the rules write it, and
 * central works it out again of what stations send.
 */

type Fields = Record<string, unknown>;

const byPosition = { position: 'order' };

/** Limits that parse decide; where none parse, the verdict is the inspector's and stays as given. */
export function judged(characteristic: StoredItem, entry: Fields): Fields {
  const limits = limitsOf(characteristic);
  if (limits === null) return entry;
  const { passed: _, ...measured } = entry;
  if (typeof measured.value !== 'number') return measured;
  return { ...measured, passed: judge(limits, measured.value) === 'pass' };
}

export function limitsOf(characteristic: Fields) {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return parseLimits(text(characteristic.dimensions), text(characteristic.tolerance));
}

/** Whether a sample passes: false as soon as one non-optional result fails, null while one is missing. */
export function sampleVerdict(template: unknown, sampleFields: Fields): boolean | null {
  const results = fieldsOf(sampleFields.results);
  const required = requiredOf(template);
  if (required.length === 0) return null;
  const verdicts = required.map(({ id }) => fieldsOf(results[id]).passed);
  if (verdicts.includes(false)) return false;
  return verdicts.every(verdict => verdict === true) ? true : null;
}

/**
 * What the measurements of an inspection say; null where none is required. A missing measurement does not pass, nor does
 * a missing sample; as many samples may fail as the plan that opened it accepts.
 */
export function measuredVerdict(fields: Fields): boolean | null {
  const { template, samples, sampling } = fields;
  if (requiredOf(template).length === 0) return null;
  const { n, ac } = acceptanceOf(sampling);
  const verdicts = Object.values(fieldsOf(samples)).map(entry => sampleVerdict(template, fieldsOf(entry)));
  const isWhole = verdicts.length >= n && !verdicts.includes(null);
  return isWhole && verdicts.filter(verdict => verdict === false).length <= ac;
}

function requiredOf(template: unknown): StoredItem[] {
  return characteristicsOf(template).filter(characteristic => characteristic.is_optional !== true);
}

/** The characteristics of a template, or of the copy of one, in their order. */
export function characteristicsOf(template: unknown): StoredItem[] {
  return itemsOf(byPosition, fieldsOf(template).characteristics);
}

/** The measurements outside the limits of the template's characteristics of the same name, in the order of the data. */
export function failedMeasurements(
  template: Pick<StoredRecord, 'fields'> | undefined,
  labData: unknown,
): string[] {
  const characteristics = characteristicsOf(template?.fields);
  const limits = new Map(
    characteristics.map(characteristic => [characteristic.name, limitsOf(characteristic)]),
  );
  return [...readLabData(labData)].flatMap(([name, value]) => {
    const limit = limits.get(name);
    return limit && isOutside(limit, value) ? [name] : [];
  });
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object(value) : {};
}
