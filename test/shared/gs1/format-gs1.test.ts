import bwipjs from 'bwip-js';
import { describe, expect, it } from 'vitest';
import { formatGs1 } from '../../../shared/gs1/format-gs1.ts';
import { parseScan } from '../../../shared/gs1/parse-scan.ts';

const today = '2026-11-21';

describe('formatGs1', () => {
  it('puts values of predefined length first and separates the others', () => {
    const elements = [
      { ai: '10', value: 'AB-7' },
      { ai: '01', value: '09506000134352' },
      { ai: '21', value: 'S9' },
      { ai: '17', value: '271231' },
    ];
    const { elementString, bracketed } = formatGs1(elements, today);
    expect(elementString).toBe('01095060001343521727123110AB-7\u001d21S9');
    expect(bracketed).toBe('(01)09506000134352(17)271231(10)AB-7(21)S9');
    const expected = { gtin: '09506000134352', lot: 'AB-7', serial: 'S9', expiry: '2027-12-31' };
    expect(parseScan(`]d2${elementString}`, today)).toMatchObject(expected);
    expect(parseScan(bracketed, today)).toMatchObject(expected);
  });

  it.each(['gs1-128', 'gs1datamatrix', 'gs1qrcode'])('makes what a barcode writer takes for %s', bcid => {
    const elements = [
      { ai: '00', value: '376104250021234569' },
      { ai: '02', value: '16291041500210' },
      { ai: '37', value: '240' },
      { ai: '15', value: '271200' },
      { ai: '3103', value: '001750' },
      { ai: '10', value: 'A(1)/B' },
    ];
    const { bracketed } = formatGs1(elements, today);
    expect(bracketed).toBe('(00)376104250021234569(02)16291041500210(15)271200(3103)001750(37)240(10)A(1)/B');
    const text = bracketed.replace('A(1)', 'A^0401)');
    expect(bwipjs.raw({ bcid, text, parse: true })).not.toHaveLength(0);
    expect(parseScan(bracketed, today)).toMatchObject({ lot: 'A(1)/B', count: 240 });
  });

  it.each([
    ['04', '1', /\(04\) is no GS1 application identifier/],
    ['01', '09506000134353', /check digit/],
    ['10', 'A B', /without spaces/],
    ['10', '', /cut short/],
    ['17', '271331', /no date/],
  ])('refuses (%s)%s', (ai, value, message) => {
    expect(() => formatGs1([{ ai, value }], today)).toThrow(message);
  });
});
