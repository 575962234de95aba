import type { TextTable } from '../../i18n/text-table.ts';

/** The machine's policy: what its administrators decided for it. */
export const policyTexts = {
  'section.policy': ['Policy of the machine', 'Richtlinie des Rechners'],
  'about.policy': [
    'What the administrators of this machine have set for it.',
    'Was die Administratoren dieses Rechners für ihn festgelegt haben.',
  ],
  'policy.none': [
    'This machine has no policy. Its administrators can set one outside of Holdpoint; the documentation of the desktop app says how.',
    'Dieser Rechner hat keine Richtlinie. Seine Administratoren können außerhalb von Holdpoint eine setzen; wie, sagt die Dokumentation der Desktop-App.',
  ],
  'policy.set': [
    'The administrators of this machine have set this, in {{source}}. It cannot be changed here.',
    'Das haben die Administratoren dieses Rechners festgelegt, in {{source}}. Es lässt sich hier nicht ändern.',
  ],
  'policy.faults': ['Not all of it is in force', 'Nicht alles davon gilt'],
  'policy.central': ['Central', 'Zentrale'],
  'policy.station_name': ['Name of the station', 'Name der Station'],
  'policy.authority_file': ['Authorities of the central', 'Zertifizierungsstellen der Zentrale'],
  'policy.port': ['Port', 'Port'],
  'policy.sends_backups': [
    'Sends encrypted backups to the central',
    'Sendet verschlüsselte Sicherungen an die Zentrale',
  ],
  'policy.updates': ['Updates by the central', 'Updates über die Zentrale'],
  'policy.update_ring': ['Ring of the updates', 'Ring der Updates'],
  'policy.update_window': ['Hours of the updates', 'Stunden der Updates'],
  'policy.language': ['Language', 'Sprache'],
  'policy.language.en': ['English', 'Englisch'],
  'policy.language.de': ['German', 'Deutsch'],
  'policy.printer': ['Printer of labels', 'Etikettendrucker'],
  'policy.updates.on': ['On', 'Ein'],
  'policy.updates.off': ['Off', 'Aus'],
  'policy.starts_at_login': ['Starts when its user signs in', 'Startet bei der Anmeldung'],
  'policy.keeps_running': ['Goes on with its window closed', 'Läuft bei geschlossenem Fenster weiter'],
  'policy.kiosk': ['Fills the screen, without a way out', 'Füllt den Bildschirm, ohne Ausweg'],
  'policy.kiosk_pin': ['PIN to leave the full screen', 'PIN zum Verlassen des Vollbilds'],
  'policy.kiosk_printer': ['Printer of the full screen', 'Drucker des Vollbilds'],
  'policy.code': ['Code for enrolment', 'Code zum Beitritt'],
  'policy.code.set': ['Set; it is not shown', 'Gesetzt; er wird nicht gezeigt'],
  'policy.code.unset': ['Not set', 'Nicht gesetzt'],
  'policy.enrolment.trying': ['Joining {{central}} …', 'Tritt {{central}} bei …'],
  'policy.enrolment.waiting': ['{{central}} was not reached yet', '{{central}} wurde noch nicht erreicht'],
  'policy.enrolment.refused': [
    'This machine has not joined {{central}}',
    'Dieser Rechner ist {{central}} nicht beigetreten',
  ],
  'policy.enrolment.done': [
    'This machine has joined {{central}}',
    'Dieser Rechner ist {{central}} beigetreten',
  ],
  'policy.again': ['It is tried again at {{at}}.', 'Der nächste Versuch ist um {{at}}.'],
  'policy.locked': ['Set by the policy of this machine', 'Von der Richtlinie dieses Rechners festgelegt'],
} as const satisfies TextTable;
