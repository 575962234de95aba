import { describe, expect, it } from 'vitest';
import { capability, indices } from '../../../shared/statistics/capability.ts';

const flowrate = [49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6, 52.1];

describe('indices', () => {
  // NIST/SEMATECH e-Handbook 6.1.6, "What is process capability?": USL 20, LSL 8, mean 16, s 2.
  it('are those of the NIST example', () => {
    const { both, nearest } = indices(16, 2, { lower: 8, upper: 20 });
    expect(both).toBe(1);
    expect(nearest).toBeCloseTo(0.6667, 4);
    expect(indices(16, 2, { lower: null, upper: 20 })).toEqual({ both: null, nearest });
    expect(indices(16, 2, { lower: 8, upper: null }).nearest).toBeCloseTo(1.3333, 4);
  });

  // Montgomery, Introduction to Statistical Quality Control, 6th edition, section 8.3: bursting strength of bottles,
  // mean 264.06, s 32.02, lower limit 200: Cpl 0.67.
  it("are those of Montgomery's one-sided example", () => {
    const { both, nearest } = indices(264.06, 32.02, { lower: 200, upper: null });
    expect(both).toBeNull();
    expect(nearest).toBeCloseTo(0.67, 2);
  });
});

describe('capability', () => {
  it('takes Cp and Cpk from the mean moving range, Pp and Ppk from the overall deviation', () => {
    const found = capability(flowrate, { lower: 44, upper: 56 });
    // Mean 50.81 and mean moving range 1.8778: NIST e-Handbook 6.3.2.2.
    expect(found.mean).toBe(50.81);
    expect(found.withinSigma).toBeCloseTo(1.8778 / 1.128, 4);
    expect(found.cp).toBeCloseTo(12 / (6 * (1.8778 / 1.128)), 4);
    expect(found.cpk).toBeCloseTo((56 - 50.81) / (3 * (1.8778 / 1.128)), 4);
    const overall = Math.sqrt(flowrate.reduce((sum, value) => sum + (value - 50.81) ** 2, 0) / 9);
    expect(found.overallSigma).toBeCloseTo(overall, 12);
    expect(found.pp).toBeCloseTo(12 / (6 * overall), 12);
    expect(found.ppk).toBeCloseTo((56 - 50.81) / (3 * overall), 12);
    expect(found).toMatchObject({ n: 10, reason: null });
  });

  it('has the sample deviation of n − 1', () => {
    // 2 4 4 4 5 5 7 9: sum of squares 32 about the mean 5.
    expect(capability([2, 4, 4, 4, 5, 5, 7, 9], { lower: 0, upper: 10 }).overallSigma).toBeCloseTo(
      Math.sqrt(32 / 7),
      12,
    );
  });

  it('gives Cpk and Ppk alone for one limit', () => {
    expect(capability(flowrate, { lower: null, upper: 56 })).toMatchObject({
      cp: null,
      pp: null,
      cpk: expect.closeTo(1.0392, 3),
      ppk: expect.any(Number),
      reason: null,
    });
    expect(capability(flowrate, { lower: 44, upper: null })).toMatchObject({
      cp: null,
      pp: null,
      reason: null,
    });
  });

  it('is negative where the mean is outside', () => {
    expect(capability(flowrate, { lower: null, upper: 50 }).cpk).toBeLessThan(0);
  });

  it.each<[string, (number | null)[], number | null]>([
    ['noLimits', flowrate, null],
    ['tooFewPoints', [], 1],
    ['tooFewPoints', [5], 1],
    ['tooFewPoints', [null, null], 1],
    ['noVariation', [0.1, 0.1, 0.1], 1],
  ])('says %s', (reason, values, upper) => {
    expect(capability(values, { lower: null, upper })).toMatchObject({
      reason,
      cp: null,
      cpk: null,
      pp: null,
      ppk: null,
    });
  });

  it('takes no range across a gap', () => {
    const found = capability([1, null, 3, null, 5], { lower: 0, upper: 6 });
    expect(found).toMatchObject({
      n: 3,
      mean: 3,
      withinSigma: null,
      cpk: null,
      overallSigma: 2,
      pp: 0.5,
      ppk: 0.5,
      reason: 'tooFewPoints',
    });
  });
});
