import { decimalOf, divideHalfEven } from './decimal.ts';
import type { Micro } from './quantity.ts';

export const volumeUnits = ['gal', 'cup', 'tsp', 'l', 'ml'] as const;
export const massUnits = ['g', 'kg', 'lb', 't', 'oz', 'st'] as const;
export const lengthUnits = ['m', 'ft', 'in', 'yd', 'cm', 'mm'] as const;

/** `unit_of_measure` of a part (section 2.9). */
export const partUnits = [...volumeUnits, ...massUnits, ...lengthUnits, 'units'] as const;

/** `unit_of_measure` of a receiving inspection's item (section 2.16), as written there, with the micro sign U+00B5. */
export const receivingUnits = [
  '%',
  'amin',
  'asec',
  'c',
  'cm',
  'CBD%',
  'cfu/g',
  'Deg',
  'EA',
  'F',
  'ft',
  'gal',
  'gal/min',
  'grams',
  'g/cm3',
  'g/ml',
  'hr',
  'ht',
  'Hv',
  'Hz',
  'in',
  'in/sec',
  'kg',
  'kgf',
  'km',
  'l',
  'lb',
  'lot',
  'm',
  'm3',
  'min',
  'ml',
  'mm',
  'MPa',
  'mg/g',
  'mg/kg',
  'N.m',
  'Oz',
  'psi',
  'ppm',
  'ppb',
  'Ra',
  'rad',
  'rc',
  'RPM',
  'Sec',
  'THC%',
  '\u00b5g/kg',
  '\u00b5g/g',
  'Volts',
] as const;

/** The units that each `unit_type` of a part allows (section 2.9). */
export const unitsOfType = { Volume: volumeUnits, Mass: massUnits, Length: lengthUnits } as const;

export type VolumeUnit = (typeof volumeUnits)[number];
export type MassUnit = (typeof massUnits)[number];
export type PartUnit = (typeof partUnits)[number];
export type ReceivingUnit = (typeof receivingUnits)[number];
export type Unit = PartUnit | ReceivingUnit;
export type UnitType = keyof typeof unitsOfType;

export type Dimension =
  | 'volume'
  | 'mass'
  | 'length'
  | 'count'
  | 'time'
  | 'angle'
  | 'pressure'
  | 'density'
  | 'mass fraction';

/** One of the unit is exactly `numerator / denominator` of its dimension's base unit. */
export interface UnitScale {
  readonly dimension: Dimension;
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A part's density: `value` of `mass` in one of `volume`. */
export interface Density {
  readonly value: number;
  readonly mass: MassUnit;
  readonly volume: VolumeUnit;
}

/**
 * What a part's `unit_type` and `unit_of_measure` say together. A part without a type takes every unit, since the
 * unit tells the dimension; `units` counts pieces and so fits no type.
 */
export function isUnitOfType(unit: PartUnit, type: UnitType | null): boolean {
  return type === null || unitsOfType[type].some(allowed => allowed === unit);
}

/** Reads the Greek letter mu (U+03BC) as the micro sign (U+00B5). The lists are case-sensitive: nothing else changes. */
export function normaliseUnit(text: string): string {
  return text.replaceAll('\u03bc', '\u00b5');
}

/**
 * A quantity in another unit, worked out in exact fractions and rounded half-even to a millionth; `isExact` tells
 * whether nothing was rounded. The result may exceed the bound of a stored quantity. Null where the units share no
 * dimension and the density does not lead from mass to volume or back. Any unit, known or not, converts to itself.
 */
export function convert(
  quantity: Micro,
  from: string,
  to: string,
  density: Density | null = null,
): { quantity: Micro; isExact: boolean } | null {
  const factor = factorBetween(from, to, density);
  if (factor === null) return null;
  const numerator = quantity * factor.numerator;
  return {
    quantity: divideHalfEven(numerator, factor.denominator),
    isExact: numerator % factor.denominator === 0n,
  };
}

/** The dimension and exact size of a unit; null for one that converts to nothing but itself. */
export function scaleOf(unit: string): UnitScale | null {
  return scales.get(unit) ?? null;
}

interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

function factorBetween(from: string, to: string, density: Density | null): Fraction | null {
  if (from === to) return { numerator: 1n, denominator: 1n };
  const source = scaleOf(from);
  const target = scaleOf(to);
  if (source === null || target === null) return null;
  if (source.dimension === target.dimension) return divide(source, target);
  const gramsPerMillilitre = density && densityInBaseUnits(density);
  if (!gramsPerMillilitre) return null;
  if (source.dimension === 'mass' && target.dimension === 'volume') {
    return divide(divide(source, gramsPerMillilitre), target);
  }
  if (source.dimension === 'volume' && target.dimension === 'mass') {
    return divide(source, divide(target, gramsPerMillilitre));
  }
  return null;
}

/** Null unless the density is a positive number in units of mass and volume: no other density converts anything. */
function densityInBaseUnits({ value, mass, volume }: Density): Fraction | null {
  const massScale = scaleOf(mass);
  const volumeScale = scaleOf(volume);
  if (massScale?.dimension !== 'mass' || volumeScale?.dimension !== 'volume') return null;
  if (!Number.isFinite(value) || value <= 0) return null;
  const { coefficient, scale } = decimalOf(value);
  return divide(
    {
      numerator: coefficient * massScale.numerator,
      denominator: 10n ** BigInt(scale) * massScale.denominator,
    },
    volumeScale,
  );
}

function divide(a: Fraction, b: Fraction): Fraction {
  return { numerator: a.numerator * b.denominator, denominator: a.denominator * b.numerator };
}

const scaled =
  (dimension: Dimension) =>
  (numerator: bigint, denominator = 1n): UnitScale => ({ dimension, numerator, denominator });
const millilitres = scaled('volume');
const grams = scaled('mass');
const millimetres = scaled('length');
const pieces = scaled('count');
const seconds = scaled('time');
const arcSeconds = scaled('angle');
const pascals = scaled('pressure');
const gramsPerMillilitre = scaled('density');
const microgramsPerKilogram = scaled('mass fraction');

/**
 * Exact by definition: the international yard and pound (1959), the US liquid gallon of 231 cubic inches with its
 * customary cup (1/16) and teaspoon (1/768), the avoirdupois ounce and stone, the metric tonne, and a pound-force
 * under standard gravity. Absent, so that they convert to nothing but themselves: temperatures (an offset, not a
 * factor), ratios that do not say of what (`%`, `ppm`), `lot` (of unknown size), the radian (an irrational number of
 * degrees), hardness and roughness scales, and units that are alone in their dimension.
 */
const scales: ReadonlyMap<string, UnitScale> = new Map(
  Object.entries({
    ml: millilitres(1n),
    l: millilitres(1_000n),
    m3: millilitres(1_000_000n),
    gal: millilitres(3_785_411_784n, 1_000_000n),
    cup: millilitres(3_785_411_784n, 16_000_000n),
    tsp: millilitres(3_785_411_784n, 768_000_000n),
    g: grams(1n),
    grams: grams(1n),
    kg: grams(1_000n),
    t: grams(1_000_000n),
    lb: grams(45_359_237n, 100_000n),
    oz: grams(45_359_237n, 1_600_000n),
    Oz: grams(45_359_237n, 1_600_000n),
    st: grams(14n * 45_359_237n, 100_000n),
    mm: millimetres(1n),
    cm: millimetres(10n),
    m: millimetres(1_000n),
    km: millimetres(1_000_000n),
    in: millimetres(254n, 10n),
    ft: millimetres(3_048n, 10n),
    yd: millimetres(9_144n, 10n),
    units: pieces(1n),
    EA: pieces(1n),
    Sec: seconds(1n),
    min: seconds(60n),
    hr: seconds(3_600n),
    asec: arcSeconds(1n),
    amin: arcSeconds(60n),
    Deg: arcSeconds(3_600n),
    MPa: pascals(1_000_000n),
    psi: pascals(44_482_216_152_605n, 6_451_600_000n),
    'g/ml': gramsPerMillilitre(1n),
    'g/cm3': gramsPerMillilitre(1n),
    '\u00b5g/kg': microgramsPerKilogram(1n),
    '\u00b5g/g': microgramsPerKilogram(1_000n),
    'mg/kg': microgramsPerKilogram(1_000n),
    'mg/g': microgramsPerKilogram(1_000_000n),
  } satisfies Partial<Record<Unit, UnitScale>>),
);
