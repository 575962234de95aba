import {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalToNumber,
  multiplyDecimals,
  parseDecimal,
} from './decimal.ts';
import { normaliseUnit, scaleOf } from './units.ts';

/** What a measured value is judged against, in the unit of the characteristic. A missing limit is open. */
export interface Limits {
  readonly nominal: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  /** False for `>` and `<`: the limit itself then fails. */
  readonly isLowerInclusive: boolean;
  readonly isUpperInclusive: boolean;
}

/**
 * Reads a characteristic's `dimensions` (its nominal) and `tolerance` (relative to the nominal, or absolute limits).
 * Null means that only a person can judge: whatever has no tolerance, has two readings or contradicts itself.
 *
 * | Tolerance | Limits |
 * |---|---|
 * | `±0.1`, `+/-0.1`, `+-0.1` | nominal − 0.1 to nominal + 0.1 |
 * | `±5%`, `+5%/-10%` | the same, of the nominal's magnitude |
 * | `+0.2/-0.1`, `-0.1 +0.2`, `+0.2/0`, `+0.3/+0.1` | nominal + each deviation |
 * | `min 5`, `5 min`, `≥5`, `>= 5`, `>5` | from 5; `>` excludes it |
 * | `max 10`, `10 max`, `≤10`, `<= 10`, `<10` | up to 10; `<` excludes it |
 * | `min 5 max 10`, `≥5, <10`, `5-10`, `-5 – 10`, `5 to 10` | from 5 to 10 |
 *
 * - A number is digits with a decimal point. A comma is a decimal comma where it cannot separate thousands (`12,5`
 *   and `0,125`; `1,234` is null), and never beside a decimal point. Thousands separators and exponents are null.
 * - A unit may follow each number; it is the nominal's. Where the nominal has none, a unit of a physical quantity
 *   (`mm`) is taken for it and a ratio (`%`, `ppm`) is null, since that may be of the nominal. `±5%` of a nominal
 *   that is itself a percentage is null.
 * - A bare `0.1` or `0.1%` is null, since it does not say to which side; `-0.1 to +0.2` beside a nominal is null,
 *   since it may be deviations.
 * - A nominal outside its absolute limits, or limits that no value meets, are null.
 */
export function parseLimits(dimensions: string | null, tolerance: string | null): Limits | null {
  const nominalText = normalise(dimensions ?? '');
  const text = normalise(tolerance ?? '');
  if (nominalText.length > longestText || text.length > longestText) return null;
  if (hasBothDecimalMarks(`${nominalText} ${text}`)) return null;

  const nominal = parseAmount(nominalText.replace(/^[Øø⌀] ?/, ''));
  // A description such as `pH` has no nominal; digits that are no nominal (`M8x1.25`, `1,234`) could be one.
  if (nominal === null && /\p{N}/u.test(nominalText)) return null;

  const interval = parseDeviations(text, nominal) ?? parseAbsoluteLimits(text, nominal);
  return interval && toLimits(nominal, interval);
}

/** Whether a measured value lies within the limits. What is not a finite number fails. */
export function judge(limits: Limits, value: number): 'pass' | 'fail' {
  const { lower, upper, isLowerInclusive, isUpperInclusive } = limits;
  const isAbove = lower === null || value > lower || (isLowerInclusive && value === lower);
  const isBelow = upper === null || value < upper || (isUpperInclusive && value === upper);
  return Number.isFinite(value) && isAbove && isBelow ? 'pass' : 'fail';
}

/** Where a value lies: 0 at the lower limit, 1 at the upper, beyond them outside. Null unless two different limits span it. */
export function position(limits: Limits, value: number): number | null {
  const { lower, upper } = limits;
  if (lower === null || upper === null || lower === upper || !Number.isFinite(value)) return null;
  return (value - lower) / (upper - lower);
}

interface Amount {
  readonly value: Decimal;
  readonly unit: string | null;
}

interface Bound {
  readonly value: Decimal;
  readonly isInclusive: boolean;
}

interface Interval {
  readonly lower: Bound | null;
  readonly upper: Bound | null;
}

/** Bounds the work that a hostile text can cause, far above what a drawing says. */
const longestText = 60;

const number = String.raw`(?:\d+(?:[.,]\d+)?|\.\d+)`;
/** A word, `%`, `°` or an inch mark. Digits only as powers, and no bare e or x, so that `1e-5`, `1h30`, `2x5` are no amounts. */
const unit = String.raw`(?:"|(?![ex](?!\p{L}))[\p{L}%\u00b0](?:[\p{L}%\u00b0./\u00b2\u00b3\u00b7^]|(?<=[\p{L}^])[23])*)`;
const unsigned = `${number}(?: ?${unit})?`;
const limitWord = String.raw`(?:minimum|maximum|(?:min|max)\.?)`;
const bound = `(?:[<>]=? ?-?${unsigned}|${limitWord}:? -?${unsigned}|-?${unsigned} ${limitWord})`;

const whole = (source: string): RegExp => new RegExp(`^${source}$`, 'iu');
const amountPattern = whole(`([+-]?)(${number})(?: ?(${unit}))?`);
const symmetricPattern = whole(`± ?(${unsigned})`);
const slashedDeviationsPattern = whole(`([+-]?) ?(${unsigned}) ?/ ?([+-]?) ?(${unsigned})`);
const spacedDeviationsPattern = whole(`([+-])(${unsigned})[,;]? ?(?!\\1)([+-])(${unsigned})`);
const boundsPattern = whole(`(${bound})(?: ?[,;/]? ?(${bound}))?`);
const prefixPattern = whole(`(?:([<>]=?) ?|(m(?:in|ax))[a-z.]*:? )(.+)`);
const postfixPattern = whole(`(.+) (m(?:in|ax))[a-z.]*`);
const hyphenRangePattern = whole(`(-?${unsigned})( ?)-\\2(-?${unsigned})`);
const wordRangePattern = whole(`([+-]?${unsigned}) to ([+-]?${unsigned})`);
const reservedWord = /^(?:to|(?:min|max)(?:imum|\.)?)$/i;

function normalise(text: string): string {
  return normaliseUnit(text)
    .replace(/[\u2010-\u2014\u2212]/g, '-')
    .replaceAll('≥', '>=')
    .replaceAll('≤', '<=')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\+(?: ?\/ ?)?-/, '±');
}

function hasBothDecimalMarks(text: string): boolean {
  return /\d,\d/.test(text) && /\.\d/.test(text);
}

function parseAmount(text: string): Amount | null {
  const [, sign = '', digits = '', unitText = null] = amountPattern.exec(text) ?? [];
  const mayBeThousands = /^[1-9]\d{0,2},\d{3}$/.test(digits);
  const value = mayBeThousands ? null : parseDecimal(sign + digits.replace(',', '.'));
  // Lower case `min` is the minute; every other spelling is a limit.
  const isWord = unitText !== null && unitText !== 'min' && reservedWord.test(unitText);
  return value === null || isWord ? null : { value, unit: unitText };
}

function parseDeviations(text: string, nominal: Amount | null): Interval | null {
  if (nominal === null) return null;
  const symmetric = symmetricPattern.exec(text)?.[1];
  const [, sign1 = '', amount1 = '', sign2 = '', amount2 = ''] =
    symmetric === undefined
      ? (slashedDeviationsPattern.exec(text) ?? spacedDeviationsPattern.exec(text) ?? [])
      : ['', '+', symmetric, '-', symmetric];
  const first = parseAmount(sign1 + amount1);
  const second = parseAmount(sign2 + amount2);
  if (first === null || second === null || !hasSide(sign1, first) || !hasSide(sign2, second)) return null;
  if ((first.unit === '%') !== (second.unit === '%')) return null;
  const a = fromNominal(nominal, first);
  const b = fromNominal(nominal, second);
  if (a === null || b === null) return null;
  const [lower, upper] = compareDecimals(a, b) <= 0 ? [a, b] : [b, a];
  return { lower: { value: lower, isInclusive: true }, upper: { value: upper, isInclusive: true } };
}

/** `+0.2/0` is usual; of any other number without a sign the side is unknown. */
function hasSide(sign: string, deviation: Amount): boolean {
  return sign !== '' || deviation.value.coefficient === 0n;
}

/** The nominal plus a deviation, which is in the nominal's unit or in per cent of its magnitude. */
function fromNominal(nominal: Amount, deviation: Amount): Decimal | null {
  if (deviation.unit !== '%') {
    return isUnitOfNominal(deviation.unit, nominal) ? addDecimals(nominal.value, deviation.value) : null;
  }
  if (nominal.unit?.endsWith('%')) return null;
  const { coefficient, scale } = nominal.value;
  const hundredth = { coefficient: coefficient < 0n ? -coefficient : coefficient, scale: scale + 2 };
  return addDecimals(nominal.value, multiplyDecimals(hundredth, deviation.value));
}

function parseAbsoluteLimits(text: string, nominal: Amount | null): Interval | null {
  const interval = parseRange(text, nominal) ?? parseBounds(text, nominal);
  if (interval === null || nominal === null) return interval;
  const { lower, upper } = interval;
  const isOutside =
    (lower !== null && compareDecimals(nominal.value, lower.value) < 0) ||
    (upper !== null && compareDecimals(nominal.value, upper.value) > 0);
  return isOutside ? null : interval;
}

function parseRange(text: string, nominal: Amount | null): Interval | null {
  const hyphenRange = hyphenRangePattern.exec(text);
  const [from = '', to = ''] = hyphenRange
    ? [hyphenRange[1], hyphenRange[3]]
    : (wordRangePattern.exec(text)?.slice(1) ?? []);
  const lower = parseAmount(from);
  const upper = parseAmount(to);
  // Beside a nominal, `-0.1 to +0.2` may be deviations.
  if (nominal !== null && (from.startsWith('+') || to.startsWith('+'))) return null;
  if (lower === null || upper === null || !haveOneUnit(lower, upper, nominal)) return null;
  return {
    lower: { value: lower.value, isInclusive: true },
    upper: { value: upper.value, isInclusive: true },
  };
}

function parseBounds(text: string, nominal: Amount | null): Interval | null {
  const [, first, second] = boundsPattern.exec(text) ?? [];
  if (first === undefined) return null;
  const a = parseBound(first, nominal);
  const b = second === undefined ? a : parseBound(second, nominal);
  if (a === null || b === null || !haveOneUnit(a.amount, b.amount, nominal)) return null;
  if (second !== undefined && a.isLower === b.isLower) return null;
  const lower = [a, b].find(({ isLower }) => isLower);
  const upper = [a, b].find(({ isLower }) => !isLower);
  return { lower: lower?.bound ?? null, upper: upper?.bound ?? null };
}

function parseBound(
  text: string,
  nominal: Amount | null,
): { amount: Amount; bound: Bound; isLower: boolean } | null {
  const prefix = prefixPattern.exec(text);
  const postfix = prefix === null ? postfixPattern.exec(text) : null;
  const amount = parseAmount(prefix?.[3] ?? postfix?.[1] ?? '');
  const operator = (prefix?.[1] ?? prefix?.[2] ?? postfix?.[2] ?? '').toLowerCase();
  if (amount === null) return null;
  // Beside a nominal in minutes, `5 min` may be five minutes.
  if (postfix !== null && operator === 'min' && amount.unit === null && nominal?.unit === 'min') return null;
  return {
    amount,
    bound: { value: amount.value, isInclusive: operator !== '<' && operator !== '>' },
    isLower: operator.startsWith('>') || operator === 'min',
  };
}

function haveOneUnit(a: Amount, b: Amount, nominal: Amount | null): boolean {
  if (a.unit !== null && b.unit !== null && a.unit !== b.unit) return false;
  return isUnitOfNominal(a.unit, nominal) && isUnitOfNominal(b.unit, nominal);
}

function isUnitOfNominal(unit: string | null, nominal: Amount | null): boolean {
  if (unit === null || nominal === null || unit === nominal.unit) return true;
  const scale = nominal.unit === null ? scaleOf(unit) : null;
  return scale !== null && scale.dimension !== 'mass fraction';
}

function toLimits(nominal: Amount | null, { lower, upper }: Interval): Limits | null {
  const isLowerInclusive = lower?.isInclusive ?? true;
  const isUpperInclusive = upper?.isInclusive ?? true;
  if (lower !== null && upper !== null) {
    const order = compareDecimals(lower.value, upper.value);
    if (order > 0 || (order === 0 && !(isLowerInclusive && isUpperInclusive))) return null;
  }
  return {
    nominal: nominal && decimalToNumber(nominal.value),
    lower: lower && decimalToNumber(lower.value),
    upper: upper && decimalToNumber(upper.value),
    isLowerInclusive,
    isUpperInclusive,
  };
}
