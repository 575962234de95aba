import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** One area's texts: a catalogue for each language, with the same keys. */
export type Texts = Record<Language, Record<string, string>>;

const REMEMBERED = 'holdpoint.language';

/** Every `texts.ts` of a folder is the namespace of that folder's name: `t('receiving:title')`. */
const catalogues = import.meta.glob<Texts>('../**/texts.ts', { eager: true, import: 'texts' });

export function startTexts(): void {
  const resources = Object.fromEntries(
    languages.map(language => [
      language,
      Object.fromEntries(
        Object.entries(catalogues).map(([path, texts]) => [path.split('/').at(-2) ?? '', texts[language]]),
      ),
    ]),
  );
  void i18next.use(initReactI18next).init({
    resources,
    lng: rememberedLanguage(),
    fallbackLng: 'en',
    defaultNS: 'app',
    // Keys are sentences' names, never paths in a tree.
    keySeparator: false,
    // React escapes what it shows.
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  document.documentElement.lang = i18next.language;
  i18next.on('languageChanged', language => {
    document.documentElement.lang = language;
    localStorage.setItem(REMEMBERED, language);
  });
}

export function changeLanguage(language: Language): void {
  if (i18next.language !== language) void i18next.changeLanguage(language);
}

function rememberedLanguage(): Language {
  const wanted = localStorage.getItem(REMEMBERED) ?? navigator.language.slice(0, 2);
  return languages.find(language => language === wanted) ?? 'en';
}
