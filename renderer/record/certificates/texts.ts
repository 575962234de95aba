import { textTable } from '../../i18n/text-table.ts';

/** Issued certificates of a lot. */
export const texts = textTable({
  title: ['Certificates of analysis', 'Analysenzertifikate'],
  none: ['None was issued.', 'Es wurde keines ausgestellt.'],
  number: ['Number', 'Nummer'],
  issued: ['Issued', 'Ausgestellt'],
  state: ['State', 'Stand'],
  actions: ['Actions', 'Aktionen'],
  issue: ['Issue certificate', 'Zertifikat ausstellen'],
  'issue.hint': [
    'It gets a number and stays as it is issued. “Print” has a preview of it.',
    'Es bekommt eine Nummer und bleibt, wie es ausgestellt wird. „Drucken“ zeigt eine Vorschau.',
  ],
  language: ['Language of the paper', 'Sprache des Papiers'],
  print: ['Print', 'Drucken'],
  'print.of': ['Print {{number}}', '{{number}} drucken'],
  withdraw: ['Withdraw', 'Zurückziehen'],
  'withdraw.of': ['Withdraw {{number}}', '{{number}} zurückziehen'],
  'withdraw.hint': [
    'For good. The reason stands on its paper from then on.',
    'Endgültig. Der Grund steht von da an auf seinem Papier.',
  ],
  withdrawn: ['By {{name}}, {{at}}: {{reason}}', 'Von {{name}}, {{at}}: {{reason}}'],
  since: ['Other than it was then:', 'Anders als damals:'],
  'since.more_one': ['and {{count}} more', 'und {{count}} weiterer'],
  'since.more_other': ['and {{count}} more', 'und {{count}} weitere'],
  more_one: ['{{count}} older one is not shown here.', '{{count}} älteres wird hier nicht gezeigt.'],
  more_other: ['{{count}} older ones are not shown here.', '{{count}} ältere werden hier nicht gezeigt.'],
});
