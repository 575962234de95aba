import { describe, expect, it } from 'vitest';
import { checkDigit, hasCheckDigit, toGtin14 } from '../../../shared/gs1/check-digit.ts';

describe('checkDigit', () => {
  it.each([
    // GS1, "How to calculate a check digit manually": GTIN-13 and SSCC.
    ['629104150021', '3'],
    ['37610425002123456', '9'],
    // GS1 Digital Link standard's GTIN 9506000134352.
    ['950600013435', '2'],
    // GTIN-8 96385074 and UPC-A 036000291452, the examples of Wikipedia's articles on EAN-8 and UPC-A.
    ['9638507', '4'],
    ['03600029145', '2'],
    // ISO 15420 / ISBN example 978-0-306-40615-7.
    ['978030640615', '7'],
  ])('%s has %s', (digits, expected) => {
    expect(checkDigit(digits)).toBe(expected);
    expect(hasCheckDigit(digits + expected)).toBe(true);
    expect(hasCheckDigit(digits + ((Number(expected) + 1) % 10))).toBe(false);
  });

  it.each(['', '1', '12a4', ' 6291041500213'])('%j has none', text => {
    expect(hasCheckDigit(text)).toBe(false);
  });
});

describe('toGtin14', () => {
  it.each([
    ['6291041500213', '06291041500213'],
    ['036000291452', '00036000291452'],
    ['96385074', '00000096385074'],
    ['16291041500210', '16291041500210'],
    // UPC-E to UPC-A (General Specifications 5.2.2.4.2), for every rule that the last digit names. The first two are
    // the examples of Wikipedia's article on UPC-E; 01234565 would be a GTIN-8 too.
    ['06543217', '00065100004327'],
    ['04252614', '00042100005264'],
    ['01234531', '00012300000451'],
    ['01234543', '00012340000053'],
    ['01234565', '00012345000065'],
  ])('%s is %s', (digits, gtin) => {
    expect(toGtin14(digits)).toBe(gtin);
    expect(hasCheckDigit(gtin)).toBe(true);
  });

  it.each(['6291041500214', '123456789', '', '62910415002136291041500213', 'ABCDEFGH', '21272346'])(
    '%j is none',
    text => {
      expect(toGtin14(text)).toBeNull();
    },
  );
});
