import { expect, it } from 'vitest';
import { knownMessage } from '../../../renderer/i18n/server-messages.ts';
import { findApplicationIdentifier } from '../../../shared/gs1/application-identifiers.ts';
import { formatGs1 } from '../../../shared/gs1/format-gs1.ts';
import { type Gs1Scan, parseScan } from '../../../shared/gs1/parse-scan.ts';

const today = '2026-11-21';
const GS = '\u001d';
const again = 'Scan again; if it repeats, type the values as printed and tell the supplier.';
const separator =
  'The separator (FNC1) is missing: set the scanner to send it as GS (ASCII 29), then scan again.';
const lot = '(10) BATCH/LOT';

it.each([
  ['', 'The scan is empty.', again],
  ['x'.repeat(8_000), 'The scan has more than 4096 characters, and no code has.', again],
  [`]C1${GS}`, 'The code holds no data.', again],
  [']C10109506000134353', '(01) GTIN 09506000134353 has the check digit 3 and should have 2.', again],
  [
    ']E06291041500214',
    '6291041500214 is no EAN, UPC or ITF number: its length or its check digit is wrong.',
    again,
  ],
  [']C10109506', '(01) GTIN holds 14 characters and has 5. The code is cut short.', again],
  [']C1(10)', `${lot} holds 1 to 20 characters and has 0. The code is cut short.`, again],
  [']C110ABCDEFGHIJKLMNOPQRSTUV', `${lot} holds 1 to 20 characters and has 22.`, separator],
  [']C142227610AB', '(422) ORIGIN holds 3 characters and has 7.', separator],
  [
    ']C101095060001343528899001',
    '"889900" at character 20 is no GS1 application identifier. Set the scanner to send the separator (FNC1) as GS (ASCII 29).',
    again,
  ],
  ['(01)0950600013435A', '(01) GTIN holds digits only and has "A".', again],
  [']C110A B', `${lot} holds letters, digits and signs without spaces and has " ".`, again],
  [']C117271331', '(17) USE BY or EXPIRY "271331" is no date (YYMMDD).', again],
  [']C14326271331', '(4326) REL DATE "271331" is no date (YYMMDD).', again],
  [']C170032712312430', '(7003) EXPIRY TIME "2430" is no time of day (HHMM).', again],
  [']C1800827123124', '(8008) PROD TIME "24" is no time of day.', again],
  [']C180082712312360', '(8008) PROD TIME "60" is no time of day.', again],
  [']C18008271231235960', '(8008) PROD TIME "60" is no time of day.', again],
  [`]C110A${GS}10B`, `${lot} stands twice, as "A" and "B".`, 'Scan one label at a time.'],
  [
    'https://id.gs1.org/01/09506000134352/10/%E0%A4%A',
    `${lot} "%E0%A4%A" is not encoded as a web address requires.`,
    again,
  ],
])('%j', (text, problem, remedy) => {
  const message = `${problem} ${remedy}`;
  expect(parseScan(text, today)).toMatchObject({ kind: 'unreadable', message });
  const german = knownMessage(message, 'de', english => english);
  expect(german).toMatch(/Scannen Sie|scannen Sie/);
  for (const value of problem.match(/\d{4,}|"[^"]+"/g) ?? [])
    expect(german).toContain(value.replaceAll('"', ''));
});

it('what cannot be on a label is named', () => {
  const format = (ai: string, value: string) => () => formatGs1([{ ai, value }], today);
  expect(format('04', '1')).toThrow(
    new RangeError('(04) is no GS1 application identifier. Leave it out or correct it.'),
  );
  expect(format('10', '')).toThrow(
    new RangeError(`${lot} holds 1 to 20 characters and has 0. The code is cut short. ${again}`),
  );
});

it.each([
  ['00', 'SSCC', 18, 18, null, null, true],
  ['04', '', 0, 0, null, null, true],
  ['10', 'BATCH/LOT', 1, 20, null, null, false],
  ['11', 'PROD DATE', 6, 6, null, null, true],
  ['20', 'VARIANT', 2, 2, null, null, true],
  ['21', 'SERIAL', 1, 20, null, null, false],
  ['253', 'GDTI', 13, 30, null, null, false],
  ['3103', 'NET WEIGHT', 6, 6, 'kg', 3, true],
  ['3145', 'AREA', 6, 6, 'm²', 5, true],
  ['3922', 'PRICE', 1, 15, null, 2, false],
  ['400', 'ORDER NUMBER', 1, 30, null, null, false],
  ['410', 'SHIP TO LOC', 13, 13, null, null, true],
  ['8008', 'PROD TIME', 8, 12, null, null, false],
])('(%s) %s', (ai, title, minimum, maximum, unit, decimals, hasPredefinedLength) => {
  const found = findApplicationIdentifier(`${ai}12`);
  if (title === '') expect(found).toBeNull();
  else expect(found).toMatchObject({ ai, title, minimum, maximum, unit, decimals, hasPredefinedLength });
});

it('what a code does not say is null', () => {
  const scan = parseScan(']C110AB', today) as Gs1Scan;
  expect(scan).toEqual({
    kind: 'gs1',
    symbology: ']C1',
    elements: [{ ai: '10', value: 'AB', title: 'BATCH/LOT', at: 3 }],
    gtin: null,
    contentGtin: null,
    sscc: null,
    lot: 'AB',
    serial: null,
    variant: null,
    orderNumber: null,
    gln: null,
    glnExtension: null,
    expiry: null,
    expiryTime: null,
    bestBefore: null,
    sellBy: null,
    production: null,
    packaging: null,
    due: null,
    count: null,
    variableCount: null,
    netWeight: null,
    measures: [],
  });
});

it('the expiry is the earlier one, with its time where one is given', () => {
  const read = (text: string) => {
    const { expiry, expiryTime } = parseScan(`]C1${text}`, today) as Gs1Scan;
    return [expiry, expiryTime];
  };
  expect(read('17271230' + '7003' + '2712310830')).toEqual(['2027-12-30', '08:30']);
  expect(read('17271231' + '7003' + '2712300830')).toEqual(['2027-12-30', '08:30']);
  expect(read('17271231')).toEqual(['2027-12-31', null]);
});

it('a weight is the net one, whatever stands before it', () => {
  const weightOf = (text: string) => (parseScan(`]C1${text}`, today) as Gs1Scan).netWeight;
  expect(weightOf('3302000500' + '3101000015')).toEqual({ value: 1.5, unit: 'kg' });
  expect(weightOf('3560000015')).toEqual({ value: 15, unit: 't oz' });
  expect(weightOf('3302000500')).toBeNull();
});

it('a GTIN is that of the item, else of its contents, else of the piece', () => {
  const gtinOf = (text: string) => (parseScan(`]C1${text}`, today) as Gs1Scan).gtin;
  const [item, contents, piece] = ['09506000134352', '16291041500210', '10614141543219'];
  expect(gtinOf(`01${item}02${contents}8026${piece}0102`)).toBe(item);
  expect(gtinOf(`02${contents}37248006${piece}0102`.replace('3724', `3724${GS}`))).toBe(contents);
  expect(gtinOf(`8026${piece}0102`)).toBe(piece);
  expect(gtinOf(`8006${piece}0102`)).toBe(piece);
});
