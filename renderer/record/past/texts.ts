import { textTable } from '../../i18n/text-table.ts';

/** A record as it was at an earlier moment. */
export const texts = textTable({
  title: ['Earlier state: {{title}}', 'Früherer Stand: {{title}}'],
  open: ['Look at an earlier state', 'Einen früheren Stand ansehen'],
  entry: ['The record after this change', 'Der Datensatz nach dieser Änderung'],
  at: ['As of', 'Stand'],
  'at.hint': [
    'Date and time by the clock of this computer.',
    'Datum und Uhrzeit nach der Uhr dieses Rechners.',
  ],
  meaning: ['In which sense', 'In welchem Sinn'],
  'meaning.moment': ['As it was', 'Wie es war'],
  'meaning.here': ['As this machine knew it', 'Wie dieser Rechner es kannte'],
  show: ['Show', 'Anzeigen'],
  print: ['Print this state', 'Diesen Stand drucken'],
  now: ['To the present state', 'Zum heutigen Stand'],
  'banner.moment': [
    'This is not the present state, but that of {{at}}',
    'Dies ist nicht der heutige Stand, sondern der vom {{at}}',
  ],
  'banner.place': [
    'This is not the present state, but that after entry {{place}} of the log',
    'Dies ist nicht der heutige Stand, sondern der nach dem Eintrag {{place}} des Protokolls',
  ],
  'banner.here': [
    'This is not the present state, but what this machine knew at {{at}}',
    'Dies ist nicht der heutige Stand, sondern was dieser Rechner am {{at}} wusste',
  ],
  'said.moment': [
    'By all changes that are dated until then, in the order of the log.',
    'Nach allen Änderungen, die bis dahin datiert sind, in der Reihenfolge des Protokolls.',
  ],
  'said.place': [
    'By the first entries of the log, up to this one.',
    'Nach den ersten Einträgen des Protokolls, bis zu diesem.',
  ],
  'said.here': [
    'By what had been written or had arrived here until then, as it was shown here.',
    'Nach dem, was bis dahin hier geschrieben oder angekommen war, so wie es hier gezeigt wurde.',
  ],
  'note.more_may_come': [
    'What others wrote until then and has not arrived here yet is missing.',
    'Was andere bis dahin geschrieben haben und was hier noch nicht angekommen ist, fehlt.',
  ],
  'note.not_sent_yet': [
    'A change is in it that was written here and that central had not decided.',
    'Enthalten ist eine Änderung, die hier geschrieben wurde und über die die Zentrale nicht entschieden hatte.',
  ],
  'note.clock_corrected': [
    'A clock was known to be wrong; what it dated counts by central’s clock.',
    'Eine Uhr ging bekanntermaßen falsch; was sie datiert hat, zählt nach der Uhr der Zentrale.',
  ],
  'note.changed_since': ['It was changed since.', 'Es wurde seitdem geändert.'],
  names: [
    'Names of other records are those that they have today.',
    'Namen anderer Datensätze sind die, die sie heute haben.',
  ],
});
