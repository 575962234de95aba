import type { Limits } from '../../shared/quantities/tolerance.ts';
import type { Fields } from '../store/changes.ts';
import type { Words } from './words.ts';

/**
 * The limits of a characteristic as a person reads them: `39.5 – 40.5 (40 mm ±0.5)`, and `judged by hand` beside the
 * text where it cannot be read as limits.
 */
export function limitsText({ dimensions, tolerance }: Fields, limits: Limits | null, words: Words): string {
  const written = [dimensions, tolerance].filter(text => typeof text === 'string' && text !== '').join(' ');
  const read = limits === null ? words.say('byHand') : rangeOf(limits, words);
  return written === '' ? read : `${read} (${written})`;
}

function rangeOf({ lower, upper, isLowerInclusive, isUpperInclusive }: Limits, { number }: Words): string {
  if (lower !== null && upper !== null && isLowerInclusive && isUpperInclusive) {
    return `${number(lower)} – ${number(upper)}`;
  }
  const ends = [
    lower === null ? [] : [`${isLowerInclusive ? '≥' : '>'} ${number(lower)}`],
    upper === null ? [] : [`${isUpperInclusive ? '≤' : '<'} ${number(upper)}`],
  ];
  return ends.flat().join(', ');
}
