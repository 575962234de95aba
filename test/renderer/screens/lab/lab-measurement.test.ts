import { describe, expect, it } from 'vitest';
import {
  correctedLabData,
  judgeLab,
  labText,
  labTexts,
  readLab,
  verdictOfLab,
} from '../../../../renderer/screens/lab/lab-measurement.ts';
import { parseLimits } from '../../../../shared/quantities/tolerance.ts';

describe('a measurement', () => {
  it.each([
    ['3,51', '3.51'],
    [' 3.51 ', '3.51'],
    ['<0,05', '<0.05'],
    ['< 0,05', '< 0.05'],
    ['-,5', '-.5'],
    ['1,5e-3', '1.5e-3'],
    ['\u22120,5', '-0.5'],
    ['ND', 'ND'],
    // Not a decimal comma: it is kept as it was typed, and refused.
    ['1,234,5', '1,234,5'],
    ['1.234,5', '1.234,5'],
  ])('%j is kept as %j', (typed, text) => {
    expect(labText(typed)).toBe(text);
  });

  it.each([
    ['3,51', { kind: 'number', value: 3.51 }],
    ['1,5E3', { kind: 'number', value: 1_500 }],
    ['<0,05', { kind: 'qualified', text: '<0.05', relation: '<', limit: 0.05 }],
    ['> 100', { kind: 'qualified', text: '> 100', relation: '>', limit: 100 }],
    ['n.d.', { kind: 'qualified', text: 'n.d.', relation: '<', limit: null }],
    ['', null],
    ['  ', null],
    ['1.234,5', undefined],
    ['<', undefined],
    ['5 mg', undefined],
    ['1e999', undefined],
  ])('%j is read as %j', (typed, value) => {
    expect(readLab(typed)).toEqual(value);
  });
});

describe('the judgement', () => {
  it.each([
    ['max 0.8', '0,8', 'pass'],
    ['max 0.8', '0,9', 'high'],
    ['2-20', '1.99', 'low'],
    ['2-20', '20', 'pass'],
    ['2-20', '20.1', 'high'],
    ['>5', '5', 'low'],
    ['max 0.8', '', 'empty'],
    ['max 0.8', 'x', 'unreadable'],
    // Beyond a limit of quantification: outside only where every value that it stands for is.
    ['max 0.8', '<0,05', 'within'],
    ['max 0.8', 'ND', 'within'],
    ['2-20', '<2', 'low'],
    ['2-20', '<3', 'within'],
    ['2-20', '>20', 'high'],
    ['2-20', '>19', 'within'],
    ['2-20', 'ND', 'within'],
  ])('by %s of %j is %s', (tolerance, typed, judgement) => {
    expect(judgeLab(parseLimits(null, tolerance), readLab(typed))).toBe(judgement);
  });

  it('is none without limits', () => {
    expect(judgeLab(null, readLab('5'))).toBe('unjudged');
    expect(judgeLab(null, readLab('<5'))).toBe('unjudged');
    expect(judgeLab(null, readLab(''))).toBe('empty');
    expect(judgeLab(null, readLab('x'))).toBe('unreadable');
  });
});

describe('measurements that are corrected', () => {
  const kept = '{"pH": "3.50", "Lead": "<0.05", "Tin": "n.d.", "Ash": 4}';

  it('stand as a person types them', () => {
    expect(labTexts(kept, ',')).toEqual({ pH: '3,50', Lead: '<0,05', Tin: 'n.d.', Ash: '4' });
    expect(labTexts(null, ',')).toEqual({});
    expect(labTexts('{"pH', ',')).toEqual({});
  });

  it('are the text that was kept as long as nothing else is meant', () => {
    expect(correctedLabData(kept, labTexts(kept, ','))).toBe(kept);
    expect(correctedLabData(kept, { pH: ' 3,50 ', Iron: '' })).toBe(kept);
  });

  it('leave the others as they were written; what was emptied goes, what is new comes last', () => {
    expect(correctedLabData(kept, { pH: '3,5', Lead: '', Iron: '0,1' })).toBe(
      '{"pH":"3.5","Tin":"n.d.","Ash":4,"Iron":"0.1"}',
    );
  });
});

it('a result passes once everything that has limits was measured, and fails by one value', () => {
  const limits = new Map<string, ReturnType<typeof parseLimits>>([
    ['lead', parseLimits(null, 'max 1')],
    ['pH', parseLimits(null, 'max 9')],
    ['smell', null],
  ]);
  expect(verdictOfLab(limits, { lead: '0.1' })).toEqual({ kind: 'partial', measured: 1, asked: 2 });
  expect(verdictOfLab(limits, { lead: '0.1', pH: 'n/a' })).toMatchObject({ kind: 'partial' });
  expect(verdictOfLab(limits, { lead: '<0.1', pH: 3 })).toEqual({ kind: 'passed' });
  expect(verdictOfLab(limits, { lead: 2 })).toEqual({ kind: 'failed' });
  expect(verdictOfLab(limits, { colour: 4, smell: 1 })).toBeNull();
});
