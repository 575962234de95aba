import { describe, expect, it } from 'vitest';
import { learnProfile, optionsOf, withoutFrame } from '../../../shared/scanner/profile.ts';
import { createWedge } from '../../../shared/scanner/wedge.ts';

const setup = [...'HP:SETUP'];

describe('a scanner that is set up by scanning a code', () => {
  it.each<[name: string, keys: string[], prefix: string[], suffix: string[]]>([
    ['with nothing around it', setup, [], []],
    ['with Enter', [...setup, 'Enter'], [], ['Enter']],
    ['with Enter and Tab', [...setup, 'Enter', 'Tab'], [], ['Enter', 'Tab']],
    ['with a key before it', ['F9', ...setup, 'Enter'], ['F9'], ['Enter']],
    ['with signs around it', ['~', ...setup, '#'], ['~'], ['#']],
    ['with the kind of code', ['F9', ']', 'C', '0', ...setup, 'Enter'], ['F9'], ['Enter']],
    ['with shift for capitals', ['Shift', 'H', 'Shift', ...setup.slice(1), 'Enter'], [], ['Enter']],
    ['with caps lock the wrong way round', [...'hp:setup', 'Enter'], [], ['Enter']],
    ['with words around it', [...'<s>', ...setup, ...'</s>', 'Enter'], [...'<s>'], [...'</s>', 'Enter']],
  ])('%s', (_name, keys, prefix, suffix) => {
    expect(learnProfile(keys)).toEqual({ prefix, suffix });
  });

  it.each<[name: string, keys: string[]]>([
    ['another code', [...'HP:SAVE', 'Enter']],
    ['half of it', [...'HP:SET', 'Enter']],
    ['a page of keys before it', [...'abcdefghijkl', ...setup, 'Enter']],
    ['a prefix of two named keys', ['F9', 'F10', ...setup, 'Enter']],
  ])('is not, by %s', (_name, keys) => {
    expect(learnProfile(keys)).toBeNull();
  });

  it.each<[prefix: string[], suffix: string[]]>([
    [[], ['Enter']],
    [['F9'], ['Enter', 'Tab']],
    [['~'], ['#']],
    [[...'<s>'], [...'</s>', 'Enter']],
    [[...'Q!'], ['Z', 'Enter']],
  ])('sends one scan at any pace, by its frame %j %j', (prefix, suffix) => {
    const profile = { prefix, suffix };
    for (const gap of [1, 30, prefix.length > 0 ? 300 : 30]) {
      const wedge = createWedge(optionsOf(profile));
      const strokes = [...prefix, ...'HB-8-1234', ...suffix].map((key, index) => ({ key, at: index * gap }));
      const scans = strokes.map(stroke => wedge.key(stroke).scan).filter(scan => scan !== null);
      expect(scans.map(scan => withoutFrame(scan, profile))).toEqual(['HB-8-1234']);
    }
  });
});
