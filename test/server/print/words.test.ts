import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type TextKey, texts } from '../../../server/print/texts.ts';
import { wordsOf } from '../../../server/print/words.ts';
import { keysOf } from '../../../shared/operations/paper-operations.ts';

describe('the texts of paper', () => {
  it('are there in every language, with the same places to fill in', () => {
    const placesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted();
    for (const [key, [english, german]] of Object.entries(texts)) {
      expect(english.trim(), key).not.toBe('');
      expect(german.trim(), key).not.toBe('');
      expect(placesOf(german), key).toEqual(placesOf(english));
    }
  });

  it('are all used', () => {
    const source = readdirSync('server/print', { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts') && !name.includes('texts'))
      .map(name => readFileSync(`server/print/${name}`, 'utf8'))
      .join('\n');
    expect(keysOf(texts).filter(key => !source.includes(`'${key}'`) && !source.includes(`.${key}`))).toEqual(
      [],
    );
  });

  it('name what a place has no value for, rather than nothing', () => {
    expect(wordsOf('en', 'UTC').say('page', { page: 1 })).toBe('Page 1 of {pages}');
  });
});

describe('values', () => {
  const english = wordsOf('en', 'Europe/Berlin');
  const german = wordsOf('de', 'Europe/Berlin');

  it.each<[value: number, english: string, german: string]>([
    [1480.5, '1,480.5', '1.480,5'],
    [0.000001, '0.000001', '0,000001'],
    [-0.5, '-0.5', '-0,5'],
  ])('%d is written with all its digits', (value, inEnglish, inGerman) => {
    expect([english.number(value), german.number(value)]).toEqual([inEnglish, inGerman]);
  });

  it('days are the same at every site, moments on its clock', () => {
    const everywhere = ['Pacific/Kiritimati', 'Pacific/Niue'].map(zone =>
      wordsOf('de', zone).date('2026-03-29'),
    );
    expect(everywhere).toEqual(['29.03.2026', '29.03.2026']);
    expect(english.moment('2026-03-29T00:59:00.000Z')).toBe('29 Mar 2026, 01:59');
    expect(english.moment('2026-03-29T01:00:00.000Z')).toBe('29 Mar 2026, 03:00');
    expect(english.moment('2026-03-29')).toBe('29 Mar 2026');
  });

  it.each([undefined, null, ''])('a dash stands for %o', nothing => {
    expect([english.text(nothing), english.date(nothing), english.number(nothing)]).toEqual(['–', '–', '–']);
  });

  it('what people typed stays as it is', () => {
    const typed: TextKey = 'page';
    expect(german.text(`{${typed}} 1,5 <b>`)).toBe('{page} 1,5 <b>');
    expect(german.quantity(2, 'kg')).toBe('2 kg');
    expect(german.quantity(2, null)).toBe('2');
  });
});
