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
  'key.kiosk': [
    'This machine neither prints nor saves a key: write it down, or make it at another machine.',
    'Dieser Rechner druckt und speichert keinen Schlüssel: Schreiben Sie ihn ab, oder erzeugen Sie ihn an einem anderen Rechner.',
  ],
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
  'central-backup.title': ['Backups at central', 'Sicherungen in der Zentrale'],
  'central-backup.text': [
    'Encrypted backups can go to central too, over the line of the exchange, which always comes first. Central cannot read them: without the recovery key nobody can.',
    'Verschlüsselte Sicherungen können auch an die Zentrale gehen, über die Leitung des Austauschs, der immer Vorrang hat. Die Zentrale kann sie nicht lesen: Das kann ohne den Schlüssel niemand.',
  ],
  'central-backup.begin': ['Send them to central', 'An die Zentrale senden'],
  'central-backup.end': ['Send no more', 'Nicht mehr senden'],
  'central-backup.none': ['Central has none yet.', 'Die Zentrale hat noch keine.'],
  'central-backup.kept': [
    'Central has the last one since {{at}} ({{size}}).',
    'Die letzte hat die Zentrale seit {{at}} ({{size}}).',
  ],
  'central-backup.sending': [
    'One is on its way: {{sent}} of {{size}}.',
    'Eine ist unterwegs: {{sent}} von {{size}}.',
  ],
  'central-backup.of-stations': ['Backups of stations', 'Sicherungen der Stationen'],
  'central-backup.keeps': [
    'Of each station that sends its backups the last {{keep}} stay, for {{days}} days (0: without end); the newest always does. They are encrypted, and this central has no key to them.',
    'Von jeder Station, die ihre Sicherungen sendet, bleiben die letzten {{keep}}, {{days}} Tage lang (0: ohne Ende); die neueste immer. Sie sind verschlüsselt, und diese Zentrale hat keinen Schlüssel dazu.',
  ],
  'central-backup.takes-none': [
    'This central takes no backups of stations.',
    'Diese Zentrale nimmt keine Sicherungen von Stationen an.',
  ],
  'central-backup.change': ['Change what is kept', 'Aufbewahrung ändern'],
  'central-backup.keep': ['How many of each station stay', 'Wie viele von jeder Station bleiben'],
  'central-backup.keep.hint': [
    'The oldest beyond these are removed. 0: none is taken.',
    'Die ältesten darüber hinaus werden entfernt. 0: Es werden keine angenommen.',
  ],
  'central-backup.days': ['For how many days', 'Wie viele Tage lang'],
  'central-backup.days.hint': [
    'The newest of a station whose key is valid stays. 0: without end.',
    'Die neueste einer Station mit gültigem Zugang bleibt. 0: ohne Ende.',
  ],
  'kept.column': ['Backups', 'Sicherungen'],
  'kept.show.named': [
    'Backups of {{name}}, the last of {{at}}',
    'Sicherungen von {{name}}, die letzte vom {{at}}',
  ],
  'kept.title': ['Backups of {{name}}', 'Sicherungen von {{name}}'],
  'kept.text': [
    'Encrypted by the station. Whoever fetches one stands in the audit trail. On the new machine: holdpoint restore, with the recovery key; then enrol it with a new code.',
    'Von der Station verschlüsselt. Wer eine holt, steht im Protokoll. Auf dem neuen Rechner: holdpoint restore, mit dem Schlüssel; dann mit einem neuen Code beitreten.',
  ],
  'kept.close': ['Close', 'Schließen'],
  'kept.fetched': ['Last fetched', 'Zuletzt geholt'],
  'kept.fetched.by': ['{{at}}, {{by}}', '{{at}}, {{by}}'],
} satisfies TextTable;
