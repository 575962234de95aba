import { textTable } from '../../i18n/text-table.ts';

/** What can be printed. */
export const texts = textTable({
  print: ['Print', 'Drucken'],
  printing: ['Being made …', 'Wird erstellt …'],
  size: ['Label, mm', 'Etikett, mm'],
  symbol: ['Code', 'Code'],
  'symbol.datamatrix': ['DataMatrix', 'DataMatrix'],
  'symbol.qr': ['QR', 'QR'],
  'symbol.code128': ['Code 128', 'Code 128'],
  'document.receipt': ['Receipt', 'Wareneingang'],
  'document.inspection-report': ['Inspection report', 'Prüfbericht'],
  'document.certificate': ['Certificate of analysis: preview', 'Analysenzertifikat: Vorschau'],
  'document.ncr': ['Non-conformance report', 'Abweichungsbericht'],
  'document.car': ['Corrective action request', 'Korrekturmaßnahme'],
  'document.packing-list': ['Packing list', 'Packliste'],
  'document.pick-list': ['Pick list', 'Entnahmeliste'],
  'document.recall': ['Recall', 'Rückruf'],
  'document.part-recall': ['Recall', 'Rückruf'],
  'label.lot': ['Lot label', 'Losetikett'],
  'label.part': ['Part label', 'Teileetikett'],
  'label.location': ['Location label', 'Lagerplatzetikett'],
  'label.item': ['Label of the line', 'Etikett der Zeile'],
  'labels.count_one': ['{{count}} label', '{{count}} Etikett'],
  'labels.count_other': ['{{count}} labels', '{{count}} Etiketten'],
  'labels.print_one': ['Print {{count}} label', '{{count}} Etikett drucken'],
  'labels.print_other': ['Print {{count}} labels', '{{count}} Etiketten drucken'],
  'labels.too-many': [
    'At most {{most}} labels are printed at once. Choose fewer.',
    'Höchstens {{most}} Etiketten werden auf einmal gedruckt. Wählen Sie weniger aus.',
  ],
});
