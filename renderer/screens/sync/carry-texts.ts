/** The exchange by files. */
export const carryTexts = {
  carry: ['Files on a stick', 'Dateien auf einem Stick'],
  'carry.text.station': [
    'Without a line: write a file here, read it in at central, and bring the file that central writes back here. Files may be lost, late, or read in twice: nothing is lost or doubled thereby.',
    'Ohne Leitung: Schreiben Sie hier eine Datei, lesen Sie sie an der Zentrale ein, und bringen Sie die Datei der Zentrale hierher zurück. Dateien dürfen verloren gehen, zu spät kommen oder zweimal eingelesen werden: Dadurch geht nichts verloren und verdoppelt sich nichts.',
  ],
  'carry.text.central': [
    'For stations without a line: read in their file here, then write one for them. Files may be lost, late, or read in twice: nothing is lost or doubled thereby.',
    'Für Stationen ohne Leitung: Lesen Sie hier deren Datei ein und schreiben Sie dann eine für sie. Dateien dürfen verloren gehen, zu spät kommen oder zweimal eingelesen werden: Dadurch geht nichts verloren und verdoppelt sich nichts.',
  ],
  'carry.central': ['Central', 'Zentrale'],
  'carry.column.for': ['For', 'Für'],
  'carry.column.waiting': ['Changes that wait', 'Wartende Änderungen'],
  'carry.column.out': ['Last written', 'Zuletzt geschrieben'],
  'carry.column.in': ['Last read in', 'Zuletzt eingelesen'],
  'carry.column.write': ['File', 'Datei'],
  'carry.write': ['Write a file', 'Datei schreiben'],
  'carry.write.for': ['Write a file: {{name}}', 'Datei schreiben: {{name}}'],
  'carry.read': ['Read in a file', 'Datei einlesen'],
  'carry.key': ['Key that they named (SHA-256)', 'Schlüssel, den man Ihnen nannte (SHA-256)'],
  'carry.key.help': [
    '64 digits, as you were told them. Compare them with those above.',
    '64 Stellen, wie man sie Ihnen genannt hat. Vergleichen Sie sie mit den obigen.',
  ],
  'carry.key.read': ['Read it in with this key', 'Mit diesem Schlüssel einlesen'],
  'carry.cancel': ['Stop reading', 'Einlesen abbrechen'],
  'carry.looking': ['The file is being checked.', 'Die Datei wird geprüft.'],
  'carry.progress': [
    '{{done}} of {{of}} messages are taken.',
    '{{done}} von {{of}} Nachrichten sind übernommen.',
  ],
  'carry.taken_one': [
    'One new change was taken from the file of {{name}} of {{at}}.',
    'Eine neue Änderung wurde aus der Datei von {{name}} vom {{at}} übernommen.',
  ],
  'carry.taken_other': [
    '{{count}} new changes were taken from the file of {{name}} of {{at}}.',
    '{{count}} neue Änderungen wurden aus der Datei von {{name}} vom {{at}} übernommen.',
  ],
  'carry.nothing': [
    'The file of {{name}} of {{at}} had nothing new.',
    'Die Datei von {{name}} vom {{at}} hatte nichts Neues.',
  ],
  'carry.known_one': ['One was here already.', 'Eine war schon hier.'],
  'carry.known_other': ['{{count}} were here already.', '{{count}} waren schon hier.'],
  'carry.back': [
    'Now write a file for the other side, so that it knows what arrived.',
    'Schreiben Sie nun eine Datei für die andere Seite, damit sie weiß, was angekommen ist.',
  ],
} as const;
