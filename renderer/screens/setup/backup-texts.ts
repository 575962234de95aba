import type { TextTable } from '../../i18n/text-table.ts';

/** The recovery key of the backups, and practising a restore. */
export const backupTexts = {
  'key.title': ['Recovery key', 'Wiederherstellungsschlüssel'],
  'key.present': [
    'Backups are encrypted. The key {{name}} opens them, set {{at}} by {{by}}. It is not on this machine.',
    'Die Sicherungen sind verschlüsselt. Der Schlüssel {{name}} öffnet sie, gesetzt {{at}} von {{by}}. Auf diesem Gerät liegt er nicht.',
  ],
  'key.nobody': ['nobody known', 'unbekannt'],
  'key.plain': ['Backups are not encrypted', 'Die Sicherungen sind nicht verschlüsselt'],
  'key.plain-meant': ['Backups stay plain on purpose', 'Die Sicherungen bleiben mit Absicht unverschlüsselt'],
  'key.plain.text': [
    'Who takes the disk with the backups can read all records. With a recovery key only who has its paper can open them.',
    'Wer den Datenträger mit den Sicherungen mitnimmt, kann alle Datensätze lesen. Mit einem Wiederherstellungsschlüssel öffnet sie nur, wer dessen Blatt hat.',
  ],
  'key.make': ['Make a recovery key', 'Schlüssel machen'],
  'key.other': ['Make another key', 'Anderen Schlüssel machen'],
  'key.bring': ['Use a key made elsewhere', 'Anderswo gemachten Schlüssel verwenden'],
  'key.remove': ['Write plain backups', 'Unverschlüsselt sichern'],
  'key.remove.sure': ['Sure? Write plain backups', 'Wirklich unverschlüsselt sichern?'],
  'key.stay-plain': ['They stay plain', 'Unverschlüsselt lassen'],
  'key.remind': ['Remind me again', 'Wieder daran erinnern'],
  'key.paper': [
    "Recovery key {{name}} of Holdpoint's backups",
    'Schlüssel {{name}} der Holdpoint-Sicherungen',
  ],
  'key.paper.once': [
    'It is shown this once and kept nowhere. Print it or write it down, and keep it where you keep what must outlast a fire: not with this machine, and not with the backups.',
    'Er wird nur dieses eine Mal gezeigt und nirgends aufbewahrt. Drucken Sie ihn oder schreiben Sie ihn ab, und verwahren Sie ihn, wo ein Brand ihn nicht erreicht: weder bei diesem Gerät noch bei den Sicherungen.',
  ],
  'key.paper.lost': [
    'Whoever has it can read every backup. If it is lost, no backup made with it can ever be opened again.',
    'Wer ihn hat, kann jede Sicherung lesen. Geht er verloren, lässt sich keine damit erstellte Sicherung je wieder öffnen.',
  ],
  'key.paper.use': [
    'To restore on any machine: holdpoint restore FILE, which asks for it. Without Holdpoint: the program age.',
    'Wiederherstellen auf jedem Rechner: holdpoint restore DATEI, das danach fragt. Ohne Holdpoint: das Programm age.',
  ],
  'key.print': ['Print', 'Drucken'],
  'key.save': ['Save as a file', 'Als Datei speichern'],
  'key.confirm': ['Written down?', 'Aufgeschrieben?'],
  'key.confirm.submit': ['Encrypt backups from now on', 'Ab jetzt verschlüsselt sichern'],
  'key.typed': ['The last two groups', 'Die letzten zwei Gruppen'],
  'key.typed.hint': [
    'Read them from the paper: what stands after {{before}}.',
    'Lesen Sie sie vom Blatt ab: was hinter {{before}} steht.',
  ],
  'key.recipient': ['Recipient', 'Empfänger (recipient)'],
  'key.recipient.hint': [
    'Of a key made with age-keygen on another machine: the line that begins with age1. The key itself stays there.',
    'Eines mit age-keygen auf einem anderen Rechner gemachten Schlüssels: die Zeile, die mit age1 beginnt. Der Schlüssel selbst bleibt dort.',
  ],
  'practice.title': ['Practise a restore', 'Wiederherstellung üben'],
  'practice.text': [
    'The newest backup is restored into a scratch folder and read from end to end. Nothing here changes.',
    'Die neueste Sicherung wird in einen Übungsordner zurückgeholt und ganz gelesen. Hier ändert sich nichts.',
  ],
  'practice.last': ['Practised last: {{at}}.', 'Zuletzt geübt: {{at}}.'],
  'practice.never': ['It was never practised.', 'Geübt wurde es noch nie.'],
  'practice.due': ['Due next: {{at}}.', 'Wieder fällig: {{at}}.'],
  'practice.now': ['Practise a restore', 'Jetzt üben'],
  'practice.running': [
    'The backup is being restored and read. You can go on working.',
    'Die Sicherung wird zurückgeholt und gelesen. Sie können weiterarbeiten.',
  ],
  'practice.well': ['This backup can be restored', 'Diese Sicherung lässt sich zurückholen'],
  'practice.failed': ['This backup cannot be restored', 'Diese Sicherung lässt sich nicht zurückholen'],
  'practice.found': [
    '{{file}}, made {{at}}: {{records}} records, {{commits}} changes of history.',
    '{{file}}, erstellt {{at}}: {{records}} Datensätze, {{commits}} Änderungen der Historie.',
  ],
  'practice.key': ['Recovery key {{name}}', 'Schlüssel {{name}}'],
  'practice.key.hint': [
    'As it stands on its paper, with or without spaces. It is kept nowhere.',
    'Wie er auf dem Blatt steht, mit oder ohne Leerzeichen. Er wird nirgends aufbewahrt.',
  ],
  'practice.key.show': ['Show the key', 'Schlüssel zeigen'],
  'restore.key': [
    'Type the recovery key {{name}} when it asks for it.',
    'Tippen Sie den Schlüssel {{name}} ein, wenn danach gefragt wird.',
  ],
  'backup.all': ['The backups', 'Die Sicherungen'],
  'backup.key': ['Opened by', 'Öffnet'],
  'backup.key.plain': ['plain', 'unverschlüsselt'],
  'backup.drill': ['Practise a restore every so many days', 'Wiederherstellung üben alle … Tage'],
  'backup.drill.hint': [
    'Plain backups are practised by themselves, encrypted ones need somebody with the key. 0: never.',
    'Unverschlüsselte werden von selbst geübt, für verschlüsselte braucht es jemanden mit dem Schlüssel. 0: nie.',
  ],
} satisfies TextTable;
