import type { TextTable } from '../../i18n/text-table.ts';

/** The key by which this installation signs as itself. */
export const authorityTexts = {
  'section.authority': ['Key', 'Schlüssel'],
  'about.authority': [
    'With which key this installation signs, and certifying another one after a loss',
    'Mit welchem Schlüssel diese Installation unterschreibt, und einen anderen nach einem Verlust beglaubigen',
  ],
  'authority.title': ['Key of this installation', 'Schlüssel dieser Installation'],
  'authority.text': [
    'With it this installation signs checkpoints, exported history and recall packages. It lies in the file authority.key of the data folder, and in no backup: keep a copy as a secret.',
    'Damit unterschreibt diese Installation Prüfpunkte, exportierte Historie und Rückrufpakete. Er liegt in der Datei authority.key des Datenordners und in keiner Sicherung: Bewahren Sie eine Kopie als Geheimnis auf.',
  ],
  'authority.key': ['SHA-256 of the key', 'SHA-256 des Schlüssels'],
  'authority.former': ['Of the one before', 'Des früheren'],
  'authority.since': ['Since', 'Seit'],
  'authority.by': ['Certified by', 'Beglaubigt von'],
  'authority.nobody': ['nobody yet', 'noch niemandem'],
  'authority.counts': [
    'This key counts. There is nothing to do.',
    'Dieser Schlüssel gilt. Es ist nichts zu tun.',
  ],
  'authority.other': [
    'This installation signs with another key than before',
    'Diese Installation unterschreibt mit einem anderen Schlüssel als zuvor',
  ],
  'authority.remedy': [
    'Put the former authority.key back if there is a copy: that ends this by itself. If it is lost, two administrators of before certify the new one, each with their own password. If nobody lost it, somebody else may have put this one there.',
    'Gibt es eine Kopie, legen Sie die frühere authority.key zurück: Dann endet dies von selbst. Ist sie verloren, beglaubigen zwei Administratoren von zuvor den neuen Schlüssel, jeder mit seinem Passwort. Hat ihn niemand verloren, kann ihn jemand anderes untergeschoben haben.',
  ],
  'authority.certify': ['Certify the new key', 'Neuen Schlüssel beglaubigen'],
  'authority.fingerprint': ['SHA-256, as the machine shows it', 'SHA-256, wie der Rechner sie zeigt'],
  'authority.fingerprint.hint': [
    'Read it at the machine itself: the server tells it when it starts, and "holdpoint authority show" does.',
    'Lesen Sie sie am Rechner selbst ab: Der Server nennt sie beim Start, ebenso „holdpoint authority show“.',
  ],
  'authority.reason': ['Why the key is another one', 'Warum der Schlüssel ein anderer ist'],
  'authority.password': ['Your password', 'Ihr Passwort'],
} satisfies TextTable;
