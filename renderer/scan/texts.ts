import type { Texts } from '../i18n/i18n.ts';

/** Scanning anywhere. */
export const texts = {
  en: {
    unknown: 'Nothing is known by the code “{{text}}”.',
    several: '“{{text}}” names more than one record.',
    close: 'Close',
  },
  de: {
    unknown: 'Zum Code „{{text}}“ ist nichts bekannt.',
    several: '„{{text}}“ benennt mehrere Datensätze.',
    close: 'Schließen',
  },
} satisfies Texts;
