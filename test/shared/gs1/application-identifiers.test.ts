import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  applicationIdentifiers,
  findApplicationIdentifier,
} from '../../../shared/gs1/application-identifiers.ts';

/** The checks that both tables name; bwip-js checks country codes, IBANs and the like besides. */
const checks = ['csum', 'yymmd0', 'yymmdd', 'yyyymmdd', 'hhmi', 'hh', 'mi', 'ss'];

/** The GS1 Syntax Dictionary as the barcode writer BWIPP bundles it, one text for each identifier. */
function bundledDictionary(): Map<string, string> {
  const entry = createRequire(import.meta.url).resolve('bwip-js');
  const source = readFileSync(join(dirname(entry), '..', 'barcode.ps'), 'latin1');
  const table = source.slice(source.indexOf('/gs1syntax <<'), source.indexOf('/lintnumeric {'));
  const found = new Map<string, string>();
  let parts: string[] = [];
  let codes: string[] = [];
  for (const line of table.split('\n')) {
    const part = /\/cset \/(\w)\s+\/min\s+(\d+)\s+\/max\s+(\d+)\s+\/opt (\w+)\s+\/linters \[(.*?)\]/.exec(
      line,
    );
    const code = /\((\d+)\) exch/.exec(line)?.[1];
    if (part !== null) {
      const [, set, minimum, maximum, isOptional, linters = ''] = part;
      const check = checks.find(name => linters.includes(`/lint${name} `)) ?? '';
      parts.push(`${set}${minimum}-${maximum}${isOptional === 'true' ? '?' : ''}${check}`);
    } else if (code !== undefined) codes.push(code);
    else if (/^\s+pop\s*$/.test(line) && codes.length > 0) {
      for (const ai of codes) found.set(ai, parts.join(' '));
      [parts, codes] = [[], []];
    }
  }
  return found;
}

describe('the table of application identifiers', () => {
  const dictionary = bundledDictionary();

  it('has every identifier of the GS1 Syntax Dictionary with the same format', () => {
    const ours = applicationIdentifiers().map(({ ai, parts }) => [
      ai,
      parts
        .map(
          ({ characters, minimum, maximum, isOptional, check }) =>
            `${characters}${minimum}-${maximum}${isOptional ? '?' : ''}${check ?? ''}`,
        )
        .join(' '),
    ]);
    expect(dictionary.size).toBeGreaterThan(450);
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(dictionary));
  });

  it('has no identifier that begins with another, so that the first found is the one', () => {
    const codes = applicationIdentifiers().map(({ ai }) => ai);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) {
      expect(codes.filter(other => other !== code && other.startsWith(code))).toEqual([]);
      expect(findApplicationIdentifier(`${code}123`)?.ai).toBe(code);
    }
  });

  // General Specifications, figure 7.8.5-2: the first two digits of identifiers with a predefined length, and the
  // length of identifier and value together.
  it.each([
    ['00', 20],
    ['01', 16],
    ['02', 16],
    ['03', 16],
    ['11', 8],
    ['12', 8],
    ['13', 8],
    ['15', 8],
    ['16', 8],
    ['17', 8],
    ['20', 4],
    ['31', 10],
    ['32', 10],
    ['33', 10],
    ['34', 10],
    ['35', 10],
    ['36', 10],
    ['41', 16],
  ])('%s has a predefined length of %i', (begin, length) => {
    const found = applicationIdentifiers().filter(({ ai }) => ai.startsWith(begin));
    expect(found.length).toBeGreaterThan(0);
    for (const { ai, minimum, maximum, hasPredefinedLength } of found) {
      expect({ ai, hasPredefinedLength }).toEqual({ ai, hasPredefinedLength: true });
      expect([ai.length + minimum, ai.length + maximum]).toEqual([length, length]);
    }
  });

  it('has no other of predefined length', () => {
    const begins = new Set(
      applicationIdentifiers()
        .filter(({ hasPredefinedLength }) => hasPredefinedLength)
        .map(({ ai }) => ai.slice(0, 2)),
    );
    expect([...begins].sort()).toEqual('00 01 02 03 11 12 13 15 16 17 20 31 32 33 34 35 36 41'.split(' '));
  });

  it('gives measures and amounts their decimals, and measures a unit', () => {
    expect(findApplicationIdentifier('3103')).toMatchObject({ decimals: 3, unit: 'kg' });
    expect(findApplicationIdentifier('3922')).toMatchObject({ decimals: 2, unit: null });
    expect(findApplicationIdentifier('37')).toMatchObject({ decimals: null });
    const withoutUnit = applicationIdentifiers().filter(
      ({ ai, unit }) => /^3[1-6]\d\d$/.test(ai) !== (unit !== null),
    );
    expect(withoutUnit).toEqual([]);
  });

  it.each(['', '0', '04', '14', '18', '3106', '3180', '3944', '4', '7', '9', 'AB'])('%j is none', text => {
    expect(findApplicationIdentifier(text)).toBeNull();
  });
});
