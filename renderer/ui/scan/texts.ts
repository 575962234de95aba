import { textTable } from '../../i18n/text-table.ts';

/** Scanning anywhere. */
export const texts = textTable({
  panel: ['Last scan', 'Letzter Scan'],
  'outcome.none': ['Ready to scan', 'Bereit zum Scannen'],
  'outcome.question': ['Question', 'Frage'],
  'outcome.refused': ['Refused', 'Abgelehnt'],
  'sound.on': ['Sound for each scan', 'Ton bei jedem Scan'],
  'sound.off': ['No sound for scans', 'Kein Ton bei Scans'],
  unknown: ['Nothing is known by the code “{{text}}”.', 'Zum Code „{{text}}“ ist nichts bekannt.'],
  several: ['“{{text}}” names more than one record.', '„{{text}}“ benennt mehrere Datensätze.'],
  known: [
    'The scanner is set up at this machine. Before a scan it sends: {{before}}. After it: {{after}}.',
    'Der Scanner ist an diesem Rechner eingerichtet. Vor einem Scan sendet er: {{before}}. Danach: {{after}}.',
  ],
  'known.nothing': ['nothing', 'nichts'],
  close: ['Close', 'Schließen'],
  'gauge.converted': [
    'The device typed “{{typed}}”: that is {{value}} {{unit}}.',
    'Das Gerät sandte „{{typed}}“: Das sind {{value}} {{unit}}.',
  ],
  'gauge.refused': [
    'The device typed “{{typed}}”. {{unit}} cannot be converted to {{asked}}: set the device to {{asked}}, or type the number. Nothing was entered.',
    'Das Gerät sandte „{{typed}}“. {{unit}} ist nicht in {{asked}} umrechenbar: Stellen Sie das Gerät auf {{asked}}, oder geben Sie die Zahl ein. Es wurde nichts eingetragen.',
  ],
});
