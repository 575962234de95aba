import { textTable } from '../../i18n/text-table.ts';

/** Signing in and out. */
export const texts = textTable({
  opening: ['Opening Holdpoint …', 'Holdpoint wird geöffnet …'],
  away: [
    'The server on this machine does not answer. It is starting again; nothing that was saved is lost.',
    'Der Server auf diesem Gerät antwortet nicht. Er startet neu; nichts Gespeichertes geht verloren.',
  ],
  'clock.title': [
    'The clock of this computer is not confirmed',
    'Die Uhr dieses Rechners ist nicht bestätigt',
  ],
  'clock.says': [
    'It says {{says}}. By what is known here it should say {{least}} at least.',
    'Sie zeigt {{says}}. Nach allem, was hier bekannt ist, müsste sie mindestens {{least}} zeigen.',
  ],
  'clock.meanwhile': [
    'Work goes on; what is written meanwhile is marked. It ends by itself once the clock is right.',
    'Die Arbeit geht weiter; was inzwischen geschrieben wird, ist gekennzeichnet. Es endet von selbst, sobald die Uhr stimmt.',
  ],
  'clock.lock': [
    'That is why all sessions here are locked: each is opened with its password.',
    'Deshalb sind alle Sitzungen hier gesperrt: Jede wird mit ihrem Passwort geöffnet.',
  ],
  'clock.go': ['Look at the clock', 'Uhr ansehen'],
  known: ['Here before', 'Schon hier gewesen'],
  'sign-in': ['Sign in', 'Anmelden'],
  'signing-in': ['Signing in', 'Anmeldung läuft'],
  login: ['User name', 'Benutzername'],
  'login.hint': [
    'What you type to sign in, such as your initials.',
    'Was Sie zum Anmelden tippen, etwa Ihr Kürzel.',
  ],
  name: ['Name', 'Name'],
  password: ['Password', 'Passwort'],
  'password.hint': [
    'At least 8 characters; a few words are easier than signs.',
    'Mindestens 8 Zeichen; ein paar Wörter sind leichter als Sonderzeichen.',
  ],
  'password.show': ['Show the password', 'Passwort zeigen'],
  wrong: [
    'User name or password is wrong. Nothing that was being typed elsewhere is lost.',
    'Benutzername oder Passwort ist falsch. Angefangene Eingaben bleiben erhalten.',
  ],
  'locked-out': ['Too many wrong passwords', 'Zu viele falsche Passwörter'],
  'locked-out.text_one': [
    'This user can sign in again in {{count}} minute. An administrator can end it at once.',
    'Dieser Benutzer kann sich in {{count}} Minute wieder anmelden. Ein Administrator kann das sofort aufheben.',
  ],
  'locked-out.text_other': [
    'This user can sign in again in {{count}} minutes. An administrator can end it at once.',
    'Dieser Benutzer kann sich in {{count}} Minuten wieder anmelden. Ein Administrator kann das sofort aufheben.',
  ],
  'locked-out.left': ['Time left: {{time}}', 'Noch {{time}}'],
  'locked-out.over': ['The time is over. Try again.', 'Die Zeit ist um. Versuchen Sie es noch einmal.'],
  locked: ['Locked', 'Gesperrt'],
  'locked.text': [
    '{{name}} goes on with the password. What was being typed is kept.',
    '{{name}} macht mit dem Passwort weiter. Angefangene Eingaben bleiben erhalten.',
  ],
  unlock: ['Unlock', 'Entsperren'],
  lock: ['Lock', 'Sperren'],
  switch: ['Switch user', 'Benutzer wechseln'],
  menu: ['Menu of {{name}}', 'Menü von {{name}}'],
  'language.en': ['English', 'English'],
  'language.de': ['Deutsch', 'Deutsch'],
  'look.light': ['Light screen', 'Heller Bildschirm'],
  'look.dark': ['Dark screen', 'Dunkler Bildschirm'],
  'contrast.high': ['High contrast', 'Hoher Kontrast'],
  'contrast.normal': ['Normal contrast', 'Normaler Kontrast'],
  'first.title': ['The first administrator', 'Der erste Administrator'],
  'first.text': [
    'Nobody can sign in yet. Whoever is entered here may do everything, and adds the others.',
    'Noch kann sich niemand anmelden. Wer hier eingetragen wird, darf alles und legt die anderen an.',
  ],
  'first.code': ['Code that the terminal printed', 'Code aus dem Terminal'],
  'first.company': ['Company', 'Firma'],
  'first.company.hint': [
    'Stands on labels, reports and certificates. Can be changed later.',
    'Steht auf Etiketten, Berichten und Zeugnissen. Kann später geändert werden.',
  ],
  'first.create': ['Create and sign in', 'Anlegen und anmelden'],
  'first.missing': ['Nobody can sign in yet', 'Noch kann sich niemand anmelden'],
  'first.link': [
    'Open the link that the server printed in its terminal when it started. It can be used once.',
    'Öffnen Sie den Link, den der Server beim Start im Terminal ausgegeben hat. Er gilt einmal.',
  ],
  'first.command': ['This command prints a new one:', 'Dieser Befehl gibt einen neuen aus:'],
});
