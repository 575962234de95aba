import { describe, expect, it } from 'vitest';
import { toMicro } from '../../../shared/quantities/quantity.ts';
import {
  convert,
  type Density,
  isUnitOfType,
  massUnits,
  normaliseUnit,
  partUnits,
  receivingUnits,
  scaleOf,
  unitsOfType,
  volumeUnits,
} from '../../../shared/quantities/units.ts';
import fc from '../../support/fast-check.ts';

const everyUnit = [...new Set<string>([...partUnits, ...receivingUnits])];
const units = fc.constantFrom(...everyUnit);
const scaledUnits = fc.constantFrom(...everyUnit.filter(unit => scaleOf(unit) !== null));
const quantities = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
const densities: fc.Arbitrary<Density> = fc.record({
  value: fc.integer({ min: 1, max: 30_000_000 }).map(millionths => millionths / 1_000_000),
  mass: fc.constantFrom(...massUnits),
  volume: fc.constantFrom(...volumeUnits),
});

describe('the unit lists', () => {
  it('are those of sections 2.9 and 2.16', () => {
    expect(partUnits.join(' ')).toBe('gal cup tsp l ml g kg lb t oz st m ft in yd cm mm units');
    expect(receivingUnits.join(' ')).toBe(
      '% amin asec c cm CBD% cfu/g Deg EA F ft gal gal/min grams g/cm3 g/ml hr ht Hv Hz in in/sec kg kgf km l lb ' +
        'lot m m3 min ml mm MPa mg/g mg/kg N.m Oz psi ppm ppb Ra rad rc RPM Sec THC% µg/kg µg/g Volts',
    );
  });

  it('write micro with the micro sign', () => {
    expect(receivingUnits.filter(unit => unit.includes('\u00b5'))).toHaveLength(2);
    expect(receivingUnits.filter(unit => unit.includes('\u03bc'))).toHaveLength(0);
  });

  it('give every part unit but `units` exactly one type', () => {
    for (const unit of partUnits) {
      const types = (['Volume', 'Mass', 'Length'] as const).filter(type => isUnitOfType(unit, type));
      expect(types).toHaveLength(unit === 'units' ? 0 : 1);
      expect(isUnitOfType(unit, null)).toBe(true);
    }
  });

  it('type a unit by its dimension', () => {
    const dimensionsOf = (list: readonly string[]) => new Set(list.map(unit => scaleOf(unit)?.dimension));
    expect(dimensionsOf(unitsOfType.Volume)).toEqual(new Set(['volume']));
    expect(dimensionsOf(unitsOfType.Mass)).toEqual(new Set(['mass']));
    expect(dimensionsOf(unitsOfType.Length)).toEqual(new Set(['length']));
  });
});

describe('normaliseUnit', () => {
  it.each([
    ['\u03bcg/kg', '\u00b5g/kg'],
    ['\u00b5g/kg', '\u00b5g/kg'],
    ['KG', 'KG'],
    ['', ''],
  ])('%j becomes %j', (text, unit) => {
    expect(normaliseUnit(text)).toBe(unit);
  });
});

describe('convert', () => {
  // The right-hand sides are the published definitions, not this module's factors.
  it.each([
    ['1', 'kg', 'g', '1000', true],
    ['1', 't', 'kg', '1000', true],
    ['1', 'lb', 'g', '453.59237', true],
    ['16', 'oz', 'lb', '1', true],
    ['1', 'Oz', 'g', '28.349523', false],
    ['1', 'st', 'lb', '14', true],
    ['1', 'grams', 'g', '1', true],
    ['1', 'gal', 'l', '3.785412', false],
    ['1000000', 'gal', 'l', '3785411.784', true],
    ['1', 'gal', 'cup', '16', true],
    ['1', 'gal', 'tsp', '768', true],
    ['1', 'cup', 'tsp', '48', true],
    ['1000', 'cup', 'ml', '236588.2365', true],
    ['1', 'm3', 'l', '1000', true],
    ['1', 'in', 'mm', '25.4', true],
    ['1', 'ft', 'in', '12', true],
    ['1', 'yd', 'ft', '3', true],
    ['1', 'yd', 'm', '0.9144', true],
    ['1', 'km', 'm', '1000', true],
    ['1', 'in', 'ft', '0.083333', false],
    ['1', 'm', 'cm', '100', true],
    ['3', 'EA', 'units', '3', true],
    ['1', 'hr', 'min', '60', true],
    ['90', 'Sec', 'min', '1.5', true],
    ['1', 'Deg', 'amin', '60', true],
    ['1', 'amin', 'asec', '60', true],
    ['1', 'MPa', 'psi', '145.037738', false],
    ['1000', 'psi', 'MPa', '6.894757', false],
    ['1', 'g/ml', 'g/cm3', '1', true],
    ['1', 'mg/g', 'mg/kg', '1000', true],
    ['1', 'mg/kg', 'µg/g', '1', true],
    ['1', 'µg/g', 'µg/kg', '1000', true],
    ['-2', 'lb', 'g', '-907.18474', true],
    ['0.000001', 'mm', 'm', '0', false],
    ['0.0005', 'mm', 'm', '0', false],
    ['0.0015', 'mm', 'm', '0.000002', false],
  ])('%s %s in %s is %s', (quantity, from, to, result, isExact) => {
    expect(convert(toMicro(quantity), from, to)).toEqual({ quantity: toMicro(result), isExact });
  });

  it('makes a US gallon 231 cubic inches', () => {
    const { numerator: inch, denominator: inchParts } = scaleOf('in') ?? { numerator: 0n, denominator: 1n };
    const { numerator: gallon, denominator: gallonParts } = scaleOf('gal') ?? {
      numerator: 0n,
      denominator: 1n,
    };
    expect(gallon * inchParts ** 3n * 1000n).toBe(231n * inch ** 3n * gallonParts);
  });

  it('makes a psi one pound under standard gravity on a square inch', () => {
    // 0.45359237 kg × 9.80665 m/s² = pressure × (0.0254 m)²; both sides in 10^-13 N.
    const { numerator, denominator } = scaleOf('psi') ?? { numerator: 0n, denominator: 1n };
    expect(45_359_237n * 980_665n * denominator).toBe(numerator * 254n ** 2n * 10n ** 5n);
  });

  it.each([
    ['g', 'ml'],
    ['kg', 'm'],
    ['c', 'F'],
    ['%', 'ppm'],
    ['ppm', 'ppb'],
    ['THC%', '%'],
    ['ppm', 'mg/kg'],
    ['lot', 'EA'],
    ['rad', 'Deg'],
    ['RPM', 'Hz'],
    ['units', 'g'],
    ['KG', 'kg'],
    ['constructor', 'g'],
    ['', 'g'],
  ])('refuses %s in %s', (from, to) => {
    expect(convert(1_000_000n, from, to)).toBeNull();
    expect(convert(1_000_000n, to, from)).toBeNull();
  });

  it.each([
    ['1', 'l', 'kg', { value: 0.789, mass: 'kg', volume: 'l' }, '0.789', true],
    ['1', 'kg', 'l', { value: 0.8, mass: 'kg', volume: 'l' }, '1.25', true],
    ['1', 'kg', 'l', { value: 0.789, mass: 'kg', volume: 'l' }, '1.267427', false],
    ['1', 'gal', 'lb', { value: 8.34, mass: 'lb', volume: 'gal' }, '8.34', true],
    ['16', 'cup', 'oz', { value: 8, mass: 'lb', volume: 'gal' }, '128', true],
    ['1', 'm3', 't', { value: 1, mass: 'g', volume: 'ml' }, '1', true],
    ['1', 'l', 'g', { value: 1e-7, mass: 'kg', volume: 'l' }, '0.0001', true],
  ] as const)('%s %s in %s by a density of %j is %s', (quantity, from, to, density, result, isExact) => {
    expect(convert(toMicro(quantity), from, to, density)).toEqual({ quantity: toMicro(result), isExact });
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('takes no density of %d', value => {
    const density: Density = { value, mass: 'g', volume: 'ml' };
    expect(convert(1_000_000n, 'g', 'ml', density)).toBeNull();
    expect(convert(1_000_000n, 'ml', 'g', density)).toBeNull();
  });

  it('takes a density between mass and volume only', () => {
    const density: Density = { value: 2, mass: 'g', volume: 'ml' };
    expect(convert(1_000_000n, 'g', 'mm', density)).toBeNull();
    expect(convert(1_000_000n, 'units', 'ml', density)).toBeNull();
    expect(convert(1_000_000n, 'kg', 'g', density)).toEqual({ quantity: 1_000_000_000n, isExact: true });
  });

  it('leaves any unit, known or not, as it is in itself', () => {
    fc.assert(
      fc.property(quantities, fc.oneof(units, fc.string()), (quantity, unit) => {
        expect(convert(quantity, unit, unit)).toEqual({ quantity, isExact: true });
      }),
    );
  });

  it('is the exact quotient of the two sizes, rounded half-even', () => {
    const pairs = fc
      .tuple(scaledUnits, scaledUnits)
      .filter(([from, to]) => scaleOf(from)?.dimension === scaleOf(to)?.dimension);
    const noSize = { numerator: 0n, denominator: 1n };
    fc.assert(
      fc.property(quantities, pairs, (quantity, [from, to]) => {
        const a = scaleOf(from) ?? noSize;
        const b = scaleOf(to) ?? noSize;
        const result = convert(quantity, from, to);
        if (result === null) throw new Error('No conversion.');
        const numerator = quantity * a.numerator * b.denominator;
        const denominator = a.denominator * b.numerator;
        const twiceError = 2n * (numerator - result.quantity * denominator);
        expect(twiceError <= denominator && twiceError >= -denominator).toBe(true);
        if (twiceError === denominator || twiceError === -denominator) expect(result.quantity % 2n).toBe(0n);
        expect(result.isExact).toBe(twiceError === 0n);
      }),
      { numRuns: 1000 },
    );
  });

  it('joins no two dimensions without a density', () => {
    fc.assert(
      fc.property(units, units, (from, to) => {
        const isOneDimension = scaleOf(from) !== null && scaleOf(from)?.dimension === scaleOf(to)?.dimension;
        expect(convert(1n, from, to) !== null).toBe(from === to || isOneDimension);
      }),
      { numRuns: 2000 },
    );
  });

  it('comes back to the same quantity when nothing was rounded, through a density too', () => {
    const masses = fc.constantFrom('g', 'kg', 'lb', 'oz', 'st', 't', 'grams', 'Oz');
    const volumes = fc.constantFrom('gal', 'cup', 'tsp', 'l', 'ml', 'm3');
    const either = fc.oneof(masses, volumes);
    fc.assert(
      fc.property(quantities, either, either, densities, (quantity, from, to, density) => {
        const there = convert(quantity, from, to, density);
        expect(there).not.toBeNull();
        const back = there && convert(there.quantity, to, from, density);
        if (there?.isExact) expect(back).toEqual({ quantity, isExact: true });
      }),
      { numRuns: 1000 },
    );
  });

  it('by density is the density in its own units', () => {
    fc.assert(
      fc.property(densities, density => {
        const { value, mass, volume } = density;
        expect(convert(1_000_000n, volume, mass, density)).toEqual({
          quantity: toMicro(value),
          isExact: true,
        });
        expect(convert(toMicro(value), mass, volume, density)).toEqual({
          quantity: 1_000_000n,
          isExact: true,
        });
      }),
    );
  });
});

describe('what converts', () => {
  it('converts back, and every unit to itself', () => {
    fc.assert(
      fc.property(units, units, fc.option(densities), (a, b, density) => {
        expect(convert(1n, a, b, density) !== null).toBe(convert(1n, b, a, density) !== null);
        expect(convert(1n, a, a, density)).toEqual({ quantity: 1n, isExact: true });
      }),
      { numRuns: 2000 },
    );
  });

  it('joins mass and volume by a density only', () => {
    expect(convert(1n, 'kg', 'gal')).toBeNull();
    expect(convert(1n, 'kg', 'gal', { value: 1, mass: 'kg', volume: 'l' })).not.toBeNull();
  });
});

it.each([
  ['l', 'volume'],
  ['kg', 'mass'],
  ['mm', 'length'],
  ['EA', 'count'],
  ['hr', 'time'],
  ['Deg', 'angle'],
  ['psi', 'pressure'],
  ['g/cm3', 'density'],
  ['mg/kg', 'mass fraction'],
])('%s is a unit of %s', (unit, dimension) => {
  expect(scaleOf(unit)?.dimension).toBe(dimension);
});

it.each([
  ['mm', 'ml'],
  ['g', 'mm'],
  ['stone', 'ml'],
  ['g', 'bag'],
])('a density in %s of %s converts nothing', (mass, volume) => {
  const density = { value: 1, mass, volume } as unknown as Density;
  expect(convert(1_000_000n, 'kg', 'l', density)).toBeNull();
});
