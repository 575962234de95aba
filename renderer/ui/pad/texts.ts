import { textTable } from '../../i18n/text-table.ts';

/** Numbers by finger. */
export const texts = textTable({
  title: ['Number pad: {{label}}', 'Zahlenfeld: {{label}}'],
  back: ['Delete the last digit', 'Letzte Ziffer löschen'],
  point: ['Decimal point', 'Dezimalkomma'],
  done: ['Done', 'Fertig'],
});
