import type { TextTable } from '../../i18n/text-table.ts';

/** The validation kit. */
export const validationTexts = {
  'validation.text': [
    'Tries each requirement of regulated work on this computer: the installation as it lies here, and the program on data of its own that are removed afterwards. Your records are not touched, and everybody goes on working.',
    'Prüft jede Anforderung der regulierten Arbeit auf diesem Rechner: die Installation, wie sie hier liegt, und das Programm an eigenen Daten, die danach entfernt werden. Ihre Datensätze bleiben unberührt, und alle arbeiten weiter.',
  ],
  'validation.start': ['Validate now', 'Jetzt validieren'],
  'validation.cancel': ['Cancel the validation', 'Validierung abbrechen'],
  'validation.running': [
    'It is being validated, since {{at}}, for {{by}}.',
    'Es wird validiert, seit {{at}}, für {{by}}.',
  ],
  'validation.progress': [
    '{{done}} of {{total}} requirements tried',
    '{{done}} von {{total}} Anforderungen geprüft',
  ],
  'validation.beginning': ['A scratch station is being set up.', 'Eine Probestation wird eingerichtet.'],
  'validation.failure': ['The last validation gave no report', 'Die letzte Validierung ergab keinen Bericht'],
  'validation.met': ['The installation is valid', 'Die Installation ist gültig'],
  'validation.not-met': ['The installation is not valid', 'Die Installation ist nicht gültig'],
  'validation.counts': [
    '{{passed}} requirements are met, {{failed}} are not, {{notTried}} could not be tried here.',
    '{{passed}} Anforderungen sind erfüllt, {{failed}} nicht, {{notTried}} konnten hier nicht geprüft werden.',
  ],
  'validation.reports': ['Reports', 'Berichte'],
  'validation.none': ['There is no report yet.', 'Es gibt noch keinen Bericht.'],
  'validation.keep': [
    'Reports are signed by this installation and stay in its data folder, which backups do not contain: keep them elsewhere as well.',
    'Berichte sind von dieser Installation unterschrieben und bleiben in ihrem Datenordner, den Sicherungen nicht enthalten: Bewahren Sie sie auch anderswo auf.',
  ],
  'validation.at': ['When', 'Wann'],
  'validation.by': ['Who', 'Wer'],
  'validation.version': ['Version', 'Version'],
  'validation.result': ['Result', 'Ergebnis'],
  'validation.passed': ['Valid', 'Gültig'],
  'validation.failed': ['Not valid', 'Nicht gültig'],
  'validation.files': ['Files', 'Dateien'],
  'validation.pdf': ['PDF', 'PDF'],
  'validation.json': ['Signed file (JSON)', 'Unterschriebene Datei (JSON)'],
  'validation.of': ['{{what}} of {{at}}', '{{what}} vom {{at}}'],
} satisfies TextTable;
