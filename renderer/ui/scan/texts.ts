import type { Texts } from '../../i18n/i18n.ts';

/** Scanning anywhere. */
export const texts = {
  en: {
    unknown: 'Nothing is known by the code “{{text}}”.',
    several: '“{{text}}” names more than one record.',
    close: 'Close',
    'gauge.converted': 'The device typed “{{typed}}”: that is {{value}} {{unit}}.',
    'gauge.refused':
      'The device typed “{{typed}}”. {{unit}} cannot be converted to {{asked}}: set the device to {{asked}}, or type the number. Nothing was entered.',
  },
  de: {
    unknown: 'Zum Code „{{text}}“ ist nichts bekannt.',
    several: '„{{text}}“ benennt mehrere Datensätze.',
    close: 'Schließen',
    'gauge.converted': 'Das Gerät sandte „{{typed}}“: Das sind {{value}} {{unit}}.',
    'gauge.refused':
      'Das Gerät sandte „{{typed}}“. {{unit}} ist nicht in {{asked}} umrechenbar: Stellen Sie das Gerät auf {{asked}}, oder geben Sie die Zahl ein. Es wurde nichts eingetragen.',
  },
} satisfies Texts;
