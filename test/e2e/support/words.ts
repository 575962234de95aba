import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import i18next from 'i18next';
import type { Texts } from '../../../renderer/i18n/i18n.ts';

/** A text of the screens by its key (`quality:sign.password`), with what it is filled with, as the screens say it. */
export type Words = (key: string, values?: Record<string, unknown>) => string;

/** The screens' own texts, so that a test reads the same in both languages and never repeats one. */
export async function wordsOf(language: 'en' | 'de'): Promise<Words> {
  const catalogues = await Promise.all(
    globSync('renderer/**/texts.ts').map(async path => {
      const { texts } = (await import(/* @vite-ignore */ `../../../${path}`)) as { texts: Texts };
      return [basename(dirname(path)), texts[language]] as const;
    }),
  );
  const texts = i18next.createInstance();
  await texts.init({
    resources: { [language]: Object.fromEntries(catalogues) },
    lng: language,
    // Names of the contract are keys, with whatever stands in them.
    nsSeparator: false,
    keySeparator: false,
    interpolation: { escapeValue: false },
  });
  return (path, values = {}) => {
    const [ns = '', key = ''] = path.split(/:(.*)/s);
    const given = { ...values, ns };
    // What the contract calls something is its English.
    if (ns === 'families') return texts.t(key, { ...given, defaultValue: key });
    if (!texts.exists(key, given)) throw new Error(`No catalogue of ${language} has ${path}.`);
    return texts.t(key, given);
  };
}
