import { textTable } from '../../i18n/text-table.ts';

/** What needs attention today. */
export const texts = textTable({
  title: ['Today, {{name}}', 'Heute, {{name}}'],
  reading: ['Looking what needs attention …', 'Was braucht Aufmerksamkeit? Wird gelesen …'],
  nothing: ['Nothing needs attention.', 'Nichts braucht Aufmerksamkeit.'],
  overdue: ['{{count}} late', '{{count}} verspätet'],
  total: ['{{count}} in all', 'insgesamt {{count}}'],
  more_one: ['and {{count}} more', 'und {{count}} weiterer Eintrag'],
  more_other: ['and {{count}} more', 'und {{count}} weitere Einträge'],
  'kind.receipts_open': ['Receipts open', 'Offene Wareneingänge'],
  'kind.inspections_open': ['Inspections to finish', 'Offene Prüfungen'],
  'kind.inspections_failed': [
    'Failed inspections without NCR',
    'Nicht bestandene Prüfungen ohne Abweichungsbericht',
  ],
  'kind.lots_expiring': ['Lots that expire soon', 'Bald ablaufende Lose'],
  'kind.lots_expired': ['Expired lots in stock', 'Abgelaufene Lose im Bestand'],
  'kind.lots_locked': ['Locked lots', 'Gesperrte Lose'],
  'kind.corrections_awaiting': [
    'Corrections that wait for quality',
    'Korrekturen, die auf die Qualitätssicherung warten',
  ],
  'kind.ncrs_open': ['NCRs open', 'Offene Abweichungsberichte'],
  'kind.cars_open': ['CARs open', 'Offene Korrekturmaßnahmen'],
  'kind.complaints_open': ['Complaints open', 'Offene Reklamationen'],
  'kind.shipments_due': ['Shipments due', 'Fällige Sendungen'],
  'kind.shipments_open': ['Shipments open', 'Offene Sendungen'],
  'kind.shipments_differ': [
    'Shipped otherwise than their lines say',
    'Anders versandt, als ihre Positionen sagen',
  ],
  'kind.parts_low': ['Parts to reorder', 'Nachzubestellende Teile'],
  'kind.stock_negative': ['Stock below zero', 'Bestand unter null'],
  'kind.conflicts_open': ['Conflicts to decide', 'Zu entscheidende Konflikte'],
  'kind.commits_held': ['Changes held at central', 'In der Zentrale angehaltene Änderungen'],
  'kind.commits_unsent': ['Changes not sent yet', 'Noch nicht gesendete Änderungen'],
  'kind.numbers_twice': ['Numbers typed twice', 'Doppelt vergebene Nummern'],
  'kind.backup': ['Backup', 'Datensicherung'],
  'kind.certificate': ["Central's certificate", 'Zertifikat der Zentrale'],
  'kind.audit_review': ['Audit trail', 'Audit-Trail'],
  'kind.clock': ["This machine's clock", 'Uhr dieses Rechners'],
});
