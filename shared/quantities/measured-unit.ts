import { divideHalfEven, formatDecimal, parseDecimal } from './decimal.ts';
import { normaliseUnit, scaleOf } from './units.ts';

const AFTER_NUMBER = /\d\s*([^\d\s.,±+-]\S*)$/u;
/** What nobody takes for a description: `%`, `°`, `N.m`, `µg/kg`. */
const PLAIN_UNIT = /^(?:%|°|[\p{L}µ]{1,3}[./·][\p{L}\d]{1,3})$/u;
/** Decimals of a converted reading: a millionth, as quantities have. */
const DECIMALS = 6;

/**
 * The unit in which a characteristic is measured: what follows the number in its nominal; else a known unit at the end of
 * its tolerance (`max 10 mm`), or one that stands in the place of a nominal (`mm`). Null where none is written.
 */
export function measuredUnit(
  nominal: number | null,
  dimensions: string | null,
  tolerance: string | null,
): string | null {
  const ofNominal = AFTER_NUMBER.exec(dimensions ?? '')?.[1];
  if (nominal !== null && ofNominal !== undefined) return ofNominal;
  const ofTolerance = AFTER_NUMBER.exec(tolerance ?? '')?.[1];
  if (ofTolerance !== undefined && scaleOf(ofTolerance)) return ofTolerance;
  const alone = dimensions?.trim() ?? '';
  return scaleOf(alone) !== null || PLAIN_UNIT.test(alone) ? alone : null;
}

/** A unit as devices write it: `MM`, `KG` and `"` are mm, kg and in. */
export function deviceUnit(text: string): string {
  const unit = normaliseUnit(text.trim());
  if (unit === '"') return 'in';
  const lower = unit.toLowerCase();
  return scaleOf(unit) === null && scaleOf(lower) !== null ? lower : unit;
}

/**
 * A number as a device typed it, in another unit: worked out exactly, rounded half-even to a millionth, with the decimal
 * mark that it had. In the same unit it stays as it was typed. Null where the units have no dimension in common.
 */
export function inUnit(digits: string, from: string, to: string): string | null {
  const [source, target] = [deviceUnit(from), deviceUnit(to)];
  if (source === target) return digits;
  const value = parseDecimal(digits.replace(',', '.'));
  const [own, wanted] = [scaleOf(source), scaleOf(target)];
  if (value === null || own === null || own.dimension !== wanted?.dimension) return null;
  const numerator = value.coefficient * own.numerator * wanted.denominator * 10n ** BigInt(DECIMALS);
  const denominator = 10n ** BigInt(value.scale) * own.denominator * wanted.numerator;
  const text = formatDecimal({ coefficient: divideHalfEven(numerator, denominator), scale: DECIMALS });
  return digits.includes(',') ? text.replace('.', ',') : text;
}
