import { textTable } from '../../i18n/text-table.ts';

/** Saved values that were replaced, and what of it waits for quality. */
export const texts = textTable({
  title_one: ['{{count}} correction', '{{count}} Korrektur'],
  title_other: ['{{count}} corrections', '{{count}} Korrekturen'],
  record: ['Record', 'Datensatz'],
  value: ['Value', 'Wert'],
  before: ['Before', 'Vorher'],
  after: ['After', 'Nachher'],
  who: ['By', 'Von'],
  why: ['Why', 'Warum'],
  'why.none': ['No reason was given', 'Kein Grund angegeben'],
  state: ['State', 'Stand'],
  lots: ['Lots', 'Lose'],
  nothing: ['nothing', 'nichts'],
  'place.sample': ['Sample {{place}}', 'Probe {{place}}'],
  'place.items': ['Line {{place}}', 'Position {{place}}'],
  more: ['and {{count}} more, in the history', 'und {{count}} weitere, in der Historie'],
  accept: ['Accept', 'Anerkennen'],
  'accept.of': ['Accept: {{what}}', 'Anerkennen: {{what}}'],
  'accept.hint': [
    'The correction counts from then on, and locks its lots no more.',
    'Die Korrektur zählt von da an und sperrt ihre Lose nicht mehr.',
  ],
  'accept.another': [
    'You changed it: another person of quality accepts it.',
    'Sie haben es geändert: Jemand anderes aus der Qualitätssicherung erkennt es an.',
  ],
  accepted: ['By {{name}}, {{at}}: {{reason}}', 'Von {{name}}, {{at}}: {{reason}}'],
  'waiting.for': [
    'Nothing is left to do here. Until quality accepts it, its lots are locked.',
    'Hier ist nichts mehr zu tun. Bis die Qualitätssicherung es anerkennt, sind seine Lose gesperrt.',
  ],
  waiting: ['Waits for quality', 'Wartet auf die Qualitätssicherung'],
  'waiting.none': ['No correction waits for quality.', 'Keine Korrektur wartet auf die Qualitätssicherung.'],
  'waiting.text': [
    'Until somebody of quality accepts them, these changes lock their lots.',
    'Bis jemand aus der Qualitätssicherung sie anerkennt, sperren diese Änderungen ihre Lose.',
  ],
  'waiting.more': ['and {{count}} more', 'und {{count}} weitere'],
});
