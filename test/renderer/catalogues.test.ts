import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Texts } from '../../renderer/i18n/i18n.ts';

/** The families' catalogue has the contract's names as its keys: `family-texts.test.ts`. */
const namespaces = globSync('renderer/**/texts.ts').filter(path => !path.includes('families'));
const catalogues = new Map<string, Texts>(
  await Promise.all(
    namespaces.map(async (path): Promise<[string, Texts]> => {
      const { texts } = (await import(/* @vite-ignore */ `../../${path}`)) as { texts: Texts };
      return [basename(dirname(path)), texts];
    }),
  ),
);
const sources = globSync('renderer/**/*.{ts,tsx}')
  .filter(path => !/texts\.ts$/.test(path))
  .map(path => ({ path, code: readFileSync(path, 'utf8') }));

describe.each([...catalogues])('the texts of %s', (namespace, { en, de }) => {
  it('have the same keys in both languages', () => {
    expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
  });

  it('have the same placeholders in both languages', () => {
    const placeholders = (text = '') => [...new Set(text.match(/\{\{\w+\}\}/g))].sort();
    // "one lot" need not say its count.
    const differing = Object.keys(en).filter(
      key => !key.endsWith('_one') && placeholders(en[key]).join() !== placeholders(de[key]).join(),
    );
    expect(differing).toEqual([]);
  });

  it('are all used', () => {
    const used = keysUsed(namespace);
    const unused = Object.keys(en).filter(key => !used(key.replace(/_(zero|one|other)$/, '')));
    expect(unused).toEqual([]);
  });
});

describe('every text that a screen asks for', () => {
  it('is in the catalogue', () => {
    const missing = sources.flatMap(({ path, code }) =>
      asked(code).flatMap(({ namespace, key }) => {
        const texts = catalogues.get(namespace)?.en ?? {};
        return key in texts || `${key}_other` in texts ? [] : [`${path}: ${namespace}:${key}`];
      }),
    );
    expect(missing).toEqual([]);
  });
});

/** Plain keys of `t('…')`, with the namespaces of the file's `useTranslation`: right in one of them is right. */
function asked(code: string): { namespace: string; key: string }[] {
  const own = [...code.matchAll(/useTranslation\('([\w-]+)'\)/g)].map(match => match[1] ?? '');
  if (own.length === 0) return [];
  return [...code.matchAll(/\bt\(\s*'([^'$]+)'/g)].flatMap(match => {
    const [key = '', namespace] = (match[1] ?? '').split(':').toReversed();
    if (namespace !== undefined) return [{ namespace, key }];
    const holder = own.find(each => {
      const texts = catalogues.get(each)?.en ?? {};
      return key in texts || `${key}_other` in texts;
    });
    return [{ namespace: holder ?? own[0] ?? '', key }];
  });
}

/**
 * Whether a key stands in the sources that use the namespace, whole or as a template (`kind.${kind}`): any text in quotes
 * counts, so that keys in tables and conditions do.
 */
function keysUsed(namespace: string): (key: string) => boolean {
  const code = sources
    .map(source => source.code)
    .filter(text => text.includes(`useTranslation('${namespace}')`) || text.includes(`${namespace}:`))
    .join('\n');
  const asked = [...code.matchAll(/\bt\(\s*[`']([^`'\n]*)[`']/g)].map(match => match[1] ?? '');
  const plain = new Set([
    ...asked,
    ...[...code.matchAll(/'([^'\n]*)'|"([^"\n]*)"|`([^`\n]*)`/g)].map(([, single, double, template]) =>
      (single ?? double ?? template ?? '').replace(/^[\w-]+:/, ''),
    ),
  ]);
  const templates = [...plain]
    // What begins with a value could be any key.
    .filter(text => /^[\w-]+\.?[^$]*\$\{/.test(text))
    .map(
      text =>
        new RegExp(
          `^${text
            .split(/\$\{[^}]*\}/)
            .map(escaped)
            .join('.+')}$`,
        ),
    );
  return key => plain.has(key) || templates.some(template => template.test(key));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
