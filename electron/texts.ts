/** What the shell itself says; the screens have their own texts. */
const english = {
  file: 'File',
  edit: 'Edit',
  view: 'View',
  help: 'Help',
  open: 'Open Holdpoint',
  quit: 'Quit Holdpoint',
  keepRunning: 'Keep running when the window is closed',
  startAtLogin: 'Start when I sign in',
  openLogs: 'Show the log',
  openData: 'Show the data folder',
  documentation: 'Documentation of the interface',
  lookForUpdates: 'Look for updates',
  starting: 'The server is starting.',
  unknown: 'The server is running.',
  troubleTitle: 'Holdpoint cannot start',
  refused: 'The server says that it cannot start as things are set up.',
  keeps_ending: 'The server has ended several times in a row.',
  silent: 'The server did not start within its time.',
  backup: 'Last backup: {file}',
  noBackup: 'There is no backup in the data folder.',
  restoreHint: 'A backup is brought back with: npx holdpoint restore FILE',
  tryAgain: 'Try again',
  showLog: 'Show the log',
  showBackup: 'Show the backup',
  updateReady: 'Version {version} is ready',
  updateText: 'It is installed when Holdpoint is closed. Nothing has to be done.',
  updateMenu: 'Version {version} is installed when Holdpoint is closed',
};

export type ShellTexts = typeof english;

const german: ShellTexts = {
  file: 'Datei',
  edit: 'Bearbeiten',
  view: 'Ansicht',
  help: 'Hilfe',
  open: 'Holdpoint öffnen',
  quit: 'Holdpoint beenden',
  keepRunning: 'Weiterlaufen, wenn das Fenster geschlossen ist',
  startAtLogin: 'Starten, wenn ich mich anmelde',
  openLogs: 'Protokoll zeigen',
  openData: 'Datenordner zeigen',
  documentation: 'Dokumentation der Schnittstelle',
  lookForUpdates: 'Nach Aktualisierungen suchen',
  starting: 'Der Server startet.',
  unknown: 'Der Server läuft.',
  troubleTitle: 'Holdpoint kann nicht starten',
  refused: 'Der Server sagt, dass er so, wie alles eingestellt ist, nicht starten kann.',
  keeps_ending: 'Der Server hat sich mehrmals hintereinander beendet.',
  silent: 'Der Server ist nicht rechtzeitig gestartet.',
  backup: 'Letzte Sicherung: {file}',
  noBackup: 'Im Datenordner ist keine Sicherung.',
  restoreHint: 'Eine Sicherung wird zurückgeholt mit: npx holdpoint restore DATEI',
  tryAgain: 'Nochmals versuchen',
  showLog: 'Protokoll zeigen',
  showBackup: 'Sicherung zeigen',
  updateReady: 'Version {version} ist bereit',
  updateText: 'Sie wird eingerichtet, wenn Holdpoint beendet wird. Es ist nichts zu tun.',
  updateMenu: 'Version {version} wird eingerichtet, wenn Holdpoint beendet wird',
};

/** `locale`: as the system names it, `de-CH`. */
export function shellTexts(locale: string): ShellTexts {
  return /^de\b/i.test(locale) ? german : english;
}

export function filled(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
