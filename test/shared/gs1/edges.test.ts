import { describe, expect, it } from 'vitest';
import { toGtin14 } from '../../../shared/gs1/check-digit.ts';
import { defaultSeparators } from '../../../shared/gs1/element-string.ts';
import { readGs1Time } from '../../../shared/gs1/gs1-date.ts';
import { parseScan } from '../../../shared/gs1/parse-scan.ts';

const today = '2026-11-21';
const GS = '\u001d';
const gtin = '09506000134352';
const link = `https://id.gs1.org/01/${gtin}`;

const read = (text: string, separators?: readonly string[]) => parseScan(text, today, separators);

describe('a Digital Link', () => {
  it.each<[string, object]>([
    [`http://id.gs1.org/01/${gtin}`, { gtin }],
    [`${link}?10=AB#part`, { lot: 'AB' }],
    [`${link}?17=271231&10=AB`, { expiry: '2027-12-31', lot: 'AB' }],
    [`${link}?17=271231;10=AB`, { expiry: '2027-12-31', lot: 'AB' }],
    ['https://id.gs1.org/01/96385074', { gtin: '00000096385074' }],
    // Only a GTIN is filled up.
    [`${link}/10/12345678`, { lot: '12345678' }],
    // Keys and values stand in turn, whatever they look like.
    [`${link}/10/21/21/10`, { lot: '21', serial: '10' }],
    [`${link}/xyz/1`, { gtin, lot: null }],
    [`${link}/101/AB?1=A&123456=B`, { gtin, lot: null }],
  ])('%s', (text, said) => {
    expect(read(text)).toMatchObject({ kind: 'gs1', ...said });
  });

  it.each([`${link}/10`, 'https://example.com/parts/12345678'])('%s is none', text => {
    expect(read(text).kind).toBe('plain');
  });

  it.each([
    ['https://id.gs1.org/01/123456789', 'cutShort', '01', 31],
    [`${link}?10=AB&17=271331`, 'date', '17', 46],
  ])('%s says where it is wrong', (text, reason, ai, at) => {
    expect(read(text)).toMatchObject({ kind: 'unreadable', reason, ai, at });
  });

  it('after a symbology identifier says where each element stands', () => {
    expect(read(`]Q1${link}/10/AB`)).toMatchObject({ elements: [{ at: 25 }, { at: 43 }] });
  });
});

describe('separators', () => {
  it('are those that scanners send', () => {
    const named = ['GS', 'FNC1', 'F8'].flatMap(name => [`{${name}}`, `<${name}>`, `[${name}]`]);
    expect(named).toContain('<FNC1>');
    const escapes = ['\\x1D', '\\x1d', '\\u001D', '\\u001d', '\\u{1d}'];
    expect(defaultSeparators).toEqual([GS, ...named, ...escapes, '\u241d', '^]', '^', '|', '~']);
    expect(defaultSeparators.slice(1, 4)).toEqual(['{GS}', '<GS>', '[GS]']);
    expect(defaultSeparators.slice(4, 10).join(' ')).toBe('{FNC1} <FNC1> [FNC1] {F8} <F8> [F8]');
  });

  it.each<[string, readonly string[] | undefined]>([
    [']C110AB~21C|17271231', undefined],
    [']C110AB|21C~17271231', undefined],
    [']C110AB^]21C^17271231', ['^', '^]']],
    [']C110AB|21C|17271231', ['', '|']],
    ['(10)AB|(21)C|(17)271231', undefined],
  ])('end a value in %j', (text, given) => {
    expect(read(text, given)).toMatchObject({ kind: 'gs1', lot: 'AB', serial: 'C', expiry: '2027-12-31' });
  });

  it('that are empty say nothing', () => {
    expect(read('10AB', ['']).kind).toBe('plain');
  });
});

describe('what a scanner sends', () => {
  it.each([
    ['  \r\n(10)AB\r\n\0', 'AB'],
    [']C110http://x', 'http://x'],
    [']C110A(21)B', 'A(21)B'],
    [`]C110AB${GS}10AB`, 'AB'],
    [']e010AB', 'AB'],
    [']e110AB', 'AB'],
    [']e210AB', 'AB'],
    [']J110AB', 'AB'],
    [']d210AB', 'AB'],
    [']Q310AB', 'AB'],
  ])('%j has the lot %s', (text, lot) => {
    expect(read(text)).toMatchObject({ kind: 'gs1', lot });
  });

  it('is GS1 where a shipping number with its check digit begins it', () => {
    expect(read('00376104250021234569')).toMatchObject({ kind: 'gs1', sscc: '376104250021234569' });
  });

  it.each([
    'AB]C1',
    '(8899)1',
    'A0109506000134352',
    `^LOT-7${GS}`,
    'see https://id.gs1.org/01/09506000134352',
  ])('%j is plain', text => {
    expect(read(text)).toEqual({ kind: 'plain', symbology: null, text });
  });

  it.each(['A123', '123A'])('%s in an EAN symbology is plain', text => {
    expect(read(`]E0${text}`)).toEqual({ kind: 'plain', symbology: ']E0', text });
  });

  it.each<[string, string, string | null, number]>([
    [']C1(8899)1', 'unknownIdentifier', null, 3],
    ['(01) 09506000134353', 'checkDigit', '01', 5],
    ['(01)(8899)1', 'unknownIdentifier', null, 4],
    [']C110 B', 'character', '10', 5],
    [']C1800827123124', 'time', '8008', 13],
  ])('%j cannot be read: %s', (text, reason, ai, at) => {
    expect(read(text)).toMatchObject({ kind: 'unreadable', reason, ai, at });
  });

  it('has no net weight in a length', () => {
    expect(read(']C13310000015')).toMatchObject({ netWeight: null, measures: [{ ai: '3310', unit: 'm' }] });
  });
});

describe('a number', () => {
  it.each([
    // Rule 2 of UPC-E, and eight digits that are a GTIN-8 though they could be a UPC-E too.
    ['01234523', '00012200003453'],
    ['10000007', '00000010000007'],
    // Eight digits within more are no UPC-E.
    ['0360000000234', '00360000000234'],
    ['0123450500002', '00123450500002'],
  ])('%s is the GTIN %s', (digits, expected) => {
    expect(toGtin14(digits)).toBe(expected);
  });

  it.each(['123456784', '123456789012343'])('%s is none, though its check digit holds', digits => {
    expect(toGtin14(digits)).toBeNull();
  });

  it.each(['10830', '08301'])('%s is no time', digits => {
    expect(readGs1Time(digits)).toBeNull();
  });
});
