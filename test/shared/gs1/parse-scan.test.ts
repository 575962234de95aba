import { describe, expect, it } from 'vitest';
import { applicationIdentifiers } from '../../../shared/gs1/application-identifiers.ts';
import { defaultSeparators } from '../../../shared/gs1/element-string.ts';
import { type Gs1Scan, parseScan, type Scan } from '../../../shared/gs1/parse-scan.ts';

const today = '2026-11-21';
const GS = '\u001d';

function gs1(text: string): Gs1Scan {
  const scan = parseScan(text, today);
  if (scan.kind !== 'gs1') throw new Error(`${JSON.stringify(text)} is ${JSON.stringify(scan)}`);
  return scan;
}

/** What a scan says, without what it does not say. */
function said(scan: Scan): Record<string, unknown> {
  const { kind: _kind, symbology: _symbology, elements: _elements, ...rest } = { elements: [], ...scan };
  return Object.fromEntries(
    Object.entries(rest).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

describe('a GS1 element string', () => {
  it.each([
    // The worked example of the GS1 DataMatrix Guideline, section 2.2: GTIN, expiry, lot, serial.
    [
      `]d201034531200000111719112510ABCD1234${GS}2110`,
      {
        gtin: '03453120000011',
        expiry: '2019-11-25',
        lot: 'ABCD1234',
        serial: '10',
      },
    ],
    // GS1's example SSCC (376104250021234569), with the order number and the count of what is in it.
    [
      `]C100376104250021234569021629104150021037240${GS}400PO-1001`,
      {
        sscc: '376104250021234569',
        gtin: '16291041500210',
        contentGtin: '16291041500210',
        count: 240,
        orderNumber: 'PO-1001',
      },
    ],
    // Best before is not expiry, nor is sell-by.
    [']C1010950600013435215271200', { gtin: '09506000134352', bestBefore: '2027-12-31' }],
    [
      ']C101095060001343521627123013261120112611191227010117271231',
      {
        gtin: '09506000134352',
        sellBy: '2027-12-30',
        packaging: '2026-11-20',
        production: '2026-11-19',
        due: '2027-01-01',
        expiry: '2027-12-31',
      },
    ],
    // 7003: an expiry with its time; with 17 the earlier date holds.
    [
      `]d2010950600013435270032712300830${GS}10L1`,
      {
        gtin: '09506000134352',
        expiry: '2027-12-30',
        expiryTime: '08:30',
        lot: 'L1',
      },
    ],
    [
      ']d20109506000134352172712317003271230' + '0830',
      {
        gtin: '09506000134352',
        expiry: '2027-12-30',
        expiryTime: '08:30',
      },
    ],
    // General Specifications 3.6.2: the last digit of the identifier is the number of decimals.
    [
      ']C10199506000134355310300175030' + '12',
      {
        gtin: '99506000134355',
        variableCount: 12,
        netWeight: { value: 1.75, unit: 'kg' },
        measures: [{ ai: '3103', title: 'NET WEIGHT', value: 1.75, unit: 'kg' }],
      },
    ],
    [
      ']C101095060001343523202012345',
      {
        gtin: '09506000134352',
        netWeight: { value: 123.45, unit: 'lb' },
        measures: [{ ai: '3202', title: 'NET WEIGHT', value: 123.45, unit: 'lb' }],
      },
    ],
    [
      ']C101095060001343523300000012',
      {
        gtin: '09506000134352',
        measures: [{ ai: '3300', title: 'GROSS WEIGHT', value: 12, unit: 'kg' }],
      },
    ],
    [`]Q38006095060001343520102${GS}2002`, { gtin: '09506000134352', variant: '02' }],
    // FNC1 at the end, twice, or after a value of predefined length does no harm.
    [
      `]C1${GS}0109506000134352${GS}10AB${GS}${GS}17271231${GS}`,
      {
        gtin: '09506000134352',
        lot: 'AB',
        expiry: '2027-12-31',
      },
    ],
    // Every sign of set 82 in a lot.
    [']C1010950600013435210!"%&\'()*+,-./:;<=>_z', { gtin: '09506000134352', lot: '!"%&\'()*+,-./:;<=>_z' }],
  ])('%j', (text, expected) => {
    const scan = parseScan(text, today);
    expect(scan.kind).toBe('gs1');
    expect(said(scan)).toEqual(expected);
  });

  it.each(defaultSeparators)('with FNC1 sent as %j', separator => {
    const scan = gs1(`]C1${separator}0109506000134352${`10AB-7${separator}`}21S/9${separator}17271200`);
    expect(said(scan)).toEqual({ gtin: '09506000134352', lot: 'AB-7', serial: 'S/9', expiry: '2027-12-31' });
    expect(scan.symbology).toBe(']C1');
  });

  it('with FNC1 sent as configured', () => {
    const scan = parseScan(']C10109506000134352' + '10AB§21X', today, ['§']);
    expect(said(scan)).toEqual({ gtin: '09506000134352', lot: 'AB', serial: 'X' });
  });

  it('says where each element stands', () => {
    expect(gs1(`]C10109506000134352${'10AB'}${GS}17271231`).elements).toEqual([
      { ai: '01', value: '09506000134352', title: 'GTIN', at: 3 },
      { ai: '10', value: 'AB', title: 'BATCH/LOT', at: 19 },
      { ai: '17', value: '271231', title: 'USE BY or EXPIRY', at: 24 },
    ]);
  });

  it.each([
    ['in brackets', '(01)09506000134352(17)271231(10)AB-7'],
    ['in brackets with spaces', ' (01) 09506000134352 (17) 271231 (10) AB-7 \r\n'],
    ['in brackets after a symbology identifier', ']C1(01)09506000134352(17)271231(10)AB-7'],
    ['without a symbology identifier', '01095060001343521727123110AB-7'],
    ['after FNC1 alone', `${GS}01095060001343521727123110AB-7`],
    ['after a substitute for FNC1', '^01095060001343521727123110AB-7'],
    ['with a line end', ']d201095060001343521727123110AB-7\r'],
    ['as a Digital Link', 'https://id.gs1.org/01/09506000134352/10/AB-7?17=271231'],
    [
      'as a Digital Link of another host',
      'HTTPS://example.com/some/path/01/9506000134352/10/AB%2D7?17=271231&x=1',
    ],
    [
      'as a Digital Link below a path of the site',
      'https://example.com/01/12345678/x/y/01/09506000134352/10/AB-7?17=271231',
    ],
    ['as a Digital Link in a plain QR', ']Q1https://id.gs1.org/01/09506000134352/10/AB-7?17=271231'],
    ['in brackets in a plain Code 128', ']C0(01)09506000134352(17)271231(10)AB-7'],
  ])('%s', (_name, text) => {
    expect(said(gs1(text))).toEqual({ gtin: '09506000134352', lot: 'AB-7', expiry: '2027-12-31' });
  });

  it('keeps brackets that belong to a value', () => {
    expect(gs1('(01)09506000134352(10)A(5)B(99)C(04)D').elements.map(({ ai, value }) => [ai, value])).toEqual(
      [
        ['01', '09506000134352'],
        ['10', 'A(5)B'],
        ['99', 'C(04)D'],
      ],
    );
  });

  it('reads every identifier in the longest and in the shortest form', () => {
    for (const { ai, parts } of applicationIdentifiers()) {
      const other = ai === '90' ? '91' : '90';
      for (const isLong of [true, false]) {
        const value = parts
          .filter(({ isOptional }) => isLong || !isOptional)
          .map(({ check, maximum, minimum }) => {
            const sample = { yymmd0: '271200', yymmdd: '271231', yyyymmdd: '20271231', hhmi: '2359' };
            if (check === 'csum' || check === 'hh' || check === 'mi' || check === 'ss')
              return '0'.repeat(maximum);
            return check === null ? '1'.repeat(isLong ? maximum : minimum) : sample[check];
          })
          .join('');
        const scan = gs1(`]C1${ai}${value}${GS}${other}END`);
        expect(scan.elements.map(element => element.ai + element.value)).toEqual([ai + value, `${other}END`]);
      }
    }
  });
});

describe('a number with a check digit', () => {
  it.each([
    [']E06291041500213', '06291041500213'],
    [']E00036000291452', '00036000291452'],
    [']E496385074', '00000096385074'],
    [']I116291041500210', '16291041500210'],
    ['6291041500213', '06291041500213'],
    ['036000291452', '00036000291452'],
    ['96385074', '00000096385074'],
    [']C06291041500213', '06291041500213'],
  ])('%s', (text, gtin) => {
    expect(parseScan(text, today)).toMatchObject({ kind: 'gtin', gtin });
  });
});

describe('plain text', () => {
  it.each([
    'HB-8',
    '6291041500214',
    '12345678',
    'LOT-7',
    '0109506000134353',
    '01',
    '10ABC',
    '(99',
    '(A)1',
    '^LOT-7',
    '|x|',
    'https://example.com/parts/7',
    'https://example.com/01/15',
    'A\u001dB',
  ])('%j', text => {
    expect(parseScan(text, today)).toEqual({ kind: 'plain', symbology: null, text });
  });

  it.each([
    [']A0HB-8', 'HB-8'],
    [']C0HB-8', 'HB-8'],
    [']d1HB-8', 'HB-8'],
    [']Q1HB-8', 'HB-8'],
    [']L0HB 8', 'HB 8'],
    [']C096385074', '96385074'],
    // Code 128 without FNC1 does not claim to be GS1.
    [']C001095060001343521727123110AB', '01095060001343521727123110AB'],
  ])('%s', (text, rest) => {
    expect(parseScan(text, today)).toEqual({ kind: 'plain', symbology: text.slice(0, 3), text: rest });
  });
});

describe('what cannot be read', () => {
  it.each([
    ['', 'empty', null, 0, 'Scan again'],
    ['\r\n', 'empty', null, 0, 'Scan again'],
    [']C1', 'empty', null, 3, 'Scan again'],
    [`]C1${GS}`, 'empty', null, 3, 'holds no data'],
    [
      ']C10109506000134353',
      'checkDigit',
      '01',
      5,
      '(01) GTIN 09506000134353 has the check digit 3 and should have 2',
    ],
    [']C100376104250021234560', 'checkDigit', '00', 5, '(00) SSCC'],
    [']C14146291041500214', 'checkDigit', '414', 6, '(414) LOC No.'],
    ['(01)09506000134353', 'checkDigit', '01', 4, '(01) GTIN'],
    [']E06291041500214', 'checkDigit', null, 3, 'no EAN, UPC or ITF number'],
    [']I116291041500211', 'checkDigit', null, 3, 'no EAN, UPC or ITF number'],
    [']C10109506', 'cutShort', '01', 10, '(01) GTIN holds 14 characters and has 5. The code is cut short'],
    [']C1010950600013435210', 'cutShort', '10', 21, '(10) BATCH/LOT holds 1 to 20 characters and has 0'],
    [']C101095060001343521727', 'cutShort', '17', 23, '(17) USE BY or EXPIRY'],
    [']C1010950600013435210ABCDEFGHIJKLMNOPQRSTUV', 'tooLong', '10', 41, 'The separator (FNC1) is missing'],
    [']C1422276' + '10AB', 'tooLong', '422', 9, 'The separator (FNC1) is missing'],
    [']C101095060001343528899', 'unknownIdentifier', null, 19, '"8899" at character 20'],
    ['(01)09506000134352(8899)1', 'unknownIdentifier', null, 18, '"(8899)" at character 19'],
    ['(01)0950600013435A', 'character', '01', 17, '(01) GTIN holds digits only and has "A"'],
    [']C110A B', 'character', '10', 6, 'without spaces and has " "'],
    [']C117271331', 'date', '17', 5, '"271331" is no date (YYMMDD)'],
    [']C17003271200' + '0830', 'date', '7003', 7, '"271200" is no date'],
    [']C17003271231' + '2430', 'time', '7003', 13, '"2430" is no time of day (HHMM)'],
    [`]C110A${GS}10B`, 'contradiction', '10', 7, 'stands twice, as "A" and "B"'],
    // Without a symbology identifier: a key with its check digit right begins it, so it is GS1 and cut or damaged.
    ['0109506000134352172713', 'cutShort', '17', 22, '(17) USE BY or EXPIRY'],
    ['https://id.gs1.org/01/09506000134353', 'checkDigit', '01', 22, '(01) GTIN'],
    ['https://id.gs1.org/01/09506000134352/10/%E0%A4%A', 'character', '10', 40, 'is not encoded'],
    [']Q1https://id.gs1.org/01/09506000134352?17=271331', 'date', '17', 43, '"271331" is no date'],
  ])('%j: %s', (text, reason, ai, at, words) => {
    const scan = parseScan(text, today);
    expect(scan).toMatchObject({ kind: 'unreadable', reason, ai, at });
    expect('message' in scan ? scan.message : '').toContain(words);
  });
});
