import { describe, expect, it } from 'vitest';
import { type IndividualsChart, individualsChart } from '../../../shared/statistics/individuals-chart.ts';

function chartOf(values: readonly (number | null)[]): IndividualsChart {
  const { chart } = individualsChart(values);
  if (chart === null) throw new Error('no chart');
  return chart;
}

// NIST/SEMATECH e-Handbook of Statistical Methods, 6.3.2.2, "Individuals Control Charts": flowrate of ten batches.
const flowrate = [49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6, 52.1];

describe('individualsChart', () => {
  it('gives the limits of the NIST flowrate example', () => {
    const chart = chartOf(flowrate);
    expect(chart.centre).toBe(50.81);
    expect(chart.ranges).toEqual([null, 2, 2.3, 1.4, 3.5, 3.4, 1.4, 0.2, 1.2, 1.5]);
    expect(chart.meanRange).toBeCloseTo(1.8778, 4);
    expect(chart.upper).toBeCloseTo(55.8041, 4);
    expect(chart.lower).toBeCloseTo(45.8159, 4);
    expect(chart.rangesBeyond).toEqual([]);
  });

  it("gives the limits of Montgomery's loan example", () => {
    // Montgomery, Introduction to Statistical Quality Control, 6th edition, example 6.5 (table 6.6): costs of processing
    // mortgage loans in 20 weeks: centre 300.5, mean range 7.79, limits 321.22 and 279.78, of the ranges 25.45.
    const chart = chartOf([
      310, 288, 297, 298, 307, 303, 294, 297, 308, 306, 294, 299, 297, 299, 314, 295, 293, 306, 301, 304,
    ]);
    expect(chart.centre).toBe(300.5);
    expect(chart.meanRange).toBeCloseTo(7.79, 2);
    expect(chart.upper).toBeCloseTo(321.22, 1);
    expect(chart.lower).toBeCloseTo(279.78, 1);
    expect(chart.upperRange).toBeCloseTo(25.45, 1);
  });

  it('flags the ranges beyond their limit and no others', () => {
    const chart = chartOf([10, 11, 10, 11, 10, 11, 10, 30, 29, 30, 29]);
    expect(chart.upperRange).toBeLessThan(20);
    expect(chart.rangesBeyond).toEqual([7]);
  });

  it('takes no range across a gap', () => {
    const chart = chartOf([10, 12, null, 20, 21, null, null, 5]);
    expect(chart.ranges).toEqual([null, 2, null, null, 1, null, null, null]);
    expect(chart.meanRange).toBe(1.5);
    expect(chart.centre).toBe(13.6);
  });

  it('works with decimals as written', () => {
    const chart = chartOf([0.1, 0.2, 0.3, 0.1, 0.2, 0.3]);
    expect(chart.ranges).toEqual([null, 0.1, 0.1, 0.2, 0.1, 0.1]);
    expect(chart.centre).toBe(0.2);
    expect(chart.meanRange).toBe(0.12);
  });

  it('has limits on the centre line where nothing varies', () => {
    const chart = chartOf([0.7, 0.7, 0.7]);
    expect([chart.lower, chart.centre, chart.upper, chart.upperRange]).toEqual([0.7, 0.7, 0.7, 0]);
    expect(chart.rangesBeyond).toEqual([]);
  });

  it.each([[[]], [[5]], [[null]], [[5, null, 6]], [[null, 5]]])('has too few points in %j', values => {
    expect(individualsChart(values)).toEqual({ chart: null, reason: 'tooFewPoints' });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %d', value => {
    expect(() => individualsChart([1, 2, value])).toThrow(RangeError);
  });
});
